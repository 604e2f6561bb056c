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
#include "program/cli/node_options.hpp"
#include "program/cli/run_verb.hpp"
#include "program/http/address.hpp"
#include "program/http/server.hpp"
#include "program/nodes/node_host.hpp"
#include "program/nodes/own_token.hpp"
#include "program/nodes/run_description.hpp"

namespace posse {
namespace {

struct NodeFlags {
  std::string listen, connect;
  std::vector<std::string> names;
  std::size_t members = 1;
  std::string patience, rejoin;
  std::string token_file, certificate, key, authority;
  RunFlags run;

  void add_to(CLI::App& verb) {
    verb.add_option(
        "FILE", run.scenario.file, "scenario file; with --connect, the one that must be run");
    verb.add_option("--listen", listen, "let members in at this address, and run the scenario")
        ->type_name("ADDR");
    verb.add_option("--connect", connect, "take part in the runs of the node that listens there")
        ->type_name("ADDR");
    verb.add_option(
            "--name",
            names,
            "with --connect, a node to be: client-3, client-0..4 (default: a share of what is "
            "left; repeatable)")
        ->allow_extra_args(false);
    verb.add_option("--members", members, "with --listen, members that must be there (default: 1)")
        ->check(CLI::Range(1, 10000));
    verb.add_option("--patience",
                    patience,
                    "with --listen, begin after this time with the members that are there; with "
                    "--connect, try to connect, again if need be, for this time (default: 0)")
        ->type_name("TIME");
    verb.add_option(
            "--rejoin",
            rejoin,
            "with --listen, how long a run that can't go on waits for members that were lost "
            "(default: 10 s)")
        ->type_name("TIME");
    verb.add_option("--token-file",
                    token_file,
                    "file with a secret that all nodes share (default: POSSE_TOKEN, or the "
                    "user's own on this machine)");
    verb.add_option("--certificate", certificate, "TLS certificate of this node (PEM)");
    verb.add_option("--key", key, "its private key (PEM)");
    verb.add_option("--ca", authority, "certificate of the authority that all nodes trust (PEM)");
    run.scenario.VariationFlags::add_to(verb);
    run.add_to(verb);
  }
};

/// A line without its end.
std::string token_in(const std::string& path) {
  std::string token = read_file(path);
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  if (token.empty()) throw std::invalid_argument(fmt::format("--token-file: {} is empty", path));
  return token;
}

Credentials credentials_of(const NodeFlags& flags) {
  Credentials credentials;
  credentials.version = node_version();
  const char* token = std::getenv("POSSE_TOKEN");
  credentials.token = !flags.token_file.empty() ? token_in(flags.token_file)
                      : token != nullptr        ? token
                                                : "";
  credentials.tls = {flags.certificate, flags.key, flags.authority};
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

std::chrono::milliseconds patience_of(const NodeFlags& flags) {
  return flags.patience.empty() ? std::chrono::milliseconds(0)
                                : time_in("--patience", flags.patience);
}

/// Other processes have a part in it.
void tell(const std::string& line) { print_err("{}\n", printable(line)); }

void check_names(const std::vector<std::string>& names) {
  for (auto it = names.begin(); it != names.end(); ++it)
    if (std::find(names.begin(), it, *it) != it)
      throw std::invalid_argument(fmt::format("--name {} is there twice", *it));
}

ExitCode listen(const NodeFlags& flags, const Invocation& invocation) {
  if (flags.run.scenario.file.empty())
    throw std::invalid_argument("--listen needs a scenario: posse node --listen ADDR FILE");
  const auto address = parse_http_address(flags.listen, {.port = kNodePort});
  GroupOptions options;
  options.address = {address.host, address.port};
  options.credentials = credentials_of(flags);
  protect(address, options.credentials);
  if (options.credentials.token.empty())
    print_err("without a token every user of this machine can take part: --token-file sets one\n");
  options.members = flags.members;
  options.patience = patience_of(flags);
  if (!flags.rejoin.empty()) options.rejoin = time_in("--rejoin", flags.rejoin);
  if (!flags.run.quiet) options.tell = tell;
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
  return run_with(flags.run, invocation, extension);
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

ExitCode connect(const NodeFlags& flags) {
  const auto address = parse_http_address(flags.connect, {.port = kNodePort});
  MemberOptions options;
  options.address = {address.host, address.port};
  options.credentials = credentials_of(flags);
  protect(address, options.credentials);
  check_names(flags.names);
  options.wanted = flags.names;
  options.threads = threads_of(flags.run.execution.threads);
  std::optional<Scenario> own;
  if (!flags.run.scenario.file.empty()) {
    own = scenario_of(flags.run);
    if (!own) return ExitCode::invalid_scenario;
    options.credentials.scenario_hash = scenario_hash(*own);
  }
  catch_signals();
  options.stopped = [] { return pending_signal() != 0; };
  options.tell = tell;
  switch (take_part_patiently(options, patience_of(flags), own ? &*own : nullptr)) {
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

ExitCode be_node(const NodeFlags& flags, const Invocation& invocation) {
  return with_node_errors([&] {
    if (flags.listen.empty() == flags.connect.empty())
      throw std::invalid_argument("give either --listen ADDR or --connect ADDR");
    return flags.listen.empty() ? connect(flags) : listen(flags, invocation);
  });
}

}  // namespace

Command node_verb(CLI::App& verb) { return command_of(verb, be_node); }

}  // namespace posse
