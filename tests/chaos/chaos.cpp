// SPDX-License-Identifier: Apache-2.0
#include "tests/chaos/chaos.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/sim/branches.hpp"
#include "program/base/files.hpp"
#include "tests/chaos/catalogue_features.hpp"
#include "tests/chaos/command_line_check.hpp"
#include "tests/chaos/random_scenario.hpp"

namespace posse {
namespace {

constexpr const char* kOnCommandLine = "through the command line";
constexpr const char* kInterrupted = "of them ended by an interrupt";

template <class Visit>
void for_each_feature(Visit visit) {
  for (const Feature& feature : catalogue_features()) visit(feature);
  for (const auto& group : feature_groups())
    for (const Feature& feature : group.features) visit(feature);
}

/// The names of the statistics, in their order.
std::vector<std::string> all_counts() {
  std::vector<std::string> names{kOnCommandLine, kInterrupted};
  for (auto& name : all_features()) names.push_back(std::move(name));
  for (const auto name : kBranchNames) names.emplace_back(name);
  return names;
}

/// A scenario through the command line, if it is its turn.
void look_at_command_line(std::uint64_t seed,
                          const Trial& trial,
                          const std::string& program,
                          const std::filesystem::path& folder,
                          std::vector<PropertyViolation>& violations,
                          std::vector<std::string>& features) {
  if (program.empty() || !trial.mistakes.empty() || !goes_through_command_line(seed)) return;
  std::filesystem::create_directories(folder);
  auto check = check_command_line(trial, program, folder);
  std::filesystem::remove_all(folder);
  features.emplace_back(kOnCommandLine);
  if (check.interrupted) features.emplace_back(kInterrupted);
  if (check.violation)
    violations.push_back({std::string(kCommandLineProperty), std::move(*check.violation)});
}

}  // namespace

std::filesystem::path failing_scenario(const TrialsOptions& options, std::uint64_t seed) {
  return options.folder / fmt::format("seed-{}.toml", seed);
}

TrialsReport run_chaos(const TrialsOptions& options,
                       const std::string& program,
                       TrialsProgress& progress) {
  const auto look = [&](std::uint64_t seed,
                        std::size_t job,
                        const Trial& trial,
                        std::vector<PropertyViolation>& violations,
                        std::vector<std::string>& features) {
    const auto folder = options.folder / fmt::format("command-line-{}", job);
    look_at_command_line(seed, trial, program, folder, violations, features);
    for (const Feature& feature : catalogue_features())
      if (trial.mistakes.empty() && feature.has(trial)) features.push_back(feature.name);
    for (auto& name : branches_of(trial)) features.push_back(std::move(name));
  };
  const auto keep = [&](const TrialFailure& failure, const Trial& trial) {
    write_file(failing_scenario(options, failure.seed), trial.text);
  };
  auto report =
      run_trials(options, {.draw = random_scenario, .look = look, .fail = keep}, progress);
  for (auto& name : all_counts()) report.features.try_emplace(std::move(name), 0);
  return report;
}

std::vector<std::string> all_features() {
  std::vector<std::string> names;
  for_each_feature([&](const Feature& feature) { names.push_back(feature.name); });
  return names;
}

std::vector<std::string> features_of(const Trial& trial) {
  std::vector<std::string> names;
  for_each_feature([&](const Feature& feature) {
    if (feature.has(trial)) names.push_back(feature.name);
  });
  return names;
}

std::string chaos_statistics(const TrialsReport& report) {
  std::string text = fmt::format("{} scenarios in {:.1f} s, {:.1f} per second\n",
                                 report.scenarios,
                                 report.seconds,
                                 static_cast<double>(report.scenarios) / report.seconds);
  for (const auto& name : all_counts())
    text += fmt::format("{:>8}  {}\n", report.features.at(name), name);
  return text;
}

}  // namespace posse
