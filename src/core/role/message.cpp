// SPDX-License-Identifier: Apache-2.0
#include "core/role/message.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/free_store.hpp"

namespace posse {

struct Payload::SentAgain : Body, FromFreeStore<Payload::SentAgain> {
  explicit SentAgain(Payload p) : payload(std::move(p)) {}
  Payload payload;
};

Payload Payload::recorded(const MessageType& type,
                          std::uint64_t size_bytes,
                          std::uint64_t values,
                          std::uint64_t hash,
                          std::uint32_t number) {
  Payload payload;
  payload.body_ = new Body{.type = &type,
                           .destroy = [](Body* body) { delete body; },
                           .content = nullptr,
                           .size_bytes = size_bytes,
                           .values = values,
                           .hash = hash,
                           .number = number};
  return payload;
}

Payload Payload::sent(Path path, std::uint32_t number) && {
  if (!body_->path && body_->references.is_one()) {
    body_->path = std::move(path);  // nobody else knows it yet
    body_->number = number;
    return std::move(*this);
  }
  if (body_->path == path && body_->number == number) return std::move(*this);
  constexpr auto destroy = [](Body* body) { delete static_cast<SentAgain*>(body); };
  const bool again = body_->destroy == static_cast<void (*)(Body*)>(destroy);
  auto* const body =
      new SentAgain(again ? static_cast<SentAgain*>(body_)->payload : std::move(*this));
  const Body& original = *body->payload.body_;
  body->type = original.type;
  body->destroy = destroy;
  body->content = original.content;
  body->size_bytes = original.size_bytes;
  body->values = original.values;
  body->hash = original.hash;
  body->path = std::move(path);
  body->number = number;
  Payload sent;
  sent.body_ = body;
  return sent;
}

namespace codec {
namespace {

constexpr std::size_t kShown = 4;  // of a list's numbers

}  // namespace

void Printer::begin() {
  const auto end = std::min(names_.find(','), names_.size());
  if (!out_.empty()) out_ += ", ";
  out_ += names_.substr(0, end);
  names_.remove_prefix(end);
  names_.remove_prefix(std::min(names_.find_first_not_of(", "), names_.size()));
}

void Printer::number(double x) {
  begin();
  out_ += fmt::format(" {}", x);
}

void Printer::whole(std::uint64_t x) {
  begin();
  out_ += fmt::format(" {}", x);
}

void Printer::list(std::size_t size, double (*at)(const void*, std::size_t), const void* items) {
  begin();
  out_ += fmt::format(" [{}]", size);
  for (std::size_t i = 0; at != nullptr && i < std::min(size, kShown); ++i)
    out_ += fmt::format(" {}", at(items, i));
  if (at != nullptr && size > kShown) out_ += " …";
}

}  // namespace codec
}  // namespace posse
