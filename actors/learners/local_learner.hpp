// SPDX-License-Identifier: Apache-2.0
// A learner at each client, on the client's own f_m, without communication.
//
// Source: the baseline `hct-local` of Li, Song & Honorio, "Personalized federated X-armed bandit"
// (AISTATS 2024), Remark 4.1, for any learner. Every client spends its n evaluations and reports
// its own recommendations, at the checkpoints of regret curves. No rounds, no messages.
//
// One reaction makes the evaluations up to the next checkpoint, at most 4096, and the next one
// follows when they are done. This limits what a crash can interrupt, and the memory that
// observations take. Virtual time does not depend on it.
// A learner that starts anew after `e` evaluations is named `client-m/after-e`.
// Streams: the learner's, named `client-m`; `reward/client-m`, `point/client-m` (CellRewards).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "actors/common/cell_rewards.hpp"
#include "actors/learners/learner_kind.hpp"
#include "core/role/checkpoints.hpp"
#include "core/role/role.hpp"

namespace posse {

/// The name of a client's learner that starts after `evaluations` whose rewards it doesn't know.
std::string local_learner_name(std::uint32_t client, std::uint64_t evaluations);

/// A client's learner makes the evaluations up to the next checkpoint, at most 4096, and reports
/// its recommendation if it has reached one, or the end of the budget.
void learn_to_checkpoint(const PointSet& points,
                         Learner& learner,
                         CellRewards& rewards,
                         Checkpoints& checkpoints,
                         Reaction& reaction);

class LocalLearner final : public Role {
 public:
  /// Client number `client`, from 0, after `evaluations` that it has made before it lost its state.
  /// `setup` must outlive the role.
  LocalLearner(const LearnerSetup& setup, std::uint32_t client, std::uint64_t evaluations = 0);

  void on_start(Reaction& reaction) override { search(reaction); }
  void on_message(const Message&, Reaction&) override {}
  void on_timer(TimerId, Reaction& reaction) override { search(reaction); }
  void on_restart(Reaction& reaction) override {
    const bool anew = std::exchange(anew_, false);
    if (rewards_.left() > 0 || anew) search(reaction);
  }

 private:
  void search(Reaction& reaction);

  std::unique_ptr<const PointSet> own_points_;
  const PointSet* points_;
  std::unique_ptr<Learner> learner_;
  CellRewards rewards_;
  Checkpoints checkpoints_;
  bool anew_;  // it has lost its state, and done nothing since
};

}  // namespace posse
