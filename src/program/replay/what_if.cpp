// SPDX-License-Identifier: Apache-2.0
#include "program/replay/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <set>
#include <string_view>

#include "core/sim/simulation.hpp"
#include "program/base/files.hpp"
#include "program/results/recorded_actions.hpp"
#include "program/results/results_json.hpp"
#include "program/run/quantity_values.hpp"

namespace posse {
namespace {

/// Sections whose keys decide nothing but times.
constexpr std::array<std::string_view, 4> kTimeSections{"network", "compute", "fault", "limits"};

/// Why overrides change more than times; else empty.
std::string obstacle_in(const std::vector<Override>& overrides) {
  for (const Override& override : overrides) {
    const auto key = override.assignment.substr(0, override.assignment.find('='));
    const auto section = key.substr(0, key.find('.'));
    if (std::find(kTimeSections.begin(), kTimeSections.end(), section) == kTimeSections.end())
      return fmt::format("{} decides more than times", key);
  }
  return "";
}

/// From results.json.
NetworkFigures recorded_figures(const StoredRun::Run& run) {
  const JsonObject& results = run.results;
  NetworkFigures figures;
  figures.status = run.status;
  figures.virtual_s =
      results.number(run.status == "finished" ? "virtual_s" : "last_event_virtual_s");
  figures.rounds = results.number("rounds");
  for (const JsonObject& type : results.objects("ledger")) {
    figures.transmissions += type.number("sent") + type.number("retransmitted");
    if (type.text("type") != kAcknowledgement) figures.messages += type.number("sent");
    if (type.is_number("needless")) figures.needless += type.number("needless");
    figures.wire_bytes += type.number("wire_bytes");
  }
  if (results.has("regret")) {
    const auto regret = results.object("regret");
    if (regret.is_number("simple_regret")) figures.simple_regret = regret.number("simple_regret");
  }
  if (results.has("critical_paths")) {
    const auto paths = results.object("critical_paths");
    for (const auto& part : kCriticalPathParts)
      figures.path_s.push_back(paths.number(fmt::format("path_{}_virtual_s", part.name).c_str()));
  }
  return figures;
}

std::vector<RecordedRun> recordings_of(const StoredRun& stored, const Scenario& scenario) {
  if (stored.has("actions.csv.gz")) return read_actions(stored, scenario);
  RecordedRun none;
  none.obstacle = "it was recorded without --trace all";
  return std::vector<RecordedRun>(stored.runs().size(), none);
}

const AlgorithmEntry* find_entry(const Scenario& scenario, const std::string& label) {
  for (const AlgorithmEntry& entry : scenario.algorithms)
    if (entry.label == label) return &entry;
  return nullptr;
}

double seconds_of_replay_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

/// Whether some time-out follows from the network.
bool follows_from(const NetworkScenario& network) {
  return network.transport == Transport::reliable &&
         (has_time_out(network, TimeOut::Rule::derived) ||
          has_time_out(network, TimeOut::Rule::measured));
}

}  // namespace

NetworkFigures figures_of(const RunOutcome& outcome) {
  NetworkFigures figures;
  figures.status = to_string(outcome.status);
  figures.virtual_s =
      (outcome.status == RunStatus::finished ? outcome.finished_at : outcome.last_event)
          .to_seconds();
  figures.rounds = static_cast<double>(outcome.complete_rounds);
  for (const auto copies : {&TypeAccount::sent, &TypeAccount::repeated})
    figures.transmissions += static_cast<double>(outcome.total(copies));
  figures.messages = static_cast<double>(messages_sent(outcome));
  figures.needless = static_cast<double>(outcome.total(&TypeAccount::needless));
  figures.wire_bytes = static_cast<double>(outcome.total(&TypeAccount::wire_bytes));
  if (outcome.regret.evaluations > 0) figures.simple_regret = outcome.regret.simple;
  if (outcome.paths.rounds > 0)
    for (const auto& part : kCriticalPathParts)
      figures.path_s.push_back((outcome.paths.sum.*part.time).to_seconds());
  return figures;
}

RecordedNetwork::RecordedNetwork(const std::filesystem::path& folder)
    : stored_(folder),
      scenario_(stored_scenario(stored_)),
      recordings_(recordings_of(stored_, scenario_)) {
  check_recording();
}

const std::string& RecordedNetwork::label(std::size_t run) const {
  return stored_.algorithms()[stored_.runs()[run].algorithm].label;
}

bool RecordedNetwork::derives_timeouts() const { return follows_from(scenario_.network); }

NetworkFigures RecordedNetwork::recorded(std::size_t run) const {
  return recorded_figures(stored_.runs()[run]);
}

void RecordedNetwork::check_recording() const {
  for (std::size_t run = 0; run < recordings_.size(); ++run) {
    if (!recordings_[run].obstacle.empty()) continue;
    const auto ingredients = stored_.runs()[run].results.object("ingredients");
    std::string problem;
    try {
      const Retimed again = retime(scenario_, run);
      const Fingerprint& parts = again.outcome.ingredients;
      if (!again.obstacle.empty())
        problem = again.obstacle;
      else if (ingredients.text("deliveries") != hexadecimal(parts.deliveries) ||
               ingredients.text("accounts") != hexadecimal(parts.accounts))
        problem = "deliveries or accounts differ from results.json";
    } catch (const std::exception& failure) {
      problem = failure.what();
    }
    if (!problem.empty())
      throw FileError(stored_.folder() / "actions.csv.gz",
                      fmt::format("does not repeat the run of '{}' in repetition {}: {}",
                                  label(run),
                                  stored_.runs()[run].repetition,
                                  problem));
  }
}

RecordedNetwork::Retimed RecordedNetwork::retime(const Scenario& scenario, std::size_t run) const {
  const RecordedRun& recording = recordings_[run];
  if (!recording.obstacle.empty()) return {{}, recording.obstacle};
  const AlgorithmEntry& entry = *find_entry(scenario, label(run));
  const auto protocol = make_recorded_protocol(*entry.spec, recording);
  const Workload nothing;
  const auto spec =
      make_simulation(scenario, entry, nothing, *protocol, stored_.runs()[run].repetition);
  if (auto obstacle = obstacle_to_retiming(spec); !obstacle.empty()) return {{}, obstacle};
  Retimed retimed{run_serial(spec).outcome, {}};
  retimed.obstacle = obstacle_to_retiming(spec, retimed.outcome);
  return retimed;
}

std::optional<WhatIf> RecordedNetwork::with(const std::vector<Override>& overrides,
                                            bool keep_derived,
                                            const ExecutionOptions& options,
                                            Diagnostics& diagnostics) const {
  Scenario scenario = stored_scenario(stored_, overrides, diagnostics);
  if (!diagnostics.empty()) return std::nullopt;
  if (keep_derived) scenario.network.derives_from = std::make_shared<const Scenario>(scenario_);
  WhatIf answer;
  answer.runs.resize(stored_.runs().size());
  answer.derives_timeouts = follows_from(scenario.network);
  const std::string obstacle = obstacle_in(overrides);
  std::set<std::string> again;  // labels of algorithms that run again
  auto began = std::chrono::steady_clock::now();
  for (std::size_t run = 0; run < answer.runs.size(); ++run) {
    Retimed retimed{{}, obstacle};
    if (obstacle.empty()) retimed = retime(scenario, run);
    answer.runs[run] = {run, figures_of(retimed.outcome), retimed.obstacle};
    answer.runs[run].figures.simple_regret = recorded(run).simple_regret;  // the same decisions
    if (!retimed.obstacle.empty()) again.insert(label(run));
  }
  answer.retiming_s = seconds_of_replay_since(began);
  if (again.empty()) return answer;
  std::erase_if(scenario.algorithms,
                [&](const AlgorithmEntry& entry) { return !again.contains(entry.label); });
  ExecutionOptions once = options;
  once.run.only_repetition = only_repetition(stored_);
  RunMonitor monitor(number_of_runs(scenario, once.run));
  began = std::chrono::steady_clock::now();
  const auto result = execute(scenario, once, monitor).result;
  answer.running_s = seconds_of_replay_since(began);
  for (const RunRecord& record : result.runs) {
    const auto run =
        stored_.find_run(scenario.algorithms[record.algorithm].label, record.repetition);
    if (run && !answer.runs[*run].ran_again_because.empty())
      answer.runs[*run].figures = figures_of(record.result.outcome);
  }
  return answer;
}

}  // namespace posse
