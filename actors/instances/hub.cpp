#include "actors/instances/hub.hpp"

#include <fmt/format.h>

#include <utility>

namespace posse {

InstancesHub::InstancesHub(const InstancesSetup& setup)
    : setup_(&setup),
      gather_(kFirstInstance, static_cast<std::uint32_t>(setup.totals.size()), Policy{}),
      found_(setup.totals.size()) {}

void InstancesHub::on_start(Reaction& reaction) {
  reaction.observe(RecommendationObserved{setup_->partition.point(Cell{})});
  begin_pass(reaction);
}

void InstancesHub::begin_pass(Reaction& reaction) {
  const auto& pass = setup_->passes[gather_.round().value];
  const Round round{gather_.round().value + 1};
  reaction.observe(RoundBegan{round});
  for (std::uint32_t i = 0; i < pass.evaluations.size(); ++i) {
    const auto& options = setup_->options[pass.first + i];
    reaction.send(NodeId{kFirstInstance.value + pass.first + i},
                  round,
                  Start{options.nu, options.rho, pass.evaluations[i]});
  }
  gather_.open(round, reaction, pass.first, static_cast<std::uint32_t>(pass.evaluations.size()));
}

void InstancesHub::on_message(const Message& message, Reaction& reaction) {
  if (message.get<Found>() == nullptr || gather_.take(message, reaction) != Answer::used) return;
  found_[message.from.value - kFirstInstance.value] = message.payload;
  if (gather_.ready()) end_pass(reaction);
}

void InstancesHub::end_pass(Reaction& reaction) {
  const auto& pass = setup_->passes[gather_.round().value - 1];
  for (const auto evaluations : pass.evaluations) evaluations_ += evaluations;
  RoundEnded ended;
  ended.round = gather_.round();
  ended.active_cells = ended.kept_cells = pass.evaluations.size();
  ended.pulls_per_cell = pass.evaluations.front();
  ended.steps = evaluations_;
  gather_.close(reaction, ended);
  reaction.observe(std::move(ended));
  reaction.observe(RecommendationObserved{best().x.numbers});
  if (gather_.round().value < setup_->passes.size()) {
    begin_pass(reaction);
    return;
  }
  if (setup_->rest > 0) spend_rest(reaction);
  reaction.finish();
}

const Found& InstancesHub::best() const {
  const Found* best = nullptr;
  for (const auto& payload : found_) {
    const auto* found = payload.get<Found>();
    if (found != nullptr && (best == nullptr || found->mean > best->mean)) best = found;
  }
  return *best;
}

void InstancesHub::spend_rest(Reaction& reaction) const {
  const auto& x = best().x.numbers;
  reaction.evaluate(setup_->rest);
  RewardSource(*setup_->problem, kOnlyClient, "hub").pull(x, setup_->rest);
  reaction.observe(PullsObserved{kOnlyClient, x, setup_->rest});
}

std::optional<Waiting> InstancesHub::waiting() const {
  if (!gather_.is_open()) return std::nullopt;
  return Waiting{fmt::format("Found of pass {}", gather_.round().value),
                 Found::kName,
                 gather_.round(),
                 gather_.missing()};
}

}  // namespace posse
