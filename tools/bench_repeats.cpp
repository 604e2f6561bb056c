// SPDX-License-Identifier: Apache-2.0
// Independent repetitions in parallel.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/base/median.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"
#include "tools/bench_clocks.hpp"
#include "tools/bench_sections.hpp"

namespace posse {
void repeats_bench(const std::string& scenario_file) {
  fmt::print("\nrepeats: 8 repetitions of {}; wall time\n", scenario_file);
  Diagnostics diagnostics;
  Scenario scenario =
      load_scenario(scenario_file,
                    {{"bench", "repeat=8"}, {"bench", "budget.evaluations_per_client=200000"}},
                    diagnostics);
  if (!diagnostics.empty()) {
    fmt::print(stderr, "bench: {} can't be read\n", scenario_file);
    std::exit(3);
  }
  const auto wall = [&](std::size_t threads) {
    RunOptions options;
    options.threads = threads;
    RunMonitor monitor(number_of_runs(scenario, options));
    const double start = wall_seconds();
    run_scenario(scenario, options, monitor);
    return wall_seconds() - start;
  };
  std::vector<double> one, two, efficiency;
  for (int i = 0; i < 5; ++i) {
    one.push_back(wall(1));
    two.push_back(wall(2));
    efficiency.push_back(one.back() / (2 * two.back()));
  }
  fmt::print("  1 thread {:.3f} s, 2 threads {:.3f} s, efficiency {:.2f}\n",
             median(one),
             median(two),
             median(efficiency));
}

}  // namespace posse
