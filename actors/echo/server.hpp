// The server of echo: sends a request to all clients, gathers the replies, and begins the next
// round. The protocol: see protocol.hpp.
#pragma once

#include <optional>

#include "actors/echo/setup.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/role.hpp"

namespace posse {

class EchoServer final : public Role {
 public:
  /// `setup` must outlive the server.
  explicit EchoServer(const EchoSetup& setup);

  void on_start(Reaction& reaction) override { ask(reaction); }
  void on_message(const Message& message, Reaction& reaction) override;
  void on_timer(TimerId timer, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  void ask(Reaction& reaction);
  void close_if_ready(Reaction& reaction);

  const EchoSetup* setup_;
  Gather gather_;
};

}  // namespace posse
