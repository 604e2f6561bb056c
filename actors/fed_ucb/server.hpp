// SPDX-License-Identifier: Apache-2.0
// The server of Fed1-UCB and Fed2-UCB: sends the active arms, averages the means, eliminates arms
// and admits new clients. The algorithm: see protocol.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "actors/common/gathering_server.hpp"
#include "actors/fed_ucb/messages.hpp"
#include "actors/fed_ucb/setup.hpp"

namespace posse {

class FedUcbServer final : public GatheringServer<ArmMeans> {
 public:
  /// `setup` must outlive the server.
  explicit FedUcbServer(const FedUcbSetup& setup);

  void on_start(Reaction& reaction) override;

 private:
  void on_uploads(Reaction& reaction) override;
  /// Adds the clients that join in this phase.
  void admit_members(Round phase);
  void begin_phase(Reaction& reaction);
  void send_plan(Round phase, std::uint64_t pulls, Reaction& reaction) const;
  void eliminate(Reaction& reaction);
  double radius() const;
  void recommend(Reaction& reaction) const;

  const FedUcbSetup* setup_;
  std::vector<std::uint32_t> active_;  // ascending
  std::uint32_t members_ = 0;          // M(p)
  std::vector<std::uint64_t> joined_;  // g(1), g(2) … while anybody joins
  std::uint64_t steps_ = 0;            // t
  std::uint32_t best_ = 1;             // of the last complete phase; arm 1 before
};

}  // namespace posse
