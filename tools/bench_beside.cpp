// SPDX-License-Identifier: Apache-2.0
// Whole runs of this program beside those of another one, such as an earlier version.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/median.hpp"
#include "tools/bench_command.hpp"
#include "tools/bench_references.hpp"
#include "tools/bench_scenarios.hpp"
#include "tools/bench_sections.hpp"

namespace posse {
namespace {

constexpr int kRepeats = 5;
constexpr int kStarts = 10;
constexpr double kMillion = 1e6;

class Programs {
 public:
  explicit Programs(std::string other)
      : folder_(std::filesystem::temp_directory_path() / fmt::format("posse-bench-{}", getpid())),
        paths_{std::move(other),
               (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "posse").string()} {
    std::filesystem::create_directory(folder_);
    for (std::size_t p = 0; p < paths_.size(); ++p) {
      std::vector<double> starts;
      starts.reserve(kStarts);
      for (int i = 0; i < kStarts; ++i) starts.push_back(cost_of({paths_[p], "--version"}).seconds);
      start_[p] = median(starts);
    }
  }
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;
  ~Programs() { std::filesystem::remove_all(folder_); }

  /// Of the other program and of this one.
  const std::array<double, 2>& start_seconds() const { return start_; }
  /// Of one run, without the start of the program.
  CommandCost run(std::size_t program, const std::string& toml, std::string_view kernel) const {
    const auto scenario = folder_ / "scenario.toml";
    std::ofstream(scenario) << toml;
    CommandCost cost = cost_of({paths_[program],
                                "run",
                                scenario.string(),
                                "--threads",
                                "1",
                                "--kernel",
                                std::string(kernel),
                                "--quiet",
                                "--out",
                                (folder_ / "results").string()});
    cost.seconds -= start_[program];
    std::filesystem::remove_all(folder_ / "results");
    return cost;
  }

 private:
  std::filesystem::path folder_;
  std::array<std::string, 2> paths_;
  std::array<double, 2> start_{};
};

/// Medians for the other program, this one, and a reference, which take turns.
struct Medians {
  std::array<double, 2> programs{};
  double reference = 0;
};
Medians in_turns(int repeats,
                 const std::function<double(std::size_t)>& of_program,
                 const std::function<double()>& reference = {}) {
  std::array<std::vector<double>, 3> seen;
  for (int i = 0; i < repeats; ++i) {
    for (std::size_t p = 0; p < 2; ++p) seen[p].push_back(of_program(p));
    if (reference) seen[2].push_back(reference());
  }
  return {{median(seen[0]), median(seen[1])}, reference ? median(seen[2]) : 0};
}

void print(std::string_view figure, const Medians& m, int digits) {
  fmt::print("  {:<58} {:>9.{}f} {:>9.{}f} {:>6.2f}",
             figure,
             m.programs[0],
             digits,
             m.programs[1],
             digits,
             m.programs[1] / m.programs[0]);
  if (m.reference > 0)
    fmt::print(" {:>9.{}f} {:>7.3f} {:>7.3f}",
               m.reference,
               digits,
               m.programs[0] / m.reference,
               m.programs[1] / m.reference);
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace

void beside_bench(const std::string& other) {
  const Programs programs(other);
  fmt::print(
      "\nbeside: whole runs of {} and of this program, in turns; one thread, CPU time without the\n"
      "  start, medians of {}; reference: a binary heap of the same events, or F-LCB without a "
      "network\n  {:<58} {:>9} {:>9} {:>6} {:>9} {:>7} {:>7}\n",
      other,
      kRepeats,
      "",
      "other",
      "this",
      "ratio",
      "reference",
      "other/r",
      "this/r");
  const auto seconds = [&](const std::string& toml, std::string_view kernel = "actors") {
    return
        [&programs, toml, kernel](std::size_t p) { return programs.run(p, toml, kernel).seconds; };
  };
  const auto rate = [&](double count, const std::string& toml) {
    return [count, of = seconds(toml)](std::size_t p) { return count / of(p) / kMillion; };
  };

  print(
      "start, ms", {{1e3 * programs.start_seconds()[0], 1e3 * programs.start_seconds()[1]}, 0}, 1);
  // First: a process's peak includes what its parent had in memory when it started it.
  const auto peak = [&](const std::string& toml) {
    return [&programs, toml](std::size_t p) { return programs.run(p, toml, "actors").peak_bytes; };
  };
  print("echo, a million clients, one round: bytes per client",
        in_turns(1,
                 [large = peak(echo_scenario(1'000'000, 1, kConstantNetwork)),
                  small = peak(echo_scenario(10, 1, kConstantNetwork))](std::size_t p) {
                   return (large(p) - small(p)) / kMillion;
                 }),
        0);
  print("hct, T = 10^7: peak MB",
        in_turns(1,
                 [of = peak(with_objective("hct", 1, 10'000'000))](std::size_t p) {
                   return of(p) / kMillion;
                 }),
        1);
  struct Size {
    std::uint32_t clients, rounds;
    std::string scenario() const { return echo_scenario(clients, rounds, kConstantNetwork); }
  };
  const std::array<Size, 3> sizes{{{1000, 1000}, {100'000, 15}, {1'000'000, 3}}};
  for (const Size& size : sizes)
    print(fmt::format("echo, constant 50 ms, {} clients, M deliveries/s", size.clients),
          in_turns(kRepeats,
                   rate(2.0 * size.clients * size.rounds, size.scenario()),
                   [&] {
                     const Sample heap = bare_heap(size.clients, size.rounds);
                     return heap.deliveries / heap.seconds / kMillion;
                   }),
          2);
  const auto lossy = seconds(echo_scenario(100'000, 15, kLossyNetwork));
  const auto constant = seconds(echo_scenario(100'000, 15, kConstantNetwork));
  print("echo, 5 + Exp(50) ms, 1 % loss, 100000 clients, M messages/s",
        in_turns(kRepeats, [&](std::size_t p) { return 3 / lossy(p); }),
        2);
  print("  its cost per message ÷ that with constant latency",
        in_turns(kRepeats, [&](std::size_t p) { return lossy(p) / constant(p); }),
        2);
  for (const Size& size : sizes)
    print(
        fmt::format("speed of actors ÷ window kernel, echo, {} clients", size.clients),
        in_turns(kRepeats,
                 [actors = seconds(size.scenario()), windows = seconds(size.scenario(), "window")](
                     std::size_t p) { return windows(p) / actors(p); }),
        2);
  const auto arms = [](std::uint64_t count) { return with_arms("f-lcb", count, 3 * count); };
  print("f-lcb, three pulls per arm, 8192 and 65536 arms: exponent",
        in_turns(1,
                 [few = seconds(arms(8192)), many = seconds(arms(65'536))](std::size_t p) {
                   return std::log(many(p) / few(p)) / std::log(8.0);
                 }),
        2);
  struct LearnerRun {
    std::string_view kind, more;
    std::uint64_t budget = 300'000;
  };
  constexpr std::string_view kLocal = "placement = \"local\"\n";
  for (const LearnerRun& learner : {LearnerRun{"hoo", kLocal, 20'000},
                                    LearnerRun{"t-hoo", kLocal},
                                    LearnerRun{"hct", kLocal},
                                    LearnerRun{"vhct", kLocal},
                                    LearnerRun{"poo", "base = \"hct\"\n"},
                                    LearnerRun{"pct", ""}})
    print(fmt::format("{}{}, T = {}, M evaluations/s",
                      learner.kind,
                      learner.kind == "poo" ? " over HCT" : "",
                      learner.budget),
          in_turns(kRepeats,
                   rate(static_cast<double>(learner.budget),
                        with_objective(learner.kind, 1, learner.budget, learner.more))),
          2);
  constexpr std::uint64_t kPulls = 300'000;
  for (const std::string_view family : {"smooth", "piecewise-linear", "noisy"})
    print(fmt::format("f-lcb, {} arms, M pulls/s", family),
          in_turns(kRepeats,
                   rate(kPulls,
                        fmt::format("[[algorithm]]\nkind = \"f-lcb\"\n[[arm]]\nkind = \"{}\"\n"
                                    "[budget]\npulls = {}\n{}",
                                    family,
                                    kPulls,
                                    kConstantNetwork)),
                   [&] { return pulls_without_network(family, kPulls) / kMillion; }),
          2);
}

}  // namespace posse
