// SPDX-License-Identifier: Apache-2.0
#include "actors/instances/instance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "actors/instances/messages.hpp"
#include "actors/learners/learner_kind.hpp"

namespace posse {

std::string instance_name(std::uint32_t number) { return fmt::format("instance-{}", number); }

Instance::Instance(const InstancesSetup& setup, std::uint32_t number)
    : setup_(&setup),
      number_(number),
      rewards_(*setup.problem, setup.partition, kOnlyClient, instance_name(number)) {}

void Instance::on_message(const Message& message, Reaction& reaction) {
  const auto* start = message.get<Start>();
  if (start == nullptr || starts_.see(message.round) != Sight::newest) return;
  if (!learner_) {
    auto options = setup_->options[number_];
    options.nu = start->nu;
    options.rho = start->rho;
    options.choices.name = instance_name(number_);
    learner_ = make_tree_learner(setup_->kind, setup_->partition, options);
  }
  started_ = true;
  budget_ = start->budget;
  until_ = rewards_.pulls() + (setup_->check ? budget_ / 2 : budget_);
  search(reaction);
}

void Instance::on_timer(TimerId, Reaction& reaction) { search(reaction); }

void Instance::on_restart(Reaction& reaction) {
  if (rewards_.pulls() < until_) search(reaction);
}

void Instance::search(Reaction& reaction) {
  const std::uint64_t count = std::min(until_ - rewards_.pulls(), kMostEvaluationsPerReaction);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double reward = rewards_.pull(learner_->next(), 1, reaction);
    learner_->tell(reward);
    sum_ += reward;
  }
  if (rewards_.pulls() < until_)
    reaction.set_timer_after_work(kContinueLearning);
  else
    answer(reaction);
}

void Instance::answer(Reaction& reaction) {
  const Cell cell = learner_->recommend();
  double sum = sum_;
  std::uint64_t count = rewards_.pulls();
  if (setup_->check) {
    count = budget_ / 2;
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
