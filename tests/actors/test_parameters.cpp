// SPDX-License-Identifier: Apache-2.0
// Defaults and limits of the algorithms' parameters, written out a second time: neither must change
// unnoticed. The defaults are those of the papers' experiments where these state them (PAPERS.md).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "actors/blin/protocol.hpp"
#include "actors/fed_pne/private_protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/fed_pne_variance/protocol.hpp"
#include "actors/fed_ucb/protocol.hpp"
#include "actors/fn_ucb/protocol.hpp"
#include "actors/hct_batched/protocol.hpp"
#include "actors/instances/protocol.hpp"
#include "actors/learners/blind_search.hpp"
#include "actors/learners/doo.hpp"
#include "actors/learners/hct.hpp"
#include "actors/learners/hoo.hpp"
#include "actors/learners/sequool.hpp"
#include "actors/learners/soo.hpp"
#include "actors/learners/stosoo.hpp"
#include "actors/learners/stroquool.hpp"
#include "actors/learners/vroom.hpp"
#include "actors/learners/zooming.hpp"
#include "actors/parallel/protocol.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "actors/pf_pne_reuse/protocol.hpp"
#include "actors/reward_bandit/protocol.hpp"
#include "core/base/parameters.hpp"
#include "core/domain/partition.hpp"
#include "core/role/protocol.hpp"

namespace posse::test_parameters {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
const ParameterValue kAuto = std::monostate{};
ParameterValue whole(std::int64_t value) { return value; }
ParameterValue text(std::string_view value) { return std::string(value); }

struct Row {
  std::string_view name;
  ParameterValue value;
  double min = -kNone;
  double max = kNone;
  bool min_open = false;
  bool max_open = false;
};
using Rows = std::vector<Row>;

Rows operator+(Rows rows, const Rows& more) {
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

/// Exactly these parameters, in any order.
void check(const AlgorithmSpec& algorithm, const Rows& rows) {
  INFO(algorithm.kind);
  CHECK(algorithm.parameters.size() == rows.size());
  for (const Row& row : rows) {
    INFO(row.name);
    const auto it = std::find_if(algorithm.parameters.begin(),
                                 algorithm.parameters.end(),
                                 [&](const ParameterSpec& spec) { return spec.name == row.name; });
    REQUIRE(it != algorithm.parameters.end());
    CHECK(it->default_value == row.value);
    CHECK(it->min == row.min);
    CHECK(it->max == row.max);
    CHECK(it->min_open == row.min_open);
    CHECK(it->max_open == row.max_open);
  }
}

constexpr double kTiny = 1e-100;
constexpr double kHuge = 1e100;

const Rows kPoint{{"point", text("centre")}};
const Rows kCells = Rows{{"partition", text("cyclic")}, {"arity", whole(2), 2, 1024}} + kPoint;
const Rows kSmoothness{{"nu1", 1.0, kTiny, kHuge}, {"rho", 0.5, 1e-6, 1 - 1e-9}};
/// Of Fed-PNE and PF-PNE: the experiments' c = 0.1; delta = 1/M.
const Rows kConfidence{
    {"c", 0.1, kTiny, kHuge}, {"c1", 1.0, kTiny, kHuge}, {"delta", kAuto, kTiny, 1}};
const Rows kMeans{
    {"means", text("f64")}, {"means_low", 0.0, -1e6, 1e6}, {"means_high", 1.0, -1e6, 1e6}};
const Rows kArms{{"arms_per_dimension", whole(20), 1, 1000}, {"random_arms", whole(1000), 1, 1e6}};
const Rows kPlacement{{"placement", text("central")}};

TEST_CASE("parameters of Fed-PNE and its variants: defaults and limits", "[parameters]") {
  const Rows fed_pne = kSmoothness + kConfidence +
                       Rows{{"trim_last_plan", true},
                            {"compact_plan", false},
                            {"edges", whole(0), 0, 1e6},
                            {"sums", text("gathered")}} +
                       kMeans + kCells;
  check(fed_pne_algorithm(), fed_pne);
  check(dp_fed_pne_algorithm(),
        fed_pne + Rows{{"epsilon", 1.0, 1e-6, 1e6},
                       {"mechanism", text("laplace")},
                       {"delta_p", 1e-5, kTiny, 1, false, true},
                       {"radius", text("practical")}});
  check(fed_pne_variance_algorithm(),
        kSmoothness + kConfidence + kCells +
            Rows{{"range", 1.0, 1e-6, 1e6}, {"variance_floor", 1e-3, 1e-12, 1e12}});
}

TEST_CASE("parameters of PF-PNE and its variant: defaults and limits", "[parameters]") {
  const Rows shared = kSmoothness + kConfidence + kCells;
  check(pf_pne_algorithm(), shared + Rows{{"max_difference", 0.01, 0, kHuge}, {"safe", false}});
  check(pf_pne_reuse_algorithm(), shared + Rows{{"confidence", text("level")}, {"together", true}});
}

TEST_CASE("parameters of the federated UCBs and of BLiN: defaults and limits", "[parameters]") {
  check(fed1_ucb_algorithm(),
        kArms + Rows{{"sigma", 0.5, kTiny, kHuge}, {"pulls_per_phase", kAuto, 1, 4294967294}});
  check(fed2_ucb_algorithm(),
        kArms + Rows{{"sigma", 0.5, kTiny, kHuge},
                     {"sigma_c", 0.02, 0, kHuge},
                     {"pulls_per_phase", whole(100), 1, 4294967294}});
  check(fn_ucb_algorithm(),
        kArms + Rows{{"width", whole(20), 1, 256},
                     {"lambda", 0.1, 1e-9, 1e6},
                     {"nu", 0.1, 0, 1e6},
                     {"nu2", 0.1, 0, 1e6},
                     {"sync_threshold", 0.0, 0, 1e6},
                     {"exact_det", false},
                     {"train_steps", whole(30), 0, 10000},
                     {"rate", 0.01, 0, 1e6},
                     {"train_until", whole(2000), 0, 4e9},
                     {"ramp", whole(700), 1, 4e9}});
  check(blin_algorithm(), kPoint + Rows{{"lipschitz", 1.0, 1e-6, 1e6}, {"share_pulls", false}});
}

TEST_CASE("parameters of the parallel bandit: defaults and limits", "[parameters]") {
  check(parallel_algorithm(),
        kSmoothness + kMeans + kCells +
            Rows{{"constants", text("theory")},
                 {"c", kAuto, kTiny, kHuge},
                 {"delta", kAuto, kTiny, 1},
                 {"leftover", text("pull")},
                 {"exchange", text("mesh")},
                 {"gossip_steps", whole(0), 0, 1000},
                 {"sums", text("gathered")}});
}

TEST_CASE("parameters of the learners: defaults and limits", "[parameters]") {
  const Rows choices{{"ties", text("lower")}, {"recommendation", text("uniform-play")}};
  const Rows constants{
      {"constants", text("practical")}, {"c", kAuto, kTiny, kHuge}, {"delta", kAuto, kTiny, 1}};
  const Rows range{{"range", 1.0, kTiny, kHuge}};
  const Rows hct = kSmoothness + constants + choices + kCells;
  const Rows resplit{{"resplit", false}};
  check(hct_algorithm(), hct + resplit + kPlacement);
  check(vhct_algorithm(), hct + range + resplit + kPlacement);
  check(hct_central_algorithm(), hct + resplit);
  check(hct_local_algorithm(), hct + resplit);
  const Rows batches{{"batch", whole(1), 1, 1e9}, {"growth", 2.0, 1, 1e9}};
  check(hct_batched_algorithm(), hct + batches);
  check(vhct_batched_algorithm(), hct + range + batches);
  check(hoo_algorithm(), kSmoothness + choices + kCells + kPlacement);
  check(t_hoo_algorithm(),
        kSmoothness + choices + kCells + kPlacement + Rows{{"depth_slack", whole(0), 0, 1000}});
  check(
      stosoo_algorithm(),
      kCells + kPlacement +
          Rows{
              {"pulls", kAuto, 1, 1e15}, {"delta", kAuto, kTiny, 1}, {"max_depth", kAuto, 0, 1e6}});
  check(soo_algorithm(), kCells + kPlacement + Rows{{"max_depth", kAuto, 0, 1e6}});
  check(doo_algorithm(), kSmoothness + kCells + kPlacement);
  check(sequool_algorithm(), kCells + kPlacement + Rows{{"openings", kAuto, 1, 1e15}});
  check(stroquool_algorithm(), kCells + kPlacement + Rows{{"horizon", kAuto, 1, 1e15}});
  check(zooming_algorithm(),
        kCells + kPlacement +
            Rows{{"nu1", 1.0, kTiny, kHuge},
                 {"rho", 0.9, 1e-6, 1 - 1e-9},
                 {"recommendation", text("uniform-play")}});
  check(vroom_algorithm(),
        kCells + kPlacement +
            Rows{{"max_depth", kAuto, 1, 1e6},
                 {"b", 1.0, kTiny, kHuge},
                 {"f_max", 1.0, kTiny, kHuge}});
  check(uniform_grid_algorithm(), kPlacement);
  check(random_algorithm(), kPlacement + Rows{{"reevaluate", kAuto}});

  const Rows instances = constants + range + choices + kCells +
                         Rows{{"nu_max", 1.0, kTiny, kHuge}, {"rho_max", 0.9, 1e-6, 1 - 1e-9}};
  check(poo_algorithm(), instances + Rows{{"base", text("hct")}});
  check(gpo_algorithm(), instances + Rows{{"base", text("hct")}});
  check(pct_algorithm(), instances);
  check(vpct_algorithm(), instances);
}

TEST_CASE("parameters of the bandits with heavy-tailed rewards: defaults and limits",
          "[parameters]") {
  const auto smom = [](double c) {
    return Rows{{"m", whole(1), 0, 1000},
                {"n", whole(2), 1, 100000},
                {"theta", 0.001, 0},
                {"clip", 0.9, 0, kNone, true},
                {"step", kAuto, 0, 1, true},
                {"c", c, 0}};
  };
  check(sgd_ucb_smom_algorithm(), smom(0.1));
  check(sgd_ucb_smom_f_algorithm(), smom(1) + Rows{{"index", text("functional")}});
  check(rucb_median_algorithm(), {{"epsilon", 0.0, 0, 1}, {"v", 0.9, 0, kNone, true}});
}

}  // namespace
}  // namespace posse::test_parameters
