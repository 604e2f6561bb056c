#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>

#include "program/base/files.hpp"
#include "program/base/signals.hpp"
#include "program/cli/verbs.hpp"
#include "program/replay/replay.hpp"
#include "program/scenario/line_process.hpp"

namespace posse {
namespace {

std::string_view word_of(ReplayVerdict verdict) {
  switch (verdict) {
    case ReplayVerdict::equal:
      return "equal";
    case ReplayVerdict::differs:
      return "differs";
    case ReplayVerdict::not_provable:
      return "not provable";
  }
  return "?";
}

void print_replayed(const std::string& folder, const std::vector<ReplayedRun>& runs) {
  fmt::print("{}\n", folder);
  for (const ReplayedRun& run : runs) {
    const auto verdict = run.verdict == ReplayVerdict::equal
                             ? fmt::format("equal, fingerprint {}", run.now)
                         : run.verdict == ReplayVerdict::differs
                             ? fmt::format("differs in: {}; fingerprint recorded {}, now {}",
                                           run.what,
                                           run.recorded,
                                           run.now)
                             : fmt::format("can't be proven: {}", run.what);
    fmt::print("  {}, repetition {}: {}\n", run.algorithm, run.repetition, verdict);
  }
}

nlohmann::ordered_json replayed_json(const std::string& folder,
                                     const std::vector<ReplayedRun>& runs) {
  nlohmann::ordered_json json{{"run", folder}, {"runs", nlohmann::ordered_json::array()}};
  for (const ReplayedRun& run : runs)
    json["runs"].push_back({{"algorithm", run.algorithm},
                            {"repetition", run.repetition},
                            {"verdict", word_of(run.verdict)},
                            {"recorded", run.recorded},
                            {"now", run.now},
                            {"what", run.what}});
  return json;
}

}  // namespace

ExitCode replay_verb(const Arguments& arguments) {
  before_exit_by_signal(kill_all_line_processes);
  catch_signals();
  auto json = nlohmann::ordered_json::array();
  std::size_t differing = 0;
  for (const std::string& folder : arguments.runs) {
    try {
      const auto runs = replay(folder, execution_options(arguments));
      for (const ReplayedRun& run : runs) differing += run.verdict == ReplayVerdict::differs;
      if (arguments.json)
        json.push_back(replayed_json(folder, runs));
      else if (!arguments.quiet)
        print_replayed(folder, runs);
    } catch (const FileError& problem) {
      std::fflush(stdout);
      fmt::print(stderr, "{} (exit code 11)\n", problem.what());
      return ExitCode::files;
    }
    if (const int signal = pending_signal()) return static_cast<ExitCode>(128 + signal);
  }
  if (arguments.json) fmt::print("{}\n", json.dump(2));
  std::fflush(stdout);
  if (differing == 0) return ExitCode::ok;
  fmt::print(stderr,
             "{} {} from {} record (exit code 6)\n",
             differing,
             differing == 1 ? "run differs" : "runs differ",
             differing == 1 ? "its" : "their");
  return ExitCode::differs;
}

}  // namespace posse
