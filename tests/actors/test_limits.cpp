// SPDX-License-Identifier: Apache-2.0
// What algorithms accept at the very limits of budgets, clients and sizes, and refuse beyond them.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "actors/blin/protocol.hpp"
#include "actors/fed_pne/private_protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/fed_pne_variance/protocol.hpp"
#include "actors/fed_ucb/protocol.hpp"
#include "actors/fn_ucb/protocol.hpp"
#include "actors/hct_batched/protocol.hpp"
#include "actors/instances/protocol.hpp"
#include "actors/learners/hct.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "actors/pf_pne_reuse/protocol.hpp"
#include "actors/reward_bandit/protocol.hpp"
#include "tests/support/arms.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_limits {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;
using Errors = std::vector<std::string>;

struct Size {
  std::uint32_t clients = 2;
  std::uint64_t budget = 100;
  std::size_t dimension = 1;
  Policy policy = {};
};

Errors errors(const AlgorithmSpec& spec, const Size& size, const Changes& changes = {}) {
  const auto f = std::make_shared<FunctionObjective>(
      Box::cube(size.dimension, 0, 1),
      [](std::span<const double> x) { return x[0]; },
      1.0,
      std::vector<double>(size.dimension, 1.0));
  const auto problem = make_problem(f, 1, size.budget);  // the clients' number is the context's
  Parameters parameters = default_parameters(spec.parameters);
  for (const auto& [name, value] : changes) parameters.set(name, value);
  return spec.validate(parameters, {size.clients, Seed{1}, size.policy, &problem});
}

TEST_CASE("counts of 4 bytes allow 2^32 - 2 evaluations, and not one more", "[limits]") {
  for (const auto* spec : {&fed_pne_algorithm(),
                           &dp_fed_pne_algorithm(),
                           &fed_pne_variance_algorithm(),
                           &pf_pne_reuse_algorithm(),
                           &fed1_ucb_algorithm(),
                           &fed2_ucb_algorithm(),
                           &fn_ucb_algorithm(),
                           &blin_algorithm(),
                           &hct_batched_algorithm(),
                           &vhct_batched_algorithm()}) {
    CHECK(errors(*spec, {.budget = 4294967294}) == Errors{});
    CHECK(errors(*spec, {.budget = 4294967295}) ==
          Errors{std::string(spec->kind) +
                 ": at most 4294967294 evaluations per client (counts in messages have 4 bytes), "
                 "given 4294967295"});
  }
}

TEST_CASE("ln(c1 T / delta) may be 0, but not negative", "[limits]") {
  for (const auto* spec : {&fed_pne_algorithm(),
                           &dp_fed_pne_algorithm(),
                           &fed_pne_variance_algorithm(),
                           &pf_pne_algorithm()}) {
    INFO(spec->kind);
    CHECK(errors(*spec, {.budget = 4}, {{"c1", 0.25}, {"delta", 1.0}}).empty());
    CHECK(errors(*spec, {.budget = 4}, {{"c1", 0.2499}, {"delta", 1.0}}).size() == 1);
    CHECK(errors(*spec, {.clients = 4, .budget = 4}, {{"c1", 0.0625}}).empty());  // delta = 1/M
    CHECK(errors(*spec, {.clients = 4, .budget = 4}, {{"c1", 0.0624}}).size() == 1);
  }
  const Changes small{{"c1", 0.1}, {"delta", 1.0}};
  CHECK(errors(pf_pne_reuse_algorithm(), {.budget = 4}, small).empty());
  auto horizon = small;
  horizon["confidence"] = std::string("horizon");
  CHECK(errors(pf_pne_reuse_algorithm(), {.budget = 4}, horizon).size() == 1);
}

TEST_CASE("every edge needs a client, edges and exact sums need a server that waits for all",
          "[limits]") {
  for (const auto* spec : {&fed_pne_algorithm(), &dp_fed_pne_algorithm()}) {
    const auto with_edges = [&](std::int64_t edges) { return Changes{{"edges", edges}}; };
    CHECK(errors(*spec, {.clients = 3}, with_edges(3)).empty());
    CHECK(errors(*spec, {.clients = 3}, with_edges(4)) ==
          Errors{std::string(spec->kind) + ": edges = 4, but an edge needs a client: at most 3"});
    const Policy quorum{PolicyKind::quorum, 2, {}};
    CHECK(errors(*spec, {.clients = 3, .policy = quorum}, with_edges(0)).empty());
    CHECK(errors(*spec, {.clients = 3, .policy = quorum}, with_edges(1)).size() == 1);
    CHECK(errors(*spec, {.clients = 3, .policy = quorum}, {{"compact_plan", true}}).size() == 1);
    CHECK(errors(*spec, {.clients = 3}, {{"compact_plan", true}}).empty());

    const Changes exact{{"sums", std::string("exact")}};
    CHECK(errors(*spec, {.clients = 65536}, exact).empty());
    CHECK(errors(*spec, {.clients = 65537}, exact).size() == 1);
    CHECK(errors(*spec, {.clients = 65537}).empty());
    CHECK(errors(*spec, {.clients = 3, .policy = quorum}, exact).size() == 1);
    Policy median;
    median.aggregate = Aggregate::median;
    CHECK(errors(*spec, {.clients = 3, .policy = median}, exact).size() == 1);
    CHECK(errors(*spec, {.clients = 3, .policy = median}).empty());
  }
}

TEST_CASE("the gaussian mechanism is private for epsilon up to 1", "[limits]") {
  const auto& spec = dp_fed_pne_algorithm();
  const std::string gaussian = "gaussian";
  CHECK(errors(spec, {}, {{"mechanism", gaussian}, {"epsilon", 1.0}}).empty());
  CHECK(errors(spec, {}, {{"mechanism", gaussian}, {"epsilon", 1.01}}).size() == 1);
  CHECK(errors(spec, {}, {{"epsilon", 1.01}}).empty());
}

TEST_CASE("FN-UCB's messages hold 512^2 numbers at most, its features 2^24", "[limits]") {
  const auto& spec = fn_ucb_algorithm();
  const auto of = [&](std::size_t dimension, std::int64_t width, std::int64_t arms) {
    return errors(spec,
                  {.dimension = dimension},
                  {{"width", width}, {dimension > 2 ? "random_arms" : "arms_per_dimension", arms}});
  };
  CHECK(of(1, 170, 20).empty());  // 170 · 3 = 510
  CHECK(of(1, 171, 20) ==
        Errors{"fn-ucb: at most 512 weights (a message holds p^2 numbers), given width (d + 2) = "
               "513: lower width"});
  CHECK(of(2, 128, 20).empty());  // 512
  CHECK(of(2, 129, 20).size() == 1);
  CHECK(of(6, 64, 32768).empty());  // 512 · 2^15
  CHECK(of(6, 64, 32769) ==
        Errors{"fn-ucb: the features of 32769 arms with 512 weights each exceed 16777216 numbers: "
               "lower random_arms"});
}

TEST_CASE("a central learner makes a billion steps at most, batches are ten million", "[limits]") {
  const auto local = std::string("local");
  CHECK(errors(hct_algorithm(), {.budget = 1'000'000'000}).empty());
  CHECK(errors(hct_algorithm(), {.budget = 1'000'000'001}) ==
        Errors{"hct: at most 1000000000 evaluations per client with a central learner (each is a "
               "round), given 1000000001"});
  CHECK(errors(hct_algorithm(), {.budget = 1'000'000'001}, {{"placement", local}}).empty());
  CHECK(errors(hct_central_algorithm(), {.budget = 1'000'000'001}).size() == 1);
  CHECK(errors(hct_local_algorithm(), {.budget = 1'000'000'001}).empty());

  const Changes single{{"batch", std::int64_t{1000}}, {"growth", 1.0}};
  CHECK(errors(hct_batched_algorithm(), {.budget = 4'000'000'000}, single).empty());
  const Changes many{{"batch", std::int64_t{1}}, {"growth", 1.0}};
  CHECK(errors(hct_batched_algorithm(), {.budget = 10'000'000}, many).empty());
  CHECK(errors(hct_batched_algorithm(), {.budget = 10'000'001}, many) ==
        Errors{"hct-batched: at most 10000000 batches, make batch or growth larger"});
}

TEST_CASE("POO and GPO have 65536 instances at most", "[limits]") {
  // rho_max near 1: half of the budget, each instance with two evaluations.
  const Changes near{{"rho_max", 1 - 1e-9}};
  CHECK(errors(poo_algorithm(), {.clients = 1, .budget = 131'072}, near).empty());
  CHECK(errors(poo_algorithm(), {.clients = 1, .budget = 131'074}, near) ==
        Errors{"poo: up to 65537 instances with rho_max = 0.999999999, allowed: at most 65536; "
               "lower rho_max"});
  CHECK(errors(poo_algorithm(), {.clients = 1, .budget = 2}, near).empty());
  for (const auto* spec : {&gpo_algorithm(), &pct_algorithm(), &vpct_algorithm()}) {
    CHECK(errors(*spec, {.clients = 1, .budget = 131'073}, near).empty());
    CHECK(errors(*spec, {.clients = 1, .budget = 131'074}, near) ==
          Errors{std::string(spec->kind) +
                 ": up to 65537 instances with rho_max = 0.999999999, allowed: at most 65536; "
                 "lower rho_max"});
    CHECK(errors(*spec, {.clients = 2, .budget = 100}).size() == 1);
  }
}

TEST_CASE("a stochastic bandit needs the first rewards of every arm", "[limits]") {
  const auto refused = [](const AlgorithmSpec& spec, std::uint64_t budget) {
    const auto set = arms("rewards", {}, 1, budget);
    ProtocolContext context;
    context.arms = set.get();
    const auto found = spec.validate(default_parameters(spec.parameters), context);
    const auto count = static_cast<std::uint64_t>(set->size());
    return std::pair{found.size(), count};
  };
  const auto count = refused(rucb_median_algorithm(), 1000).second;
  REQUIRE(count > 1);
  CHECK(refused(rucb_median_algorithm(), 2 * count).first == 0);
  CHECK(refused(rucb_median_algorithm(), 2 * count - 1).first == 1);
  for (const auto* spec : {&sgd_ucb_smom_algorithm(), &sgd_ucb_smom_f_algorithm()}) {
    CHECK(refused(*spec, 3 * count).first == 0);  // 2m + 1 = 3
    CHECK(refused(*spec, 3 * count - 1).first == 1);
  }
}

}  // namespace
}  // namespace posse::test_limits
