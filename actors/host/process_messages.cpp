// SPDX-License-Identifier: Apache-2.0
#include "actors/host/process_messages.hpp"

#include <fstream>

#include "core/base/module.hpp"
#include "core/base/outside_failure.hpp"

namespace posse {

EntranceKeys::EntranceKeys(const Credentials& credentials, bool listens) {
  const auto& functions = module<TlsModule>();
  if (credentials.tls.any()) {
    std::string problem;
    tls_ = functions.context(credentials.tls, problem);
    if (!tls_) throw OutsideFailure(problem);
  }
  options_.mac = functions.mac;
  options_.token = credentials.token;
  options_.tls = tls_.get();
  options_.listens = listens;
}

std::string boot_id() {
  std::ifstream in("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(in, id);
  return id;
}

}  // namespace posse
