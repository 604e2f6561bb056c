// SPDX-License-Identifier: Apache-2.0
// A player closes a level as soon as the last message of it is there, while its own evaluations of
// the next level may be under way. That is as good as waiting until they are done: it decides the
// same, and what it sends leaves after its work.
#include <catch2/catch.hpp>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "actors/parallel/protocol.hpp"
#include "core/base/time.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_busy_players {
namespace {

constexpr TimerId kDone{1};

/// Counts the messages that come while its player evaluates; a patient one keeps them until then.
class Keeper final : public Role {
 public:
  Keeper(std::unique_ptr<Role> player, bool patient, std::size_t& met_busy)
      : player_(std::move(player)), patient_(patient), met_busy_(met_busy) {}

  void on_start(Reaction& reaction) override {
    player_->on_start(reaction);
    notice_work(reaction);
  }
  void on_message(const Message& message, Reaction& reaction) override {
    if (busy_) ++met_busy_;
    if (busy_ && patient_) {
      kept_.push_back(message);
      return;
    }
    hand_on(message, reaction);
  }
  void on_timer(TimerId, Reaction& reaction) override {
    busy_ = false;
    while (!kept_.empty() && !busy_) {
      const Message message = kept_.front();
      kept_.pop_front();
      hand_on(message, reaction);
    }
  }
  std::optional<Waiting> waiting() const override { return player_->waiting(); }

 private:
  void hand_on(const Message& message, Reaction& reaction) {
    player_->on_message(message, reaction);
    notice_work(reaction);
  }
  void notice_work(Reaction& reaction) {
    for (const Effect& effect : reaction.effects())
      busy_ = busy_ || std::holds_alternative<EvaluateEffect>(effect);
    if (busy_) reaction.set_timer_after_work(kDone);
  }

  std::unique_ptr<Role> player_;
  bool patient_;
  std::size_t& met_busy_;
  bool busy_ = false;
  std::deque<Message> kept_;
};

class Kept final : public Protocol {
 public:
  Kept(const Protocol& players, bool patient) : players_(players), patient_(patient) {}
  std::vector<NodeGroup> groups() const override { return players_.groups(); }
  std::unique_ptr<Role> make_role(NodeId node) const override {
    return std::make_unique<Keeper>(players_.make_role(node), patient_, met_busy_);
  }
  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    return players_.measurements(outcome);
  }
  Forecast forecast() const override { return players_.forecast(); }
  const Partition* partition() const override { return players_.partition(); }
  std::size_t met_busy() const { return met_busy_; }

 private:
  const Protocol& players_;
  bool patient_;
  mutable std::size_t met_busy_ = 0;  // one thread runs it
};

TEST_CASE("stragglers: a player that acts while it evaluates decides as one that waits does") {
  std::size_t met_busy = 0;
  for (const std::string exchange : {"mesh", "relay", "ring", "tree", "doubling", "gossip"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto problem = test::make_problem("garland", 6, 3000, Seed{seed});
      auto parameters = default_parameters(parallel_algorithm().parameters);
      parameters.set("exchange", exchange);
      test::Run run(parallel_algorithm(), parameters, 6, Seed{seed}, &problem);
      run.spec.network.links = {
          {.latency = UniformDuration{Duration::seconds(0.01), Duration::seconds(0.2)}}};
      run.spec.network.nodes = {{.nodes = "player-1", .straggler = 7.0},
                                {.nodes = "player-4", .straggler = 0.2}};
      run.spec.compute.evaluation = ConstantDuration{Duration::seconds(0.002)};
      const auto outcome = [&](bool patient) {
        const Kept protocol(*run.protocol, patient);
        auto spec = run.spec;
        spec.protocol = &protocol;
        const RunOutcome out = run_serial(spec).outcome;
        CHECK(out.early_decisions == 0);
        if (!patient) met_busy += protocol.met_busy();
        return out;
      };
      const RunOutcome hasty = outcome(false), patient = outcome(true);
      INFO(exchange << ", seed " << seed);
      REQUIRE(hasty.status == RunStatus::finished);
      REQUIRE(patient.status == RunStatus::finished);
      REQUIRE(hasty.rounds.size() == patient.rounds.size());
      REQUIRE(hasty.rounds.size() > 3);
      for (std::size_t i = 0; i < hasty.rounds.size(); ++i) {
        CHECK(hasty.rounds[i].best == patient.rounds[i].best);
        CHECK(hasty.rounds[i].active_cells == patient.rounds[i].active_cells);
        CHECK(hasty.rounds[i].kept_cells == patient.rounds[i].kept_cells);
        CHECK(hasty.rounds[i].steps == patient.rounds[i].steps);
      }
      CHECK(hasty.regret.cumulative == patient.regret.cumulative);
      CHECK(hasty.regret.simple == patient.regret.simple);
      CHECK(hasty.regret.recommendation == patient.regret.recommendation);
      CHECK(hasty.ingredients.accounts == patient.ingredients.accounts);
    }
  }
  CHECK(met_busy > 100);
}

}  // namespace
}  // namespace posse::test_busy_players
