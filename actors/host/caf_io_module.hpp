// SPDX-License-Identifier: Apache-2.0
// The module that links CAF's network, plain and encrypted.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/expected.hpp>
#include <cstdint>
#include <string>

namespace posse {

struct CafIoModule {
  static constexpr const char* kModule = "caf-io";

  /// Systems of the configuration can publish and connect, with TLS if `tls`.
  void (*load)(caf::actor_system_config&, bool tls);
  /// Returns the port; `port` may be 0.
  caf::expected<std::uint16_t> (*publish)(const caf::actor&,
                                          const std::string& host,
                                          std::uint16_t port,
                                          bool tls);
  caf::expected<caf::actor> (*connect)(caf::actor_system&,
                                       const std::string& host,
                                       std::uint16_t port,
                                       bool tls);
};

}  // namespace posse
