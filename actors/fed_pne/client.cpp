#include "actors/fed_pne/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "actors/common/coded_means.hpp"
#include "actors/common/mean_parameters.hpp"
#include "actors/common/star.hpp"
#include "actors/fed_pne/messages.hpp"

namespace posse {

FedPneClient::FedPneClient(const FedPneSetup& setup, std::uint32_t client)
    : setup_(&setup),
      rewards_(*setup.problem, setup.partition, client),
      release_(setup.privacy, setup.problem->seed(), client),
      rounding_(setup.means, setup.problem->seed(), fmt::format("client-{}", client)) {}

void FedPneClient::on_message(const Message& message, Reaction& reaction) {
  const auto* plan = message.get<PhasePlan>();
  const auto* compact = message.get<CompactPlan>();
  if (plan == nullptr && compact == nullptr) return;
  const Sight sight = plans_.see(message.round);
  if (sight == Sight::overtaken) reaction.observe(StaleObserved{message.round, message.from});
  if (sight != Sight::newest || rewards_.left() == 0) return;
  if (plan != nullptr)
    carry_out({message.round, plan->depth, plan->pulls, plan->index.size()}, plan->index, reaction);
  else if (const auto pulls = follow(*compact))
    carry_out({message.round, active_.depth, *pulls, active_.count}, active_.index, reaction);
  else
    reaction.observe(StaleObserved{message.round, message.from});
}

std::optional<std::uint64_t> FedPneClient::follow(const CompactPlan& plan) {
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
  const std::uint64_t limit = rewards_.left() + 1;
  active_.split(setup_->partition, kept, kept.size(), limit);
  for (std::uint32_t again = 0; again < plan.expansions; ++again)
    active_.split(setup_->partition, active_.index, active_.count, limit);
  return setup_->pulls(active_.depth);
}

void FedPneClient::carry_out(const Task& task,
                             const std::vector<std::uint64_t>& index,
                             Reaction& reaction) {
  const std::uint64_t left = rewards_.left();
  const bool cut = task.pulls > left / task.cells;
  reaction.evaluate(cut ? left : task.pulls * task.cells);
  std::vector<double> means;
  means.reserve(index.size());
  for (const auto i : index) {
    const auto count = std::min(task.pulls, rewards_.left());
    if (count == 0) break;
    const double mean = pull({task.depth, i}, count, reaction) / static_cast<double>(count);
    if (!cut) means.push_back(rounding_.round(release_.release(mean, count)));
  }
  if (!cut) {
    report_clipped(setup_->means, rounding_, reaction);
    reaction.send_payload(
        kServer,
        1,
        task.phase,
        encode_means<LocalMeans>(task.phase.value, std::move(means), setup_->means));
  }
  if (rewards_.left() == 0) reaction.finish();
}

double FedPneClient::pull(Cell cell, std::uint64_t count, Reaction& reaction) {
  if (!release_.adds_noise()) return rewards_.pull(cell, count, reaction);
  double sum = 0;
  rewards_.pull_each(
      cell, count, reaction, [&sum](double reward) { sum += std::clamp(reward, 0.0, 1.0); });
  return sum;
}

std::optional<Waiting> FedPneClient::waiting() const {
  if (rewards_.left() == 0 || setup_->policy.kind != PolicyKind::all) return std::nullopt;
  const Round next{plans_.newest().value + 1};
  const std::string_view plan = setup_->plan_type().name;
  return Waiting{fmt::format("{} of phase {}", plan, next.value), plan, next, {kServer}};
}

}  // namespace posse
