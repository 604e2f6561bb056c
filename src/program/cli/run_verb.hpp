// SPDX-License-Identifier: Apache-2.0
// `posse run`, and runs with more than it does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "program/cli/shared_flags.hpp"

namespace posse {

/// The flags of a run.
struct RunFlags {
  ScenarioFlags scenario;
  ExecutionFlags execution;
  MemoryFlag memory;
  UntilFlags until;
  std::optional<std::uint32_t> repetition;
  std::optional<std::string> label, ties;
  double pace = 0;
  std::string clock = "virtual", trace = "none", kernel = "actors";
  std::optional<std::string> metrics, page;  // address to listen at, or ""
  bool details = false;
  bool paused = false;
  std::string linger, push;
  bool json = false, quiet = false, verbose = false;

  /// All but those of the scenario.
  void add_to(CLI::App& verb);
  /// Those that say how virtual time passes, or that it is wall time.
  void add_virtual_time_to(CLI::App& verb);
};

/// The scenario with --label and --ties; nothing after printing all its mistakes.
std::optional<Scenario> scenario_of(const RunFlags& flags);

/// What else is done with a run. All may be empty.
struct RunExtension {
  /// Of runs that don't take place in this process alone.
  std::function<std::unique_ptr<RunHost>(const Scenario&, const ExecutionOptions&)> make_host = {};
  /// Adds files to the run's folder, before its report is made. Returns what is printed in place of
  /// the summary.
  std::function<std::string(const std::filesystem::path& folder, const Scenario&, const Execution&)>
      add_files = {};
};
ExitCode run_with(const RunFlags& flags,
                  const Invocation& invocation,
                  const RunExtension& extension);

}  // namespace posse
