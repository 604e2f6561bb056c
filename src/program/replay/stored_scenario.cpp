// SPDX-License-Identifier: Apache-2.0
#include "program/replay/stored_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "program/base/files.hpp"
#include "program/base/version.hpp"

namespace posse {
namespace {

void check_results_version(const StoredRun& stored) {
  const auto path = stored.folder() / "metadata.json";
  const Json json = read_json(path);
  const JsonObject metadata(path, "", json);
  if (metadata.has("results_version") && metadata.count("results_version") == kResultsVersion)
    return;
  throw FileError(
      path,
      fmt::format("the run was made by version {} ({}), whose results this version ({}, results "
                  "version {}) does not repeat: run the folder's scenario.toml to get today's",
                  metadata.text("version"),
                  metadata.has("results_version")
                      ? fmt::format("results version {}", metadata.count("results_version"))
                      : "without a results version",
                  version(),
                  kResultsVersion));
}

}  // namespace

Scenario stored_scenario(const StoredRun& stored,
                         const std::vector<Override>& overrides,
                         Diagnostics& diagnostics) {
  check_results_version(stored);
  return load_scenario((stored.folder() / "scenario.toml").string(), overrides, diagnostics);
}

Scenario stored_scenario(const StoredRun& stored) {
  Diagnostics diagnostics;
  auto scenario = stored_scenario(stored, {}, diagnostics);
  if (!diagnostics.empty())
    throw FileError(stored.folder() / "scenario.toml", "has mistakes:\n" + diagnostics.text());
  return scenario;
}

std::optional<std::uint32_t> only_repetition(const StoredRun& stored) {
  const auto repetition = stored.runs().front().repetition;
  const auto same = [&](const StoredRun::Run& run) { return run.repetition == repetition; };
  return std::all_of(stored.runs().begin(), stored.runs().end(), same) ? std::optional(repetition)
                                                                       : std::nullopt;
}

}  // namespace posse
