// SPDX-License-Identifier: Apache-2.0
#include "program/results/recorded_actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/csv.hpp"
#include "core/base/overload.hpp"
#include "core/network/nodes.hpp"
#include "core/sim/recording.hpp"
#include "program/base/files.hpp"
#include "program/base/gzip_file.hpp"
#include "program/base/gzip_lines.hpp"

namespace posse {
namespace {

constexpr std::string_view kActionsHeader =
    "algorithm,repetition,action,node,peer,count,number,round,type,bytes,values,content";
constexpr std::size_t kActionCells = 12;

/// Writes the actions of one run.
class ActionWriter {
 public:
  ActionWriter(GzipFile& out, std::string run, const AlgorithmSpec& algorithm)
      : out_(out), run_(std::move(run)), algorithm_(algorithm) {}

  void write(const RecordedRun& run) {
    if (!run.obstacle.empty()) {
      row("obstacle,,,,,,{},,,", run.obstacle);
      return flush();
    }
    row("topology,,,,,,{},,,", to_string(run.topology));
    for (const NodeGroup& group : run.groups) {
      const auto number = group.numbered ? fmt::format("{}", group.first_number) : "";
      row("group,,,{},{},,{},,,", group.size, number, group.name);
    }
    const NodeNames names(run.groups);
    for (std::uint32_t i = 0; i < run.nodes.size(); ++i) {
      const auto node = names.name({i});
      for (const RecordedAction& action : run.nodes[i].actions) write(node, action, names);
      if (run.nodes[i].waits) row("wait,{},,,,,,,,", node);
    }
    flush();
  }

 private:
  template <class... Values>
  void row(fmt::format_string<Values...> format, Values&&... values) {
    text_ += run_;
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '\n';
    if (text_.size() > 1 << 16) flush();
  }
  void flush() {
    out_.write(text_);
    text_.clear();
  }

  void write(const std::string& node, const RecordedAction& action, const NodeNames& names) {
    std::visit(
        Overload{
            [&](const RecordedAwait& await) {
              row("{},{},{},,{},,,,,",
                  await.needed ? "await" : "hear",
                  node,
                  names.name(await.from),
                  await.number);
            },
            [&](const RecordedSend& send) {
              row("send,{},{},{},,{},{},{},{},{:016x}",
                  node,
                  names.name(send.first),
                  send.count,
                  send.round.value,
                  algorithm_.messages[send.type]->name,
                  send.bytes,
                  send.values,
                  send.hash);
            },
            [&](const EvaluateEffect& evaluate) {
              row("evaluate,{},,{},,,,,,", node, evaluate.count);
            },
            [&](const WorkEffect& work) { row("work,{},,{},,,,,,", node, work.duration.ns); },
            [&](const RoundBegan& began) { row("begin,{},,,,{},,,,", node, began.round.value); },
            [&](const RecordedRoundEnd& end) {
              row("end,{},{},{},{},{},,,,",
                  node,
                  end.first_asked ? names.name(*end.first_asked) : "",
                  end.answers,
                  end.steps,
                  end.round.value);
            },
            [&](const FinishEffect&) { row("finish,{},,,,,,,,", node); }},
        action);
  }

  GzipFile& out_;
  std::string run_;  // the first two cells
  const AlgorithmSpec& algorithm_;
  std::string text_;
};

/// Reads the file row by row; checks all that a recorded run relies on.
class ActionReader {
 public:
  ActionReader(const StoredRun& stored, const Scenario& scenario)
      : stored_(stored),
        scenario_(scenario),
        path_(stored.folder() / "actions.csv.gz"),
        lines_(path_),
        runs_(stored.runs().size()) {
    for (auto& run : runs_) run.obstacle = "the record lacks it";
    if (!lines_.next(line_) || line_ != kActionsHeader)
      fail(fmt::format("does not begin with '{}'", kActionsHeader));
  }

  std::vector<RecordedRun> read() {
    while (lines_.next(line_)) {
      split();
      if (cells_[0] != label_ || cells_[1] != repetition_) begin_run();
      if (run_ != nullptr) read_row();
    }
    end_run();
    return std::move(runs_);
  }

 private:
  enum Cell {
    kAction = 2,
    kNode,
    kPeer,
    kCount,
    kNumber,
    kRound,
    kType,
    kBytes,
    kValues,
    kContent
  };

  [[noreturn]] void fail(std::string_view problem) const {
    throw FileError(path_, fmt::format("line {}: {}", lines_.line(), problem));
  }

  void split() {
    std::string_view rest = line_;
    for (std::size_t i = 0; i < kActionCells; ++i) {
      const auto comma = rest.find(',');
      if ((comma == std::string_view::npos) != (i + 1 == kActionCells))
        fail(fmt::format("does not have {} cells", kActionCells));
      cells_[i] = rest.substr(0, comma);
      rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
  }

  void begin_run() {
    end_run();
    label_ = cells_[0];
    repetition_ = cells_[1];
    const auto repetition = parse_number<std::uint32_t>(repetition_);
    if (!repetition) fail("'repetition' is not a whole number");
    const auto found = stored_.find_run(label_, *repetition);
    if (!found) return;
    run_ = &runs_[*found];
    if (run_->obstacle.empty() || !run_->nodes.empty()) fail("the run appears twice");
    run_->obstacle.clear();
    const auto entry = std::find_if(scenario_.algorithms.begin(),
                                    scenario_.algorithms.end(),
                                    [&](const AlgorithmEntry& e) { return e.label == label_; });
    if (entry == scenario_.algorithms.end()) fail("the scenario lacks this algorithm");
    evaluations_ = static_cast<std::uint64_t>(expected_evaluations(scenario_, *entry));
    types_.clear();
    for (const MessageType* type : entry->spec->messages)
      types_.emplace(type->name, static_cast<std::uint16_t>(types_.size()));
  }

  void end_run() {
    if (run_ != nullptr && run_->obstacle.empty() && run_->nodes.empty())
      fail("the run before has neither nodes nor an obstacle");
    run_ = nullptr;
    nodes_.clear();
  }

  void read_row() {
    const std::string_view action = cells_[kAction];
    if (action == "obstacle") {
      run_->obstacle = cells_[kType];
    } else if (action == "topology") {
      read_topology();
    } else if (action == "group") {
      read_group();
    } else {
      RecordedNode& node = run_->nodes[node_of(kNode).value];
      if (action == "wait")
        node.waits = true;
      else
        node.actions.push_back(read_action(action));
    }
  }

  void read_topology() {
    const auto topology = topology_named(cells_[kType]);
    if (!topology) fail("'type' is not a topology");
    run_->topology = *topology;
  }

  void read_group() {
    NodeGroup group;
    group.name = cells_[kType];
    group.size = number<std::uint32_t>(kCount, kMostNodesWithPaths);
    group.numbered = !cells_[kNumber].empty();
    if (group.numbered) group.first_number = number<std::uint32_t>(kNumber, kMostNodesWithPaths);
    if (!group.numbered && group.size != 1) fail("a group without numbers is one node");
    if (run_->nodes.size() + group.size > kMostNodesWithPaths) fail("there are too many nodes");
    const NodeNames names({group});
    for (std::uint32_t i = 0; i < group.size; ++i) {
      const auto id = static_cast<std::uint32_t>(run_->nodes.size());
      if (!nodes_.emplace(names.name({i}), NodeId{id}).second) fail("a node appears twice");
      run_->nodes.emplace_back();
    }
    run_->groups.push_back(std::move(group));
  }

  RecordedAction read_action(std::string_view action) {
    if (action == "await" || action == "hear")
      return RecordedAwait{node_of(kPeer), number<std::uint32_t>(kNumber), action == "await"};
    if (action == "send") return read_send();
    if (action == "evaluate") return EvaluateEffect{number<std::uint64_t>(kCount, evaluations_)};
    if (action == "work")
      return WorkEffect{Duration{static_cast<std::int64_t>(number<std::uint64_t>(kCount, kMost))}};
    if (action == "begin") return RoundBegan{Round{number<std::uint32_t>(kRound)}};
    if (action == "end") {
      RecordedRoundEnd end{Round{number<std::uint32_t>(kRound)},
                           number<std::uint64_t>(kNumber, kMost),
                           number<std::uint32_t>(kCount),
                           std::nullopt};
      if (!cells_[kPeer].empty()) {
        end.first_asked = node_of(kPeer);
        end_of_peers(*end.first_asked, end.answers);
      }
      return end;
    }
    if (action == "finish") return FinishEffect{};
    fail("'action' is unknown");
  }

  /// The id after the last of `count` nodes from `first`, which must exist.
  std::uint64_t end_of_peers(NodeId first, std::uint32_t count) const {
    const std::uint64_t end = std::uint64_t{first.value} + count;
    if (end > run_->nodes.size()) fail_count();
    return end;
  }
  [[noreturn]] void fail_count() const { fail("'count' does not fit 'peer'"); }

  RecordedSend read_send() {
    RecordedSend send;
    const NodeId self = node_of(kNode);
    send.first = node_of(kPeer);
    send.count = number<std::uint32_t>(kCount);
    const std::uint64_t end = end_of_peers(send.first, send.count);
    if (send.count == 0 || (self.value >= send.first.value && self.value < end)) fail_count();
    send.round = Round{number<std::uint32_t>(kRound)};
    const auto type = types_.find(cells_[kType]);
    if (type == types_.end()) fail("'type' is not a message of the algorithm");
    send.type = type->second;
    send.bytes = number<std::uint64_t>(kBytes, kMost);
    send.values = number<std::uint64_t>(kValues, kMost);
    const std::string_view hash = cells_[kContent];
    const auto [last, error] =
        std::from_chars(hash.data(), hash.data() + hash.size(), send.hash, 16);
    if (error != std::errc{} || last != hash.data() + hash.size())
      fail("'content' is not a hexadecimal number");
    return send;
  }

  template <class Number>
  Number number(Cell cell, Number most = std::numeric_limits<Number>::max()) const {
    const auto value = parse_number<Number>(cells_[cell]);
    if (!value || *value > most)
      fail(fmt::format("cell {} is not a number of its range", cell + 1));
    return *value;
  }
  NodeId node_of(Cell cell) const {
    name_ = cells_[cell];
    const auto node = nodes_.find(name_);
    if (node == nodes_.end()) fail(fmt::format("cell {} is not the name of a node", cell + 1));
    return node->second;
  }

  static constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  const StoredRun& stored_;
  const Scenario& scenario_;
  std::filesystem::path path_;
  GzipLines lines_;
  std::string line_, label_, repetition_;
  mutable std::string name_;
  std::array<std::string_view, kActionCells> cells_;  // of line_
  std::vector<RecordedRun> runs_;
  RecordedRun* run_ = nullptr;     // the present one, if results.json has it
  std::uint64_t evaluations_ = 0;  // that all of its clients can make
  std::unordered_map<std::string, NodeId> nodes_;
  std::unordered_map<std::string_view, std::uint16_t> types_;
};

}  // namespace

void write_actions(const std::filesystem::path& path,
                   const Scenario& scenario,
                   const ScenarioResult& result) {
  GzipFile out(path);
  out.write(kActionsHeader);
  out.write("\n");
  for (const RunRecord& run : result.runs) {
    if (!run.result.recorded) continue;
    const AlgorithmEntry& entry = scenario.algorithms[run.algorithm];
    ActionWriter(out, fmt::format("{},{},", entry.label, run.repetition), *entry.spec)
        .write(*run.result.recorded);
  }
  out.close();
}

std::vector<RecordedRun> read_actions(const StoredRun& stored, const Scenario& scenario) {
  return ActionReader(stored, scenario).read();
}

}  // namespace posse
