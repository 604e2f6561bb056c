// SPDX-License-Identifier: Apache-2.0
// A client of echo: works for a fixed time and replies. The protocol: see protocol.hpp.
#pragma once

#include <optional>

#include "actors/echo/setup.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/role.hpp"

namespace posse {

class EchoClient final : public Role {
 public:
  /// `setup` must outlive the client.
  explicit EchoClient(const EchoSetup& setup) : setup_(&setup) {}

  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  const EchoSetup* setup_;
  RoundsSeen seen_;
};

}  // namespace posse
