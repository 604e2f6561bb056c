// SPDX-License-Identifier: Apache-2.0
// What a sweep's store costs beside the runs in it, and two jobs beside one.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/median.hpp"
#include "program/sweep/sweep.hpp"
#include "tools/bench_sections.hpp"

namespace posse {
namespace fs = std::filesystem;

void sweep_bench(const std::string& scenario_file) {
  Diagnostics diagnostics;
  const SweepPlan plan(scenario_file,
                       {{"bench", "repeat=6"}, {"bench", "budget.evaluations_per_client=8000000"}},
                       diagnostics);
  if (!diagnostics.empty()) {
    fmt::print(stderr, "bench: {} can't be read\n", scenario_file);
    std::exit(3);
  }
  const auto folder = fs::temp_directory_path() / "posse-bench-sweep";
  const auto made = [&](std::size_t jobs) {
    fs::remove_all(folder);
    SweepOptions options;
    options.jobs = jobs;
    options.progress = ProgressStyle::none;
    return run_sweep(plan, RunStore(folder), options);
  };
  std::vector<double> runs, one, two, overhead, efficiency;
  for (int i = 0; i < 3; ++i) {
    const auto alone = made(1);
    runs.push_back(alone.run_wall_s / static_cast<double>(alone.made));
    one.push_back(alone.wall_s);
    overhead.push_back(alone.wall_s / alone.run_wall_s - 1);
    two.push_back(made(2).wall_s);
    efficiency.push_back(one.back() / (2 * two.back()));
  }
  fs::remove_all(folder);
  fmt::print(
      "\nsweep: {} runs of {:.2f} s into a store; wall time\n", plan.runs().size(), median(runs));
  fmt::print(
      "  1 job {:.2f} s, of it beside the runs {:.1f} %; 2 jobs {:.2f} s, efficiency {:.2f}\n",
      median(one),
      100 * median(overhead),
      median(two),
      median(efficiency));
}

}  // namespace posse
