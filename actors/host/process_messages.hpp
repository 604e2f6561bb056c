// SPDX-License-Identifier: Apache-2.0
// What the processes of a run say to each other over their lines. One process listens; the others
// are its members. A kind of frame each (frames.hpp); its content is the struct, or as much of it
// as is there, written by archive.hpp.
//
//   member → listener   join      what it wants to be
//   listener → member   welcome, or why not
//   listener → member   prepare   a run
//   member → listener   ready, or why not
//   listener → member   ping, and pong back: compares their clocks
//   listener → member   begin     the run
//   listener → member   moved     nodes have another process, or none
//   both                message   for a node; between members, the listener passes it on
//   member → listener   report    of a run
//   listener → member   answered  from now on report as soon as nothing is under way
//   listener → member   stop      a last report follows
//   listener → member   bye       no run follows; or why it is sent away
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actors/host/archive.hpp"
#include "actors/host/envelope.hpp"
#include "actors/host/line/entrance.hpp"

namespace posse {

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

/// What lines are opened with.
class EntranceKeys {
 public:
  /// Throws OutsideFailure if the files of TLS can't be used.
  EntranceKeys(const Credentials& credentials, bool listens);
  const EntranceOptions& options() const { return options_; }

 private:
  std::unique_ptr<TlsContext> tls_;
  EntranceOptions options_;
};

struct JoinFrame {
  std::string version;
  std::uint64_t scenario_hash = 0;
  std::vector<std::string> wanted;  // names of nodes
};
struct WelcomeFrame {
  std::string refusal;   // empty: it is welcome
  bool for_now = false;  // the refusal: its nodes are taken
};
struct PrepareFrame {
  std::uint64_t run = 0;
  std::string description;
  std::vector<std::uint32_t> nodes;   // of the member
  std::vector<std::uint8_t> holders;  // by node: NodeHolder
};
struct ReadyFrame {
  std::uint64_t run = 0;
  std::string problem;  // empty: none
  std::string boot;     // boot_id()
};
struct PingFrame {
  std::int64_t sent = 0;
};
struct PongFrame {
  std::int64_t sent = 0, there = 0;  // ticks of the steady clocks
};
struct BeginFrame {
  std::uint64_t run = 0;
  std::int64_t start = 0;     // on the member's steady clock
  std::vector<char> resumed;  // nodes that it takes over
};
struct MovedFrame {
  std::uint64_t run = 0;
  std::vector<std::uint32_t> nodes;
  std::uint8_t holder = 0;
};
struct MessageFrame {
  std::uint64_t run = 0;
  Envelope message;
};
struct ReportFrame {
  std::uint64_t run = 0;
  std::vector<char> report;
};
/// answered, stop
struct RunFrame {
  std::uint64_t run = 0;
};
struct ByeFrame {
  std::string why;
};

/// Who has a node, as a member sees it.
enum class NodeHolder : std::uint8_t { listener, member, nobody };

template <class A>
void exchange(A& archive, Envelope& x) {
  archive(x.from, x.to, x.round, x.type, x.content, x.sequence, x.number, x.tries);
  archive(x.departed_ns, x.left_ns, x.sent_number, x.path);
}
template <class A>
void exchange(A& archive, JoinFrame& x) {
  archive(x.version, x.scenario_hash, x.wanted);
}
template <class A>
void exchange(A& archive, WelcomeFrame& x) {
  archive(x.refusal, x.for_now);
}
template <class A>
void exchange(A& archive, PrepareFrame& x) {
  archive(x.run, x.description, x.nodes, x.holders);
}
template <class A>
void exchange(A& archive, ReadyFrame& x) {
  archive(x.run, x.problem, x.boot);
}
template <class A>
void exchange(A& archive, PingFrame& x) {
  archive(x.sent);
}
template <class A>
void exchange(A& archive, PongFrame& x) {
  archive(x.sent, x.there);
}
template <class A>
void exchange(A& archive, BeginFrame& x) {
  archive(x.run, x.start, x.resumed);
}
template <class A>
void exchange(A& archive, MovedFrame& x) {
  archive(x.run, x.nodes, x.holder);
}
template <class A>
void exchange(A& archive, MessageFrame& x) {
  archive(x.run, x.message);
}
template <class A>
void exchange(A& archive, ReportFrame& x) {
  archive(x.run, x.report);
}
template <class A>
void exchange(A& archive, RunFrame& x) {
  archive(x.run);
}
template <class A>
void exchange(A& archive, ByeFrame& x) {
  archive(x.why);
}

template <class Content>
std::vector<char> encode_frame(Content content) {
  ArchiveWriter archive;
  exchange(archive, content);
  return archive.take();
}
/// Nothing if the bytes are not those of a `Content`.
template <class Content>
std::optional<Content> decode_frame(std::string_view bytes) {
  ArchiveReader archive(bytes, [](std::string_view) { return std::string_view(); });
  Content content;
  exchange(archive, content);
  if (!archive.finished()) return std::nullopt;
  return content;
}

/// An id of the machine since it was started: processes with equal ids have one steady clock.
std::string boot_id();

}  // namespace posse
