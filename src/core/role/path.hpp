// SPDX-License-Identifier: Apache-2.0
// How a moment of a run came about: the path of work and messages that led to it.
//
// A path is a chain of segments without gaps, each at one node or on one link. It follows what was
// last: a reaction to a message continues the message's path, and work continues the node's path
// until then. Segments are shared and immutable; a path may be copied and read by any thread. It
// goes back to the beginning of the round that began last on it, and a little further.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "core/base/free_store.hpp"
#include "core/base/ids.hpp"
#include "core/base/reference_count.hpp"
#include "core/base/time.hpp"

namespace posse {

/// What virtual time on a path was spent on.
enum class PathPart : std::uint8_t {
  compute,         // work of a node
  queueing,        // behind other messages, in a clogged link, or for the order of messages
  transfer,        // size / rate
  propagation,     // latency
  retransmission,  // from a message's first transmission to the one that arrived
  timer,           // until a role's timer expired, such as a server's deadline
  stopped          // at a node that stood still
};

struct PathSegment {
  PathPart part = PathPart::compute;
  NodeId node;  // where; of a message, its sender
  Time from, until;
};

class Path {
 public:
  Path() = default;
  Path(const Path& other) noexcept : last_(other.last_) {
    if (last_ != nullptr) last_->references.add();
  }
  Path(Path&& other) noexcept : last_(std::exchange(other.last_, nullptr)) {}
  Path& operator=(const Path& other) noexcept { return *this = Path(other); }
  Path& operator=(Path&& other) noexcept {
    Link* const old = std::exchange(last_, std::exchange(other.last_, nullptr));
    if (old != nullptr) release(old);
    return *this;
  }
  ~Path() {
    if (last_ != nullptr) release(last_);
  }

  /// A path without segments has no end.
  explicit operator bool() const { return last_ != nullptr; }
  Time until() const { return last_->until; }
  bool operator==(const Path& other) const { return last_ == other.last_; }

  /// Nothing has passed yet.
  static Path beginning(NodeId node, Time at) {
    Path path;
    path.add(PathPart::compute, node, at);
    return path;
  }
  /// Adds what passed since the path's end, if anything did. Work that follows work of the same
  /// node is one segment.
  void extend(PathPart part, NodeId node, Time until) {
    if (this->until() < until) add_passed(part, node, until);
  }
  /// A round begins at the path's end.
  void begin_round() {
    if (last_ != nullptr && last_->length > kMost) shorten();
  }

  /// Calls `visit(const PathSegment&)` from the last segment to the first, or until it returns
  /// false.
  template <class Visit>
  void visit_backwards(Visit&& visit) const {
    for (const Link* link = last_; link != nullptr && link->earlier != nullptr;
         link = link->earlier)
      if (!visit(PathSegment{link->part, link->node, link->earlier->until, link->until})) return;
  }

 private:
  // Segments. A longer path forgets its beginning: at the beginning of a round soon, else late.
  static constexpr std::uint32_t kMost = 256, kMostOfRound = 4096;
  static constexpr std::uint32_t kKept = 64;
  /// The end of a segment, or the beginning of the path.
  struct Link : FromFreeStore<Link> {
    Link(PathPart p, NodeId n, Time t, Link* e)
        : earlier(e), until(t), node(n), length(e != nullptr ? e->length + 1 : 1), part(p) {}
    Link* earlier;
    Time until;
    NodeId node;
    std::uint32_t length;  // up to here
    ReferenceCount references;
    PathPart part;
  };
  void add_passed(PathPart part, NodeId node, Time until);
  void add(PathPart part, NodeId node, Time until) {
    last_ = new Link(part, node, until, last_);  // takes over the reference
    if (last_->length > kMostOfRound) shorten();
  }
  /// Forgets all but the last segments.
  void shorten();
  static void release(Link* link) noexcept;

  Link* last_ = nullptr;
};

}  // namespace posse
