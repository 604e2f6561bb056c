// SPDX-License-Identifier: Apache-2.0
// Drives a protocol's roles without a kernel: no time, no network, any order of messages.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"
#include "core/role/outcome.hpp"
#include "core/role/protocol.hpp"

namespace posse::test {

/// An objective given by a function, with what is known of its maximum.
class FunctionObjective final : public Objective {
 public:
  using Function = std::function<double(std::span<const double>)>;
  FunctionObjective(Box box, Function f, double maximum, std::vector<double> argmax)
      : box_(std::move(box)), f_(std::move(f)), maximum_(maximum), argmax_(std::move(argmax)) {}
  const Box& domain() const override { return box_; }
  double value(std::span<const double> x) const override { return f_(x); }
  std::optional<double> maximum() const override { return maximum_; }
  std::vector<std::vector<double>> maximisers() const override { return {argmax_}; }

 private:
  Box box_;
  Function f_;
  double maximum_;
  std::vector<double> argmax_;
};

inline double sine_at(double x) { return 0.5 * (math::sin(13 * x) * math::sin(27 * x) / 2 + 1); }
inline constexpr double kSineMaximum = 0.737799571905787390;

inline double garland_at(double x) {
  return x * (1 - x) * (4 - std::sqrt(std::abs(math::sin(60 * x))));
}
inline constexpr double kGarlandMaximum = 0.997772391161144535;
inline constexpr double kGarlandArgmax = 0.523598775598298873;

inline std::shared_ptr<const Objective> sine() {
  return std::make_shared<FunctionObjective>(
      Box::cube(1, 0, 1),
      [](std::span<const double> x) { return sine_at(x[0]); },
      kSineMaximum,
      std::vector<double>{0.867526208251331985});
}

/// Garland moved by `shift`, reflected at the borders of [0, 1].
inline std::shared_ptr<const Objective> garland(double shift = 0) {
  return std::make_shared<FunctionObjective>(
      Box::cube(1, 0, 1),
      [shift](std::span<const double> x) {
        const double y = std::abs(x[0] - shift);
        return garland_at(y > 1 ? 2 - y : y);
      },
      kGarlandMaximum,
      std::vector<double>{kGarlandArgmax + shift});
}

/// 1 - |x - a|²/2 on the unit square.
inline std::shared_ptr<const Objective> bowl(double a, double b) {
  return std::make_shared<FunctionObjective>(
      Box::cube(2, 0, 1),
      [a, b](std::span<const double> x) {
        return 1 - ((x[0] - a) * (x[0] - a) + (x[1] - b) * (x[1] - b)) / 2;
      },
      1.0,
      std::vector<double>{a, b});
}

/// -1000 log2(x): at every depth the leftmost cell is far better than any other. Not in [0, 1]; it
/// lets a search without noise dive to any depth.
inline std::shared_ptr<const Objective> cliff() {
  return std::make_shared<FunctionObjective>(
      Box::cube(1, 0, 1),
      [](std::span<const double> x) { return -1000 * math::log2(std::max(x[0], 0x1p-70)); },
      70000.0,
      std::vector<double>{0.0});
}

class NoNoise final : public Noise {
 public:
  double sum_of_rewards(double f,
                        UniformStream&,
                        std::uint64_t,
                        std::uint64_t count) const override {
    double sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) sum += f;
    return sum;
  }
  double range_width() const override { return 0; }
  bool within_unit_interval() const override { return true; }
};

/// 1 with probability f, else 0: the largest variance that rewards in [0, 1] can have.
class CoinNoise final : public Noise {
 public:
  double sum_of_rewards(double f,
                        UniformStream& stream,
                        std::uint64_t first,
                        std::uint64_t count) const override {
    double sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) sum += stream.at(first + i) < f ? 1 : 0;
    return sum;
  }
  double range_width() const override { return 1; }
  bool within_unit_interval() const override { return true; }
};

inline Problem make_problem(std::vector<std::shared_ptr<const Objective>> objectives,
                            std::uint64_t budget,
                            bool noisy = false,
                            std::uint64_t seed = 1) {
  std::unique_ptr<Noise> noise;
  if (noisy)
    noise = std::make_unique<CoinNoise>();
  else
    noise = std::make_unique<NoNoise>();
  return Problem(std::move(objectives), std::move(noise), budget, Seed{seed});
}

inline Problem make_problem(std::shared_ptr<const Objective> objective,
                            std::uint32_t clients,
                            std::uint64_t budget,
                            bool noisy = false,
                            std::uint64_t seed = 1) {
  return make_problem(std::vector<std::shared_ptr<const Objective>>(clients, std::move(objective)),
                      budget,
                      noisy,
                      seed);
}

/// One message copy in flight.
struct Delivery {
  NodeId to;
  Message message;
};

/// How messages travel: in order of sending, or in a random order, some twice or never.
struct Travel {
  bool shuffled = false;
  double duplicates = 0;  // probability of one copy
  double losses = 0;      // probability that a message is lost
  std::uint32_t seed = 1;
};

struct Observed {
  NodeId node;
  Observation what;
};

class RoleDriver {
 public:
  explicit RoleDriver(const Protocol& protocol, Travel travel = {})
      : travel_(travel), random_(travel.seed) {
    for (const auto& group : protocol.groups())
      for (std::uint32_t i = 0; i < group.size; ++i)
        roles_.push_back(protocol.make_role(NodeId{static_cast<std::uint32_t>(roles_.size())}));
    finished_.resize(roles_.size());
  }

  /// Starts every role and delivers all messages in flight. If there are none, but timers are
  /// set, fires the oldest one.
  void run() {
    start();
    while (deliver_one() || fire_one()) {
    }
  }

  void start() {
    for (std::uint32_t node = 0; node < roles_.size(); ++node)
      react(NodeId{node}, [&](Role& role, Reaction& reaction) { role.on_start(reaction); });
  }

  bool deliver_one() {
    if (pending_.empty()) return false;
    const std::size_t at = travel_.shuffled ? random_() % pending_.size() : 0;
    const auto it = pending_.begin() + static_cast<std::ptrdiff_t>(at);
    const Delivery delivery = *it;
    pending_.erase(it);
    deliver(delivery);
    return true;
  }

  void deliver(const Delivery& delivery) {
    react(delivery.to,
          [&](Role& role, Reaction& reaction) { role.on_message(delivery.message, reaction); });
  }

  bool fire_one() {
    if (timers_.empty()) return false;
    const auto [node, timer] = timers_.front();
    timers_.erase(timers_.begin());
    react(node, [&, id = timer](Role& role, Reaction& reaction) { role.on_timer(id, reaction); });
    return true;
  }

  Role& role(std::uint32_t node) { return *roles_[node]; }
  std::size_t nodes() const { return roles_.size(); }
  int times_finished(std::uint32_t node) const { return finished_[node]; }
  bool all_finished() const {
    return std::all_of(finished_.begin(), finished_.end(), [](int n) { return n == 1; });
  }
  /// Whether the hub of a star has finished, and every client has finished or waits for nothing.
  bool star_is_done() const {
    if (finished_[0] != 1) return false;
    for (std::size_t node = 1; node < roles_.size(); ++node)
      if (finished_[node] > 1 || (finished_[node] == 0 && roles_[node]->waiting())) return false;
    return true;
  }
  std::vector<Delivery>& pending() { return pending_; }
  const std::vector<Observed>& observed() const { return observed_; }
  /// First transmissions, one per receiver.
  const std::vector<Delivery>& sent() const { return sent_; }
  std::uint64_t evaluations_declared() const { return evaluations_; }

  template <class T>
  std::vector<T> all(std::optional<std::uint32_t> node = std::nullopt) const {
    std::vector<T> found;
    for (const auto& o : observed_)
      if (!node || o.node.value == *node)
        if (const T* value = std::get_if<T>(&o.what)) found.push_back(*value);
    return found;
  }

  /// Pulls of every client.
  std::vector<std::uint64_t> pulls(std::size_t clients) const {
    std::vector<std::uint64_t> sums(clients);
    for (const auto& p : all<PullsObserved>()) sums[p.client] += p.count;
    return sums;
  }

  /// What a lossless kernel would report: accounts of first transmissions, the rounds as the first
  /// node tells them, regrets against the given maxima.
  RunOutcome outcome(const Problem* problem = nullptr) const {
    RunOutcome outcome;
    std::map<std::string, TypeAccount> accounts;
    for (const auto& s : sent_) {
      auto& account = accounts[std::string(s.message.payload.type().name)];
      ++account.sent;
      account.bytes += s.message.payload.size_bytes();
      account.values += s.message.payload.values();
    }
    for (auto& [type, account] : accounts) {
      account.type = type;
      outcome.accounts.push_back(account);
    }
    for (const auto& e : all<RoundEnded>(0)) {
      RoundRecord record;
      record.round = e.round;
      record.best = e.best;
      record.active_cells = e.active_cells;
      record.pulls_per_cell = e.pulls_per_cell;
      record.kept_cells = e.kept_cells;
      record.steps = e.steps;
      record.arrived = e.arrived;
      record.expected = e.expected;
      record.late = e.late;
      outcome.rounds.push_back(record);
      outcome.active_cells += e.active_cells;
    }
    outcome.complete_rounds = outcome.rounds.size();
    for (const auto& c : all<CountObserved>()) {
      auto& largest = outcome.counts[std::string(c.name)];
      largest = std::max(largest, c.value);
    }
    for (const auto& e : all<EstimateObserved>()) outcome.estimates[std::string(e.name)] = e.value;
    for (const auto& o : all<OwnSearchObserved>()) {
      outcome.own_searches.resize(std::max<std::size_t>(outcome.own_searches.size(), o.client + 1));
      outcome.own_searches[o.client] = o.search;
    }
    if (problem != nullptr) {
      const double best = problem->mean_maximum().value;
      for (const auto& p : all<PullsObserved>()) {
        const auto count = static_cast<double>(p.count);
        outcome.regret.cumulative += count * (best - problem->mean(p.point));
        outcome.regret.local_cumulative +=
            count * (problem->local_maximum(p.client).value - problem->local(p.client, p.point));
        outcome.regret.evaluations += p.count;
      }
      outcome.regret.cumulative /= static_cast<double>(problem->clients());
      outcome.regret.local_cumulative /= static_cast<double>(problem->clients());
      const auto recommended = all<RecommendationObserved>(0);
      if (!recommended.empty())
        outcome.regret.simple = best - problem->mean(recommended.back().point);
    }
    if (!all_finished() && !star_is_done()) outcome.status = RunStatus::stalled;
    return outcome;
  }

 private:
  template <class Act>
  void react(NodeId node, Act act) {
    Reaction reaction(Time{}, node);
    act(*roles_[node.value], reaction);
    for (const auto& effect : reaction.effects()) apply(node, effect);
    for (const auto& record : reaction.observations())
      observed_.push_back({node, record.observation});
  }

  void apply(NodeId node, const Effect& effect) {
    if (const auto* send = std::get_if<SendEffect>(&effect)) {
      for (std::uint32_t i = 0; i < send->count; ++i) {
        const Delivery d{NodeId{send->first.value + i}, {node, send->round, send->payload}};
        POSSE_CHECK(d.to.value < roles_.size() && d.to != node, "sent to {}", d.to.value);
        sent_.push_back(d);
        if (!chance(travel_.losses)) pending_.push_back(d);
        if (chance(travel_.duplicates)) pending_.push_back(d);
      }
    } else if (const auto* set = std::get_if<SetTimerEffect>(&effect)) {
      std::erase(timers_, std::pair{node, set->timer});  // a pending timer is replaced
      timers_.push_back({node, set->timer});
    } else if (const auto* cancel = std::get_if<CancelTimerEffect>(&effect)) {
      std::erase(timers_, std::pair{node, cancel->timer});
    } else if (const auto* evaluate = std::get_if<EvaluateEffect>(&effect)) {
      evaluations_ += evaluate->count;
    } else if (std::holds_alternative<FinishEffect>(effect)) {
      ++finished_[node.value];
    }
  }

  bool chance(double p) { return p > 0 && static_cast<double>(random_() % 1000) < 1000 * p; }

  Travel travel_;
  std::mt19937 random_;
  std::vector<std::unique_ptr<Role>> roles_;
  std::vector<Delivery> pending_;
  std::vector<Delivery> sent_;
  std::vector<std::pair<NodeId, TimerId>> timers_;
  std::vector<Observed> observed_;
  std::vector<int> finished_;
  std::uint64_t evaluations_ = 0;
};

/// A protocol with some parameters changed from their defaults.
inline std::unique_ptr<Protocol> make_protocol(
    const AlgorithmSpec& spec,
    const Problem* problem,
    std::uint32_t clients,
    const std::map<std::string, ParameterValue>& changes = {},
    Policy policy = {}) {
  Parameters parameters = default_parameters(spec.parameters);
  for (const auto& [name, value] : changes) parameters.set(name, value);
  return spec.make(parameters,
                   {clients, problem != nullptr ? problem->seed() : Seed{1}, policy, problem});
}

/// The names of measurements whose `always` bound is broken.
inline std::vector<std::string> broken_measurements(const Protocol& protocol,
                                                    const RunOutcome& outcome) {
  std::vector<std::string> names;
  for (const auto& measurement : protocol.measurements(outcome))
    if (violated(measurement)) names.push_back(measurement.name);
  return names;
}

/// The measurement of that name; its absence is a failure.
inline Measurement figure_named(const Protocol& protocol,
                                const RunOutcome& outcome,
                                std::string_view name) {
  for (auto& measurement : protocol.measurements(outcome))
    if (measurement.name == name) return measurement;
  POSSE_CHECK(false, "no measurement {}", name);
}

}  // namespace posse::test
