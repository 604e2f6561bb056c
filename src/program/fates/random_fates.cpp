// SPDX-License-Identifier: Apache-2.0
#include "program/fates/random_fates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <system_error>

#include "program/base/files.hpp"
#include "program/fates/minimise.hpp"
#include "program/fates/random_environment.hpp"
#include "program/fates/scenario_text.hpp"
#include "program/scenario/scenario_tree.hpp"
#include "program/scenario/with_algorithms.hpp"

namespace posse {
namespace {

constexpr std::uint64_t kFewestEvents = 60'000;  // the limit of a run
constexpr double kEventsOfFaults = 20;           // … in events of the run without faults
constexpr double kFewestLatencies = 4;
constexpr int kMostDraws = 20;  // of one network, until the algorithm accepts it

/// One algorithm of a scenario, which is put into random networks.
class DrawnNetworks {
 public:
  DrawnNetworks(const Scenario& scenario, const AlgorithmEntry& entry, bool states_policy) {
    root_ = resolved_tree(with_algorithms(scenario, {entry.label}));
    for (const char* drawn : {"network", "compute", "fault", "repeat", "thresholds", "limits"})
      root_.erase(drawn);
    if (!states_policy) root_.erase("server");
    Value root = table_value(std::move(root_));
    remove_unused_inputs(root);
    root_ = std::get<Table>(std::move(root.data));
    constexpr std::size_t kMostOfName = 60;
    name_ = scenario.name.substr(0, kMostOfName);
    options_.algorithm = entry.label;
    options_.draws_policy = entry.spec->uses_policy && !states_policy;
    measure(scenario.limits.events);
  }

  /// The run on a perfect network.
  const Trial& ideal() const { return ideal_; }

  std::string scenario(std::uint64_t seed) const {
    Draws draws(seed, "network");
    std::string text;
    for (int i = 0; i < kMostDraws; ++i) {
      text = toml_text(table_value(drawn(draws, seed)));
      Diagnostics diagnostics;
      read_scenario(parse_toml(text, "drawn.toml", diagnostics), "drawn.toml", diagnostics);
      if (diagnostics.empty()) break;
    }
    return text;
  }

 private:
  void measure(std::uint64_t most_events) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();  // of whole numbers
    most_events = std::min(most_events, kMost);
    Table root = root_;
    root["network"] = table_value({{"latency", text_value(fmt::format("{} ms", kLatencyMs))}});
    root["limits"] = table_value({{"events", whole_value(most_events)}});
    ideal_ = make_trial(toml_text(table_value(std::move(root))));
    POSSE_CHECK(ideal_.mistakes.empty(), "{}", ideal_.mistakes);
    around_ = *fates::surroundings_of(root_);
    const RunOutcome& outcome = ideal_.result.runs.front().result.outcome;
    latencies_ = std::max(kFewestLatencies, 1e3 * outcome.last_event.to_seconds() / kLatencyMs);
    const double events = kEventsOfFaults * static_cast<double>(outcome.events);
    options_.events =
        std::min(most_events, std::max(kFewestEvents, static_cast<std::uint64_t>(events)));
  }

  Table drawn(Draws& draws, std::uint64_t seed) const {
    Table root = root_;
    root["name"] = text_value(fmt::format("{}-network-{}", name_, seed));
    root["seed"] = whole_value(seed);
    auto around = around_;
    around.scale_ms = draws.scale(0.3, 60);
    around.duration_ms = around.scale_ms * latencies_ * draws.scale(0.5, 2);
    auto options = options_;
    options.one_by_one = draws.chance(0.05);
    fates::draw_environment(draws, seed, around, options, root);
    return root;
  }

  static constexpr double kLatencyMs = 10;
  Table root_;
  std::string name_;
  fates::EnvironmentOptions options_;
  fates::Surroundings around_;
  double latencies_ = kFewestLatencies;  // that the ideal run takes
  Trial ideal_;
};

/// By property: the first network that violates it.
struct FirstFailures {
  struct First {
    std::uint64_t seed = 0, networks = 0;
    std::string what, text;
  };
  std::map<std::string, First> by_property;

  void add(const TrialFailure& failure, const Trial& trial) {
    First& first = by_property[failure.property];
    if (first.networks++ == 0 || failure.seed < first.seed) {
      first.seed = failure.seed;
      first.what = failure.what;
      first.text = trial.text;
    }
  }
};

}  // namespace

RandomFateReport random_fates(const std::string& text,
                              const RandomFateOptions& options,
                              TrialsProgress& progress) {
  Diagnostics diagnostics;
  const Value root = parse_toml(text, "scenario.toml", diagnostics);
  const Scenario scenario = read_scenario(root, "scenario.toml", diagnostics);
  RandomFateReport report;
  report.algorithms = scenario.algorithms.size();
  for (const AlgorithmEntry& entry : scenario.algorithms) {
    const DrawnNetworks networks(scenario, entry, root.table()->contains("server"));
    const std::string& label = entry.label;
    for (auto& unchecked : unchecked_properties(networks.ideal()))
      report.unchecked.push_back({label, std::move(unchecked)});
    FirstFailures failures;
    const TrialsOptions trials{.first = options.first,
                               .count = options.networks,
                               .jobs = options.jobs,
                               .property = options.property,
                               .folder = options.folder};
    const auto found = run_trials(
        trials,
        {.draw = [&](std::uint64_t seed) { return networks.scenario(seed); },
         .fail = [&](const auto& failure, const Trial& trial) { failures.add(failure, trial); }},
        progress);
    report.runs += found.scenarios;
    report.seconds += found.seconds;
    for (const auto& [name, count] : found.features) report.features[name] += count;
    for (const auto& [property, first] : failures.by_property) {
      auto smallest = minimise_violation(first.text, property, &progress.stop);
      if (smallest.property.empty()) {
        const std::string what = first.what + " (but not when it was run again)";
        smallest = {property, what, with_violation({property, what}, first.text)};
      }
      const auto file =
          options.folder / fmt::format("counterexample-{}.toml", report.counterexamples.size() + 1);
      write_file(file, smallest.text);
      report.counterexamples.push_back(
          {label, property, smallest.what, first.seed, first.networks, file});
    }
  }
  std::error_code kept;
  std::filesystem::remove(options.folder, kept);  // if it is empty
  return report;
}

}  // namespace posse
