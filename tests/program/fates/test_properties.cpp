// SPDX-License-Identifier: Apache-2.0
// The properties of every run: they find what they are for, and nothing else.
#include <catch2/catch.hpp>
#include <string>

#include "program/fates/properties.hpp"

namespace posse::test_properties {
namespace {

const std::string kLossy = R"(
name = "lossy"
[[algorithm]]
kind = "fed-pne"
[population]
clients = 4
[objective]
kind = "garland"
[budget]
evaluations_per_client = 100
[network]
latency = "10 ms"
loss = 0.3
transport = "reliable"
)";

/// The names of the properties that a trial violates.
std::string violated_by(const Trial& trial) {
  std::string names;
  for (const auto& violation : violations_of(trial)) {
    UNSCOPED_INFO(violation.property << ": " << violation.what);
    names += violation.property + ";";
  }
  return names;
}

RunOutcome& outcome_of(Trial& trial) { return trial.result.runs.front().result.outcome; }

}  // namespace

TEST_CASE("a valid scenario with losses violates no property") {
  CHECK(violated_by(make_trial(kLossy)).empty());
}

TEST_CASE("a scenario that the reader rejects violates the first property only") {
  CHECK(violated_by(make_trial(kLossy + "rate = 3\n")) == "the reader accepts the scenario;");
}

TEST_CASE("a ledger that misses a copy violates the property of the ledger") {
  Trial trial = make_trial(kLossy);
  ++outcome_of(trial).accounts.front().delivered;
  CHECK(violations_of(trial, "the ledger balances and agrees with the trace").size() == 1);
  trial = make_trial(kLossy);
  trial.result.runs.front().result.messages.pop_back();
  CHECK(violations_of(trial, "the ledger balances and agrees with the trace").size() == 1);
  trial = make_trial(kLossy);
  ++outcome_of(trial).links.front().departed;
  CHECK(violations_of(trial, "the ledger balances and agrees with the trace").size() == 1);
}

TEST_CASE("a run that stalls although nothing was lost for good violates a property") {
  Trial trial = make_trial(kLossy);
  outcome_of(trial).status = RunStatus::stalled;
  outcome_of(trial).report = "client-3 waits";
  CHECK(violations_of(trial, "only what lost something for good stalls").size() == 1);
}

TEST_CASE("an evaluation or an answer that is counted twice violates a property") {
  Trial trial = make_trial(kLossy);
  outcome_of(trial).regret.max_evaluations = 101;
  CHECK(violations_of(trial, "no sample is counted twice").size() == 1);
  trial = make_trial(kLossy);
  ++outcome_of(trial).rounds.front().arrived;
  CHECK(violations_of(trial, "rounds count the answers that arrived").size() == 1);
}

TEST_CASE("a decision before the evaluations that it rests on are done violates a property") {
  Trial trial = make_trial(kLossy);
  ++outcome_of(trial).early_decisions;
  CHECK(violations_of(trial, "nothing is decided before the evaluations that it rests on are done")
            .size() == 1);
}

TEST_CASE("another decision violates a property") {
  Trial trial = make_trial(kLossy);
  outcome_of(trial).regret.cumulative += 1e-12;
  CHECK(violations_of(trial, "faults change no decision").size() == 1);
}

namespace {

/// Fed-PNE that says that order decides nothing.
class Careless final : public Protocol {
 public:
  explicit Careless(std::unique_ptr<Protocol> inner) : inner_(std::move(inner)) {}
  std::vector<NodeGroup> groups() const override { return inner_->groups(); }
  std::unique_ptr<Role> make_role(NodeId node) const override { return inner_->make_role(node); }
  std::vector<Measurement> measurements(const RunOutcome& out) const override {
    return inner_->measurements(out);
  }
  Forecast forecast() const override { return inner_->forecast(); }
  const Partition* partition() const override { return inner_->partition(); }
  std::string_view why_order_matters(NodeId) const override { return {}; }

 private:
  std::unique_ptr<Protocol> inner_;
};

}  // namespace

TEST_CASE(
    "a role that depends on the order of equal times and does not say so violates a property") {
  constexpr auto kProperty = "equal times decide nothing unless the protocol says so";
  std::string text = kLossy;
  text.replace(text.find("loss = 0.3"), 10, "loss = 0");
  text += R"([server]
policy = "quorum"
quorum = 2
)";
  Trial trial = make_trial(text);
  REQUIRE(trial.mistakes.empty());
  CHECK(violations_of(trial, kProperty).empty());

  AlgorithmSpec careless = *trial.scenario.algorithms.front().spec;
  careless.make = [make = careless.make](const Parameters& parameters,
                                         const ProtocolContext& context) {
    return std::make_unique<Careless>(make(parameters, context));
  };
  trial.scenario.algorithms.front().spec = &careless;
  trial.result = run_on(Kernel::serial, trial.scenario);
  CHECK(violations_of(trial, kProperty).size() == 1);
}

}  // namespace posse::test_properties
