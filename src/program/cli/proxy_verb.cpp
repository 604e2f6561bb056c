// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <stdexcept>

#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/base/units.hpp"
#include "program/cli/node_options.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/http/address.hpp"
#include "program/http/server.hpp"
#include "program/nodes/proxy.hpp"

namespace posse {
namespace {

struct ProxyFlags {
  std::string listen, to;
  LineFlags line;
  bool tls_only = false;
  std::optional<std::uint64_t> seed;

  void add_to(CLI::App& verb) {
    verb.add_option("--listen", listen, "where nodes connect")->type_name("ADDR")->required();
    verb.add_option("--to", to, "where the node listens")->type_name("ADDR")->required();
    line.add_to(verb);
    verb.add_flag("--tls-only",
                  tls_only,
                  "pass on encrypted connections only; needed for other addresses than loopback");
    verb.add_option("--seed", seed, "of jitter and losses (default: 1)")->check(seed_check());
  }
};

/// Others could reach a node that listens without certificates, or read along.
void check_encryption(const ProxyOptions& options) {
  if (options.tls_only) return;
  for (const HttpAddress* address : {&options.listen, &options.to})
    if (!address->loopback())
      throw std::invalid_argument(fmt::format(
          "{} can be reached from other machines: that needs --tls-only, and nodes with "
          "--certificate, --key and --ca",
          host_and_port(address->host, address->port)));
}

/// Passes on until a signal.
ExitCode pass_on(const ProxyFlags& flags) {
  ProxyOptions options = proxy_options(flags.line, flags.seed);
  options.listen = parse_http_address(flags.listen, {.port = kNodePort});
  options.to = parse_http_address(flags.to, {.port = kNodePort});
  options.tls_only = flags.tls_only;
  check_encryption(options);
  catch_signals();
  const Proxy proxy(options);
  print_err("passing on what comes at {} to {}\n",
            host_and_port(options.listen.host, proxy.port()),
            host_and_port(options.to.host, options.to.port));
  while (pending_signal() == 0) wait_for_signal(3600);
  const auto counts = proxy.counts();
  print_err("{} connections, {} up, {} down, {} messages dropped\n",
            counts.connections,
            pretty_bytes(static_cast<double>(counts.up)),
            pretty_bytes(static_cast<double>(counts.down)),
            counts.dropped);
  return static_cast<ExitCode>(128 + pending_signal());
}

ExitCode be_proxy(const ProxyFlags& flags, const Invocation&) {
  return with_node_errors([&] { return pass_on(flags); });
}

}  // namespace

Command proxy_verb(CLI::App& verb) { return command_of(verb, be_proxy); }

}  // namespace posse
