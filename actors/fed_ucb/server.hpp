// The server of Fed1-UCB and Fed2-UCB: sends the active arms, averages the means, eliminates arms
// and admits new clients. The algorithm: see protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/fed_ucb/setup.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

class FedUcbServer final : public Role {
 public:
  /// `setup` must outlive the server.
  explicit FedUcbServer(const FedUcbSetup& setup);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  void on_timer(TimerId timer, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  /// Adds the clients that join in this phase.
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

}  // namespace posse
