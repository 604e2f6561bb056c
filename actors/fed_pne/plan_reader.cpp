// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_pne/plan_reader.hpp"

#include <limits>
#include <utility>

namespace posse {

std::optional<PhaseTask> PlanReader::read(const Message& message,
                                          std::uint64_t left,
                                          Reaction& reaction) {
  const auto* plan = message.get<PhasePlan>();
  const auto* compact = message.get<CompactPlan>();
  if (plan == nullptr && compact == nullptr) return std::nullopt;
  const Sight sight = plans_.see(message.round);
  if (sight == Sight::overtaken) reaction.observe(StaleObserved{message.round, message.from});
  if (sight != Sight::newest || left == 0) return std::nullopt;
  if (plan != nullptr)
    return PhaseTask{message.round, plan->depth, plan->pulls, plan->index.size(), &plan->index};
  if (const auto pulls = follow(*compact, left))
    return PhaseTask{message.round, active_.depth, *pulls, active_.count, &active_.index};
  reaction.observe(StaleObserved{message.round, message.from});
  return std::nullopt;
}

std::optional<std::uint64_t> PlanReader::follow(const CompactPlan& plan, std::uint64_t left) {
  if (plan.phase != phase_ + 1 || plan.kept.size() != (active_.index.size() + 7) / 8)
    return std::nullopt;
  std::vector<std::uint64_t> kept;
  for (std::size_t i = 0; i < active_.index.size(); ++i)
    if ((plan.kept[i / 8] >> (i % 8)) & 1) kept.push_back(active_.index[i]);
  if (kept.empty()) return std::nullopt;
  phase_ = plan.phase;
  if (active_.depth == setup_->partition.max_depth()) {
    active_.count = kept.size();
    active_.index = std::move(kept);
    return std::numeric_limits<std::uint64_t>::max();  // the best cell is pulled until T
  }
  const std::uint64_t limit = left + 1;
  active_.split(setup_->partition, kept, kept.size(), limit);
  for (std::uint32_t again = 0; again < plan.expansions; ++again)
    active_.split(setup_->partition, active_.index, active_.count, limit);
  return setup_->pulls(active_.depth);
}

}  // namespace posse
