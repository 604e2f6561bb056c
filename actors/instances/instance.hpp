// SPDX-License-Identifier: Apache-2.0
// An instance of POO and GPO: one tree learner with its own rewards. The protocol: see
// protocol.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "actors/common/cell_rewards.hpp"
#include "actors/instances/setup.hpp"
#include "core/exchange/gather.hpp"
#include "core/learner/learner.hpp"
#include "core/role/role.hpp"

namespace posse {

/// "instance-3"
std::string instance_name(std::uint32_t number);

class Instance final : public Role {
 public:
  /// Instance number `number`, from 0. `setup` must outlive the instance.
  Instance(const InstancesSetup& setup, std::uint32_t number);

  void on_message(const Message& message, Reaction& reaction) override;
  void on_timer(TimerId timer, Reaction& reaction) override;
  void on_restart(Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  void search(Reaction& reaction);
  void answer(Reaction& reaction);
  bool finished() const { return started_ && rewards_.pulls() == setup_->totals[number_]; }

  const InstancesSetup* setup_;
  std::uint32_t number_;
  CellRewards rewards_;
  std::unique_ptr<Learner> learner_;
  RoundsSeen starts_;
  bool started_ = false;
  std::uint64_t budget_ = 0;  // of this pass
  std::uint64_t until_ = 0;   // evaluations with the learner at the end of this pass
  double sum_ = 0;            // of the learner's rewards
};

}  // namespace posse
