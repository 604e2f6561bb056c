#include "core/sim/ending.hpp"

#include "core/base/check.hpp"

namespace posse {
namespace {

void raise_to(std::atomic<std::int64_t>& latest, Time time) {
  auto known = latest.load(std::memory_order_relaxed);
  while (known < time.ns &&
         !latest.compare_exchange_weak(known, time.ns, std::memory_order_relaxed)) {
  }
}

}  // namespace

void Ending::round_closed(const RoundEnded& round) {
  if (!star_) return;
  round_was_closed_ = true;
  last_round_.first_asked = round.first_asked;
  last_round_.expected = round.first_asked ? round.expected : 0;
  last_round_.late = round.late;
}

void Ending::decided(Time at) {
  raise_to(latest_decision_, at);
  undecided_.fetch_sub(1, std::memory_order_relaxed);
}

void Ending::begin() {
  POSSE_CHECK(answer_known() && !begun_);
  begun_ = true;
  raise_to(end_, answered_at());
  if (!star_) return;
  if (round_was_closed_) {
    unsettled_.assign(nodes_, 0);
    for (std::uint32_t i = 0; i < last_round_.expected; ++i)
      unsettled_.at(last_round_.first_asked->value + i) = 1;
    for (const NodeId node : last_round_.late) unsettled_.at(node.value) = 0;
  } else {
    unsettled_.assign(nodes_, 1);
  }
  unsettled_[kHub.value] = 0;
  std::uint32_t count = 0;
  for (const auto unsettled : unsettled_) count += unsettled;
  waiting_.store(count, std::memory_order_relaxed);
}

void Ending::settle(NodeId node, Time at) {
  unsettled_[node.value] = 0;
  raise_to(end_, at);
  waiting_.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace posse
