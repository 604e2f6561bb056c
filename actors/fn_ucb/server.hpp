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
  /// What is known of an agent in this step.
  enum class Word { none, done, update };

  Round round() const { return Round{static_cast<std::uint32_t>(step_ + 1)}; }
  bool is_last() const { return step_ + 1 == setup_->budget; }
  void when_all_spoke(Reaction& reaction);
  void synchronise(Reaction& reaction);
  void next_step();
  /// W, B, theta_sync and V_inv from the updates.
  void merge();
  std::uint32_t best_arm() const;
  void recommend(Reaction& reaction) const;

  const FnUcbSetup* setup_;
  std::uint64_t step_ = 0;        // t
  std::vector<Word> words_;       // by client
  std::uint32_t spoke_ = 0;       // clients with a word
  std::vector<Payload> updates_;  // by client
  WaitClock arrived_;             // of updates
  SyncedModel model_;
  bool asked_ = false;  // those without an update have been asked for theirs
  bool ended_ = false;
  std::uint32_t best_ = 1;
};

}  // namespace posse
