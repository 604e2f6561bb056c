// SPDX-License-Identifier: Apache-2.0
#include "core/role/path.hpp"

namespace posse {

void Path::release(Link* link) noexcept {
  // The only owner need not count down.
  while (link != nullptr && (link->references.load(std::memory_order_acquire) == 1 ||
                             link->references.fetch_sub(1, std::memory_order_acq_rel) == 1))
    delete std::exchange(link, link->earlier);
}

void Path::shorten() {
  const Path whole = std::move(*this);
  Link** end = &last_;
  std::uint32_t left = kKept;
  for (const Link* link = whole.last_; link != nullptr && left > 0; link = link->earlier, --left) {
    *end = new Link(link->part, link->node, link->until, nullptr);
    (*end)->length = left;
    end = &(*end)->earlier;
  }
}

}  // namespace posse
