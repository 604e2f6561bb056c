// SPDX-License-Identifier: Apache-2.0
#include "core/sim/repeated_messages.hpp"

namespace posse {

void RepeatedMessages::sent(const Message& message,
                            LinkId link,
                            std::uint32_t number,
                            std::size_t kept) {
  const auto [at, added] = messages_.try_emplace(Key{link.value, number}, message);
  at->second.last = at->second.needed = message.last;
  if (!added) return;
  by_age_.emplace_back(link.value, number);
  while (by_age_.size() > kept) {
    messages_.erase(by_age_.front());
    by_age_.pop_front();
  }
}

const RepeatedMessages::Message* RepeatedMessages::find(LinkId link, std::uint32_t number) const {
  const auto at = messages_.find({link.value, number});
  return at == messages_.end() ? nullptr : &at->second;
}

std::optional<RepeatedMessages::Needless> RepeatedMessages::acknowledged(LinkId link,
                                                                         std::uint32_t number,
                                                                         std::uint8_t tries) {
  const auto at = messages_.find({link.value, number});
  if (at == messages_.end() || tries >= at->second.needed || tries == kManyTries) return {};
  Message& message = at->second;
  const Needless needless{message.sent, message.type, tries + 1u, message.needed};
  message.needed = tries;
  return needless;
}

void RepeatedMessages::forget(LinkId link) {
  messages_.erase(messages_.lower_bound({link.value, 0}),
                  messages_.upper_bound({link.value, ~std::uint32_t{0}}));
}

}  // namespace posse
