// SPDX-License-Identifier: Apache-2.0
// Nodes that send wrong numbers: which, when, and what a server makes of it.
#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "actors/common/local_means.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "core/network/nodes.hpp"
#include "core/sim/message_corruption.hpp"
#include "core/sim/simulation.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_message_corruption {
namespace {

Time at_s(double s) { return Time{} + Duration::seconds(s); }

const Nodes& nodes() {
  static const Nodes all({{"server", 1, false}, {"client", 4, true}});
  return all;
}

CorruptFault lie(Corruption how, double value = 0) {
  return {{"client-1"}, {.at = at_s(1), .lasting = Duration::seconds(2)}, how, value};
}

std::vector<double> told(MessageCorruption& corruption,
                         double time,
                         std::vector<double> means,
                         NodeId node = {2}) {
  auto payload = Payload::make(LocalMeans{7, means});
  corruption.apply(node, 0, payload, at_s(time));
  CHECK(payload.get<LocalMeans>()->phase == 7);  // counts and indices stay right
  return payload.get<LocalMeans>()->means;
}

RunOutcome fed_pne(std::vector<CorruptFault> faults, Aggregate aggregate) {
  const auto problem = test::make_problem("garland", 10, 2000, Seed{4}, 0.02);
  Policy policy;
  policy.aggregate = aggregate;
  test::Run run(fed_pne_algorithm(),
                default_parameters(fed_pne_algorithm().parameters),
                10,
                Seed{4},
                &problem,
                policy);
  run.spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.01)}}};
  run.spec.network.corrupt_faults = std::move(faults);
  const auto result = run_serial(run.spec);
  CHECK(result.outcome.status == RunStatus::finished);
  CHECK(run_windows(run.spec, 2).outcome.fingerprint == result.outcome.fingerprint);
  return result.outcome;
}

}  // namespace

TEST_CASE("a liar changes its numbers while the fault lasts, and nobody else's") {
  const std::vector<double> means{0.25, 0.5, 0.75};
  for (const auto& [how, lies] : std::vector<std::pair<CorruptFault, std::vector<double>>>{
           {lie(Corruption::constant, 3), {3, 3, 3}},
           {lie(Corruption::sign), {-0.25, -0.5, -0.75}},
       }) {
    const std::vector<CorruptFault> faults{how};
    MessageCorruption corruption(faults, nodes(), Seed{1});
    CHECK(told(corruption, 0.999, means) == means);
    CHECK(told(corruption, 1, means) == lies);
    CHECK(told(corruption, 2.999, means) == lies);
    CHECK(told(corruption, 3, means) == means);
    CHECK(told(corruption, 2, means, NodeId{1}) == means);
  }
}

TEST_CASE("stale numbers are those of the message before, as far as it goes") {
  const std::vector<CorruptFault> faults{lie(Corruption::stale)};
  MessageCorruption corruption(faults, nodes(), Seed{1});
  CHECK(told(corruption, 1, {1, 2}) == std::vector<double>{1, 2});  // there is none before
  CHECK(told(corruption, 1, {3, 4, 5}) == std::vector<double>{1, 2, 5});
  CHECK(told(corruption, 1, {6}) == std::vector<double>{3});  // its own, not what it told
}

TEST_CASE("the noise of a liar is normal and its own") {
  const std::vector<CorruptFault> faults{
      {{"client-1", "client-2"}, {.at = Time{}}, Corruption::noise, 2}};
  MessageCorruption corruption(faults, nodes(), Seed{1});
  const std::vector<double> zeros(20'000, 0.0);
  const auto one = told(corruption, 1, zeros, NodeId{2}),
             two = told(corruption, 1, zeros, NodeId{3});
  double sum = 0, squares = 0, product = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    sum += one[i];
    squares += one[i] * one[i];
    product += one[i] * two[i];
  }
  const double n = 20'000;
  CHECK(std::abs(sum / n) < 5 * 2 / std::sqrt(n));  // 5 standard errors
  CHECK(squares / n == Approx(4).margin(5 * 4 * std::sqrt(2 / n)));
  CHECK(std::abs(product / n) < 5 * 4 / std::sqrt(n));
  CHECK(told(corruption, 1, zeros, NodeId{2}) != one);  // a new draw for each number
}

TEST_CASE("a robust server decides without the liar where a mean follows it") {
  const auto honest = fed_pne({}, Aggregate::mean);
  const std::vector<CorruptFault> noise{
      {{{"client", 0.1}}, {.at = Time{}}, Corruption::noise, 1e3}};
  const auto fooled = fed_pne(noise, Aggregate::mean);
  const auto median = fed_pne(noise, Aggregate::median);
  const auto trimmed = fed_pne(noise, Aggregate::trimmed_mean);
  CHECK(fooled.rounds[0].kept_cells == 1);
  CHECK(honest.rounds[0].kept_cells > 1);
  CHECK(median.rounds[0].kept_cells > 1);
  CHECK(trimmed.rounds[0].kept_cells > 1);
}

}  // namespace posse::test_message_corruption
