// SPDX-License-Identifier: Apache-2.0
#include "actors/echo/server.hpp"

namespace posse {

EchoServer::EchoServer(const EchoSetup& setup)
    : GatheringServer(setup.clients, setup.policy, "round"), setup_(&setup) {}

void EchoServer::ask(Reaction& reaction) {
  const Round round = next_round();
  reaction.observe(RoundBegan{round});
  reaction.send_payload(kFirstClient, setup_->clients, round, setup_->request);
  open(round, reaction);
}

void EchoServer::on_uploads(Reaction& reaction) {
  close({}, reaction);
  if (round().value < setup_->rounds)
    ask(reaction);
  else
    reaction.finish();
}

}  // namespace posse
