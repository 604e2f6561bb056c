// SPDX-License-Identifier: Apache-2.0
#include "actors/parallel/summed_exchange.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "actors/parallel/messages.hpp"
#include "core/base/check.hpp"

namespace posse {

SummedExchange::SummedExchange(const ExchangeSetup& setup, std::uint32_t self)
    : setup_(setup), self_(self) {
  for (std::uint32_t part = 0; part < sum_parts(setup.way, setup.players); ++part)
    parts_.push_back({.plan = sum_plan(setup.way, setup.players, self, part)});
}

const Payload* SummedExchange::Part::from(NodeId node) const {
  const auto it = std::find_if(
      arrived.begin(), arrived.end(), [&](const Contribution& c) { return c.from == node; });
  return it == arrived.end() ? nullptr : &it->payload;
}

void SummedExchange::start(std::vector<double> own, Reaction& reaction) {
  averages_.assign(own.size(), 0.0);
  known_ = 0;
  for (std::uint32_t number = 0; number < parts_.size(); ++number) {
    Part& part = parts_[number];
    part.begin = own.size() * number / parts_.size();
    part.end = own.size() * (number + 1) / parts_.size();
    part.stage = 0;
    part.arrived.clear();
    part.sums.clear();
    for (std::size_t i = part.begin; i < part.end; ++i) part.sums.push_back(to_multiple(own[i]));
    part.known = part.begin == part.end;  // nobody sends an empty part
    known_ += part.known;
  }
  for (std::uint32_t number = 0; number < parts_.size(); ++number) advance(number, reaction);
}

/// In a ring, the previous player sends the sums of all parts, then their averages, each from the
/// player's own part downwards.
bool SummedExchange::in_turn(const Message& message) const {
  const auto* sums = message.get<PartialSums>();
  const auto* averages = message.get<Averages>();
  const std::uint32_t number = sums != nullptr ? sums->part : averages->part;
  POSSE_CHECK(number < parts_.size(), "part {} of {}", number, parts_.size());
  const auto waits_for_sums = [](const Part& part) {
    return !part.known && part.stage < part.plan.stages.size();
  };
  const auto count = static_cast<std::uint32_t>(parts_.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t before = (self_ + count - i) % count;
    if (before == number && sums != nullptr) break;
    if (waits_for_sums(parts_[before])) return false;
  }
  if (sums != nullptr) {
    const Part& part = parts_[number];
    if (!waits_for_sums(part)) return true;  // a duplicate
    const auto& from = part.plan.stages[part.stage].from;
    return part.from(message.from) != nullptr ||
           std::find(from.begin(), from.end(), message.from) != from.end();
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t before = (self_ + count - i) % count;
    if (before == number) return true;
    if (!parts_[before].known) return false;
  }
  return true;
}

bool SummedExchange::accept(const Message& message, Reaction& reaction) {
  if (const auto* sums = message.get<PartialSums>()) {
    Part& part = parts_[sums->part];
    POSSE_CHECK(sums->halves.size() == 2 * part.sums.size(),
                "{} halves of {} sums",
                sums->halves.size(),
                part.sums.size());
    if (part.from(message.from) != nullptr) return false;
    part.arrived.push_back({message.from, message.payload});
    advance(sums->part, reaction);
    return true;
  }
  const auto* averages = message.get<Averages>();
  if (averages == nullptr) return false;
  if (parts_[averages->part].known) return false;
  learn(averages->part, message.payload, reaction);
  return true;
}

void SummedExchange::advance(std::uint32_t number, Reaction& reaction) {
  Part& part = parts_[number];
  while (!part.known && part.stage < part.plan.stages.size()) {
    const SumPlan::Stage& stage = part.plan.stages[part.stage];
    for (const NodeId from : stage.from)
      if (part.from(from) == nullptr) return;
    for (const NodeId from : stage.from) {
      const auto& halves = part.from(from)->get<PartialSums>()->halves;
      for (std::size_t i = 0; i < part.sums.size(); ++i) part.sums[i] += from_halves(halves, i);
    }
    if (!stage.to.empty()) {
      const Payload sums = Payload::make(PartialSums{depth(), number, to_halves(part.sums)});
      for (const NodeId to : stage.to) reaction.send_payload(to, 1, round(), sums);
    }
    ++part.stage;
  }
  if (part.known || part.plan.result_from) return;
  Averages result{depth(), number, {}};
  for (const Int128 sum : part.sums)
    result.means.push_back(from_multiple(sum) / static_cast<double>(setup_.players));
  learn(number, Payload::make(std::move(result)), reaction);
}

void SummedExchange::learn(std::uint32_t number, const Payload& averages, Reaction& reaction) {
  Part& part = parts_[number];
  const auto& means = averages.get<Averages>()->means;
  POSSE_CHECK(means.size() == part.end - part.begin,
              "{} averages of {}",
              means.size(),
              part.end - part.begin);
  std::copy(
      means.begin(), means.end(), averages_.begin() + static_cast<std::ptrdiff_t>(part.begin));
  part.known = true;
  ++known_;
  for (const NodeId to : part.plan.forwards) reaction.send_payload(to, 1, round(), averages);
}

Exchange::Missing SummedExchange::missing() const {
  std::set<NodeId> sums, averages;
  for (const Part& part : parts_) {
    if (part.known) continue;
    if (part.stage < part.plan.stages.size()) {
      for (const NodeId from : part.plan.stages[part.stage].from)
        if (part.from(from) == nullptr) sums.insert(from);
    } else {
      averages.insert(*part.plan.result_from);
    }
  }
  const auto& first = sums.empty() ? averages : sums;
  return {sums.empty() ? Averages::kName : PartialSums::kName, {first.begin(), first.end()}};
}

}  // namespace posse
