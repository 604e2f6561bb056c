// SPDX-License-Identifier: Apache-2.0
// The program, linked to the shared library, beside the same code linked statically: its start, and
// a run.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/median.hpp"
#include "program/library/experiment.hpp"
#include "tools/bench_clocks.hpp"
#include "tools/bench_command.hpp"
#include "tools/bench_sections.hpp"

namespace posse {

void library_bench(const std::string& scenario_file) {
  const auto program =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "posse").string();
  fmt::print(
      "\nlibrary: the program with the shared library, beside this one without; CPU time of one "
      "thread\n");
  std::vector<double> start, nothing, shared, linked, ratio;
  for (int i = 0; i < 15; ++i) {
    start.push_back(cost_of({program, "--version"}).seconds);
    nothing.push_back(cost_of({"/bin/true"}).seconds);
  }
  fmt::print(
      "  start: {:.1f} ms; /bin/true {:.1f} ms\n", 1e3 * median(start), 1e3 * median(nothing));
  const auto out = std::filesystem::temp_directory_path() / fmt::format("posse-bench-{}", getpid());
  Experiment experiment(scenario_file);
  experiment.set("repeat", "20");
  for (int i = 0; i < 7; ++i) {
    shared.push_back(cost_of({program,
                              "run",
                              scenario_file,
                              "--repeat",
                              "20",
                              "--threads",
                              "1",
                              "--quiet",
                              "--out",
                              out.string()})
                         .seconds -
                     median(start));
    const double before = cpu_seconds();
    experiment.run({.threads = 1}).write(out);
    linked.push_back(cpu_seconds() - before);
    ratio.push_back(shared.back() / linked.back());
  }
  std::filesystem::remove_all(out);
  fmt::print("  run of 20 repetitions of {}: shared {:.3f} s, static {:.3f} s, ratio {:.2f}\n",
             std::filesystem::path(scenario_file).stem().string(),
             median(shared),
             median(linked),
             median(ratio));
}

}  // namespace posse
