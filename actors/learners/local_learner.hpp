// A client with a learner of its own, on its own f_m, that talks to nobody.
//
// Source: `hct-local`, the baseline without communication of Li, Song, Honorio, Lin, "Personalized
// federated X-armed bandit" (AISTATS 2024), for any learner. Every client spends its n evaluations
// and recommends for itself, at the checkpoints of regret curves. No rounds, no messages.
//
// A reaction makes at most 4096 evaluations and goes on by a timer of no length, so that the
// reports of long searches don't pile up; virtual time is the sum of the evaluations' all the same.
// Streams: the learner's own, named `client-m`; `reward/client-m`, `point/client-m` (CellRewards).
#pragma once

#include <cstdint>
#include <memory>

#include "actors/common/cell_rewards.hpp"
#include "actors/learners/learner_kind.hpp"
#include "core/role/checkpoints.hpp"
#include "core/role/role.hpp"

namespace posse {

class LocalLearner final : public Role {
 public:
  /// Client number `client`, from 0. `setup` must outlive the role.
  LocalLearner(const LearnerSetup& setup, std::uint32_t client);

  void on_start(Reaction& reaction) override { search(reaction); }
  void on_message(const Message&, Reaction&) override {}
  void on_timer(TimerId, Reaction& reaction) override { search(reaction); }

 private:
  void search(Reaction& reaction);

  std::unique_ptr<const PointSet> own_points_;
  const PointSet* points_;
  std::unique_ptr<Learner> learner_;
  CellRewards rewards_;
  Checkpoints checkpoints_;
};

}  // namespace posse
