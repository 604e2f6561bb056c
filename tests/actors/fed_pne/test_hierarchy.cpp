// SPDX-License-Identifier: Apache-2.0
// Edges between server and clients: the decisions of the star, at other costs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <tuple>

#include "actors/common/edge_uploads.hpp"
#include "actors/common/local_means.hpp"
#include "actors/fed_pne/private_protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "core/role/hierarchy.hpp"
#include "core/sim/simulation.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_hierarchy {
namespace {

using namespace test;

struct Shape {
  std::uint32_t clients, edges;
  std::string sums = "gathered";
  bool compact = false;
  std::string means = "f64";
};

Parameters parameters_of(const AlgorithmSpec& algorithm, const Shape& shape) {
  auto parameters = default_parameters(algorithm.parameters);
  parameters.set("edges", std::int64_t{shape.edges});
  parameters.set("sums", shape.sums);
  parameters.set("compact_plan", shape.compact);
  parameters.set("means", shape.means);
  return parameters;
}

constexpr Duration kLatency{50'000'000};

/// Latency 50 ms, no computing time, with a log of messages.
SimulationResult run_of(const AlgorithmSpec& algorithm,
                        const Shape& shape,
                        const Problem& problem,
                        Policy policy = {}) {
  test::Run run(
      algorithm, parameters_of(algorithm, shape), shape.clients, Seed{7}, &problem, policy);
  run.spec.network.links = {{.latency = ConstantDuration{kLatency}}};
  run.spec.trace_messages = true;
  auto result = run_serial(run.spec);
  CHECK(broken_measurements(*run.protocol, result.outcome).empty());
  const auto forecast = run.protocol->forecast();
  CHECK(static_cast<double>(result.outcome.total(&TypeAccount::sent)) <= forecast.messages);
  CHECK(static_cast<double>(result.outcome.total(&TypeAccount::bytes)) <= forecast.bytes);
  return result;
}

/// Decisions, estimates and regret, to the last bit.
auto decisions(const RunOutcome& out) {
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>> phases;
  for (const auto& phase : out.rounds)
    phases.emplace_back(phase.active_cells, phase.kept_cells, phase.best->index, phase.steps);
  std::vector<std::tuple<std::uint32_t, std::uint64_t, double, bool>> cells;
  for (const auto& cell : out.cells)
    cells.emplace_back(cell.cell.depth, cell.cell.index, cell.mean, cell.kept);
  return std::tuple(phases,
                    cells,
                    out.regret.simple,
                    out.regret.cumulative,
                    out.regret.evaluations,
                    out.regret.recommendation);
}

/// Messages and payload on some links, from the log.
struct Sent {
  std::uint64_t messages = 0, bytes = 0;
};
template <class Which>
Sent sent_on(const SimulationResult& result, const Which& which) {
  Sent sent;
  for (const auto& message : result.messages)
    if (which(message.from.value, message.to.value)) {
      ++sent.messages;
      sent.bytes += message.bytes;
    }
  return sent;
}

}  // namespace

TEST_CASE("blocks of clients tile them, and their sizes differ by at most one") {
  for (std::uint32_t m = 1; m <= 40; ++m)
    for (std::uint32_t e = 1; e <= m; ++e) {
      const Hierarchy tree{m, e};
      std::uint32_t next = 0, least = m, most = 0;
      for (std::uint32_t edge = 0; edge < e; ++edge) {
        CHECK(tree.first_of(edge) == next);
        CHECK(tree.above({1 + edge}) == NodeId{0});
        for (std::uint32_t i = 0; i < tree.size_of(edge); ++i, ++next)
          CHECK(tree.above({1 + e + next}) == NodeId{1 + edge});
        least = std::min(least, tree.size_of(edge));
        most = std::max(most, tree.size_of(edge));
      }
      CHECK(next == m);
      CHECK(most - least <= 1);
    }
}

TEST_CASE(
    "every hierarchy has the decisions of the star in every bit, at the cost of its formula") {
  std::size_t phases = 0;
  for (const auto* algorithm : {&fed_pne_algorithm(), &dp_fed_pne_algorithm()})
    for (const std::uint32_t m : {1, 2, 3, 7, 16, 33})
      for (const std::string sums : {"gathered", "exact"}) {
        const auto problem = test::make_problem("garland", m, 400, Seed{7}, 0.1);
        const auto star = run_of(*algorithm, {m, 0, sums}, problem).outcome;
        REQUIRE(star.status == RunStatus::finished);
        for (std::uint32_t e = 1; e <= m; e += e < 4 ? 1 : 5)
          for (const bool compact : {false, true}) {
            INFO(algorithm->kind << ", M = " << m << ", E = " << e << ", " << sums << ", compact "
                                 << compact);
            const auto result = run_of(*algorithm, {m, e, sums, compact}, problem);
            const auto& out = result.outcome;
            REQUIRE(out.status == RunStatus::finished);
            CHECK(decisions(out) == decisions(star));
            phases += out.rounds.size();

            // From the phases alone: what goes over the links of either level.
            std::uint64_t up_to_server = 0, up_to_edges = 0, plan = 0, before = 1;
            for (const auto& phase : out.rounds) {
              const std::uint64_t n = phase.active_cells;
              up_to_edges += m * (8 + 8 * n);
              up_to_server += sums == "exact" ? e * (8 + 16 * n) : e * 8 + m * 8 * n;
              plan += compact ? 8 + (before + 7) / 8 : 16 + 8 * n;
              before = n;
            }
            const std::uint64_t q = out.rounds.size();
            const std::uint64_t plans = q + (out.regret.evaluations > out.rounds.back().steps * m);
            const auto to_server = sent_on(result, [](auto, auto to) { return to == 0; });
            const auto to_edges =
                sent_on(result, [&](auto from, auto to) { return from > e && to <= e; });
            const auto from_server = sent_on(result, [](auto from, auto) { return from == 0; });
            const auto from_edges =
                sent_on(result, [&](auto from, auto to) { return from <= e && to > e; });
            CHECK(to_server.messages == q * e);
            CHECK(to_edges.messages == q * m);
            CHECK(from_server.messages == plans * e);
            CHECK(from_edges.messages == plans * m);
            CHECK(to_server.bytes == up_to_server);
            CHECK(to_edges.bytes == up_to_edges);
            CHECK(from_server.bytes * m == from_edges.bytes * e);
            CHECK(out.total(&TypeAccount::sent) == (q + plans) * (e + m));
            if (plans == q) CHECK(from_server.bytes == e * plan);
            // Four messages in a row per phase; the cut plan is two long.
            CHECK(out.finished_at ==
                  Time{static_cast<std::int64_t>(4 * q + 2 * (plans - q)) * kLatency.ns});
          }
      }
  CHECK(phases > 300);
}

TEST_CASE("exact sums of edges are those of one addition, and saturate at wrong numbers") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const auto m = static_cast<std::uint32_t>(1 + random() % 20);
    const auto e = static_cast<std::uint32_t>(1 + random() % m);
    const std::size_t n = 1 + random() % 4;
    const Hierarchy tree{m, e};
    std::vector<long double> sums(n);
    Uploads up;
    for (std::uint32_t edge = 0; edge < e; ++edge) {
      Uploads uploads;
      for (std::uint32_t i = 0; i < tree.size_of(edge); ++i) {
        LocalMeans means{1, {}};
        for (std::size_t c = 0; c < n; ++c) {
          // Multiples of 2^-40: long doubles add them exactly.
          means.means.push_back(std::ldexp(std::nearbyint(std::ldexp(uniform(random), 40)), -40));
          sums[c] += static_cast<long double>(means.means.back());
        }
        uploads.push_back(Payload::make(std::move(means)));
      }
      up.push_back(edge_upload(uploads, 1, n, EdgeSummation::exact, {}));
      CHECK(up.back().size_bytes() == 8 + 16 * n);
    }
    const auto averages = average_of(up, n, tree, EdgeSummation::exact, {});
    for (std::size_t c = 0; c < n; ++c) CHECK(averages[c] == static_cast<double>(sums[c]) / m);
  }
  const auto lie = Payload::make(LocalMeans{1, {1e300}});
  Uploads up{edge_upload({lie}, 1, 1, EdgeSummation::exact, {})};
  CHECK(average_of(up, 1, {1, 1}, EdgeSummation::exact, {}).front() == 1073741824.0);
}

TEST_CASE("means in fewer bytes go through a hierarchy as through a star, at either level") {
  const std::uint32_t m = 7, e = 3;
  const auto problem = test::make_problem("garland", m, 400, Seed{7}, 0.1);
  for (const auto& [means, width] : {std::pair("f32", 4), std::pair("u16", 2), std::pair("u8", 1)})
    for (const std::string sums : {"gathered", "exact"})
      for (const auto* algorithm : {&fed_pne_algorithm(), &dp_fed_pne_algorithm()}) {
        INFO(algorithm->kind << ", " << means << ", " << sums);
        const auto star = run_of(*algorithm, {m, 0, sums, false, means}, problem).outcome;
        const auto result = run_of(*algorithm, {m, e, sums, false, means}, problem);
        REQUIRE(result.outcome.status == RunStatus::finished);
        CHECK(decisions(result.outcome) == decisions(star));
        std::uint64_t to_edges = 0, to_server = 0;
        for (const auto& phase : result.outcome.rounds) {
          const std::uint64_t n = phase.active_cells;
          to_edges += m * (8 + width * n);
          to_server += sums == "exact" ? e * (8 + 16 * n) : e * 8 + m * width * n;
        }
        CHECK(sent_on(result, [](auto, auto to) { return to == 0; }).bytes == to_server);
        CHECK(sent_on(result, [&](auto from, auto to) { return from > e && to <= e; }).bytes ==
              to_edges);
      }
}

TEST_CASE("gathered means give a robust aggregate what the star gives it") {
  for (const auto aggregate : {Aggregate::median, Aggregate::trimmed_mean}) {
    Policy policy;
    policy.aggregate = aggregate;
    const auto problem = test::make_problem("garland", 9, 300, Seed{3}, 0.1);
    const auto star = run_of(fed_pne_algorithm(), {9, 0}, problem, policy).outcome;
    const auto edges = run_of(fed_pne_algorithm(), {9, 4}, problem, policy).outcome;
    CHECK(decisions(edges) == decisions(star));
  }
}

TEST_CASE("what edges and exact sums cannot do is refused") {
  const auto problem = test::make_problem("garland", 4, 300, Seed{3}, 0.1);
  const auto errors = [&](const Shape& shape, Policy policy, std::uint32_t clients = 4) {
    ProtocolContext context;
    context.clients = clients;
    context.policy = policy;
    context.problem = &problem;
    return fed_pne_algorithm().validate(parameters_of(fed_pne_algorithm(), shape), context);
  };
  Policy quorum{.kind = PolicyKind::quorum, .quorum = 2};
  Policy median;
  median.aggregate = Aggregate::median;
  CHECK(errors({4, 4}, {}).empty());
  CHECK(errors({4, 4}, median).empty());
  CHECK(errors({4, 4, "exact"}, {}).empty());
  CHECK(errors({4, 5}, {}) ==
        std::vector<std::string>{"fed-pne: edges = 5, but an edge needs a client: at most 4"});
  CHECK(errors({4, 2}, quorum) ==
        std::vector<std::string>{"fed-pne: edges need the server policy \"all\", not \"quorum\": "
                                 "an edge waits for all its clients"});
  CHECK(errors({4, 0, "exact"}, quorum) ==
        std::vector<std::string>{
            "fed-pne: sums = \"exact\" needs the server policy \"all\", not \"quorum\""});
  CHECK(errors({4, 0, "exact"}, median) ==
        std::vector<std::string>{"fed-pne: sums = \"exact\" needs the aggregate \"mean\": a sum "
                                 "does not tell the median; use \"gathered\""});
  CHECK(errors({4, 4, "exact"}, {}, 70'000).size() == 1);
  const auto with = parameters_of(fed_pne_algorithm(), {4, 2});
  const auto without = parameters_of(fed_pne_algorithm(), {4, 0});
  ProtocolContext context;
  context.clients = 4;
  context.problem = &problem;
  CHECK_FALSE(fed_pne_algorithm().make(with, context)->can_lose_state({6}));
  CHECK(fed_pne_algorithm().make(without, context)->can_lose_state({4}));
}

TEST_CASE("crashes and losses with retransmissions change no decision of a hierarchy") {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 30; ++trial) {
    const std::uint32_t m = 1 + static_cast<std::uint32_t>(random() % 9);
    const std::uint32_t e = 1 + static_cast<std::uint32_t>(random() % m);
    const auto problem = test::make_problem("garland", m, 200, Seed{9}, 0.1);
    const Shape shape{m, e, trial % 2 ? "exact" : "gathered", trial % 3 == 0};
    INFO("trial " << trial << ", M = " << m << ", E = " << e);
    const auto ideal = run_of(fed_pne_algorithm(), shape, problem).outcome;
    test::Run run(
        fed_pne_algorithm(), parameters_of(fed_pne_algorithm(), shape), m, Seed{7}, &problem);
    run.spec.network.links = {
        {.latency = ExponentialDuration{Duration::seconds(0.03), Duration::seconds(0.002)},
         .loss = BernoulliLoss{0.2},
         .duplication = 0.2}};
    run.spec.network.transport = Transport::reliable;
    run.spec.network.retransmission = {.timeout = Duration::seconds(0.1), .max_tries = 1000};
    run.spec.network.node_faults = {
        {.nodes = {"edge-0"},
         .when = {.at = Time{} + Duration::seconds(0.04), .lasting = Duration::seconds(0.07)},
         .kind = NodeFaultKind::crash}};
    run.spec.compute.evaluation = ExponentialDuration{Duration::seconds(0.001), Duration{}};
    const auto out = run_serial(run.spec).outcome;
    REQUIRE(out.status == RunStatus::finished);
    CHECK(decisions(out) == decisions(ideal));
    for (std::uint32_t threads : {1u, 3u}) {
      const auto windows = run_windows(run.spec, threads).outcome;
      CHECK(windows.fingerprint == out.fingerprint);
      CHECK(windows.finished_at == out.finished_at);
    }
  }
}

TEST_CASE(
    "an edge that stands still for good passes the last plan on to nobody: no count is wrong") {
  const auto problem = test::make_problem("garland", 6, 200, Seed{9}, 0.1);
  const auto whole = run_of(fed_pne_algorithm(), {6, 2}, problem);
  // The last plan is the only message that nobody answers.
  const Time last_plan = std::ranges::max_element(whole.messages, {}, &MessageRecord::round)->sent;
  test::Run run(
      fed_pne_algorithm(), parameters_of(fed_pne_algorithm(), {6, 2}), 6, Seed{7}, &problem);
  run.spec.network.links = {{.latency = ConstantDuration{kLatency}}};
  run.spec.network.node_faults = {
      {.nodes = {"*"}, .when = {.at = last_plan + Duration{1}, .lasting = Duration::max()}}};
  const auto out = run_serial(run.spec).outcome;
  REQUIRE(out.status == RunStatus::finished);
  CHECK(out.total(&TypeAccount::in_flight) > 0);
  CHECK(out.total(&TypeAccount::sent) < whole.outcome.total(&TypeAccount::sent));
  CHECK(broken_measurements(*run.protocol, out).empty());
}

TEST_CASE("a hierarchy in which a message is lost says who waits for what") {
  const auto problem = test::make_problem("garland", 6, 200, Seed{9}, 0.1);
  const auto report = [&](const LinkRule& lossy) {
    test::Run run(
        fed_pne_algorithm(), parameters_of(fed_pne_algorithm(), {6, 2}), 6, Seed{7}, &problem);
    run.spec.network.links = {{.latency = ConstantDuration{kLatency}}, lossy};
    const auto out = run_serial(run.spec).outcome;
    CHECK(out.status == RunStatus::stalled);
    return out.report;
  };
  const auto upload = report({.from = "client-4", .to = "edge-1", .loss = BernoulliLoss{1}});
  CHECK(upload.find("LocalMeans of phase 1") != std::string::npos);
  CHECK(upload.find("client-4") != std::string::npos);
  const auto plan = report({.from = "server", .to = "edge-0", .loss = BernoulliLoss{1}});
  CHECK(plan.find("PhasePlan of phase 1") != std::string::npos);
  CHECK(plan.find("EdgeMeans of phase 1") != std::string::npos);
}

}  // namespace posse::test_hierarchy
