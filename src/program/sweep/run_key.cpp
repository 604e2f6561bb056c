// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/run_key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/hash.hpp"
#include "core/base/overload.hpp"
#include "program/base/version.hpp"
#include "program/scenario/table_reader.hpp"
#include "program/scenario/with_algorithms.hpp"

namespace posse {
namespace {

/// The scenario without its names and its limit of wall time, which do not affect a run.
Scenario anonymous(Scenario scenario) {
  scenario.name = "run";
  scenario.label.clear();
  scenario.algorithms.front().label = "algorithm";
  scenario.limits.wall_seconds = 0;
  return scenario;
}

/// The TOML without comments, and with the contents of files in the place of their names.
std::string without_names_of_files(const std::string& toml, const InputFiles& inputs) {
  std::string text;
  for (std::size_t begin = 0; begin < toml.size();) {
    const auto end = std::min(toml.find('\n', begin), toml.size() - 1) + 1;
    if (toml[begin] != '#') text.append(toml, begin, end - begin);
    begin = end;
  }
  for (const auto& file : inputs.files()) {
    const auto name = toml_string(file.stored);
    const auto content =
        fmt::format("content {:016x} {}", hash_name(*file.content), file.content->size());
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at))
      text.replace(at, name.size(), content);
  }
  return text;
}

std::string canonical_text(const Scenario& scenario) {
  return without_names_of_files(to_toml(scenario), scenario.inputs);
}

}  // namespace

Scenario single_run(const Scenario& scenario,
                    const AlgorithmEntry& entry,
                    std::uint32_t repetition) {
  Scenario one = with_algorithms(scenario, {entry.label});
  one.repeat = 1;
  one.thresholds.clear();
  std::erase_if(one.faults, [&](const FaultConfig& fault) {
    return fault.repetition.value_or(repetition) != repetition;
  });
  for (auto& fault : one.faults) fault.repetition.reset();
  return one;
}

RunKeys::RunKeys(const Scenario& scenario, const AlgorithmEntry& entry)
    : scenario_(scenario), entry_(entry) {
  const bool depends =
      std::any_of(scenario.faults.begin(), scenario.faults.end(), [](const FaultConfig& fault) {
        return fault.repetition.has_value();
      });
  if (!depends) shared_ = canonical_text(anonymous(single_run(scenario, entry, 0)));
}

std::string RunKeys::of(std::uint32_t repetition) const {
  const auto text = shared_.empty()
                        ? canonical_text(anonymous(single_run(scenario_, entry_, repetition)))
                        : shared_;
  const auto digits = [&](std::uint64_t salt) {
    return hash_combine(hash_combine(hash_name(fmt::format("{} {}", salt, text)), kResultsVersion),
                        repetition);
  };
  return fmt::format("{:016x}{:016x}", digits(0), digits(1));
}

std::string workload_text(const Scenario& scenario, const AlgorithmEntry& entry) {
  const Scenario one = anonymous(single_run(scenario, entry, 0));
  return without_names_of_files(workload_toml(one), one.inputs);
}

}  // namespace posse
