// SPDX-License-Identifier: Apache-2.0
#include "actors/host/process_messages.hpp"

#include <fmt/format.h>

#include <fstream>

#include "actors/host/caf_io_module.hpp"
#include "core/base/module.hpp"
#include "core/base/outside_failure.hpp"

namespace posse {

ProcessConfig::ProcessConfig(std::size_t threads, const TlsFiles& tls) {
  set("scheduler.max-threads", threads);
  add_message_type<Envelope>("posse.Envelope");
  add_message_type<std::vector<std::uint32_t>>("posse.Numbers");
  add_message_type<std::vector<std::string>>("posse.Names");
  module<CafIoModule>().load(*this, tls.any());
  if (!tls.any()) return;
  openssl_certificate = tls.certificate;
  openssl_key = tls.key;
  openssl_cafile = tls.authority;
}

std::uint16_t publish_at(const caf::actor& actor, const ProcessAddress& address, bool tls) {
  const auto port = module<CafIoModule>().publish(actor, address.host, address.port, tls);
  if (!port)
    throw OutsideFailure(fmt::format("can't listen at {}:{}: {}",
                                     address.host,
                                     address.port,
                                     actor.home_system().render(port.error())));
  return *port;
}

caf::actor connect_to(caf::actor_system& system, const ProcessAddress& address, bool tls) {
  const auto actor = module<CafIoModule>().connect(system, address.host, address.port, tls);
  if (!actor)
    throw NotReached(
        fmt::format("can't connect to {}:{}: {}",
                    address.host,
                    address.port,
                    actor.error() == caf::sec::disconnect_during_handshake
                        ? "whoever listens there hung up: both must be Posse with the same version "
                          "of CAF, with TLS on both sides or on neither, and with certificates of "
                          "the same authority"
                        : system.render(actor.error())));
  return *actor;
}

std::string framework_version() {
  return fmt::format("{}.{}.{}", CAF_MAJOR_VERSION, CAF_MINOR_VERSION, CAF_PATCH_VERSION);
}

std::string boot_id() {
  std::ifstream in("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(in, id);
  return id;
}

}  // namespace posse
