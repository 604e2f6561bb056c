// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string_view>

#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/replay/replay.hpp"

namespace posse {
namespace {

struct ReplayFlags {
  std::vector<std::string> runs;
  ThreadFlags threads;
  bool json = false, quiet = false;

  void add_to(CLI::App& verb) {
    add_external_flag(verb);
    verb.add_option("RUN", runs, "run folders, or directories that contain `latest`")->required();
    threads.add_to(verb);
    verb.add_flag("--json", json, "print the verdicts as JSON");
    verb.add_flag("--quiet", quiet, "print nothing but errors");
  }
};

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
  print_out("{}\n", folder);
  for (const ReplayedRun& run : runs) {
    const auto verdict = run.verdict == ReplayVerdict::equal
                             ? fmt::format("equal, fingerprint {}", run.now)
                         : run.verdict == ReplayVerdict::differs
                             ? fmt::format("differs in: {}; fingerprint recorded {}, now {}",
                                           run.what,
                                           run.recorded,
                                           run.now)
                             : fmt::format("can't be proven: {}", run.what);
    print_out("  {}, repetition {}: {}\n", run.algorithm, run.repetition, verdict);
  }
}

Json replayed_json(const std::string& folder, const std::vector<ReplayedRun>& runs) {
  Json json{{"run", folder}, {"runs", Json::array()}};
  for (const ReplayedRun& run : runs)
    json["runs"].push_back({{"algorithm", run.algorithm},
                            {"repetition", run.repetition},
                            {"verdict", word_of(run.verdict)},
                            {"recorded", run.recorded},
                            {"now", run.now},
                            {"what", run.what}});
  return json;
}

ExitCode replay_runs(const ReplayFlags& flags, const Invocation& invocation) {
  catch_signals();
  auto json = Json::array();
  std::size_t differing = 0;
  for (const std::string& folder : flags.runs) {
    const auto runs = replay(folder, execution_options(flags.threads, flags.quiet, invocation));
    for (const ReplayedRun& run : runs) differing += run.verdict == ReplayVerdict::differs;
    if (flags.json)
      json.push_back(replayed_json(folder, runs));
    else if (!flags.quiet)
      print_replayed(folder, runs);
    if (const int signal = pending_signal()) return static_cast<ExitCode>(128 + signal);
  }
  if (flags.json) print_json(json);
  flush_out();
  if (differing == 0) return ExitCode::ok;
  print_err("{} {} from {} record (exit code 6)\n",
            differing,
            differing == 1 ? "run differs" : "runs differ",
            differing == 1 ? "its" : "their");
  return ExitCode::differs;
}

}  // namespace

Command replay_verb(CLI::App& verb) { return command_of(verb, replay_runs); }

}  // namespace posse
