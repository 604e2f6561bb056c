// SPDX-License-Identifier: Apache-2.0
// Forecasts and ceilings of the elimination algorithms at fixed parameters. The looks tau_h behind
// them were computed with mpmath from the papers' formulas; the sums are written out.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "actors/blin/protocol.hpp"
#include "actors/fed_pne/private_protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/fed_pne_variance/protocol.hpp"
#include "actors/fed_ucb/protocol.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "actors/pf_pne_reuse/protocol.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_forecasts {
namespace {

using namespace test;
using Changes = std::map<std::string, ParameterValue>;

/// nu1 = 1, rho = 1/2, c = 0.1, c1 = 1 and delta = 1/M, unless changed.
Forecast forecast(const AlgorithmSpec& spec,
                  std::uint32_t clients,
                  std::uint64_t budget,
                  const Changes& changes = {}) {
  const auto problem = make_problem(garland(), clients, budget);
  return make_protocol(spec, &problem, clients, changes)->forecast();
}

void check(
    const Forecast& found, double evaluations, double rounds, double messages, double bytes) {
  CHECK(found.evaluations == evaluations);
  CHECK(found.rounds == rounds);
  CHECK(found.messages == messages);
  CHECK(found.bytes == Approx(bytes).epsilon(1e-12));
}

TEST_CASE("Fed-PNE's forecast is what its largest plans and uploads cost") {
  const auto& spec = fed_pne_algorithm();
  // M = 4, T = 2000: t_1 … t_7 = 1 1 2 6 24 93 369, and k t_8 > T. Cells of complete phases: 2 4 8
  // 16 32, then T / t_h. The cut plan has at most the 64 children of depth 5.
  const double cells = 62 + 2000.0 / 93 + 2000.0 / 369;
  const double up = 4 * (7 * 8 + 8 * cells);
  const double plans = 7 * 16 + 8 * cells + 16 + 8 * 64;
  check(forecast(spec, 4, 2000), 8000, 7, 60, up + 4 * plans);
  check(forecast(spec, 4, 2000, {{"means", std::string("u8")}}),
        8000,
        7,
        60,
        4 * (7 * 8 + cells) + 4 * plans);
  // A compact plan has a bit for each cell of the phase before, the first one for the root.
  check(forecast(spec, 4, 2000, {{"compact_plan", true}}),
        8000,
        7,
        60,
        up + 4 * (8 * (8 + 7.0 / 8) + (1 + cells) / 8));
  // Two edges get plans, too, and hand on means, or their sums of 16 bytes.
  check(forecast(spec, 4, 2000, {{"edges", std::int64_t{2}}}),
        8000,
        7,
        7 * (6 + 4 + 2) + 6,
        up + 2 * 7 * 8 + 4 * 8 * cells + 6 * plans);
  check(forecast(spec, 4, 2000, {{"edges", std::int64_t{2}}, {"sums", std::string("exact")}}),
        8000,
        7,
        7 * (6 + 4 + 2) + 6,
        up + 2 * (7 * 8 + 16 * cells) + 6 * plans);
  // T = 5: two phases of two cells, five cells in all, and a plan of at most T + 1 cells; of 10,
  // the children of five, if it isn't trimmed.
  check(forecast(spec, 4, 5), 20, 2, 20, 4 * (2 * 8 + 8 * 5) + 4 * (2 * 16 + 8 * 5 + 16 + 8 * 6));
  check(forecast(spec, 4, 5, {{"trim_last_plan", false}}),
        20,
        2,
        20,
        4 * (2 * 8 + 8 * 5) + 4 * (2 * 16 + 8 * 5 + 16 + 8 * 10));
  // Cells that a hundred clients look at once are split without samples: a cut plan of up to 200.
  check(forecast(spec, 100, 2, {{"trim_last_plan", false}}),
        200,
        1,
        300,
        100 * (8 + 8 * 2) + 100 * (16 + 8 * 2 + 16 + 8 * 200));
}

TEST_CASE("DP-Fed-PNE's forecast counts the pulls that its noise needs") {
  // epsilon = 0.01: t_1 … t_6 = 45 91 186 387 816 1760, and 2 t_6 > T. The cut plan: 16 cells.
  const double cells = 14 + 2000.0 / 387 + 2000.0 / 816;
  check(forecast(dp_fed_pne_algorithm(), 4, 2000, {{"epsilon", 0.01}}),
        8000,
        5,
        44,
        4 * (5 * 8 + 8 * cells) + 4 * (5 * 16 + 8 * cells + 16 + 8 * 16));
  CHECK(forecast(dp_fed_pne_algorithm(), 4, 2000, {{"mechanism", std::string("none")}}).rounds ==
        7);
}

TEST_CASE("variance-aware Fed-PNE's forecast is what its exchanges cost") {
  const auto& spec = fed_pne_variance_algorithm();
  // T = 2000: 1 1 2 6 11 16 22 28 34 40 46 exchanges at depths 1 to 11, with more than T cells.
  check(forecast(spec, 4, 2000),
        8000,
        207,
        4 * 415,
        4 * (208 * 16 + 12 * 4001) + 4 * (207 * 12 + 16 * 2000));
  // T = 100, c = 1/2: 5 exchanges of 2 cells (3 4 5 7 9 pulls, for 8) and 9 of 4 (for 20).
  check(forecast(spec, 4, 100, {{"c", 0.5}, {"variance_floor", 0.25}}),
        400,
        14,
        4 * 29,
        4 * (15 * 16 + 12 * (46 + 101)) + 4 * (14 * 12 + 16 * 46));
}

TEST_CASE("PF-PNE's forecast is what stage 1 costs down to H0") {
  const auto& spec = pf_pne_algorithm();
  // T = 6000: H0 = 6; t_6 = 104, and T / 104 < 64.
  const double cells = 63 + 6000.0 / 104;
  check(forecast(spec, 4, 6000), 24000, 7, 56, 4 * (7 * 24 + 24 * cells));
  check(forecast(spec, 4, 6000, {{"max_difference", 0.2}}), 24000, 3, 24, 4 * (3 * 24 + 24 * 7));
  // The root, then twice two cells: five pulls.
  check(forecast(spec, 4, 5), 20, 3, 24, 4 * (3 * 24 + 24 * 5));
  check(forecast(spec, 4, 6000, {{"max_difference", 1.5}}), 24000, 0, 0, 0);
}

TEST_CASE("the rounds of PF-PNE with reuse double their pulls at every depth") {
  const auto& spec = pf_pne_reuse_algorithm();
  // T = 2000: t_1 … t_9 = 1 1 1 3 6 11 41 164 656 need 1 1 1 3 4 5 7 9 11 rounds; from depth 10 on
  // T pulls at most, 12 rounds at each of 53 depths.
  CHECK(forecast(spec, 4, 2000).rounds == 1 + 1 + 1 + 3 + 4 + 5 + 7 + 9 + 11 + 53 * 12);
  CHECK(forecast(spec, 3, 101).rounds == 50);  // T / 2
  CHECK(forecast(spec, 1, 2000).rounds == 0);
  CHECK(forecast(spec, 4, 2000, {{"together", false}}).rounds == 0);
}

TEST_CASE("Fed1-UCB's and Fed2-UCB's forecasts are what their phases cost") {
  const Changes ten{{"pulls_per_phase", std::int64_t{10}}};
  // 20 arms, then 2 arms: 1 + 800/20 phases; T/10 arms in all.
  const double each = 41 * (12 + 8) + 12 * 100 + 12 + 4 * 20;
  check(forecast(fed1_ucb_algorithm(), 3, 1000, ten), 3000, 41, 249, 3 * each);
  check(forecast(fed2_ucb_algorithm(), 3, 1000, ten), 3000, 41, 249, 3 * (each + 4));
  // Three arms: 1 + (T - 6)/4 phases of at most three.
  const Changes three{{"pulls_per_phase", std::int64_t{2}},
                      {"arms_per_dimension", std::int64_t{3}}};
  check(forecast(fed1_ucb_algorithm(), 3, 7, three), 21, 1, 9, 3 * (12 + 8 + 12 * 3 + 12 + 4 * 3));
  // auto: f(p) = floor(10 ln 1000) = 69, and 20 arms don't fit.
  check(forecast(fed1_ucb_algorithm(), 3, 1000), 3000, 0, 3, 3 * (12 + 4 * 20));
  check(forecast(fed2_ucb_algorithm(), 3, 1000), 3000, 0, 3, 3 * (12 + 4 * 20 + 4));  // f = 100
}

TEST_CASE("BLiN's batches end at the partition's depth limit") {
  // Twelve halvings in five dimensions, after the batch of the whole cube. Every cube is pulled
  // once, so that more batches of 32 would fit into T.
  const auto f = std::make_shared<FunctionObjective>(
      Box::cube(5, 0, 1),
      [](std::span<const double> x) { return 1 - x[0]; },
      1.0,
      std::vector<double>(5, 0.0));
  const auto problem = make_problem(f, 2, 1000);
  CHECK(make_protocol(blin_algorithm(), &problem, 2, {{"lipschitz", 1e6}})->forecast().rounds ==
        13);
}

}  // namespace
}  // namespace posse::test_forecasts
