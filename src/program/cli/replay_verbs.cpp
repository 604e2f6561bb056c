// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/cli/verbs.hpp"
#include "program/replay/diff.hpp"
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

void print_diff(const RunDiff& diff) {
  const auto label = diff.first_algorithm == diff.second_algorithm
                         ? diff.first_algorithm
                         : fmt::format("{} and {}", diff.first_algorithm, diff.second_algorithm);
  print_out("{}, repetition {}: ", label, diff.repetition);
  if (!diff.parting) {
    print_out("equal, {} messages\n", diff.messages);
  } else {
    const Parting& parting = *diff.parting;
    if (parting.number > 0)
      print_out("part at message {} of {}, at {} s, which {} sends; differs: {}\n",
                parting.number,
                diff.messages,
                parting.virtual_s,
                parting.node,
                parting.differs);
    else
      print_out("all {} messages are equal; differs, at {} s: {}\n",
                diff.messages,
                parting.virtual_s,
                parting.differs);
    const auto or_nothing = [](const std::string& text) {
      return text.empty() ? "nothing more" : text;
    };
    for (const auto& event : parting.before) print_out("  both    {}\n", event);
    print_out("  first   {}\n", or_nothing(parting.first));
    print_out("  second  {}\n", or_nothing(parting.second));
    if (!parting.elsewhere.empty()) print_out("  second, later: {}\n", parting.elsewhere);
  }
  if (!diff.unproven.empty())
    print_out("  not what was recorded in {}: see `replay`\n", diff.unproven);
}

nlohmann::ordered_json diff_json(const RunDiff& diff) {
  nlohmann::ordered_json json{{"algorithms", {diff.first_algorithm, diff.second_algorithm}},
                              {"repetition", diff.repetition},
                              {"equal", !diff.parting.has_value()},
                              {"messages", diff.messages},
                              {"not_as_recorded", diff.unproven}};
  if (!diff.parting) return json;
  const Parting& parting = *diff.parting;
  json["parting"] = {{"message", parting.number},
                     {"virtual_s", parting.virtual_s},
                     {"node", parting.node},
                     {"differs", parting.differs},
                     {"first", parting.first},
                     {"second", parting.second},
                     {"elsewhere", parting.elsewhere},
                     {"before", parting.before}};
  return json;
}

}  // namespace

ExitCode diff_verb(const Arguments& arguments) {
  before_exit_by_signal(kill_all_line_processes);
  catch_signals();
  if (arguments.runs.size() != 2) {
    print_err("diff compares two run folders (exit code 2)\n");
    return ExitCode::usage;
  }
  DiffOptions options;
  options.algorithm = arguments.plot_algorithm;
  options.repetition = arguments.repetition;
  options.execution = execution_options(arguments);
  options.execution.run.only_repetition.reset();
  std::vector<RunDiff> diffs;
  try {
    diffs = diff_runs(arguments.runs[0], arguments.runs[1], options);
  } catch (const FileError& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
  if (const int signal = pending_signal()) return static_cast<ExitCode>(128 + signal);
  auto json = nlohmann::ordered_json::array();
  bool differ = false;
  for (const RunDiff& diff : diffs) {
    differ = differ || diff.parting;
    if (arguments.json)
      json.push_back(diff_json(diff));
    else if (!arguments.quiet)
      print_diff(diff);
  }
  if (arguments.json) print_out("{}\n", json.dump(2));
  return differ ? ExitCode::differs : ExitCode::ok;
}

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
      flush_out();
      print_err("{} (exit code 11)\n", problem.what());
      return ExitCode::files;
    }
    if (const int signal = pending_signal()) return static_cast<ExitCode>(128 + signal);
  }
  if (arguments.json) print_out("{}\n", json.dump(2));
  flush_out();
  if (differing == 0) return ExitCode::ok;
  print_err("{} {} from {} record (exit code 6)\n",
            differing,
            differing == 1 ? "run differs" : "runs differ",
            differing == 1 ? "its" : "their");
  return ExitCode::differs;
}

}  // namespace posse
