// SPDX-License-Identifier: Apache-2.0
// posse_chaos: random scenarios with faults against the properties of every run (tools/chaos).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "core/base/csv.hpp"
#include "program/base/exit_codes.hpp"
#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/fates/minimise.hpp"
#include "program/fates/scenario_text.hpp"
#include "program/run/progress.hpp"
#include "tests/chaos/chaos.hpp"
#include "tests/chaos/random_scenario.hpp"

namespace posse {
namespace {

struct Words {
  TrialsOptions trials{.folder = "runs/chaos"};
  std::optional<std::uint64_t> seed;
  std::string program;  // posse
  bool quiet = false;
  std::string scenario, property, out;  // minimise
  std::vector<std::uint64_t> seeds;     // scenario
};

/// The text of a scenario file, or the scenario of a seed.
std::string scenario_text(const std::string& file_or_seed) {
  if (const auto seed = parse_number<std::uint64_t>(file_or_seed)) return random_scenario(*seed);
  Diagnostics mistakes;  // a property says them
  return self_contained_text(file_or_seed, {}, mistakes);
}

ExitCode check_scenarios(Words& words) {
  TrialsOptions& options = words.trials;
  if (words.seed) {
    options.first = *words.seed;
    options.count = 1;
  }
  for (const auto& file : crashed_trials(options.folder))
    print_err("note: an earlier chaos did not come to its end in {}\n", file.string());
  catch_signals();
  TrialsProgress progress;
  TrialsReport report;
  {
    const ProgressLines printer(words.quiet ? ProgressStyle::none : ProgressStyle::automatic,
                                {.state =
                                     [&] {
                                       ProgressState state;
                                       state.parts = {
                                           fmt::format("{} scenarios", progress.done.load()),
                                           fmt::format("{} violations", progress.failures.load())};
                                       return state;
                                     },
                                 .stop = [&] { progress.stop = true; },
                                 .keep_rest = {}});
    report = run_chaos(options, words.program, progress);
  }
  if (!words.quiet) print_out("{}", chaos_statistics(report));
  flush_out();
  for (const auto& failure : report.failures)
    print_err(
        "seed {}: violated: {}\n  {}\n  scenario: {}\n  to reproduce: tools/chaos --seed {}\n  to "
        "make it smaller: tools/chaos minimise {}\n",
        failure.seed,
        failure.property,
        failure.what,
        failing_scenario(options, failure.seed).string(),
        failure.seed,
        failure.seed);
  if (!report.failures.empty()) {
    print_err("{} violations (exit code 5)\n", report.failures.size());
    return ExitCode::violated;
  }
  if (pending_signal() != 0) return static_cast<ExitCode>(128 + pending_signal());
  return ExitCode::ok;
}

ExitCode minimise_scenario(const Words& words) {
  const auto smallest = minimise_violation(scenario_text(words.scenario), words.property);
  if (smallest.property.empty()) {
    print_err("{}: no property is violated (exit code 2)\n", words.scenario);
    return ExitCode::usage;
  }
  if (words.out.empty()) {
    print_out("{}", smallest.text);
    return ExitCode::ok;
  }
  write_file(words.out, smallest.text);
  print_err("wrote {}: violated: {}\n  {}\n", words.out, smallest.property, smallest.what);
  return ExitCode::ok;
}

ExitCode run_words(int argc, char** argv) {
  Words words;
  CLI::App app("Random scenarios with faults, and what must hold in every run", "posse_chaos");
  const auto seed =
      CLI::Range(std::uint64_t{0}, std::uint64_t{std::numeric_limits<std::int64_t>::max()});
  auto* seconds = app.add_option("--seconds", words.trials.seconds, "run for so many seconds")
                      ->check(CLI::PositiveNumber);
  auto* count = app.add_option("--count", words.trials.count, "number of scenarios (default: 300)")
                    ->check(CLI::PositiveNumber)
                    ->excludes(seconds);
  auto* first =
      app.add_option("--first", words.trials.first, "first seed (default: 0)")->check(seed);
  app.add_option("--seed", words.seed, "run only the scenario of this seed")
      ->check(seed)
      ->excludes(seconds)
      ->excludes(count)
      ->excludes(first);
  app.add_option("--jobs", words.trials.jobs, "scenarios at a time (default: 1)")
      ->check(CLI::Range(1, 1024));
  app.add_option(
      "--out", words.trials.folder, "directory of scenarios that fail (default: runs/chaos)");
  app.add_option("--program", words.program, "posse, which one scenario in 50 goes through");
  app.add_flag("--quiet", words.quiet, "print failures only");
  app.require_subcommand(0, 1);
  auto* minimise =
      app.add_subcommand("minimise", "make a scenario that fails as small as possible");
  minimise->add_option("SCENARIO", words.scenario, "scenario file, or a seed")->required();
  minimise
      ->add_option("--property", words.property, "must stay violated (default: the first violated)")
      ->check(CLI::IsMember(property_names()));
  minimise->add_option("-o,--out", words.out, "output file (default: standard output)");
  auto* print = app.add_subcommand("scenario", "print the scenarios of seeds");
  print->add_option("SEED", words.seeds)->required()->check(seed);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? ExitCode::ok : ExitCode::usage;
  }
  if (*minimise) return minimise_scenario(words);
  if (*print) {
    for (const std::uint64_t each : words.seeds) print_out("{}", random_scenario(each));
    return ExitCode::ok;
  }
  return check_scenarios(words);
}

}  // namespace
}  // namespace posse

int main(int argc, char** argv) {
  try {
    return posse::to_int(posse::run_words(argc, argv));
  } catch (const std::exception& problem) {
    posse::print_err("{} (exit code 11)\n", problem.what());
    return posse::to_int(posse::ExitCode::files);
  }
}
