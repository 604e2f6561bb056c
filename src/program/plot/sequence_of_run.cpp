// SPDX-License-Identifier: Apache-2.0
#include "program/plot/sequence_of_run.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/replay/replay.hpp"
#include "program/replay/stored_scenario.hpp"
#include "program/scenario/catalog.hpp"

namespace posse {
namespace {

std::optional<std::pair<std::uint32_t, std::uint32_t>> parse_rounds(std::string_view text) {
  const auto dots = text.find("..");
  const auto first = parse_number<std::uint32_t>(text.substr(0, dots));
  const auto last = dots == text.npos ? first : parse_number<std::uint32_t>(text.substr(dots + 2));
  if (!first || !last || *last < *first) return std::nullopt;
  return std::pair(*first, *last);
}

/// As the page has them: of all runs, in the order of the algorithms.
std::vector<std::string_view> sent_types(const StoredRun& stored, const Scenario& scenario) {
  std::set<std::string, std::less<>> sent;
  for (const auto& run : stored.runs())
    for (const auto& account : run.results.objects("ledger")) sent.insert(account.text("type"));
  std::vector<const AlgorithmSpec*> specs;
  for (const auto& entry : scenario.algorithms) specs.push_back(entry.spec);
  auto types = message_types(specs);
  std::erase_if(types, [&](std::string_view type) { return !sent.contains(type); });
  return types;
}

}  // namespace

Parsed<SequenceSelection> parse_selection(const std::string& from,
                                          const std::string& until,
                                          const std::string& rounds) {
  SequenceSelection selection;
  for (const auto& [flag, text, time] : {std::tuple("--from", &from, &selection.from),
                                         std::tuple("--until", &until, &selection.until)}) {
    if (text->empty()) continue;
    const auto parsed = parse_duration(*text);
    if (!parsed.value)
      return {{},
              fmt::format("{} '{}': {}; allowed: {}", flag, *text, parsed.problem, kDurationUnits)};
    *time = Time{} + *parsed.value;
  }
  if (rounds.empty()) return {selection, ""};
  if (selection.from || selection.until)
    return {{}, "--rounds and --from or --until exclude each other"};
  selection.rounds = parse_rounds(rounds);
  if (!selection.rounds)
    return {
        {},
        fmt::format("--rounds '{}' is neither a round (3) nor a range of rounds (2..5)", rounds)};
  return {selection, ""};
}

Sequence sequence_of_run(const std::filesystem::path& folder,
                         const SequenceOfRun& options,
                         const std::string& subtitle) {
  const StoredRun stored(folder);
  const Scenario scenario = stored_scenario(stored);
  const auto& label =
      options.algorithm.empty() ? stored.algorithms().front().label : options.algorithm;
  const auto run = stored.find_run(label, options.repetition);
  if (!run)
    throw FileError(stored.folder(),
                    fmt::format("has no run of '{}' in repetition {}", label, options.repetition));
  const RunRecord again = run_again_traced(stored, scenario, *run, options.execution);
  auto note = subtitle;
  if (compare_with_record(label, stored.runs()[*run], again).verdict == ReplayVerdict::differs)
    note += " (not as recorded: see `posse replay`)";
  auto sequence =
      sequence_of(sequence_parts(again.result, scenario.network.transport),
                  options.selection,
                  fmt::format("Messages of {}, repetition {}", label, options.repetition),
                  note);
  for (const auto type : sent_types(stored, scenario)) sequence.types.emplace_back(type);
  return sequence;
}

}  // namespace posse
