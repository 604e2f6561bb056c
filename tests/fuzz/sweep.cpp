// SPDX-License-Identifier: Apache-2.0
// Scenarios with a section [sweep]: axes, constraint and all settings, as `posse sweep` plans them.
#include <string>

#include "program/sweep/collect.hpp"
#include "program/sweep/sweep_plan.hpp"
#include "tests/fuzz/sandbox.hpp"
#include "tests/fuzz/targets.hpp"

namespace posse::fuzz {
namespace {

constexpr std::uint64_t kMostCombinations = 16;  // each is a scenario to read

}  // namespace

void fuzz_sweep(std::string_view input) {
  static const Sandbox sandbox;
  const std::string file = (sandbox.path() / "scenario.toml").string();
  Diagnostics diagnostics;
  Value root = parse_toml(input, file, diagnostics);
  if (!diagnostics.empty() || names_outside_files(root)) return;
  auto* table = std::get_if<Table>(&root.data);
  if (const auto it = table->find("sweep"); it != table->end()) {
    nest_quoted_keys(it->second, diagnostics);
    const SweepSection section = read_sweep(it->second, diagnostics);
    if (section.combinations() > kMostCombinations) return;
    for (const auto& axis : section.axes)
      require(!diagnostics.empty() || !axis.values.empty(), "an axis has values");
  }
  sandbox.write("scenario.toml", input);
  diagnostics = {};
  const SweepPlan plan(file, {}, diagnostics);
  if (!diagnostics.empty()) {
    for (const auto& mistake : diagnostics.all())
      require(!mistake.problem.empty(), "a mistake says what is wrong");
    return;
  }
  if (plan.runs().size() > 1000) return;
  require(plan.distinct_runs() <= plan.runs().size(), "runs are counted");
  const RunStore store(sandbox.path() / "store");
  std::filesystem::create_directories(store.root() / "runs");
  write_plan(store, plan);
  const StoredPlan stored = read_plan(store);
  require(stored.runs.size() == plan.runs().size(), "a plan can be read again");
  for (std::size_t i = 0; i < stored.runs.size(); ++i)
    require(stored.runs[i].key == plan.runs()[i].key, "a plan, read again, has the same runs");
}

}  // namespace posse::fuzz
