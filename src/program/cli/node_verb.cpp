// SPDX-License-Identifier: Apache-2.0
// A run over several processes: one listens and has the server or the agent, the others connect.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "actors/host/line/connect.hpp"
#include "core/base/shown_text.hpp"
#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/base/units.hpp"
#include "program/cli/node_options.hpp"
#include "program/cli/verbs.hpp"
#include "program/http/address.hpp"
#include "program/http/server.hpp"
#include "program/nodes/node_host.hpp"
#include "program/nodes/own_token.hpp"
#include "program/nodes/proxy.hpp"
#include "program/nodes/run_description.hpp"
#include "program/scenario/line_process.hpp"

namespace posse {
namespace {

/// A line without its end.
std::string token_in(const std::string& path) {
  std::string token = read_file(path);
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  if (token.empty()) throw std::invalid_argument(fmt::format("--token-file: {} is empty", path));
  return token;
}

Credentials credentials_of(const Arguments& arguments) {
  Credentials credentials;
  credentials.version = node_version();
  const char* token = std::getenv("POSSE_TOKEN");
  credentials.token = !arguments.token_file.empty() ? token_in(arguments.token_file)
                      : token != nullptr            ? token
                                                    : "";
  credentials.tls = {arguments.certificate, arguments.key, arguments.authority};
  const TlsFiles& tls = credentials.tls;
  if (tls.certificate.empty() != tls.key.empty() || tls.key.empty() != tls.authority.empty())
    throw std::invalid_argument(
        "--certificate, --key and --ca belong together: without one of them connections would be "
        "encrypted, but with anybody");
  for (const auto* file : {&tls.certificate, &tls.key, &tls.authority})
    if (!file->empty()) read_file(*file);  // its error says what is wrong
  return credentials;
}

/// Refuses an address where others could take part, or read along. On the loopback interface, nodes
/// that are given no token use the user's own.
void protect(const HttpAddress& address, Credentials& credentials) {
  if (address.loopback()) {
    if (credentials.token.empty()) credentials.token = own_token();
    return;
  }
  if (!credentials.tls.any())
    throw std::invalid_argument(fmt::format(
        "{} can be reached from other machines: that needs --certificate, --key and --ca",
        host_and_port(address.host, address.port)));
  if (credentials.token.empty())
    throw std::invalid_argument(
        fmt::format("{} can be reached from other machines: that needs --token-file, too",
                    host_and_port(address.host, address.port)));
}

std::chrono::milliseconds time_in(std::string_view flag, const std::string& text) {
  return std::chrono::milliseconds(duration_in(flag, text).ns / 1'000'000);
}

std::chrono::milliseconds patience_of(const Arguments& arguments) {
  return arguments.patience.empty() ? std::chrono::milliseconds(0)
                                    : time_in("--patience", arguments.patience);
}

/// Other processes have a part in it.
void tell(const std::string& line) { print_err("{}\n", printable(line)); }

void check_names(const std::vector<std::string>& names) {
  for (auto it = names.begin(); it != names.end(); ++it)
    if (std::find(names.begin(), it, *it) != it)
      throw std::invalid_argument(fmt::format("--name {} is there twice", *it));
}

ExitCode listen(const Arguments& arguments) {
  if (arguments.file.empty())
    throw std::invalid_argument("--listen needs a scenario: posse node --listen ADDR FILE");
  const auto address = parse_http_address(arguments.listen, {.port = kNodePort});
  GroupOptions options;
  options.address = {address.host, address.port};
  options.credentials = credentials_of(arguments);
  protect(address, options.credentials);
  if (options.credentials.token.empty())
    print_err("without a token every user of this machine can take part: --token-file sets one\n");
  options.members = arguments.members;
  options.patience = patience_of(arguments);
  if (!arguments.rejoin.empty()) options.rejoin = time_in("--rejoin", arguments.rejoin);
  if (!arguments.quiet) options.tell = tell;
  RunExtension extension;
  extension.make_host = [&](const Scenario& scenario, const ExecutionOptions& execution) {
    options.threads = execution.run.threads;
    options.credentials.scenario_hash = scenario_hash(scenario);
    options.nodes = known_nodes(scenario);
    auto host = std::make_unique<NodeHost>(options, execution.run.traces);
    tell(fmt::format("listening at {}; the run begins with {} member{}",
                     host_and_port(address.host, host->port()),
                     options.members,
                     options.members == 1 ? "" : "s"));
    return host;
  };
  return run_with(arguments, extension);
}

/// Tries again for so long after it couldn't connect, or was lost.
MemberEnd take_part_patiently(const MemberOptions& options,
                              std::chrono::milliseconds patience,
                              const Scenario* own) {
  using Clock = std::chrono::steady_clock;
  bool joined = false;
  for (auto until = Clock::now() + patience;;) {
    try {
      const auto end = take_part(options, [&](const std::string& description) {
        joined = true;
        return make_described_run(description, own);
      });
      if (end != MemberEnd::lost || patience.count() == 0) return end;
    } catch (const NotReached&) {
      if (Clock::now() >= until) {
        if (joined) return MemberEnd::lost;
        throw;
      }
      wait_for_signal(0.2);
      if (options.stopped()) return MemberEnd::stopped;
      continue;
    }
    tell("the connection is lost: trying again");
    until = Clock::now() + patience;
  }
}

ExitCode connect(const Arguments& arguments) {
  const auto address = parse_http_address(arguments.connect, {.port = kNodePort});
  MemberOptions options;
  options.address = {address.host, address.port};
  options.credentials = credentials_of(arguments);
  protect(address, options.credentials);
  check_names(arguments.names);
  options.wanted = arguments.names;
  options.threads = execution_options(arguments).run.threads;
  std::optional<Scenario> own;
  if (!arguments.file.empty()) {
    own = scenario_of(arguments);
    if (!own) return ExitCode::invalid_scenario;
    options.credentials.scenario_hash = scenario_hash(*own);
  }
  before_exit_by_signal(kill_all_line_processes);
  catch_signals();
  options.stopped = [] { return pending_signal() != 0; };
  options.tell = tell;
  switch (take_part_patiently(options, patience_of(arguments), own ? &*own : nullptr)) {
    case MemberEnd::sent_home:
      return ExitCode::ok;
    case MemberEnd::lost:
      print_err("the connection to {} is lost (exit code 7)\n",
                host_and_port(address.host, address.port));
      return ExitCode::no_progress;
    case MemberEnd::stopped:
      return static_cast<ExitCode>(128 + pending_signal());
  }
  return ExitCode::ok;
}

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
ExitCode pass_on(const Arguments& arguments) {
  ProxyOptions options = proxy_options(arguments);
  options.listen = parse_http_address(arguments.listen, {.port = kNodePort});
  options.to = parse_http_address(arguments.connect, {.port = kNodePort});
  options.tls_only = arguments.tls_only;
  check_encryption(options);
  catch_signals();
  const Proxy proxy(options);
  tell(fmt::format("passing on what comes at {} to {}",
                   host_and_port(options.listen.host, proxy.port()),
                   host_and_port(options.to.host, options.to.port)));
  while (pending_signal() == 0) wait_for_signal(3600);
  const auto counts = proxy.counts();
  tell(fmt::format("{} connections, {} up, {} down, {} messages dropped",
                   counts.connections,
                   pretty_bytes(static_cast<double>(counts.up)),
                   pretty_bytes(static_cast<double>(counts.down)),
                   counts.dropped));
  return static_cast<ExitCode>(128 + pending_signal());
}

}  // namespace

ExitCode node_verb(const Arguments& arguments) {
  return with_node_errors([&] {
    if (arguments.listen.empty() == arguments.connect.empty())
      throw std::invalid_argument("give either --listen ADDR or --connect ADDR");
    return arguments.listen.empty() ? connect(arguments) : listen(arguments);
  });
}

ExitCode proxy_verb(const Arguments& arguments) {
  return with_node_errors([&] { return pass_on(arguments); });
}

}  // namespace posse
