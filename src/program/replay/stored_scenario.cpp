// SPDX-License-Identifier: Apache-2.0
#include "program/replay/stored_scenario.hpp"

#include <algorithm>

#include "program/base/files.hpp"

namespace posse {

Scenario stored_scenario(const StoredRun& stored,
                         const std::vector<Override>& overrides,
                         Diagnostics& diagnostics) {
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
