// SPDX-License-Identifier: Apache-2.0
// The exchanges of the parallel bandit: other ways, the same decisions.
#include <catch2/catch.hpp>
#include <random>
#include <tuple>

#include "actors/parallel/messages.hpp"
#include "actors/parallel/protocol.hpp"
#include "core/sim/simulation.hpp"
#include "core/theory/all_to_all_cost.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_exchange {
namespace {

using namespace test;
using theory::SumsBy;

struct Way {
  AllToAll way;
  SumsBy sums;
  MeanFormat means = MeanFormat::f64;
  std::string text() const {
    return std::string(to_string(way)) + (sums == SumsBy::exact ? ", exact" : "") + ", " +
           std::string(to_string(means));
  }
};
std::vector<Way> all_ways() {
  std::vector<Way> ways;
  for (const SumsBy sums : {SumsBy::gathered, SumsBy::exact})
    for (const AllToAll way : kAllToAll) ways.push_back({way, sums});
  for (const MeanFormat means : {MeanFormat::f32, MeanFormat::u16, MeanFormat::u8})
    for (const AllToAll way : kAllToAll) ways.push_back({way, SumsBy::gathered, means});
  return ways;
}

Parameters parameters_of(const Way& way) {
  auto parameters = default_parameters(parallel_algorithm().parameters);
  parameters.set("exchange", std::string(to_string(way.way)));
  parameters.set("sums", std::string(way.sums == SumsBy::exact ? "exact" : "gathered"));
  parameters.set("means", std::string(to_string(way.means)));
  return parameters;
}

constexpr auto kLatency = Duration{50'000'000};

/// Latency 50 ms, no computing time.
SimulationResult run_of(const Way& way, const Problem& problem, std::uint32_t players) {
  test::Run run(parallel_algorithm(), parameters_of(way), players, Seed{7}, &problem);
  run.spec.network.links = {{.latency = ConstantDuration{kLatency}}};
  auto result = run_serial(run.spec);
  INFO(way.text() << ", " << players << " players");
  CHECK(broken_measurements(*run.protocol, result.outcome).empty());
  const auto forecast = run.protocol->forecast();
  CHECK(static_cast<double>(result.outcome.total(&TypeAccount::sent)) <= forecast.messages);
  CHECK(static_cast<double>(result.outcome.total(&TypeAccount::bytes)) <= forecast.bytes);
  return result;
}

/// Decisions and regret, to the last bit.
auto decisions(const RunOutcome& out) {
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> levels;
  for (const auto& level : out.rounds)
    levels.emplace_back(level.active_cells, level.kept_cells, level.best->index);
  std::vector<std::tuple<std::uint32_t, std::uint64_t, double, bool>> cells;
  for (const auto& cell : out.cells)
    cells.emplace_back(cell.cell.depth, cell.cell.index, cell.mean, cell.kept);
  return std::tuple(levels, cells, out.regret.simple, out.regret.cumulative);
}

}  // namespace

TEST_CASE("every exchange has the decisions of the mesh, at the cost of its formula", "[long]") {
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t m = 2; m <= 17; ++m) sizes.push_back(m);
  for (const std::uint32_t m : {23, 31, 32, 33, 48, 63, 64}) sizes.push_back(m);
  for (const std::uint32_t m : sizes) {
    const auto problem = test::make_problem("garland", m, 400, Seed{7}, 0.1);
    std::map<std::pair<SumsBy, MeanFormat>, RunOutcome> mesh;
    for (const Way& way : all_ways()) {
      const auto out = run_of(way, problem, m).outcome;
      INFO(way.text() << ", " << m << " players");
      REQUIRE(out.status == RunStatus::finished);
      REQUIRE(out.rounds.size() >= 3);
      if (way.way == AllToAll::mesh) mesh[{way.sums, way.means}] = out;
      CHECK(decisions(out) == decisions(mesh[{way.sums, way.means}]));
      // Both kinds of sums lead to the same cells here; their estimates differ in the last bit.
      const auto& gathered = mesh[{SumsBy::gathered, way.means}];
      CHECK(std::get<0>(decisions(out)) == std::get<0>(decisions(gathered)));
      CHECK(out.regret.simple == gathered.regret.simple);
      CHECK(out.regret.cumulative == gathered.regret.cumulative);

      double messages = 0, bytes = 0;
      for (const auto& level : out.rounds) {
        const auto n = static_cast<double>(level.active_cells);
        const auto cost = theory::all_to_all_cost(way.way, way.sums, m, n);
        messages += cost.vectors.messages + cost.sums.messages + cost.results.messages;
        const double head = way.way == AllToAll::mesh ? 8 : 12;
        const double each = way.means == MeanFormat::f64   ? 8
                            : way.means == MeanFormat::f32 ? 4
                            : way.means == MeanFormat::u16 ? 2
                                                           : 1;
        bytes += head * cost.vectors.messages + each * cost.vectors.numbers +
                 12 * cost.sums.messages + 16 * cost.sums.numbers + 12 * cost.results.messages +
                 8 * cost.results.numbers;
      }
      CHECK(static_cast<double>(out.total(&TypeAccount::sent)) == messages);
      CHECK(static_cast<double>(out.total(&TypeAccount::bytes)) == bytes);
      const auto steps = theory::all_to_all_steps(way.way, way.sums, m);
      const Time expected{static_cast<std::int64_t>(out.rounds.size() * steps) * kLatency.ns};
      if (way.way == AllToAll::ring && way.sums == SumsBy::exact)
        CHECK(out.finished_at <= expected);  // small levels overlap
      else
        CHECK(out.finished_at == expected);
    }
  }
}

TEST_CASE("beside the counts of an exchange stands its own formula") {
  struct Formula {
    AllToAll way;
    SumsBy sums;
    std::string messages, payload;
  };
  const std::string of_each = "(m-1) sum over levels of ";
  const std::vector<Formula> formulas{
      {AllToAll::mesh, SumsBy::gathered, "q m (m-1)", "m " + of_each + "8 + 8 |S_h|"},
      {AllToAll::mesh, SumsBy::exact, "q m (m-1)", "m " + of_each + "8 + 8 |S_h|"},
      {AllToAll::relay, SumsBy::gathered, "2 q (m-1)", "2 " + of_each + "12 + 8 |S_h|"},
      {AllToAll::relay, SumsBy::exact, "2 q (m-1)", "2 " + of_each + "12 + 8 |S_h|"},
      {AllToAll::ring, SumsBy::gathered, "q m (m-1)", "m " + of_each + "12 + 8 |S_h|"},
      {AllToAll::ring, SumsBy::exact, "2 (m-1) sum over", of_each + "24 min(m, |S_h|)"},
      {AllToAll::tree, SumsBy::gathered, "2 q (m-1)", "sum over levels of 24 (m-1) + 8"},
      {AllToAll::tree, SumsBy::exact, "2 q (m-1)", of_each + "24 + 24 |S_h|"},
      {AllToAll::doubling, SumsBy::gathered, "q m ceil(log2 m)", "sum over levels of 12 m"},
      {AllToAll::doubling, SumsBy::exact, "q (p log2 p", "sum over levels of (p log2 p + m-p)"}};
  const auto problem = test::make_problem("garland", 5, 100, Seed{7}, 0.1);
  for (const auto& formula : formulas) {
    const Way way{formula.way, formula.sums};
    INFO(way.text());
    test::Run run(parallel_algorithm(), parameters_of(way), 5, Seed{7}, &problem);
    const auto out = run_serial(run.spec).outcome;
    CHECK_THAT(test::figure_named(*run.protocol, out, "messages").bound->note,
               Catch::Matchers::StartsWith(formula.messages));
    CHECK_THAT(test::figure_named(*run.protocol, out, "payload").bound->note,
               Catch::Matchers::StartsWith(formula.payload));
  }
}

TEST_CASE("no exchange changes a decision on a faulty network with retransmissions") {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 12; ++trial) {
    const std::uint32_t m = 2 + static_cast<std::uint32_t>(random() % 9);
    const auto problem = test::make_problem("garland", m, 200, Seed{9}, 0.1);
    for (const Way& way : all_ways()) {
      INFO("trial " << trial << ", " << way.text() << ", " << m << " players");
      const auto ideal = run_of(way, problem, m).outcome;
      test::Run run(parallel_algorithm(), parameters_of(way), m, Seed{7}, &problem);
      test::lose_and_crash("player-1", run.spec);
      const auto out = run_serial(run.spec).outcome;
      REQUIRE(out.status == RunStatus::finished);
      CHECK(decisions(out) == decisions(ideal));
      CHECK(broken_measurements(*run.protocol, out).empty());
      CHECK(run_windows(run.spec, 2).outcome.fingerprint == out.fingerprint);
    }
  }
}

TEST_CASE("duplicates and messages of the next level in any order change nothing") {
  const auto problem = test::make_problem("sine", 6, 400, Seed{2}, 0.1);
  for (const Way& way : all_ways()) {
    INFO(way.text());
    ProtocolContext context;
    context.clients = 6;
    context.problem = &problem;
    context.seed = Seed{2};
    const auto protocol = parallel_algorithm().make(parameters_of(way), context);
    RoleDriver plain(*protocol);
    plain.run();
    REQUIRE(plain.all_finished());
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      RoleDriver shuffled(*protocol, {.shuffled = true, .duplicates = 0.4, .seed = seed});
      shuffled.run();
      REQUIRE(shuffled.all_finished());
      CHECK(shuffled.sent().size() == plain.sent().size());
      CHECK(shuffled.all<RecommendationObserved>().back().point ==
            plain.all<RecommendationObserved>().back().point);
      CHECK(broken_measurements(*protocol, shuffled.outcome(&problem)).empty());
    }
  }
}

TEST_CASE("a player says which message it lacks, whatever the exchange") {
  const auto problem = test::make_problem("sine", 6, 400, Seed{2}, 0.1);
  for (const Way& way : all_ways()) {
    INFO(way.text());
    ProtocolContext context;
    context.clients = 6;
    context.problem = &problem;
    context.seed = Seed{2};
    const auto protocol = parallel_algorithm().make(parameters_of(way), context);
    RoleDriver driver(*protocol);
    driver.start();
    bool dropped = false;
    Delivery lost;
    while (!driver.pending().empty()) {
      auto& pending = driver.pending();
      if (!dropped)
        std::erase_if(pending, [&](const Delivery& d) {
          if (dropped || d.message.from != NodeId{3}) return false;
          lost = d;
          return dropped = true;
        });
      if (!driver.deliver_one()) break;
    }
    REQUIRE(dropped);
    CHECK_FALSE(driver.all_finished());
    const auto waiting = driver.role(lost.to.value).waiting();
    REQUIRE(waiting);
    CHECK(waiting->message_type == lost.message.payload.type().name);
    CHECK(std::count(waiting->from.begin(), waiting->from.end(), NodeId{3}) == 1);
    CHECK(waiting->round == lost.message.round);
  }
}

TEST_CASE("every player rounds its own means once, to a neighbour on the grid") {
  const auto problem = test::make_problem("garland", 5, 400, Seed{3}, 0.1);
  ProtocolContext context;
  context.clients = 5;
  context.problem = &problem;
  context.seed = Seed{3};
  const auto means_of = [&](const Way& way, auto code) {
    std::map<std::uint32_t, std::vector<double>> means;  // by player
    const auto protocol = parallel_algorithm().make(parameters_of(way), context);
    RoleDriver driver(*protocol);
    driver.start();
    for (const auto& sent : driver.sent())
      if (const auto* own = sent.message.get<decltype(code)>())
        means[sent.message.from.value] = {own->means.begin(), own->means.end()};
    REQUIRE(means.size() == 5);
    return means;
  };
  const auto exact = means_of({AllToAll::mesh, SumsBy::gathered}, LevelMeans{});
  const auto u8 =
      means_of({AllToAll::mesh, SumsBy::gathered, MeanFormat::u8}, CodedMeans<std::uint8_t>{});
  for (std::uint32_t player = 0; player < 5; ++player)
    for (std::size_t i = 0; i < exact.at(player).size(); ++i)
      CHECK(std::abs(u8.at(player)[i] / 255 - exact.at(player)[i]) < 1 / 255.0);
}

TEST_CASE("exact sums refuse rounded means, whose bytes they would not save") {
  const auto problem = test::make_problem("garland", 2, 100, Seed{1}, 0.1);
  ProtocolContext context;
  context.clients = 2;
  context.problem = &problem;
  const auto errors = parallel_algorithm().validate(
      parameters_of({AllToAll::tree, SumsBy::exact, MeanFormat::u8}), context);
  CHECK(errors == std::vector<std::string>{
                      "parallel: means = \"u8\" needs sums = \"gathered\": exact sums travel in "
                      "16 bytes, whatever they add"});
}

}  // namespace posse::test_exchange
