// The hub of POO and GPO: tells each instance what to evaluate, and recommends the best result. The
// protocol: see protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/instances/messages.hpp"
#include "actors/instances/setup.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

class InstancesHub final : public Role {
 public:
  /// `setup` must outlive the hub.
  explicit InstancesHub(const InstancesSetup& setup);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  void begin_pass(Reaction& reaction);
  void end_pass(Reaction& reaction);
  void spend_rest(Reaction& reaction) const;
  const Found& best() const;

  const InstancesSetup* setup_;
  Gather gather_;
  std::vector<Payload> found_;  // the latest Found, by instance
  std::uint64_t evaluations_ = 0;
};

}  // namespace posse
