// SPDX-License-Identifier: Apache-2.0
#include "core/sim/lost_messages.hpp"

#include <algorithm>
#include <tuple>

namespace posse {
namespace {

/// Later rounds first; within a round by the time of sending.
bool is_more_relevant(const LostMessage& a, const LostMessage& b) {
  return std::tie(b.round, a.left, a.from, a.to, a.type, a.tries, a.cause) <
         std::tie(a.round, b.left, b.from, b.to, b.type, b.tries, b.cause);
}

}  // namespace

void LostMessages::add(const LostMessage& message) {
  if (heap_.size() == kKept) {
    if (!is_more_relevant(message, heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), is_more_relevant);
    heap_.pop_back();
  }
  heap_.push_back(message);
  std::push_heap(heap_.begin(), heap_.end(), is_more_relevant);
}

std::vector<LostMessage> LostMessages::sorted() const {
  auto all = heap_;
  std::sort(all.begin(), all.end(), is_more_relevant);
  return all;
}

}  // namespace posse
