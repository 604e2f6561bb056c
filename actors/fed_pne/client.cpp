// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_pne/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "actors/common/coded_means.hpp"
#include "actors/common/local_means.hpp"
#include "actors/common/mean_parameters.hpp"

namespace posse {

FedPneClient::FedPneClient(const FedPneSetup& setup, std::uint32_t client)
    : setup_(&setup),
      rewards_(*setup.problem, setup.partition, client),
      release_(setup.privacy, setup.problem->seed(), client),
      rounding_(setup.means, setup.problem->seed(), fmt::format("client-{}", client)),
      plans_(setup),
      above_(setup.hierarchy.above({setup.hierarchy.first_client().value + client})) {}

void FedPneClient::on_message(const Message& message, Reaction& reaction) {
  if (const auto task = plans_.read(message, rewards_.left(), reaction)) carry_out(*task, reaction);
}

void FedPneClient::carry_out(const PhaseTask& task, Reaction& reaction) {
  const std::uint64_t left = rewards_.left();
  const bool cut = task.is_cut(left);
  if (!cut) rewards_.prepare_level(task.depth, *task.index);
  std::vector<double> means;
  means.reserve(task.index->size());
  for (const auto i : *task.index) {
    const auto count = std::min(task.pulls, rewards_.left());
    if (count == 0) break;
    const double mean = pull({task.depth, i}, count, reaction) / static_cast<double>(count);
    if (!cut) means.push_back(rounding_.round(release_.release(mean, count)));
  }
  if (!cut) {
    report_clipped(setup_->means, rounding_, reaction);
    reaction.send_payload(
        above_,
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
  return Waiting{fmt::format("{} of phase {}", plan, next.value), plan, next, {above_}};
}

}  // namespace posse
