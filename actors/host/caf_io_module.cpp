// SPDX-License-Identifier: Apache-2.0
#include "actors/host/caf_io_module.hpp"

#include <caf/io/all.hpp>
#include <caf/openssl/manager.hpp>
#include <caf/openssl/publish.hpp>
#include <caf/openssl/remote_actor.hpp>

#include "core/base/module.hpp"

namespace posse {
namespace {

void load(caf::actor_system_config& config, bool tls) {
  config.load<caf::io::middleman>();
  if (tls) config.load<caf::openssl::manager>();
}

caf::expected<std::uint16_t> publish(const caf::actor& actor,
                                     const std::string& host,
                                     std::uint16_t port,
                                     bool tls) {
  return tls ? caf::openssl::publish(actor, port, host.c_str(), true)
             : actor.home_system().middleman().publish(actor, port, host.c_str(), true);
}

caf::expected<caf::actor> connect(caf::actor_system& system,
                                  const std::string& host,
                                  std::uint16_t port,
                                  bool tls) {
  return tls ? caf::openssl::remote_actor(system, host, port)
             : system.middleman().remote_actor(host, port);
}

}  // namespace
}  // namespace posse

POSSE_MODULE(posse::CafIoModule){posse::load, posse::publish, posse::connect};
