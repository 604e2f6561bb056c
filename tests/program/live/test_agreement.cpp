// SPDX-License-Identifier: Apache-2.0
// One run, four accounts of it: the snapshot that the run left, the page's document, the metrics
// and results.json. They are made by different code from the same counters, and must say the same.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program/compare/summary.hpp"
#include "program/live/live_document.hpp"
#include "program/live/live_page.hpp"
#include "program/live/spectator.hpp"
#include "program/metrics/collector.hpp"
#include "program/page/document.hpp"
#include "program/results/results.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/plain_http.hpp"

namespace posse::test_agreement {
namespace {

const std::string kScenarios = std::string(POSSE_SOURCE_DIR) + "/scenarios/";

using Samples = std::map<std::string, double>;  // by name{labels}

Samples parse_samples(const std::string& text) {
  Samples samples;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    const auto space = line.rfind(' ');
    samples[line.substr(0, space)] = std::stod(line.substr(space + 1));
  }
  return samples;
}

/// All that is said of one algorithm in one repetition.
struct Accounts {
  const RunSnapshot& snapshot;
  Json page, folder, results;
  const Samples& metrics;
  std::string id, algorithm;

  double metric(const std::string& name, const std::string& labels = "") const {
    const auto key = fmt::format("posse_{}{{run=\"{}\"{}}}", name, id, labels);
    INFO(key);
    REQUIRE(metrics.contains(key));
    return metrics.at(key);
  }
};

void check_totals(const Accounts& run) {
  const auto& outcome = run.snapshot.outcome;
  CHECK(run.results["events"] == outcome.events);
  CHECK(run.page["events"] == outcome.events);
  CHECK(run.folder["events"] == outcome.events);
  CHECK(run.metric("events_total") == static_cast<double>(outcome.events));
  CHECK(run.results["tied_rounds"] == outcome.tied_rounds);
  CHECK(run.page["tied_rounds"] == outcome.tied_rounds);
  CHECK(run.folder["tied_rounds"] == outcome.tied_rounds);
  CHECK(run.results["early_decisions"] == outcome.early_decisions);

  CHECK(run.results["rounds"] == outcome.complete_rounds);
  CHECK(run.page["rounds"] == outcome.complete_rounds);
  CHECK(run.folder["rounds"] == outcome.complete_rounds);
  const auto of_algorithm = fmt::format(",algorithm=\"{}\"", run.algorithm);
  CHECK(run.metric("rounds_total", of_algorithm) == static_cast<double>(outcome.complete_rounds));

  CHECK(run.results["virtual_s"] == run.snapshot.now.to_seconds());
  CHECK(run.page["now_virtual_s"] == run.snapshot.now.to_seconds());
  CHECK(run.folder["now_virtual_s"] == run.snapshot.now.to_seconds());
  CHECK(run.metric("virtual_time_seconds") == run.snapshot.now.to_seconds());
}

void check_regret(const Accounts& run) {
  const auto& regret = run.snapshot.outcome.regret;
  REQUIRE(regret.evaluations > 0);
  CHECK(run.results["regret"]["evaluations"] == regret.evaluations);
  CHECK(run.page["evaluations"] == regret.evaluations);
  CHECK(run.folder["evaluations"] == regret.evaluations);
  const auto labels = fmt::format(",algorithm=\"{}\"", run.algorithm);
  CHECK(run.metric("evaluations_total", labels) == static_cast<double>(regret.evaluations));
  for (const auto& [scope, cumulative, simple] :
       {std::tuple{"global", regret.cumulative, regret.simple},
        {"local", regret.local_cumulative, regret.local_simple}}) {
    const std::string prefix = std::string_view(scope) == "local" ? "local_" : "";
    const auto key = prefix + "cumulative_regret", simple_key = prefix + "simple_regret";
    CHECK(run.results["regret"][key] == cumulative);
    CHECK(run.page["regret"][key] == cumulative);
    CHECK(run.folder["regret"][key] == cumulative);
    const auto scoped = fmt::format("{},scope=\"{}\"", labels, scope);
    CHECK(run.metric("cumulative_regret", scoped) == cumulative);
    REQUIRE(simple);
    CHECK(run.results["regret"][simple_key] == *simple);
    CHECK(run.page["regret"][simple_key] == *simple);
    CHECK(run.metric("simple_regret", scoped) == *simple);
  }
}

void check_messages(const Accounts& run) {
  REQUIRE(run.results["ledger"].size() == run.snapshot.outcome.accounts.size());
  CHECK(run.page["ledger"] == run.results["ledger"]);
  CHECK(run.folder["ledger"] == run.results["ledger"]);
  double lost = 0;
  for (std::size_t i = 0; i < run.snapshot.outcome.accounts.size(); ++i) {
    const auto& account = run.snapshot.outcome.accounts[i];
    const Json& row = run.results["ledger"][i];
    CHECK(row["type"] == account.type);
    CHECK(row["sent"] == account.sent);
    CHECK(row["delivered"] == account.delivered);
    CHECK(row["bytes"] == account.bytes);
    lost += static_cast<double>(account.dropped_loss);
    const auto labels =
        fmt::format(",type=\"{}\",direction=\"{}\"", account.type, to_string(account.direction));
    CHECK(run.metric("messages_sent_total", labels) == static_cast<double>(account.sent));
    CHECK(run.metric("messages_delivered_total", labels) == static_cast<double>(account.delivered));
    CHECK(run.metric("message_bytes_total", labels) == static_cast<double>(account.bytes));
  }
  CHECK(run.metric("messages_dropped_total", ",cause=\"loss\"") == lost);
  std::uint64_t departed = 0;
  for (const auto& copies : run.page["links"]["departed"]) departed += copies.get<std::uint64_t>();
  const auto& outcome = run.snapshot.outcome;
  CHECK(departed == outcome.total(&TypeAccount::sent) + outcome.total(&TypeAccount::repeated) +
                        outcome.total(&TypeAccount::duplicated));
  CHECK(run.folder["links"] == run.page["links"]);
}

void check_phases(const Accounts& run) {
  CHECK(run.page["phases"] == run.results["phases"]);
  CHECK(run.folder["phases"] == run.results["phases"]);
  const auto& phases = run.snapshot.outcome.phases;
  for (const auto& [key, label, spent] :
       {std::tuple{"sum_compute_virtual_s", "compute", phases.compute},
        {"sum_queueing_virtual_s", "queue", phases.queueing},
        {"sum_transfer_virtual_s", "transfer", phases.transfer},
        {"sum_propagation_virtual_s", "propagation", phases.propagation},
        {"sum_waiting_virtual_s", "wait", phases.waiting}}) {
    CHECK(run.results["phases"][key] == spent.to_seconds());
    CHECK(run.metric("round_phase_seconds_total", fmt::format(",phase=\"{}\"", label)) ==
          spent.to_seconds());
  }
}

void check_theory(const Accounts& run) {
  CHECK(run.page["measurements"].size() == run.results["measurements"].size());
  CHECK(run.folder["measurements"] == run.page["measurements"]);
  std::size_t bounds = 0;
  for (const auto& measurement : run.results["measurements"]) {
    if (measurement["bound"].is_null() || measurement["bound"]["kind"] == "does_not_apply")
      continue;
    if (!measurement["bound"]["value"].is_number()) continue;
    ++bounds;
    CHECK(run.metric("bound_value",
                     fmt::format(",quantity=\"{}\",kind=\"{}\"",
                                 measurement["name"].get<std::string>(),
                                 measurement["bound"]["kind"].get<std::string>())) ==
          measurement["bound"]["value"].get<double>());
  }
  CHECK(bounds > 0);
}

void check_arms(const Accounts& run) {
  const auto& arms = run.snapshot.outcome.arms.arms;
  REQUIRE(run.results["arms"]["arms"].size() == arms.size());
  CHECK(run.page["arms"] == run.results["arms"]);
  CHECK(run.folder["arms"] == run.results["arms"]);
  for (std::size_t i = 0; i < arms.size(); ++i) {
    CHECK(run.results["arms"]["arms"][i]["pulls"] == arms[i].pulls);
    const auto label = fmt::format(",arm=\"{}\"", arms[i].name);
    CHECK(run.metric("arm_pulls_total", label) == static_cast<double>(arms[i].pulls));
    CHECK(run.metric("arm_best_value", label) == arms[i].best);
  }
}

void compare(const std::string& file, const std::vector<Override>& overrides) {
  Diagnostics diagnostics;
  const auto scenario = load_scenario(kScenarios + file, overrides, diagnostics);
  REQUIRE(diagnostics.empty());
  RunOptions options;
  options.threads = 2;
  options.watched = true;
  RunMonitor monitor(number_of_runs(scenario, options));
  Spectator spectator(scenario, options, monitor);
  const auto result = run_scenario(scenario, options, monitor);
  LivePage page(scenario, spectator, {});
  std::this_thread::sleep_for(std::chrono::milliseconds(60));  // looks are no more frequent
  const MetricsCollector collector([&] { return spectator.look(); });
  const auto metrics = parse_samples(metrics_text(collector));

  const auto url = page.url();
  const auto colon = url.rfind(':'), slash = url.find('/', colon);
  const auto port = static_cast<std::uint16_t>(std::stoi(url.substr(colon + 1, slash - colon - 1)));
  const auto live = Json::parse(test::ask_http(port, "/api/document").body);
  const auto summary = summarise(scenario, result);
  const auto results = Json::parse(results_json(scenario, result, summary));
  const test::Folder out;
  RunFolder folder(out.path(), scenario.name);
  folder.write(scenario, result, summary, {}, {});
  const auto from_disk = read_document(folder.commit());
  CHECK(from_disk["fingerprint"] == results["fingerprint"]);

  const auto view = spectator.look();
  REQUIRE(view.runs.size() == results["runs"].size());
  for (std::size_t i = 0; i < view.runs.size(); ++i) {
    const Accounts run{*view.runs[i]->snapshot,
                       live["runs"][i],
                       from_disk["runs"][i],
                       results["runs"][i],
                       metrics,
                       view.runs[i]->id,
                       scenario.algorithms[view.runs[i]->algorithm].label};
    INFO(run.id);
    CHECK(view.runs[i]->state == RunState::over);
    check_totals(run);
    check_regret(run);
    check_messages(run);
    check_phases(run);
    check_theory(run);
    if (scenario.arms) check_arms(run);
  }
}

}  // namespace

TEST_CASE("snapshot, page, metrics and results of one run agree") {
  compare("quickstart.toml",
          {{"--set", "repeat=2"}, {"--set", "budget.evaluations_per_client=2000"}});
}

TEST_CASE("a run that waits or goes on has a state and no status on the page") {
  Diagnostics diagnostics;
  const auto scenario = load_scenario(kScenarios + "quickstart.toml", {}, diagnostics);
  RunView view = waiting_view(scenario, {0, 0});
  for (const auto state : {RunState::waiting, RunState::running, RunState::paused}) {
    view.state = state;
    const Json run = live_run(scenario, view, {});
    CHECK(run["state"] == to_string(state));
    CHECK(run["status"] == "");
  }
}

TEST_CASE("snapshot, page, metrics and results of one run agree, arms included") {
  compare("papers/flcb_piecewise_linear.toml", {{"--set", "repeat=1"}});
}

}  // namespace posse::test_agreement
