// SPDX-License-Identifier: Apache-2.0
#include "program/cli/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/scenario/table_reader.hpp"
#include "program/sweep/collect.hpp"

namespace posse {
namespace {

ProgressStyle progress_style(const Arguments& arguments) {
  if (arguments.quiet || arguments.progress == "none") return ProgressStyle::none;
  if (arguments.progress == "bar") return ProgressStyle::bar;
  return arguments.progress == "lines" ? ProgressStyle::lines : ProgressStyle::automatic;
}

/// A whole number as it is.
std::string key_or_string(const std::string& text) {
  const bool whole = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return whole ? text : toml_string(text);
}

}  // namespace

std::vector<Override> overrides_of(const Arguments& arguments) {
  std::vector<Override> all;
  for (const auto& [variable, key] : {std::pair{"POSSE_SEED", "seed"}, {"POSSE_REPEAT", "repeat"}})
    if (const char* value = std::getenv(variable))
      all.push_back({fmt::format("environment {}:", variable), fmt::format("{}={}", key, value)});
  for (const auto& assignment : arguments.set) all.push_back({"--set", assignment});
  if (arguments.label)
    all.push_back({"--label:", fmt::format("label={}", toml_string(*arguments.label))});
  if (arguments.ties)
    all.push_back({"--ties:", fmt::format("network.ties={}", key_or_string(*arguments.ties))});
  if (arguments.seed) all.push_back({"--seed:", fmt::format("seed={}", *arguments.seed)});
  if (arguments.repeat) all.push_back({"--repeat:", fmt::format("repeat={}", *arguments.repeat)});
  return all;
}

bool report_mistakes(const Diagnostics& diagnostics) {
  if (diagnostics.empty()) return true;
  const auto count = diagnostics.all().size();
  print_err("{}{} {} (exit code 3)\n", diagnostics.text(), count, count == 1 ? "error" : "errors");
  return false;
}

namespace {

/// Unless repetitions may be added.
void report_undecidable(const Arguments& arguments,
                        const std::vector<Threshold>& thresholds,
                        std::size_t repetitions) {
  if (!arguments.until_ci.empty()) return;
  for (const auto& text : undecidable(thresholds, repetitions)) print_err("warning: {}\n", text);
}

}  // namespace

std::optional<Scenario> scenario_of(const Arguments& arguments) {
  Diagnostics diagnostics;
  auto scenario = load_scenario(arguments.file, overrides_of(arguments), diagnostics);
  if (!report_mistakes(diagnostics)) return std::nullopt;
  report_undecidable(arguments, scenario.thresholds, scenario.repeat);
  return scenario;
}

ExecutionOptions execution_options(const Arguments& arguments) {
  ExecutionOptions options;
  options.run.threads =
      arguments.threads ? arguments.threads : std::max(1U, std::thread::hardware_concurrency());
  options.run.pace = arguments.pace;
  options.run.kernel = arguments.clock == "wall"      ? Kernel::wall
                       : arguments.kernel == "serial" ? Kernel::serial
                       : arguments.kernel == "window" ? Kernel::windows
                                                      : Kernel::actors;
  options.run.traces.messages = arguments.trace == "messages" || arguments.trace == "all";
  options.run.traces.all = arguments.trace == "all";
  options.run.only_repetition = arguments.repetition;
  options.progress = progress_style(arguments);
  options.kernel_name = arguments.kernel;
  options.command_line = arguments.command_line;
  return options;
}

std::unique_ptr<MemoryGate> memory_gate(const Arguments& arguments) {
  const auto available = arguments.any_memory ? std::nullopt : available_memory();
  return available ? std::make_unique<MemoryGate>(*available) : nullptr;
}

void tell_of_next_pass(const Arguments& arguments, std::uint32_t now, std::uint32_t next) {
  print_err(
      "{} is not reached with {} repetitions: going on to {}\n", arguments.until_ci, now, next);
}

void report_unreached_width(const Arguments& arguments) {
  print_err(
      "undecided: {} needs more than {} repetitions (exit code 9); --most-repetitions "
      "allows more\n",
      arguments.until_ci,
      arguments.most_repetitions);
}

std::optional<SweepPlan> plan_of(const Arguments& arguments) {
  Diagnostics diagnostics;
  SweepPlan plan(arguments.file, overrides_of(arguments), diagnostics);
  if (!report_mistakes(diagnostics)) return std::nullopt;
  report_undecidable(arguments, plan.thresholds(), plan.repeat());
  return plan;
}

std::filesystem::path store_of(const Arguments& arguments, const SweepPlan& plan) {
  return arguments.store.empty() ? std::filesystem::path("sweeps") / plan.name()
                                 : std::filesystem::path(arguments.store);
}

ExitCode with_file_errors(const std::function<ExitCode()>& verb) {
  try {
    return verb();
  } catch (const DifferentResults& problem) {
    print_err("{} (exit code 6)\n", problem.what());
    return ExitCode::differs;
  } catch (const FileError& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  } catch (const std::filesystem::filesystem_error& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
}

std::string shell_quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-./=:,%+").find(c) != std::string_view::npos;
  });
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string this_program(const Arguments& arguments) {
  return shell_quoted(arguments.command_line.front());
}

}  // namespace posse
