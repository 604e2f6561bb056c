// SPDX-License-Identifier: Apache-2.0
#include "core/role/path.hpp"

namespace posse {

void Path::add_passed(PathPart part, NodeId node, Time until) {
  if (part == PathPart::compute && last_->part == part && last_->node == node &&
      last_->earlier != nullptr) {
    Path before;
    before.last_ = last_->earlier;
    before.last_->references.add();
    *this = std::move(before);
  }
  add(part, node, until);
}

void Path::release(Link* link) noexcept {
  while (link != nullptr && link->references.drop()) delete std::exchange(link, link->earlier);
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
