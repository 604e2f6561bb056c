// SPDX-License-Identifier: Apache-2.0
// The hub of POO and GPO: tells each instance what to evaluate, and recommends the best result. The
// protocol: see protocol.hpp.
#pragma once

#include <cstdint>

#include "actors/common/gathering_server.hpp"
#include "actors/instances/messages.hpp"
#include "actors/instances/setup.hpp"

namespace posse {

class InstancesHub final : public GatheringServer<Found> {
 public:
  /// `setup` must outlive the hub.
  explicit InstancesHub(const InstancesSetup& setup);

  void on_start(Reaction& reaction) override;

 private:
  void on_uploads(Reaction& reaction) override;
  void begin_pass(Reaction& reaction);
  void spend_rest(Reaction& reaction) const;
  /// Of the latest Found of every instance.
  const Found& best() const;

  const InstancesSetup* setup_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace posse
