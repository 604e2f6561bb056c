// SPDX-License-Identifier: Apache-2.0
// The server of echo: sends a request to all clients, gathers the replies, and begins the next
// round. The protocol: see protocol.hpp.
#pragma once

#include "actors/common/gathering_server.hpp"
#include "actors/echo/messages.hpp"
#include "actors/echo/setup.hpp"

namespace posse {

class EchoServer final : public GatheringServer<EchoReply> {
 public:
  /// `setup` must outlive the server.
  explicit EchoServer(const EchoSetup& setup);

  void on_start(Reaction& reaction) override { ask(reaction); }

 private:
  void on_uploads(Reaction& reaction) override;
  void ask(Reaction& reaction);

  const EchoSetup* setup_;
};

}  // namespace posse
