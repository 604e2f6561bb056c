// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/chaos/chaos.hpp"
#include "program/cli/shared_flags.hpp"

namespace posse {
namespace {

struct ChaosFlags {
  std::uint64_t first_seed = 0, number = 300;
  std::optional<double> duration_s;
  std::optional<std::uint64_t> seed;
  std::size_t jobs = 1;
  std::string out = "runs/chaos";
  bool json = false, quiet = false;

  void add_to(CLI::App& verb) {
    auto* seconds = verb.add_option("--seconds", duration_s, "run for so many seconds")
                        ->check(number_from(0, false));
    auto* count = verb.add_option("--count", number, "number of scenarios (default: 300)")
                      ->check(count_from_one())
                      ->excludes(seconds);
    auto* first =
        verb.add_option(
                "--first", first_seed, "seed of the first scenario (default: 0); others follow")
            ->check(seed_check());
    verb.add_option("--seed", seed, "run only the scenario of this seed")
        ->check(seed_check())
        ->excludes(seconds)
        ->excludes(count)
        ->excludes(first);
    verb.add_option("--jobs", jobs, "scenarios at a time (default: 1)")->check(CLI::Range(1, 1024));
    verb.add_option("--out", out, "directory for the scenarios that fail (default: runs/chaos)");
    verb.add_flag("--quiet", quiet, "print failures only");
    verb.add_flag("--json", json, "print the counts and the failures as JSON");
  }
};

void report_failure(const ChaosFailure& failure, const Invocation& invocation) {
  print_err(
      "seed {}: violated: {}\n  {}\n  scenario: {}\n  to reproduce: {} chaos --seed {}\n  "
      "to make it smaller: {} minimise {}\n",
      failure.seed,
      failure.property,
      failure.what,
      failure.file.string(),
      this_program(invocation),
      failure.seed,
      this_program(invocation),
      failure.seed);
}

/// Files that chaos would have removed at its end: its process crashed, in one of these seeds.
void report_crash(const std::filesystem::path& folder) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().filename().string().starts_with("running-"))
      print_err("note: an earlier chaos did not come to its end; {} has the seed: {}",
                entry.path().string(),
                read_file(entry.path()));
}

nlohmann::ordered_json chaos_json(const ChaosReport& report) {
  auto failures = nlohmann::ordered_json::array();
  for (const auto& failure : report.failures)
    failures.push_back({{"seed", failure.seed},
                        {"property", failure.property},
                        {"what", failure.what},
                        {"file", failure.file.string()}});
  return {{"scenarios", report.scenarios},
          {"seconds", report.seconds},
          {"on_command_line", report.on_command_line},
          {"interrupted", report.interrupted},
          {"features", report.features},
          {"failures", std::move(failures)}};
}

ExitCode run_random_scenarios(const ChaosFlags& flags, const Invocation& invocation) {
  ChaosOptions options;
  options.first = flags.seed.value_or(flags.first_seed);
  options.count = flags.seed ? 1 : flags.number;
  if (!flags.seed) options.seconds = flags.duration_s;
  options.jobs = flags.jobs;
  options.folder = flags.out;
  options.program = std::filesystem::read_symlink("/proc/self/exe").string();
  report_crash(options.folder);
  catch_signals();
  ChaosProgress progress;
  ChaosReport report;
  try {
    const ProgressLines printer(flags.quiet ? ProgressStyle::none : ProgressStyle::automatic,
                                {.line =
                                     [&] {
                                       return fmt::format("{} scenarios, {} violations",
                                                          progress.done.load(),
                                                          progress.failures.load());
                                     },
                                 .stop = [&] { progress.stop = true; },
                                 .keep_rest = {}});
    report = run_chaos(options, progress);
  } catch (const std::exception& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
  if (flags.json)
    print_json(chaos_json(report));
  else if (!flags.quiet)
    print_out("{}", chaos_statistics(report));
  flush_out();
  for (const auto& failure : report.failures) report_failure(failure, invocation);
  if (!report.failures.empty()) {
    print_err("{} violations (exit code 5)\n", report.failures.size());
    return ExitCode::violated;
  }
  if (pending_signal() != 0) return static_cast<ExitCode>(128 + pending_signal());
  return ExitCode::ok;
}

}  // namespace

Command chaos_verb(CLI::App& verb) { return command_of(verb, run_random_scenarios); }

}  // namespace posse
