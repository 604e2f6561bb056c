// The server's and the client's role of Fed1-UCB and Fed2-UCB; what they do is described in
// fed_ucb.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/domain/cell.hpp"
#include "core/exchange/gather.hpp"
#include "core/learner/arm_points.hpp"
#include "core/objective/problem.hpp"
#include "core/role/message.hpp"
#include "core/role/policy.hpp"
#include "core/role/role.hpp"

namespace posse {

/// What all nodes of a run share.
struct FedUcbSetup {
  const Problem* problem;
  ArmPoints arms;
  std::uint32_t clients;          // M
  std::uint64_t budget;           // T
  std::uint64_t pulls_per_phase;  // f
  double sigma;
  double sigma_c;  // Fed2-UCB
  bool joining;    // Fed2-UCB: clients join phase by phase
  Policy policy;
};

class FedUcbServer final : public Role {
 public:
  /// `setup` must outlive the server.
  explicit FedUcbServer(const FedUcbSetup& setup);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  void on_timer(TimerId timer, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  /// Clients that are in from this phase on.
  void admit(Round phase);
  void begin_phase(Reaction& reaction);
  void send_plan(Round phase, std::uint64_t pulls, Reaction& reaction) const;
  void close_if_ready(Reaction& reaction);
  void eliminate(Reaction& reaction);
  double radius() const;
  void recommend(Reaction& reaction) const;

  const FedUcbSetup* setup_;
  Gather gather_;
  std::vector<std::uint32_t> active_;  // ascending
  std::uint32_t members_ = 0;          // M(p)
  std::vector<std::uint64_t> joined_;  // g(1) … g(p)
  std::uint64_t steps_ = 0;            // t
  std::uint32_t best_ = 1;             // of the last complete phase; arm 1 before
  std::vector<Payload> uploads_;       // ArmMeans of this phase, by client
};

class FedUcbClient final : public Role {
 public:
  /// Client number `client`, from 0. `setup` must outlive the client.
  FedUcbClient(const FedUcbSetup& setup, std::uint32_t client);

  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  void play(const Message& message,
            std::uint32_t phase,
            std::uint64_t pulls,
            std::span<const std::uint32_t> arms,
            Reaction& reaction);
  /// The next `count` rewards of an arm.
  void pull(std::uint32_t arm, std::uint64_t count, Reaction& reaction);
  std::uint64_t left() const { return horizon_ - rewards_.pulls(); }

  const FedUcbSetup* setup_;
  RewardSource rewards_;
  RoundsSeen plans_;
  std::uint64_t horizon_;            // T - t where it joined at step t
  std::vector<double> sums_;         // of rewards, by arm
  std::uint64_t pulls_per_arm_ = 0;  // of an active arm: all have as many
};

}  // namespace posse
