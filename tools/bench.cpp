// SPDX-License-Identifier: Apache-2.0
// Benchmarks: every measurement is printed with a reference from the same run.
//
//   kernel   deliveries per CPU second through CAF actors, beside the serial kernel and raw CAF
//   threads  one thread and two, on the kernel's workloads
//   memory   bytes per idle client actor, and a million clients over three rounds
//   mathematics  nanoseconds a call of the portable functions, beside the C library
//   pulls    evaluations per CPU second of the algorithms, beside a bare loop
//   learners evaluations per CPU second of single learners, beside a bare loop, and how their cost
//            grows with the budget
//   functional  optimizer steps per CPU second of a functional bandit's arms, alone, under F-LCB
//            without a network, and through agent and arm actors
//   growth   exponents of every algorithm's cost in clients, budget, arms and rounds; 10 minutes
//   repeats  parallel efficiency of independent repetitions
//   sweep    what the store costs beside the runs in it, and the parallel efficiency of two jobs
//   library  the start of the program, and a run with the shared library beside one without
//   watching CPU time with metrics scraped and the live view open, beside neither
//   beside PROGRAM   whole runs beside those of another program, such as an earlier version;
//            7 minutes, not part of a run without sections
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "tools/bench_sections.hpp"

using namespace posse;

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "--memory-of") {  // what the section `memory` runs
    memory_of(argv[2], static_cast<std::uint32_t>(std::stoul(argv[3])));
    return 0;
  }
  if (argc == 3 && std::string(argv[1]) == "beside") {
    beside_bench(argv[2]);
    return 0;
  }
  const std::vector<std::pair<std::string, void (*)()>> sections = {
      {"kernel", [] { kernel_bench(3); }},
      {"threads", threads_bench},
      {"memory", memory_bench},
      {"mathematics", mathematics_bench},
      {"pulls", pulls_bench},
      {"learners", learners_bench},
      {"functional", functional_bench},
      {"growth", growth_bench},
      {"repeats",
       [] { repeats_bench(std::string(POSSE_SOURCE_DIR) + "/scenarios/quickstart.toml"); }},
      {"sweep", [] { sweep_bench(std::string(POSSE_SOURCE_DIR) + "/scenarios/quickstart.toml"); }},
      {"library",
       [] { library_bench(std::string(POSSE_SOURCE_DIR) + "/scenarios/quickstart.toml"); }},
      {"watching", [] { watching_bench(std::string(POSSE_SOURCE_DIR) + "/scenarios"); }},
  };
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  for (const auto& name : wanted) {
    const auto known = [&](const auto& section) { return section.first == name; };
    if (std::none_of(sections.begin(), sections.end(), known)) {
      fmt::print(stderr, "bench: no section '{}'; there are", name);
      for (const auto& section : sections) fmt::print(stderr, " {}", section.first);
      fmt::print(stderr, "\n");
      return 2;
    }
  }
  for (const auto& [name, bench] : sections)
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) bench();
  return 0;
}
