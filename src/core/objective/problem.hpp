// SPDX-License-Identifier: Apache-2.0
// The optimisation problem of a run: every client's objective f_m, the global objective
// f̄ = (1/M) Σ f_m, the noise and the budget. Immutable; shared by all nodes.
// Source: Chen et al. 2015 (parallel); Li et al. 2024 (Fed-PNE, PF-PNE).
// Streams: `reward/client-m`, draw i for pull i; `reward/client-m/name` where several nodes
// evaluate for a client.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.hpp"
#include "core/domain/box.hpp"
#include "core/objective/maximum.hpp"
#include "core/objective/noise.hpp"
#include "core/objective/objective.hpp"
#include "core/random/stream.hpp"

namespace posse {

class Problem {
 public:
  /// One objective per client, all on the same box; clients with the same objective share it.
  /// `budget`: evaluations per client, >= 1.
  Problem(std::vector<std::shared_ptr<const Objective>> locals,
          std::unique_ptr<Noise> noise,
          std::uint64_t budget,
          Seed seed);
  ~Problem();
  Problem(Problem&&) noexcept;
  Problem& operator=(Problem&&) noexcept;

  std::size_t clients() const { return locals_.size(); }
  const Box& domain() const { return locals_.front()->domain(); }
  std::uint64_t budget() const { return budget_; }
  const Noise& noise() const { return *noise_; }
  Seed seed() const { return seed_; }

  /// f_m(x), m from 0.
  double local(std::size_t client, std::span<const double> x) const;
  /// Objective::batched() and Objective::prepare() of f_m.
  bool batched(std::size_t client) const { return locals_[client]->batched(); }
  void prepare(std::size_t client, std::span<const std::vector<double>> points) const;
  /// f̄(x): summed in client order.
  double mean(std::span<const double> x) const;
  /// max f_m: exact where known from a formula, else found by search.
  const CertifiedMaximum& local_maximum(std::size_t client) const;
  /// Points where f_m is known to attain its maximum: those the objective lists, or else
  /// local_maximum's.
  std::vector<std::vector<double>> local_maximisers(std::size_t client) const;
  /// max f̄, certified by branch and bound where moduli are known.
  const CertifiedMaximum& mean_maximum() const;
  /// A range that contains those of all clients' objectives.
  ValueRange value_range() const;
  /// True if all clients share one objective (f̄ = f_m, bit for bit).
  bool homogeneous() const { return homogeneous_; }
  /// Objective::expensive() of any client's function.
  bool expensive() const { return expensive_; }
  /// Objective::kind() of the clients' functions, where all are (shifts of) the same one.
  std::string_view objective_kind() const {
    for (const auto& local : locals_)
      if (local->kind() != locals_.front()->kind()) return {};
    return locals_.front()->kind();
  }

 private:
  std::vector<std::shared_ptr<const Objective>> locals_;
  std::unique_ptr<Noise> noise_;
  std::uint64_t budget_;
  Seed seed_;
  bool homogeneous_ = false;
  bool expensive_ = false;
  // Searched for on first use, so that runs without regrets do not pay for the search.
  struct Maxima;
  std::unique_ptr<Maxima> maxima_;
};

/// "client-m", or "client-m/name" for one of several evaluators of client m.
std::string evaluator_name(std::size_t client, std::string_view name);

/// One client's rewards: pull number i of client m is f_m(x) plus noise drawn from
/// (seed, `reward/client-m`, i), independently of the order of execution.
class RewardSource {
 public:
  /// `name`: one of several evaluators of the client, each with a stream of its own.
  RewardSource(const Problem& problem, std::size_t client, std::string_view name = {});

  /// The sum of the next `count` rewards at x, added one by one in pull order.
  double pull(std::span<const double> x, std::uint64_t count);
  /// Calls use(reward) for each of the next `count` rewards at x, in pull order.
  template <class Use>
  void pull_each(std::span<const double> x, std::uint64_t count, Use use) {
    std::array<double, 256> rewards;
    for (std::uint64_t left = count; left > 0;) {
      const auto part = std::min<std::uint64_t>(left, rewards.size());
      draw(x, std::span(rewards).first(part));
      for (std::uint64_t i = 0; i < part; ++i) use(rewards[i]);
      left -= part;
    }
  }
  std::uint64_t pulls() const { return pulls_; }
  /// The value of the client's function at the latest x.
  double value() const { return value_; }
  /// Goes on after `pulls` pulls that were made before this object.
  void go_on_after(std::uint64_t pulls) { pulls_ = pulls; }
  std::size_t client() const { return client_; }

 private:
  void draw(std::span<const double> x, std::span<double> rewards);

  const Problem* problem_;
  std::size_t client_;
  UniformStream stream_;
  std::uint64_t pulls_ = 0;
  double value_ = 0;
};

}  // namespace posse
