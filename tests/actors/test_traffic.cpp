// SPDX-License-Identifier: Apache-2.0
// The counts of messages, values and bytes that results print, and the forecasts that follow from
// the same tables, against closed formulas that are written out here for each system.
#include <catch2/catch.hpp>
#include <cmath>

#include "actors/blin/messages.hpp"
#include "actors/blin/protocol.hpp"
#include "actors/f_lcb/messages.hpp"
#include "actors/f_lcb/protocol.hpp"
#include "actors/fed_pne/messages.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/fed_pne_variance/messages.hpp"
#include "actors/fed_pne_variance/protocol.hpp"
#include "actors/fed_ucb/messages.hpp"
#include "actors/fed_ucb/protocol.hpp"
#include "actors/fn_ucb/messages.hpp"
#include "actors/fn_ucb/protocol.hpp"
#include "actors/hct_batched/protocol.hpp"
#include "actors/instances/messages.hpp"
#include "actors/instances/protocol.hpp"
#include "actors/learners/hct.hpp"
#include "actors/parallel/protocol.hpp"
#include "actors/parallel_adaptive/protocol.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "actors/pf_pne_hct/protocol.hpp"
#include "actors/pf_pne_reuse/protocol.hpp"
#include "actors/reward_bandit/messages.hpp"
#include "actors/reward_bandit/protocol.hpp"
#include "tests/support/arms.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_traffic {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;
using Formulas = std::vector<std::pair<const char*, double>>;

/// A finished run of a protocol, without a kernel.
struct Finished {
  Finished(const AlgorithmSpec& spec,
           std::uint32_t m,
           std::uint64_t budget,
           const Changes& changes = {})
      : M(m),
        T(static_cast<double>(budget)),
        problem(make_problem("garland", m, budget, Seed{budget}, 0.05)),
        protocol(make_protocol(spec, &problem, m, changes)),
        driver(*protocol, {.shuffled = true, .seed = m}) {
    driver.run();
    REQUIRE(driver.star_is_done());
    outcome = driver.outcome(&problem);
    R = static_cast<double>(outcome.rounds.size());
    for (const auto& round : outcome.rounds) {
      n += static_cast<double>(round.active_cells);
      kept += static_cast<double>(round.kept_cells);
    }
  }

  /// The messages of one type to one node, in the order of sending.
  template <class T>
  std::vector<const T*> sent_to(std::uint32_t node) const {
    std::vector<const T*> found;
    for (const auto& sent : driver.sent())
      if (const auto* message = sent.message.get<T>(); message != nullptr && sent.to.value == node)
        found.push_back(message);
    return found;
  }
  /// Elements of the plan after the last complete round, 0 if there is none.
  template <class Plan>
  double cut() const {
    const auto plans = sent_to<Plan>(1);
    return plans.size() > outcome.rounds.size() ? static_cast<double>(plans.back()->index.size())
                                                : 0;
  }

  void check(const Formulas& formulas) const { check_counts(*protocol, outcome, formulas); }

  static void check_counts(const Protocol& protocol,
                           const RunOutcome& outcome,
                           const Formulas& formulas) {
    for (const auto& [name, formula] : formulas) {
      INFO(name);
      const auto measurement = figure_named(protocol, outcome, name);
      REQUIRE(measurement.bound);
      CHECK(measurement.bound->is_identity);
      CHECK(measurement.bound->value == formula);
      CHECK(measurement.measured == formula);
    }
  }

  double M;      // clients or players
  double T;      // evaluations of each
  double R = 0;  // complete rounds
  double n = 0;  // active cells of all complete rounds
  double kept = 0;
  Problem problem;
  std::unique_ptr<Protocol> protocol;
  RoleDriver driver;
  RunOutcome outcome;
};

const std::vector<std::pair<std::uint32_t, std::uint64_t>> kSizes{
    {1, 1}, {1, 300}, {2, 37}, {3, 400}, {5, 3001}, {8, 4096}};

}  // namespace

TEST_CASE("messages, values and bytes of Fed-PNE equal their formulas") {
  for (const auto& [clients, budget] : kSizes) {
    const Finished run(fed_pne_algorithm(), clients, budget);
    const double cut = run.cut<PhasePlan>();
    run.check({{"messages", run.M * (2 * run.R + (cut > 0 ? 1 : 0))},
               {"values up", run.M * run.n},
               {"values down", 2 * run.M * (run.n + cut)},
               {"payload up", run.M * (8 * run.R + 8 * run.n)},
               {"payload down", run.M * (16 * (run.R + (cut > 0 ? 1 : 0)) + 8 * (run.n + cut))}});
  }
}

TEST_CASE("messages, values and bytes of Fed-PNE with compact plans equal their formulas") {
  for (const auto& [clients, budget] : kSizes) {
    const Finished run(fed_pne_algorithm(), clients, budget, {{"compact_plan", true}});
    const auto& phases = run.outcome.rounds;
    const bool cut = phases.empty() || phases.back().steps < budget;
    double values = 0;
    double bytes = 0;
    std::uint64_t before = 1;
    std::uint64_t kept = 1;
    for (std::size_t p = 0; p < phases.size() + (cut ? 1 : 0); ++p) {
      values += 1 + static_cast<double>(kept);
      bytes += 8 + static_cast<double>((before + 7) / 8);
      if (p == phases.size()) break;
      before = phases[p].active_cells;
      kept = phases[p].kept_cells;
    }
    run.check({{"messages", run.M * (2 * run.R + (cut ? 1 : 0))},
               {"values up", run.M * run.n},
               {"values down", run.M * values},
               {"payload up", run.M * (8 * run.R + 8 * run.n)},
               {"payload down", run.M * bytes}});
  }
}

TEST_CASE("messages, values and bytes of Fed-PNE with variance-aware radii equal their formulas") {
  for (const auto& [clients, budget] : kSizes) {
    const Finished run(fed_pne_variance_algorithm(), clients, budget);
    const double cut = run.cut<VariancePlan>();
    const double plans = run.R + (cut > 0 ? 1 : 0);
    run.check({{"messages", run.M * (run.R + plans)},
               {"values up", 2 * run.M * run.n},
               {"payload up", run.M * (12 * run.R + 16 * run.n)},
               {"payload down", run.M * (16 * plans + 12 * (run.n + cut))}});
    CHECK(figure_named(*run.protocol, run.outcome, "values down").measured ==
          2 * run.M * (run.n + cut));
    const auto forecast = run.protocol->forecast();
    CHECK(forecast.messages == (2 * forecast.rounds + 1) * run.M);
    CHECK(forecast.bytes <= run.M * (28 * forecast.rounds + 28 * run.T + 16 + 12 * (run.T + 1)));
  }
}

TEST_CASE("messages, values and bytes of batched HCT equal their formulas") {
  for (const auto& [clients, budget] : kSizes) {
    const Finished run(hct_batched_algorithm(), clients, budget);
    run.check({{"rounds", 1 + std::ceil(std::log2(run.T))},
               {"messages", 2 * run.M * run.R},
               {"values up", run.M * run.n},
               {"values down", 2 * run.M * run.n},
               {"payload up", run.M * (8 * run.R + 8 * run.n)},
               {"payload down", run.M * (8 * run.R + 16 * run.n)}});
    const auto forecast = run.protocol->forecast();
    CHECK(forecast.messages == 2 * run.M * run.R);
    CHECK(forecast.bytes == run.M * (16 * run.R + 24 * run.T));
    const Finished variances(vhct_batched_algorithm(), clients, budget);
    variances.check({{"messages", 2 * run.M * run.R},
                     {"values up", 2 * run.M * variances.n},
                     {"values down", 2 * run.M * variances.n},
                     {"payload up", run.M * (12 * run.R + 16 * variances.n)},
                     {"payload down", run.M * (8 * run.R + 16 * variances.n)}});
  }
}

TEST_CASE("messages, values and bytes of PF-PNE, also with HCT, equal their formulas") {
  for (const auto* spec : {&pf_pne_algorithm(), &pf_pne_hct_algorithm(), &pf_pne_vhct_algorithm()})
    for (const auto& [clients, budget] : kSizes) {
      const Finished run(*spec, clients, budget);
      run.check({{"messages", 2 * run.M * run.R},
                 {"values up", run.M * run.n},
                 {"values down", 2 * run.M * run.kept},
                 {"payload up", run.M * (8 * run.R + 8 * run.n)},
                 {"payload down", run.M * (16 * run.R + 16 * run.kept)}});
    }
}

TEST_CASE("messages, values and bytes of PF-PNE with reuse equal their formulas") {
  for (const auto& [clients, budget] : kSizes) {
    const Finished run(pf_pne_reuse_algorithm(), clients, budget);
    const double last = run.cut<PhasePlan>();
    const double plans = run.R + (last > 0 ? 1 : 0);
    run.check({{"messages", run.M * (run.R + plans)},
               {"values up", run.M * (run.R + run.n)},
               {"values down", 2 * run.M * (run.n + last)},
               {"payload up", run.M * (16 * run.R + 8 * run.n)},
               {"payload down", run.M * (16 * plans + 8 * (run.n + last))}});
    const auto forecast = run.protocol->forecast();
    CHECK(forecast.messages == run.M * (2 * forecast.rounds + 1));
    CHECK(forecast.bytes == run.M * ((2 * forecast.rounds + 1) * 16 + 8 * 3 * run.T));
  }
}

TEST_CASE("messages, values and bytes of BLiN equal their formulas") {
  for (const auto& [clients, budget] : kSizes) {
    const Finished run(blin_algorithm(), clients, budget, {{"lipschitz", 3.0}});
    const double last = run.cut<Batch>();
    const double plans = run.R + (last > 0 ? 1 : 0);
    run.check({{"messages", run.M * (run.R + plans)},
               {"values up", run.M * run.n},
               {"values down", run.M * (run.n + last)},
               {"payload up", run.M * (8 * run.R + 8 * run.n)},
               {"payload down", run.M * (8 * plans + 8 * (run.n + last))}});
    const auto forecast = run.protocol->forecast();
    const double most = forecast.rounds > 0 ? run.T : 0;
    CHECK(forecast.messages == (2 * forecast.rounds + 1) * run.M);
    CHECK(forecast.bytes ==
          run.M * (forecast.rounds * 16 + 16 * most + 8 + 8 * (most > 0 ? run.T + 1 : 1)));
  }
}

TEST_CASE("messages, values and bytes of Fed1-UCB and Fed2-UCB equal their formulas") {
  for (const auto* spec : {&fed1_ucb_algorithm(), &fed2_ucb_algorithm()})
    for (const auto& [clients, budget] : kSizes) {
      const Finished run(*spec,
                         clients,
                         budget,
                         {{"pulls_per_phase", std::int64_t{4}},
                          {"sigma", 0.1},
                          {"arms_per_dimension", std::int64_t{12}}});
      // M(p) = min(M, 2 + 4 + … + 2^p) in Fed2-UCB; nobody joins once one arm is left.
      const auto members = [&, joining = spec == &fed2_ucb_algorithm()](std::size_t phase) {
        return joining ? std::min(run.M, std::exp2(static_cast<double>(phase) + 1) - 2) : run.M;
      };
      const auto& phases = run.outcome.rounds;
      double messages = 0;
      double up = 0;
      double down = 0;
      double bytes_up = 0;
      double bytes_down = 0;
      for (std::size_t p = 0; p < phases.size(); ++p) {
        const double m = members(p + 1);
        const auto arms = static_cast<double>(phases[p].active_cells);
        messages += 2 * m;
        up += m * arms;
        down += m * (arms + 1);
        bytes_up += m * (8 + 8 * arms);
        bytes_down += m * (12 + 4 * arms);
      }
      std::size_t last = std::max<std::size_t>(1, phases.size());
      if (phases.empty() || phases.back().steps < budget) {
        const double arms = phases.empty() ? 12 : static_cast<double>(phases.back().kept_cells);
        if (!phases.empty() && arms > 1) ++last;
        const double m = members(last);
        messages += m;
        down += m * (arms + 1);
        bytes_down += m * (12 + 4 * arms);
      }
      bytes_down += 4 * (members(last) - members(1));
      run.check({{"messages", messages},
                 {"values up", up},
                 {"values down", down},
                 {"payload up", bytes_up},
                 {"payload down", bytes_down}});
    }
}

TEST_CASE("messages, values and bytes of FN-UCB equal their formulas") {
  for (const double threshold : {0.0, 2.0, 1e6})
    for (const std::uint64_t budget : {1, 7, 30}) {
      const Finished run(fn_ucb_algorithm(),
                         3,
                         budget,
                         {{"width", std::int64_t{4}},
                          {"sync_threshold", threshold},
                          {"arms_per_dimension", std::int64_t{10}}});
      const double p = 4 * 3;
      const bool synced_last = run.R > 0 && run.outcome.rounds.back().steps == budget;
      const double models = run.R - (synced_last ? 1 : 0);
      double asked = 0;
      for (std::uint32_t node = 1; node <= 3; ++node)
        asked += static_cast<double>(run.sent_to<SendUpdate>(node).size());
      run.check({{"messages", 3 * (run.R + models)},
                 {"messages that keep step",
                  2 * asked + 3 * (2 * (run.T - run.R) - (synced_last ? 0 : 1))},
                 {"values up", 3 * run.R * (2 * p * p + 2 * p)},
                 {"values down", 3 * models * (2 * p * p + 2 * p)},
                 {"payload up", 3 * run.R * (16 + 16 * p * p + 16 * p)},
                 {"payload down", 3 * models * (16 + 16 * p * p + 16 * p)}});
      const auto forecast = run.protocol->forecast();
      const double syncs = forecast.rounds;
      const double reports = syncs * 2 * 2 + (run.T - syncs) * 2 * 3;
      CHECK(forecast.messages == syncs * 2 * 3 + reports);
      CHECK(forecast.bytes == syncs * 2 * 3 * (16 + 16 * p * p + 16 * p) + reports * 4);
    }
}

TEST_CASE("messages, values and bytes of the parallel algorithms equal their formulas") {
  for (const auto* spec : {&parallel_algorithm(), &parallel_adaptive_algorithm()})
    for (const auto& [players, budget] : kSizes) {
      const Finished run(*spec, players, budget);
      const double links = run.M * (run.M - 1);
      run.check({{"messages", links * run.R}, {"payload", links * (8 * run.R + 8 * run.n)}});
      const auto forecast = run.protocol->forecast();
      double cells = 0;
      for (double h = 0; h < forecast.rounds; ++h) cells += std::min(std::exp2(h), run.T);
      CHECK(forecast.messages == links * forecast.rounds);
      CHECK(forecast.bytes ==
            links * (8 * forecast.rounds + 8 * (spec == &parallel_algorithm() ? cells : run.T)));
    }
}

TEST_CASE(
    "messages, values and bytes of a learner at the server and at the clients equal their "
    "formulas") {
  for (const auto& [clients, budget] : kSizes)
    for (const bool central : {true, false}) {
      const Finished run(
          central ? hct_central_algorithm() : hct_local_algorithm(), clients, budget);
      const double steps = central ? run.M * run.T : 0;
      run.check(
          {{"messages", 2 * steps}, {"payload up", 12 * steps}, {"payload down", 16 * steps}});
      CHECK(run.protocol->forecast().messages == 2 * steps);
      CHECK(run.protocol->forecast().bytes == 28 * steps);
    }
}

TEST_CASE("messages, values and bytes of POO and GPO equal their formulas") {
  for (const auto* spec : {&poo_algorithm(), &gpo_algorithm()})
    for (const std::uint64_t budget : {1, 20, 333}) {
      const Finished run(*spec, 1, budget);
      double starts = 0;
      for (std::uint32_t node = 1; node < run.driver.nodes(); ++node)
        starts += static_cast<double>(run.sent_to<Start>(node).size());
      run.check(
          {{"messages", 2 * starts}, {"payload up", 16 * starts}, {"payload down", 24 * starts}});
      CHECK(run.protocol->forecast().messages == 2 * starts);
      CHECK(run.protocol->forecast().bytes == 40 * starts);
    }
}

TEST_CASE("messages, values and bytes of functional and of reward bandits equal their formulas") {
  const auto functions = arms("smooth", {}, 1, 50);
  const auto rewards = arms("rewards", {}, 1, 50);
  for (const auto* spec :
       {&f_lcb_algorithm(), &sgd_ucb_smom_algorithm(), &rucb_median_algorithm()}) {
    const bool functional = spec == &f_lcb_algorithm();
    const Run run(
        *spec, default_parameters(spec->parameters), Seed{1}, functional ? *functions : *rewards);
    RoleDriver driver(*run.protocol);
    driver.run();
    auto outcome = driver.outcome();
    outcome.status = RunStatus::finished;  // arms never finish
    outcome.arms.pulls = 50;
    const auto requests = static_cast<double>(
        outcome.total(&TypeAccount::sent, functional ? Step::kName : Draw::kName));
    const double bytes_up = functional ? 28 * 50 : 8 * 50;
    Finished::check_counts(
        *run.protocol,
        outcome,
        {{"messages", 2 * requests}, {"payload up", bytes_up}, {"payload down", 4 * requests}});
    CHECK(run.protocol->forecast().messages == 2 * requests);
    CHECK(run.protocol->forecast().bytes == 4 * requests + bytes_up);
  }
}

}  // namespace posse::test_traffic
