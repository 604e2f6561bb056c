// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/replay/diff.hpp"

namespace posse {
namespace {

struct DiffFlags {
  std::vector<std::string> runs;
  std::string algorithm;
  std::optional<std::uint32_t> repetition;
  ThreadFlags threads;
  bool json = false, quiet = false;

  void add_to(CLI::App& verb) {
    add_external_flag(verb);
    verb.add_option("RUN", runs, "two run folders, or directories that contain `latest`")
        ->required()
        ->expected(2);
    verb.add_option("--algorithm", algorithm, "compare only this algorithm (a label)");
    verb.add_option("--repetition", repetition, "compare only this repetition, counted from 0");
    threads.add_to(verb);
    verb.add_flag("--json", json, "print the differences as JSON");
    verb.add_flag("--quiet", quiet, "print nothing but errors");
  }
};

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

Json diff_json(const RunDiff& diff) {
  Json json{{"algorithms", {diff.first_algorithm, diff.second_algorithm}},
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

ExitCode show_differences(const DiffFlags& flags, const Invocation& invocation) {
  catch_signals();
  if (flags.runs.size() != 2) {
    print_err("diff compares two run folders (exit code 2)\n");
    return ExitCode::usage;
  }
  DiffOptions options;
  options.algorithm = flags.algorithm;
  options.repetition = flags.repetition;
  options.execution = execution_options(flags.threads, flags.quiet, invocation);
  const auto diffs = diff_runs(flags.runs[0], flags.runs[1], options);
  if (const int signal = pending_signal()) return static_cast<ExitCode>(128 + signal);
  auto json = Json::array();
  bool differ = false;
  for (const RunDiff& diff : diffs) {
    differ = differ || diff.parting;
    if (flags.json)
      json.push_back(diff_json(diff));
    else if (!flags.quiet)
      print_diff(diff);
  }
  if (flags.json) print_json(json);
  return differ ? ExitCode::differs : ExitCode::ok;
}

}  // namespace

Command diff_verb(CLI::App& verb) { return command_of(verb, show_differences); }

}  // namespace posse
