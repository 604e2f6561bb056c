// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/chaos/chaos.hpp"
#include "program/chaos/fates.hpp"
#include "program/chaos/minimise.hpp"
#include "program/chaos/random_scenario.hpp"
#include "program/cli/verbs.hpp"
#include "program/run/progress.hpp"
#include "program/scenario/scenario_tree.hpp"

namespace posse {
namespace {

void report_failure(const Arguments& arguments, const ChaosFailure& failure) {
  print_err(
      "seed {}: violated: {}\n  {}\n  scenario: {}\n  to reproduce: {} chaos --seed {}\n  "
      "to make it smaller: {} minimise {}\n",
      failure.seed,
      failure.property,
      failure.what,
      failure.file.string(),
      this_program(arguments),
      failure.seed,
      this_program(arguments),
      failure.seed);
}

/// Files that chaos would have removed at its end: its process crashed, in one of these seeds.
void report_crash(const std::filesystem::path& folder) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().filename().string().starts_with("running-"))
      print_err("note: an earlier chaos did not come to its end; {} has the seed: {}",
                entry.path().string(),
                read_file(entry.path()));
}

/// Says what is allowed if there is no such property; an empty name means all.
bool known_property(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& property : chaos_properties()) names.emplace_back(property.name);
  if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return true;
  print_err("there is no property '{}'\n    allowed: {}\n{}",
            name,
            fmt::join(names, "; "),
            did_you_mean(name, names));
  return false;
}

/// A scenario's text, with its input files: of the file, or of a seed of chaos.
std::string scenario_text(const std::string& file) {
  if (const auto seed = parse_number<std::uint64_t>(file)) return random_scenario(*seed);
  std::string text = read_file(file);
  Diagnostics diagnostics;
  Value root = parse_toml(text, file, diagnostics);
  const Scenario scenario = read_scenario(root, file, diagnostics);
  if (!diagnostics.empty() || scenario.inputs.files().empty()) return text;
  hold_inputs(root, scenario.inputs);
  return toml_text(root);
}

std::string counts(const std::map<std::string, std::uint64_t>& by_name) {
  std::string text;
  for (const auto& [name, count] : by_name)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
  return text;
}

nlohmann::ordered_json chaos_json(const ChaosReport& report) {
  auto failures = nlohmann::ordered_json::array();
  for (const auto& failure : report.failures)
    failures.push_back({{"seed", failure.seed},
                        {"property", failure.property},
                        {"what", failure.what},
                        {"file", failure.file.string()}});
  return {{"scenarios", report.scenarios},
          {"seconds", report.seconds},
          {"on_command_line", report.on_command_line},
          {"interrupted", report.interrupted},
          {"features", report.features},
          {"failures", std::move(failures)}};
}

nlohmann::ordered_json fates_json(const FateReport& report) {
  nlohmann::ordered_json violation;
  if (report.violation)
    violation = {{"property", report.violation->property}, {"what", report.violation->what}};
  return {{"schedules", report.schedules},
          {"outcomes", report.outcomes},
          {"complete", report.complete},
          {"reached", report.reached},
          {"deviations", report.deviations},
          {"ends", report.ends},
          {"violation", std::move(violation)},
          {"counterexample", report.counterexample}};
}

void print_chaos_json(const nlohmann::ordered_json& data) {
  print_out("{}\n", data.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

ExitCode chaos_verb(const Arguments& arguments) {
  ChaosOptions options;
  options.first = arguments.seed.value_or(arguments.chaos_first);
  options.count = arguments.seed ? 1 : arguments.chaos_count;
  if (!arguments.seed) options.seconds = arguments.chaos_seconds;
  options.jobs = arguments.chaos_jobs;
  options.folder = arguments.chaos_out;
  options.program = std::filesystem::read_symlink("/proc/self/exe").string();
  report_crash(options.folder);
  catch_signals();
  ChaosProgress progress;
  ChaosReport report;
  try {
    const ProgressLines printer(arguments.quiet ? ProgressStyle::none : ProgressStyle::automatic,
                                {.line =
                                     [&] {
                                       return fmt::format("{} scenarios, {} violations",
                                                          progress.done.load(),
                                                          progress.failures.load());
                                     },
                                 .stop = [&] { progress.stop = true; },
                                 .keep_rest = {}});
    report = run_chaos(options, progress);
  } catch (const std::exception& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
  if (arguments.json)
    print_chaos_json(chaos_json(report));
  else if (!arguments.quiet)
    print_out("{}", chaos_statistics(report));
  flush_out();
  for (const auto& failure : report.failures) report_failure(arguments, failure);
  if (!report.failures.empty()) {
    print_err("{} violations (exit code 5)\n", report.failures.size());
    return ExitCode::violated;
  }
  if (pending_signal() != 0) return static_cast<ExitCode>(128 + pending_signal());
  return ExitCode::ok;
}

ExitCode minimise_verb(const Arguments& arguments) {
  if (!known_property(arguments.chaos_property)) return ExitCode::usage;
  try {
    const auto smallest =
        minimise_violation(scenario_text(arguments.file), arguments.chaos_property);
    if (smallest.property.empty()) {
      print_err("{}: no property is violated\n", arguments.file);
      return ExitCode::usage;
    }
    if (!arguments.chaos_minimised.empty()) write_file(arguments.chaos_minimised, smallest.text);
    if (arguments.json) {
      print_chaos_json({{"property", smallest.property},
                        {"what", smallest.what},
                        {"scenario", smallest.text},
                        {"file", arguments.chaos_minimised}});
      return ExitCode::ok;
    }
    if (arguments.chaos_minimised.empty()) {
      print_out("{}", smallest.text);
      return ExitCode::ok;
    }
    print_err("wrote {}: violated: {}\n  {}\n",
              arguments.chaos_minimised,
              smallest.property,
              smallest.what);
    return ExitCode::ok;
  } catch (const FileError& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
}

ExitCode fates_verb(const Arguments& arguments) {
  if (!known_property(arguments.chaos_property)) return ExitCode::usage;
  try {
    const auto report = every_fate(scenario_text(arguments.file),
                                   {arguments.fates_most, arguments.fates_depth},
                                   arguments.chaos_property);
    if (!report.mistakes.empty()) {
      print_err("{} (exit code 3)\n", report.mistakes);
      return ExitCode::invalid_scenario;
    }
    if (arguments.json) {
      print_chaos_json(fates_json(report));
    } else {
      print_out("{} schedules, {} different outcomes; {} with up to {} deviations\n",
                report.schedules,
                report.outcomes,
                report.complete ? "all" : "not all",
                report.reached);
      print_out("  deviations: {}\n  ends: {}\n", counts(report.deviations), counts(report.ends));
    }
    flush_out();
    if (!report.violation) return ExitCode::ok;
    if (!arguments.chaos_minimised.empty())
      write_file(arguments.chaos_minimised, report.counterexample);
    else if (!arguments.json)
      print_out("{}", report.counterexample);
    print_err(
        "violated: {}\n  {}\n(exit code 5)\n", report.violation->property, report.violation->what);
    return ExitCode::violated;
  } catch (const FileError& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
}

}  // namespace posse
