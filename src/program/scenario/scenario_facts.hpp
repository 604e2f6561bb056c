// SPDX-License-Identifier: Apache-2.0
// Facts about a run's resolved scenario for plots and pages, read from its scenario.toml without
// building objectives or reading data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/network/config.hpp"

namespace posse {

struct Scenario;

struct AlgorithmFacts {
  std::string label, kind;  // kind: empty if a run folder has none
  std::uint32_t clients = 0;
};
std::vector<AlgorithmFacts> algorithm_facts(const Scenario& scenario);

struct ScenarioFacts {
  std::string objective, heterogeneity, noise;  // their kinds; empty if nothing is evaluated
  std::optional<std::uint64_t> budget;          // evaluations per client, or pulls
  /// Mean latency of [network], in seconds; four times the median where the mean is infinite. Rules
  /// for some links only ([[network.link]]) don't count. Nothing if it can't be read.
  std::optional<double> latency_s;
  Transport transport = Transport::datagram;
  bool arms_are_ranked = false;     // some [[arm]] has a `ranking`
  bool arms_are_maximized = false;  // they have the direction "maximize"
};

/// Throws FileError if the file is missing or not TOML.
ScenarioFacts read_scenario_facts(const std::filesystem::path& scenario_toml);
/// Of the content of such a file.
ScenarioFacts scenario_facts(const std::string& toml, const std::filesystem::path& file);

}  // namespace posse
