// SPDX-License-Identifier: Apache-2.0
#include "program/fates/fates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "core/network/nodes.hpp"
#include "program/base/units.hpp"
#include "program/scenario/scenario_tree.hpp"

namespace posse {
namespace {

/// One thing that goes wrong: an entry of the list `[[network.drop]]` or `[[fault]]`.
struct Deviation {
  std::string kind;
  Time at;
  bool is_drop = false;
  Table entry;
};

struct Schedule {
  Value root;
  Time last{-1};  // when its last deviation begins
  std::uint32_t deviations = 0;
};

Array& list_in(Table& table, const std::string& key) {
  auto& value = table[key];
  if (value.array() == nullptr) value = array_value({});
  return std::get<Array>(value.data);
}

Schedule with(const Schedule& before, const Deviation& deviation) {
  Schedule schedule = before;
  schedule.last = deviation.at;
  ++schedule.deviations;
  auto& root = std::get<Table>(schedule.root.data);
  if (deviation.is_drop) {
    auto& network = root["network"];
    if (network.table() == nullptr) network = table_value({});
    list_in(std::get<Table>(network.data), "drop").push_back(table_value(deviation.entry));
  } else {
    list_in(root, "fault").push_back(table_value(deviation.entry));
  }
  return schedule;
}

Value nanoseconds(std::int64_t ns) { return text_value(fmt::format("{} ns", ns)); }
Value group_of(const std::string& name) { return array_value({text_value(name)}); }

/// What can go wrong in a run, in the order of time.
class Deviations {
 public:
  explicit Deviations(const Trial& trial)
      : trial_(trial),
        run_(trial.result.runs.front()),
        length_(std::max<std::int64_t>(1, run_.result.outcome.last_event.ns / 8)) {}

  std::vector<Deviation> all() && {
    for (const MessageRecord& message : run_.result.messages) {
      if (message.type == kAcknowledgement) continue;
      add_loss(message);
      add_delays(message);
    }
    add_crashes();
    std::stable_sort(found_.begin(), found_.end(), [](const Deviation& a, const Deviation& b) {
      return a.at < b.at;
    });
    return std::move(found_);
  }

 private:
  std::string name(NodeId node) const { return run_.start.names.name(node); }

  void add_loss(const MessageRecord& m) {
    // Listed losses apply to first transmissions.
    if (is_reliable(trial_.scenario) && !sent_.emplace(m.from, m.to, m.number).second) return;
    found_.push_back({"loss",
                      m.sent,
                      true,
                      {{"type", text_value(std::string(m.type))},
                       {"round", whole_value(m.round.value)},
                       {"from", text_value(name(m.from))},
                       {"to", text_value(name(m.to))},
                       {"transmission", whole_value(m.transmission)}}});
  }

  /// Delays of `m` past each of the next messages at its node that were on their way, too.
  void add_delays(const MessageRecord& m) {
    if (!m.arrived()) return;
    for (const MessageRecord& other : run_.result.messages) {
      if (other.to != m.to || other.from == m.from || !other.arrived() ||
          other.type == kAcknowledgement || other.delivered < m.delivered ||
          other.sent > m.delivered)
        continue;
      const std::int64_t longer = (other.delivered - m.delivered).ns + 1;
      if (!delayed_.emplace(m.sent, m.from, m.to, longer).second) continue;
      found_.push_back({"delay",
                        m.sent,
                        false,
                        {{"kind", text_value("clog")},
                         {"groups", array_value({group_of(name(m.from)), group_of(name(m.to))})},
                         {"one_way", boolean_value(true)},
                         {"at", nanoseconds(m.sent.ns)},
                         {"for", nanoseconds(longer)}}});
    }
  }

  void add_crashes() {
    std::set<std::pair<Time, NodeId>> moments;
    for (const MessageRecord& m : run_.result.messages) {
      moments.emplace(m.sent, m.from);
      if (m.arrived()) moments.emplace(m.delivered, m.to);
    }
    // Without messages: when something is observed.
    if (moments.empty())
      for (const RegretPoint& point : run_.result.regret_curve)
        for (std::uint32_t node = 0; node < run_.start.names.size(); ++node)
          moments.emplace(Time{} + Duration::seconds(point.virtual_s), NodeId{node});
    for (const auto& [at, node] : moments)
      for (const bool forgets : {false, true}) {
        if (forgets && !can_lose_state(node)) continue;
        Table entry{{"kind", text_value("crash")},
                    {"nodes", group_of(name(node))},
                    {"at", nanoseconds(at.ns)},
                    {"for", nanoseconds(length_)}};
        if (forgets) entry["state"] = text_value("lost");
        found_.push_back({forgets ? "crash, state lost" : "crash", at, false, std::move(entry)});
      }
  }
  bool can_lose_state(NodeId node) {
    if (!protocol_) {
      const AlgorithmEntry& entry = trial_.scenario.algorithms[run_.algorithm];
      workload_ = make_workload(trial_.scenario, entry, run_.repetition);
      protocol_ = make_protocol(trial_.scenario, entry, workload_, run_.repetition);
    }
    return protocol_->can_lose_state(node);
  }

  const Trial& trial_;
  const RunRecord& run_;
  const std::int64_t length_;  // of a crash, in ns
  Workload workload_;
  std::unique_ptr<Protocol> protocol_;
  std::vector<Deviation> found_;
  std::set<std::tuple<NodeId, NodeId, std::uint32_t>> sent_;
  std::set<std::tuple<Time, NodeId, NodeId, std::int64_t>> delayed_;
};

}  // namespace

FateReport every_fate(const std::string& text,
                      const FateOptions& options,
                      std::string_view property) {
  FateReport report;
  Diagnostics diagnostics;
  Schedule start{parse_toml(text, "scenario.toml", diagnostics)};
  report.mistakes = diagnostics.text();
  if (!report.mistakes.empty()) return report;
  std::set<std::uint64_t> fingerprints;
  std::vector<Schedule> level{std::move(start)}, next;
  const auto explore = [&](const Schedule& schedule, const std::string& kind) {
    const Trial trial = make_trial(toml_text(schedule.root));
    if (!trial.mistakes.empty() || trial.result.runs.empty()) {
      report.mistakes = trial.mistakes;
      return false;
    }
    ++report.schedules;
    report.reached = schedule.deviations;
    if (!kind.empty()) ++report.deviations[kind];
    ++report.ends[std::string(to_string(trial.result.runs.front().result.outcome.status))];
    if (fingerprints.insert(trial.result.runs.front().result.outcome.fingerprint).second)
      next.push_back(schedule);
    if (const auto violations = violations_of(trial, property); !violations.empty()) {
      report.violation = violations.front();
      report.counterexample = with_violation(violations.front(), trial.text);
    }
    return !report.violation && report.schedules < options.most;
  };
  bool goes_on = explore(level.front(), "");
  for (std::uint32_t depth = 1; goes_on && depth <= options.depth; ++depth) {
    level = std::exchange(next, {});
    for (std::size_t i = 0; goes_on && i < level.size(); ++i) {
      const Trial before = make_trial(toml_text(level[i].root));
      for (const Deviation& deviation : Deviations(before).all()) {
        if (deviation.at <= level[i].last) continue;
        goes_on = explore(with(level[i], deviation), deviation.kind);
        if (!goes_on) break;
      }
    }
  }
  report.complete = goes_on;
  report.outcomes = fingerprints.size();
  return report;
}

}  // namespace posse
