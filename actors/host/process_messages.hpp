// SPDX-License-Identifier: Apache-2.0
// What the processes of a run say to each other, beside the envelopes of messages. One process
// listens; the others are its members.
//
//   member → listener   join      protocol, version, token, scenario hash, names, gate
//   listener → member   welcome, "" or why not
//   listener → member   prepare   run, description, nodes of the member, gates by node
//   member → listener   ready     run, error or "", boot id, steady clock
//   listener → member   begin     run, start on the member's steady clock, nodes that it takes over
//   listener → member   moved     run, nodes, their new gate (null: their process is lost)
//   both                (run, Envelope)
//   member → listener   report    run, encoded ProcessReport
//   listener → member   answered  run: from now on report as soon as nothing is under way
//   listener → member   stop      run: a last report follows
//   listener → member   bye       no run follows; or why it is sent away
#pragma once

#include <caf/all.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "actors/host/envelope.hpp"
#include "core/base/outside_failure.hpp"

namespace posse {

/// Rises whenever the messages between processes change.
inline constexpr std::uint32_t kProcessProtocol = 2;

using JoinAtom = caf::atom_constant<caf::atom("join")>;
using WelcomeAtom = caf::atom_constant<caf::atom("welcome")>;
using PrepareAtom = caf::atom_constant<caf::atom("prepare")>;
using ReadyAtom = caf::atom_constant<caf::atom("ready")>;
using PingAtom = caf::atom_constant<caf::atom("clock")>;
using BeginAtom = caf::atom_constant<caf::atom("begin")>;
using MovedAtom = caf::atom_constant<caf::atom("moved")>;
using ReportAtom = caf::atom_constant<caf::atom("report")>;
using AnsweredAtom = caf::atom_constant<caf::atom("answered")>;
using StopAtom = caf::atom_constant<caf::atom("stop")>;
using ByeAtom = caf::atom_constant<caf::atom("bye")>;

/// Files in PEM format. All three, or none.
struct TlsFiles {
  std::string certificate, key, authority;
  bool any() const { return !certificate.empty(); }
};

struct ProcessAddress {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one
};

/// What a process shows to be let in, and asks of the others.
struct Credentials {
  std::string version;              // of the program
  std::string token;                // shared by all; empty: none
  std::uint64_t scenario_hash = 0;  // 0: takes the listener's scenario
  TlsFiles tls;
};

class ProcessConfig : public caf::actor_system_config {
 public:
  ProcessConfig(std::size_t threads, const TlsFiles& tls);
};

/// Publishes at the address. Returns the port. Throws OutsideFailure that says why not.
std::uint16_t publish_at(const caf::actor& actor, const ProcessAddress& address, bool tls);
class NotReached : public OutsideFailure {
 public:
  using OutsideFailure::OutsideFailure;
};
/// Throws NotReached.
caf::actor connect_to(caf::actor_system& system, const ProcessAddress& address, bool tls);

/// Of the Actor Framework, whose encodings differ between versions. It doesn't compare them itself.
std::string framework_version();

/// The same on processes of one machine since it was started; their steady clocks agree.
std::string boot_id();

}  // namespace posse
