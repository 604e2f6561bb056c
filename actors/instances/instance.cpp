#include "actors/instances/roles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "actors/learners/learner_kind.hpp"

namespace posse {
namespace {

constexpr NodeId kHub{0};
constexpr NodeId kFirstInstance{1};
constexpr std::uint32_t kClient = 0;

std::string name_of(std::uint32_t instance) { return fmt::format("instance-{}", instance); }

}  // namespace

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
  RewardSource(*setup_->problem, kClient, "hub").pull(x, setup_->rest);
  reaction.observe(PullsObserved{kClient, x, setup_->rest});
}

std::optional<Waiting> InstancesHub::waiting() const {
  if (!gather_.is_open()) return std::nullopt;
  return Waiting{fmt::format("Found of pass {}", gather_.round().value),
                 Found::kName,
                 gather_.round(),
                 gather_.missing()};
}

Instance::Instance(const InstancesSetup& setup, std::uint32_t number)
    : setup_(&setup),
      number_(number),
      rewards_(*setup.problem, setup.partition, kClient, name_of(number)) {}

void Instance::on_message(const Message& message, Reaction& reaction) {
  const auto* start = message.get<Start>();
  if (start == nullptr || starts_.see(message.round) != Sight::newest) return;
  if (!learner_) {
    auto options = setup_->options[number_];
    options.nu = start->nu;
    options.rho = start->rho;
    options.choices.name = name_of(number_);
    learner_ = make_tree_learner(setup_->kind, setup_->partition, options);
  }
  started_ = true;
  budget_ = start->budget;
  until_ = rewards_.pulls() + (setup_->check ? budget_ / 2 : budget_);
  search(reaction);
}

void Instance::on_timer(TimerId, Reaction& reaction) { search(reaction); }

void Instance::search(Reaction& reaction) {
  const std::uint64_t count = std::min(until_ - rewards_.pulls(), kMostEvaluationsPerReaction);
  if (count > 0) reaction.evaluate(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double reward = rewards_.pull(learner_->next(), 1, reaction);
    learner_->tell(reward);
    sum_ += reward;
  }
  if (rewards_.pulls() < until_)
    reaction.set_timer(kContinueLearning, Duration{});
  else
    answer(reaction);
}

void Instance::answer(Reaction& reaction) {
  const Cell cell = learner_->recommend();
  double sum = sum_;
  std::uint64_t count = rewards_.pulls();
  if (setup_->check) {
    count = budget_ / 2;
    if (count > 0) reaction.evaluate(count);
    sum = count > 0 ? rewards_.pull(cell, count, reaction) : 0;
  }
  if (const auto tree = learner_->tree()) {
    reaction.observe(CountObserved{kTreeDepth, tree->depth});
    reaction.observe(CountObserved{kTreeCells, tree->cells});
  }
  const double mean = count > 0 ? sum / static_cast<double>(count) : 0;
  reaction.send(kHub, starts_.newest(), Found{mean, {setup_->partition.point(cell)}});
  if (finished()) reaction.finish();
}

std::optional<Waiting> Instance::waiting() const {
  if (finished()) return std::nullopt;
  const Round next{starts_.newest().value + 1};
  return Waiting{fmt::format("Start of pass {}", next.value), Start::kName, next, {kHub}};
}

}  // namespace posse
