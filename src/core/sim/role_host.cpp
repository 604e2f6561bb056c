// SPDX-License-Identifier: Apache-2.0
#include "core/sim/role_host.hpp"

namespace posse {

void call_role(Role& role, const Stimulus& stimulus, Reaction& reaction) {
  switch (stimulus.kind) {
    case Stimulus::Kind::start:
      return role.on_start(reaction);
    case Stimulus::Kind::message:
      return role.on_message(stimulus.message, reaction);
    case Stimulus::Kind::timer:
      return role.on_timer(stimulus.timer, reaction);
    case Stimulus::Kind::restart:
    case Stimulus::Kind::restart_anew:
      return role.on_restart(reaction);
  }
}

DirectHost::DirectHost(const Protocol& protocol, std::uint32_t nodes) {
  roles_.reserve(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) roles_.push_back(protocol.make_role(NodeId{i}));
}

Duration DirectHost::react(NodeId node, const Stimulus& stimulus, Reaction& reaction) {
  call_role(*roles_[node.value], stimulus, reaction);
  return {};
}

}  // namespace posse
