// SPDX-License-Identifier: Apache-2.0
#include "program/replay/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include "program/base/files.hpp"
#include "program/base/signals.hpp"
#include "program/replay/stored_scenario.hpp"
#include "program/results/results_json.hpp"

namespace posse {
namespace {

constexpr std::size_t kContext = 3;  // events before the parting

struct Folder {
  explicit Folder(const std::filesystem::path& path)
      : stored(path), scenario(stored_scenario(stored)) {}
  StoredRun stored;
  Scenario scenario;

  const std::string& label(std::size_t run) const {
    return stored.algorithms()[stored.runs()[run].algorithm].label;
  }
  RunRecord again(std::size_t run, const ExecutionOptions& options) const {
    return run_again_traced(stored, scenario, run, options);
  }
};

std::string seconds(Time time) { return fmt::format("{} s", time.to_seconds()); }

std::string fate_of(const MessageRecord& m) {
  if (m.arrived()) return fmt::format("{} at {}", to_string(m.outcome), seconds(m.delivered));
  if (m.outcome == MessageOutcome::dropped) return fmt::format("dropped ({})", to_string(m.cause));
  return "on the way at the end";
}

/// The messages of one of the two runs.
class Messages {
 public:
  explicit Messages(const RunRecord& run) : run_(run) {}

  std::size_t size() const { return all().size(); }
  const std::vector<MessageRecord>& all() const { return run_.result.messages; }
  std::string name(NodeId node) const { return run_.result.name_of(node); }
  std::string text(std::size_t i) const {
    if (i >= size()) return "";
    const MessageRecord& m = all()[i];
    return fmt::format("{}: {} of round {} from {} to {}, {} bytes, {}",
                       seconds(m.sent),
                       m.type,
                       m.round.value,
                       name(m.from),
                       name(m.to),
                       m.bytes,
                       fate_of(m));
  }

 private:
  const RunRecord& run_;
};

/// In which respects two messages differ; empty: in none.
std::string differences(const MessageRecord& a, const MessageRecord& b) {
  std::string names;
  const auto compare = [&](std::string_view name, bool equal) {
    if (!equal) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  };
  compare("time sent", a.sent == b.sent);
  compare("type", a.type == b.type);
  compare("round", a.round == b.round);
  compare("sender", a.from == b.from);
  compare("receiver", a.to == b.to);
  compare("transmission", a.transmission == b.transmission);
  compare("bytes", a.bytes == b.bytes);
  compare("content", a.content == b.content);
  compare("outcome", a.outcome == b.outcome && a.cause == b.cause);
  compare("time of arrival",
          a.arrived() != b.arrived() || !a.arrived() || a.delivered == b.delivered);
  return names;
}

bool same_message(const MessageRecord& a, const MessageRecord& b) {
  return a.type == b.type && a.round == b.round && a.from == b.from && a.to == b.to &&
         a.transmission == b.transmission;
}

/// The first message that differs.
std::optional<Parting> part_in_messages(const RunRecord& first, const RunRecord& second) {
  const Messages a(first), b(second);
  std::size_t i = 0;
  std::string differs;
  for (; i < std::min(a.size(), b.size()); ++i)
    if (differs = differences(a.all()[i], b.all()[i]); !differs.empty()) break;
  if (i == a.size() && i == b.size()) return std::nullopt;
  Parting parting;
  parting.number = i + 1;
  parting.differs = differs.empty() ? "one run sends nothing more" : differs;
  parting.first = a.text(i);
  parting.second = b.text(i);
  const bool first_is_earlier =
      i >= b.size() || (i < a.size() && a.all()[i].sent <= b.all()[i].sent);
  const Messages& earlier = first_is_earlier ? a : b;
  parting.virtual_s = earlier.all()[i].sent.to_seconds();
  parting.node = earlier.name(earlier.all()[i].from);
  if (i < a.size() && i < b.size() && !same_message(a.all()[i], b.all()[i])) {
    const auto same = std::find_if(b.all().begin() + static_cast<std::ptrdiff_t>(i),
                                   b.all().end(),
                                   [&](const auto& m) { return same_message(a.all()[i], m); });
    if (same != b.all().end())
      parting.elsewhere = b.text(static_cast<std::size_t>(same - b.all().begin()));
  }
  for (std::size_t j = i - std::min(i, kContext); j < i; ++j) parting.before.push_back(a.text(j));
  return parting;
}

std::string round_text(const RoundRecord& round) {
  const auto best =
      round.best ? fmt::format("({}, {})", round.best->depth, round.best->index) : "none";
  return fmt::format(
      "{}: round {} ends; best cell {}, {} active cells, {} kept, {} evaluations per client",
      seconds(round.ended),
      round.round.value,
      best,
      round.active_cells,
      round.kept_cells,
      round.steps);
}

/// The first result that differs, if the messages are the same.
std::optional<Parting> part_in_results(const RunRecord& first, const RunRecord& second) {
  const RunOutcome& a = first.result.outcome;
  const RunOutcome& b = second.result.outcome;
  Parting parting;
  for (std::size_t i = 0; i < std::max(a.rounds.size(), b.rounds.size()); ++i) {
    parting.first = i < a.rounds.size() ? round_text(a.rounds[i]) : "";
    parting.second = i < b.rounds.size() ? round_text(b.rounds[i]) : "";
    if (parting.first == parting.second) continue;
    parting.differs = "a round's result";
    parting.virtual_s = (i < a.rounds.size() ? a : b).rounds[i].ended.to_seconds();
    return parting;
  }
  const auto& curve = first.result.regret_curve;
  const auto& other = second.result.regret_curve;
  const auto point_text = [](const RegretPoint& p) {
    return fmt::format("{} s: {} {} after {} evaluations per client",
                       p.virtual_s,
                       p.metric,
                       p.value,
                       p.evaluations);
  };
  for (std::size_t i = 0; i < std::max(curve.size(), other.size()); ++i) {
    parting.first = i < curve.size() ? point_text(curve[i]) : "";
    parting.second = i < other.size() ? point_text(other[i]) : "";
    if (parting.first == parting.second) continue;
    parting.differs = "regret";
    parting.virtual_s = (i < curve.size() ? curve : other)[i].virtual_s;
    return parting;
  }
  parting.virtual_s = a.finished_at.to_seconds();
  parting.first =
      fmt::format("{}, fingerprint {}", to_string(a.status), hexadecimal(a.fingerprint));
  parting.second =
      fmt::format("{}, fingerprint {}", to_string(b.status), hexadecimal(b.fingerprint));
  if (a.status != b.status || a.fingerprint != b.fingerprint) {
    parting.differs = "the run's end";
    return parting;
  }
  if (first.results_hash == second.results_hash) return std::nullopt;
  parting.differs = "measurements or bounds";
  return parting;
}

/// Positions of runs to compare.
std::vector<std::pair<std::size_t, std::size_t>> runs_to_compare(const Folder& first,
                                                                 const Folder& second,
                                                                 const DiffOptions& options) {
  const bool single =
      first.stored.algorithms().size() == 1 && second.stored.algorithms().size() == 1;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t run = 0; run < first.stored.runs().size(); ++run) {
    const auto repetition = first.stored.runs()[run].repetition;
    if (!options.algorithm.empty() && first.label(run) != options.algorithm) continue;
    if (options.repetition && repetition != *options.repetition) continue;
    const auto& label = single ? second.stored.algorithms().front().label : first.label(run);
    if (const auto other = second.stored.find_run(label, repetition))
      pairs.emplace_back(run, *other);
  }
  return pairs;
}

}  // namespace

std::vector<RunDiff> diff_runs(const std::filesystem::path& first,
                               const std::filesystem::path& second,
                               const DiffOptions& options) {
  const Folder a(first), b(second);
  const auto pairs = runs_to_compare(a, b, options);
  if (pairs.empty())
    throw FileError(second, fmt::format("has no run in common with {}", first.string()));
  std::vector<RunDiff> diffs;
  for (const auto& [run_a, run_b] : pairs) {
    const RunRecord now_a = a.again(run_a, options.execution);
    const RunRecord now_b = b.again(run_b, options.execution);
    if (pending_signal() != 0) break;
    RunDiff diff;
    diff.first_algorithm = a.label(run_a);
    diff.second_algorithm = b.label(run_b);
    diff.repetition = a.stored.runs()[run_a].repetition;
    diff.messages = now_a.result.messages.size();
    for (const auto& [folder, run, now] :
         {std::tuple(&a, run_a, &now_a), std::tuple(&b, run_b, &now_b)})
      if (compare_with_record(folder->label(run), folder->stored.runs()[run], *now).verdict !=
          ReplayVerdict::equal)
        diff.unproven += fmt::format(
            "{}{}", diff.unproven.empty() ? "" : ", ", folder->stored.folder().string());
    diff.parting = part_in_messages(now_a, now_b);
    if (!diff.parting) diff.parting = part_in_results(now_a, now_b);
    diffs.push_back(std::move(diff));
  }
  return diffs;
}

}  // namespace posse
