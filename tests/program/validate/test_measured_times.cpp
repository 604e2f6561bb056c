// SPDX-License-Identifier: Apache-2.0
// Scenarios with the times that were measured.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "program/run/runner.hpp"
#include "program/validate/measured_times.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_measured_times {
namespace {

using Of = ServiceSample::Of;

constexpr std::uint32_t kServer = 0, kClients = 1;             // groups
constexpr std::uint32_t kRequest = 0, kReply = 1, kStart = 3;  // causes of echo

Duration ms(double x) { return Duration::seconds(x * 1e-3); }

const std::string kEcho =
    R"(name = "echo"
[[algorithm]]
kind = "echo"
rounds = 20
[population]
clients = 2
)";

NodeNames echo_nodes() { return NodeNames({{"server", 1, false}, {"client", 2, true}}); }

ServiceSample latency(std::uint32_t from, std::uint32_t to, std::uint32_t transmission, double t) {
  return {.of = Of::latency, .cause = transmission, .group = from, .to = to, .time = ms(t)};
}
ServiceSample work(Of of, std::uint32_t group, std::uint32_t cause, double t, bool sends = false) {
  return {.of = of, .cause = cause, .sends = sends, .group = group, .time = ms(t)};
}

RunOutcome simulated(const Scenario& scenario) {
  RunOptions options;
  RunMonitor monitor(1);
  auto result = run_scenario(scenario, options, monitor);
  REQUIRE(result.runs.size() == 1);
  INFO(result.runs[0].result.outcome.report);
  REQUIRE(result.runs[0].result.outcome.status == RunStatus::finished);
  return result.runs[0].result.outcome;
}

}  // namespace

TEST_CASE("a scenario takes the latencies and service times that were measured") {
  std::vector<ServiceSample> samples;
  for (std::uint32_t n = 0; n < 20; ++n) {
    // In every other round everything is slower by 10 ms, on all links at once.
    const double slow = n % 2 == 0 ? 10 : 0;
    for (const std::uint32_t client : {1u, 2u}) {
      samples.push_back(latency(0, client, n, 20 + slow));
      samples.push_back(latency(client, 0, n, 30 + slow));
    }
  }
  samples.push_back(work(Of::encode, kServer, kRequest, 1));
  samples.push_back(work(Of::dispatch, kClients, kRequest, 2));
  samples.push_back(work(Of::decode, kClients, kRequest, 1));
  samples.push_back(work(Of::compute, kClients, kRequest, 3, true));
  samples.push_back(work(Of::encode, kClients, kReply, 1));
  samples.push_back(work(Of::compute, kServer, kReply, 5, true));
  samples.push_back(work(Of::compute, kServer, kStart, 4, true));
  // A scenario with other times, which are gone, and with rules for nodes that echo doesn't have.
  const auto scenario = test::read_valid(kEcho +
                                         R"([network]
latency = "7 s"
loss = { kind = "by-type", p = { EchoReply = 0.0 } }
[[network.link]]
from = "client"
latency = "9 s"
[[compute.service]]
decode = "1 s"
)");
  const auto measured = with_measured_times(scenario, echo_nodes(), samples);
  const auto out = simulated(measured);
  REQUIRE(out.rounds.size() == 20);
  int slow = 0;
  for (std::size_t i = 0; i < out.rounds.size(); ++i) {
    // Two encodings, there, the client's work, back, and the server's end of the round, which in
    // the last one sends nothing.
    const Duration fast = ms(2 + 20 + 2 + 1 + 3 + 1 + 30 + (i < 19 ? 5 : 0));
    const Duration took = out.rounds[i].ended - out.rounds[i].began;
    const bool is_slow = took == fast + ms(20);
    CHECK((is_slow || took == fast));
    slow += is_slow ? 1 : 0;
  }
  CHECK(slow > 3);
  CHECK(slow < 17);

  SECTION("what is written can be read, and runs the same") {
    const test::Folder folder;
    std::filesystem::create_directory(folder.path() + "/inputs");
    folder.write("scenario.toml", to_toml(measured));
    for (const auto& file : measured.inputs.files()) folder.write(file.stored, *file.content);
    Diagnostics diagnostics;
    const auto again = load_scenario(folder.path() + "/scenario.toml", {}, diagnostics);
    INFO(diagnostics.text());
    REQUIRE(diagnostics.empty());
    CHECK(simulated(again).fingerprint == out.fingerprint);
  }
}

TEST_CASE("a link that was not used in a moment has its median there, and no link no latency") {
  const auto measured =
      with_measured_times(test::read_valid(kEcho),
                          echo_nodes(),
                          {latency(0, 1, 0, 5), latency(0, 1, 1, 5), latency(1, 0, 1, 8)});
  REQUIRE(measured.network.matrix);
  CHECK(measured.network.matrix->at({"client-0", "server"}) == std::vector{ms(8), ms(8)});
  CHECK(measured.network.matrix->size() == 2);
  CHECK(simulated(measured).rounds.size() == 20);
  CHECK(with_measured_times(test::read_valid(kEcho), echo_nodes(), {}).network.matrix == nullptr);
}

TEST_CASE("many links get the latencies of the groups that they connect") {
  std::vector<ServiceSample> samples;
  for (std::uint32_t client = 1; client <= 1200; ++client)
    samples.push_back(latency(0, client, 0, 3));
  const auto measured =
      with_measured_times(test::read_valid(kEcho, {"population.clients=1200"}),
                          NodeNames({{"server", 1, false}, {"client", 1200, true}}),
                          samples);
  CHECK(measured.network.matrix == nullptr);
  REQUIRE(measured.network.links.size() == 1);
  CHECK(measured.network.links[0].rule.from == "server");
  CHECK(measured.network.links[0].rule.to == "client");
  CHECK(measured.network.links[0].latency->kind == "empirical");
}

TEST_CASE("the time of an evaluation is the slope of the resistant line") {
  std::vector<ServiceSample> reactions;
  for (std::uint64_t n = 1; n <= 90; ++n) {
    ServiceSample sample = work(Of::compute, kClients, kRequest, 0, true);
    sample.evaluations = 10 * n;
    // 100 ns each, and a few that were held up for long.
    sample.time = Duration{static_cast<std::int64_t>(5000 + 1000 * n + (n % 9 == 0 ? 900'000 : 0))};
    reactions.push_back(sample);
  }
  CHECK(static_cast<double>(time_per_evaluation(reactions).ns) == Approx(100).epsilon(0.05));
  for (auto& sample : reactions) sample.evaluations = 50;
  CHECK(time_per_evaluation(reactions) == Duration{});
  CHECK(time_per_evaluation({}) == Duration{});
  reactions.resize(2);
  CHECK(time_per_evaluation(reactions) == Duration{});
}

TEST_CASE("what was measured is shown as medians by group, message and kind of work") {
  const auto scenario = test::read_valid(kEcho);
  const auto text = times_text(scenario.algorithms[0],
                               echo_nodes(),
                               {latency(0, 1, 0, 1),
                                latency(0, 2, 0, 3),
                                latency(0, 1, 1, 2),
                                work(Of::compute, kServer, kReply, 5, true)});
  CHECK_THAT(text, Catch::Matchers::Contains("server to client"));
  CHECK_THAT(text, Catch::Matchers::Contains("2 ms"));
  CHECK_THAT(text, Catch::Matchers::Contains("compute, then send"));
}

}  // namespace posse::test_measured_times
