// SPDX-License-Identifier: Apache-2.0
// The server of FN-UCB: keeps the agents in step, and merges their updates into the shared model.
// The algorithm: see protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/fn_ucb/messages.hpp"
#include "actors/fn_ucb/setup.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

class FnUcbServer final : public Role {
 public:
  /// `setup` must outlive the server.
  explicit FnUcbServer(const FnUcbSetup& setup);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  /// What an agent has sent in this step.
  enum class Report { none, done, update };

  Round round() const { return Round{static_cast<std::uint32_t>(step_ + 1)}; }
  bool is_last() const { return step_ + 1 == setup_->budget; }
  void on_all_reports(Reaction& reaction);
  void synchronise(Reaction& reaction);
  void next_step();
  /// Computes W, B, theta_sync and V_inv from the updates.
  void merge();
  std::uint32_t best_arm() const;
  void recommend(Reaction& reaction) const;

  const FnUcbSetup* setup_;
  std::uint64_t step_ = 0;        // t
  std::vector<Report> reports_;   // by client
  std::uint32_t reported_ = 0;    // clients that have reported
  std::vector<Payload> updates_;  // by client
  WaitClock arrived_;             // of updates
  SyncedModel model_;
  bool asked_ = false;  // SendUpdate has been sent to the agents without an update
  bool ended_ = false;
  std::uint32_t best_ = 1;
};

}  // namespace posse
