// SPDX-License-Identifier: Apache-2.0
#include "program/replay/inspection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "core/domain/partition.hpp"
#include "program/base/files.hpp"
#include "program/replay/stored_scenario.hpp"

namespace posse {
namespace {

struct Decision {
  NodeId node;
  Time at;
  RoundEnded ended;
};
struct Heard {
  NodeId from;
  Payload payload;
};

/// What was heard during a run.
struct Tape {
  std::optional<Round> round;                  // keep this round's messages
  std::vector<Decision> decisions;             // of rounds that compare cells
  std::map<NodeId, std::vector<Heard>> heard;  // by receiver
};

/// A role, and what it hears and decides.
class TapedRole final : public Role {
 public:
  TapedRole(std::unique_ptr<Role> role, Tape& tape) : role_(std::move(role)), tape_(&tape) {}

  void on_start(Reaction& reaction) override {
    role_->on_start(reaction);
    note(reaction);
  }
  void on_message(const Message& message, Reaction& reaction) override {
    if (message.round == tape_->round)
      tape_->heard[reaction.self()].push_back({message.from, message.payload});
    role_->on_message(message, reaction);
    note(reaction);
  }
  void on_timer(TimerId timer, Reaction& reaction) override {
    role_->on_timer(timer, reaction);
    note(reaction);
  }
  void on_restart(Reaction& reaction) override {
    role_->on_restart(reaction);
    note(reaction);
  }
  std::optional<Waiting> waiting() const override { return role_->waiting(); }
  std::uint32_t messages_before_finish() const override { return role_->messages_before_finish(); }

 private:
  void note(const Reaction& reaction) {
    for (const ObservationRecord& record : reaction.observations())
      if (const auto* ended = std::get_if<RoundEnded>(&record.observation);
          ended && !ended->cells.empty())
        tape_->decisions.push_back({reaction.self(), reaction.now(), *ended});
  }

  std::unique_ptr<Role> role_;
  Tape* tape_;
};

class TapedProtocol final : public Protocol {
 public:
  TapedProtocol(const Protocol& protocol, Tape& tape) : protocol_(&protocol), tape_(&tape) {}

  std::vector<NodeGroup> groups() const override { return protocol_->groups(); }
  std::unique_ptr<Role> make_role(NodeId node) const override {
    return std::make_unique<TapedRole>(protocol_->make_role(node), *tape_);
  }
  bool can_lose_state(NodeId node) const override { return protocol_->can_lose_state(node); }
  std::unique_ptr<Role> make_role_anew(NodeId node, std::uint64_t evaluations) const override {
    return std::make_unique<TapedRole>(protocol_->make_role_anew(node, evaluations), *tape_);
  }
  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    return protocol_->measurements(outcome);
  }
  Forecast forecast() const override { return protocol_->forecast(); }
  bool several_evaluators() const override { return protocol_->several_evaluators(); }
  bool waits_for_all() const override { return protocol_->waits_for_all(); }
  std::string_view why_order_matters(NodeId node) const override {
    return protocol_->why_order_matters(node);
  }
  std::string_view why_timers_decide_early() const override {
    return protocol_->why_timers_decide_early();
  }
  const Partition* partition() const override { return protocol_->partition(); }
  ComparisonFacts comparison_facts() const override { return protocol_->comparison_facts(); }
  std::optional<Topology> topology() const override { return protocol_->topology(); }

 private:
  const Protocol* protocol_;
  Tape* tape_;
};

std::vector<double> numbers_of(const Payload& payload) {
  std::vector<double> numbers;
  payload.type().map(payload, [&](double x) {
    numbers.push_back(x);
    return x;
  });
  return numbers;
}

/// A run of a folder, to be run again.
class Inspector {
 public:
  Inspector(const std::filesystem::path& folder, const InspectOptions& options)
      : stored_(folder),
        scenario_(stored_scenario(stored_)),
        options_(options),
        entry_(entry()),
        workload_(make_workload(scenario_, entry_, options.repetition)),
        protocol_(make_protocol(scenario_, entry_, workload_, options.repetition)) {}

  Inspection inspect() {
    Tape first;
    play(first);
    if (protocol_->partition() == nullptr || workload_.problem == nullptr ||
        first.decisions.empty())
      throw std::invalid_argument(fmt::format("no round of {} compares cells", entry_.label));
    const Decision& decision = chosen(first);
    Tape tape;
    tape.round = decision.ended.round;
    const SimulationResult result = play(tape);
    Inspection inspection = described(decision, first);
    fill_in_contributions(decision, tape, result, inspection);
    return inspection;
  }

 private:
  const AlgorithmEntry& entry() const {
    for (const AlgorithmEntry& entry : scenario_.algorithms)
      if (options_.algorithm.empty() || entry.label == options_.algorithm) {
        if (stored_.find_run(entry.label, options_.repetition)) return entry;
        throw std::invalid_argument(fmt::format(
            "the folder has no run of '{}' in repetition {}", entry.label, options_.repetition));
      }
    std::vector<std::string> labels;
    for (const AlgorithmEntry& entry : scenario_.algorithms) labels.push_back(entry.label);
    throw std::invalid_argument(fmt::format("the folder has no algorithm '{}'; it has {}",
                                            options_.algorithm,
                                            fmt::join(labels, ", ")));
  }

  SimulationResult play(Tape& tape) const {
    const TapedProtocol taped(*protocol_, tape);
    auto spec = make_simulation(scenario_, entry_, workload_, taped, options_.repetition);
    spec.trace_messages = tape.round.has_value();
    auto result = run_serial(spec);
    if (result.outcome.status == RunStatus::failed) throw std::runtime_error(result.outcome.report);
    return result;
  }

  std::optional<std::size_t> optimum_in(const RoundEnded& ended) const {
    const CertifiedMaximum& maximum = workload_.problem->mean_maximum();
    if (maximum.conventional) return std::nullopt;
    const auto& cells = ended.cells;
    const Cell optimum = protocol_->partition()->locate(cells.front().cell.depth, maximum.point);
    const auto it = std::find_if(cells.begin(), cells.end(), [&](const JudgedCell& judged) {
      return judged.cell == optimum;
    });
    return it == cells.end() ? std::nullopt
                             : std::optional(static_cast<std::size_t>(it - cells.begin()));
  }
  bool eliminates_optimum(const RoundEnded& ended) const {
    const auto optimum = optimum_in(ended);
    return optimum && !ended.cells[*optimum].kept;
  }

  const Decision& chosen(const Tape& tape) const {
    const auto& all = tape.decisions;
    if (!options_.round) {
      const auto it = std::find_if(all.begin(), all.end(), [&](const Decision& decision) {
        return eliminates_optimum(decision.ended);
      });
      return it == all.end() ? all.back() : *it;
    }
    for (const Decision& decision : all)
      if (decision.ended.round.value == *options_.round) return decision;
    throw std::invalid_argument(fmt::format("no round {} compares cells; rounds {} to {} do",
                                            *options_.round,
                                            all.front().ended.round.value,
                                            all.back().ended.round.value));
  }

  Inspection described(const Decision& decision, const Tape& tape) const {
    const RoundEnded& ended = decision.ended;
    Inspection inspection;
    inspection.algorithm = entry_.label;
    inspection.repetition = options_.repetition;
    inspection.round = ended.round.value;
    inspection.ended_virtual_s = decision.at.to_seconds();
    inspection.node = NodeNames(protocol_->groups()).name(decision.node);
    inspection.pulls_per_cell = ended.pulls_per_cell;
    inspection.answers = ended.arrived;
    inspection.expected_answers = ended.expected;
    inspection.threshold = ended.threshold;
    for (const JudgedCell& judged : ended.cells) {
      if (judged.cell == ended.best) inspection.best = inspection.cells.size();
      inspection.cells.push_back(
          {judged.cell,
           judged.mean,
           judged.kept,
           workload_.problem->mean(protocol_->partition()->point(judged.cell))});
    }
    inspection.optimum = optimum_in(ended);
    if (!inspection.optimum)
      for (const Decision& earlier : tape.decisions)
        if (earlier.ended.round.value < ended.round.value && eliminates_optimum(earlier.ended))
          inspection.eliminated = earlier.ended.round.value;
    inspection.looked_at = inspection.optimum.value_or(inspection.best);
    return inspection;
  }

  void fill_in_contributions(const Decision& decision,
                             const Tape& tape,
                             const SimulationResult& result,
                             Inspection& inspection) const {
    const RoundEnded& ended = decision.ended;
    const auto point = protocol_->partition()->point(ended.cells[inspection.looked_at].cell);
    const NodeNames names(protocol_->groups());
    const auto clients = static_cast<std::uint32_t>(workload_.problem->clients());
    const std::uint32_t first_client = names.size() - clients;
    const auto heard = tape.heard.find(decision.node);
    for (std::uint32_t client = 0; client < clients; ++client) {
      const NodeId node{first_client + client};
      Contribution contribution;
      contribution.node = names.name(node);
      contribution.expected = workload_.problem->local(client, point);
      if (heard != tape.heard.end())
        for (const Heard& message : heard->second) {
          if (message.from != node) continue;
          const auto numbers = numbers_of(message.payload);
          if (numbers.size() == ended.cells.size())
            contribution.mean = numbers[inspection.looked_at];
        }
      if (std::find(ended.late.begin(), ended.late.end(), node) != ended.late.end()) {
        contribution.missing = why_missing(decision, node, result);
        contribution.mean.reset();
      }
      inspection.contributions.push_back(std::move(contribution));
    }
    fill_in_missing(decision, inspection);
    for (const MessageRecord& m : result.messages)
      if (m.round == ended.round && m.sent <= decision.at &&
          (m.arrived() ? m.delivered > decision.at : m.outcome == MessageOutcome::in_flight))
        inspection.on_the_way.push_back(
            fmt::format("{} from {} to {}, sent at {} s, {}",
                        m.type,
                        result.name_of(m.from),
                        result.name_of(m.to),
                        m.sent.to_seconds(),
                        m.arrived() ? fmt::format("arrives at {} s", m.delivered.to_seconds())
                                    : "on the way at the end"));
  }

  void fill_in_missing(const Decision& decision, Inspection& inspection) const {
    const RoundEnded& ended = decision.ended;
    std::vector<std::uint32_t> missing;  // clients
    for (std::uint32_t client = 0; client < inspection.contributions.size(); ++client)
      if (!inspection.contributions[client].missing.empty()) missing.push_back(client);
    if (missing.empty() || !ended.threshold || !inspection.optimum) return;
    std::vector<double> means;
    for (const JudgedCell& judged : ended.cells) {
      const auto point = protocol_->partition()->point(judged.cell);
      double sum = judged.mean * ended.arrived;
      for (const auto client : missing) sum += workload_.problem->local(client, point);
      means.push_back(sum / static_cast<double>(ended.arrived + missing.size()));
    }
    const double margin = inspection.cells[inspection.best].mean - *ended.threshold;
    inspection.with_missing = {means[*inspection.optimum],
                               *std::max_element(means.begin(), means.end()) - margin};
  }

  /// The first message between the two nodes in this round that was not there in time.
  std::string why_missing(const Decision& decision,
                          NodeId node,
                          const SimulationResult& result) const {
    std::string last = "it sent nothing";
    for (const MessageRecord& m : result.messages) {
      if (m.round != decision.ended.round) continue;
      const bool between =
          (m.from == node && m.to == decision.node) || (m.to == node && m.from == decision.node);
      if (!between) continue;
      if (m.outcome == MessageOutcome::dropped)
        return fmt::format(
            "{} from {} was dropped ({})", m.type, result.name_of(m.from), to_string(m.cause));
      if (m.arrived() && m.from == node)
        last = fmt::format("{} arrived {} s after the round's end",
                           m.type,
                           (m.delivered - decision.at).to_seconds());
      else if (!m.arrived())
        last = fmt::format("{} was still on the way at the end", m.type);
    }
    return last;
  }

  StoredRun stored_;
  Scenario scenario_;
  InspectOptions options_;
  const AlgorithmEntry& entry_;
  Workload workload_;
  std::unique_ptr<Protocol> protocol_;
};

}  // namespace

Inspection inspect_round(const std::filesystem::path& folder, const InspectOptions& options) {
  return Inspector(folder, options).inspect();
}

}  // namespace posse
