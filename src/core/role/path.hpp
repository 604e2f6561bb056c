// How a moment of a run came about: the path of work and messages that led to it.
//
// A path is a chain of segments, each at one node or on one link. It follows what was last: a
// reaction to a message continues the message's path, and work continues the node's path until
// then. Segments are shared and immutable; a path may be copied and read by any thread. It goes
// back to the beginning of the round that began last on it, and a little further.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/base/free_store.hpp"
#include "core/base/ids.hpp"
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
    if (last_ != nullptr) last_->references.fetch_add(1, std::memory_order_relaxed);
  }
  Path(Path&& other) noexcept : last_(std::exchange(other.last_, nullptr)) {}
  Path& operator=(Path other) noexcept {
    std::swap(last_, other.last_);
    return *this;
  }
  ~Path() {
    if (last_ != nullptr) release(last_);
  }

  /// A path without segments has no end.
  explicit operator bool() const { return last_ != nullptr; }
  Time until() const { return last_->segment.until; }
  bool operator==(const Path& other) const { return last_ == other.last_; }

  /// Adds a segment, which begins where the path ends.
  void extend(const PathSegment& segment) {
    const std::uint32_t length = last_ != nullptr ? last_->length + 1 : 1;
    last_ = new Link(segment, last_, length);  // takes over the reference
    if (length > kLongest) shorten();
  }
  /// Adds what passed since the path's end, if anything did.
  void extend(PathPart part, NodeId node, Time until) {
    const Time from = this->until();
    if (from < until) extend({part, node, from, until});
  }
  /// A round begins at `node`.
  void begin_round(NodeId node, Time at) {
    if (last_ != nullptr) shorten();
    extend({PathPart::compute, node, at, at});
  }

  /// Calls `visit(const PathSegment&)` from the last segment to the first.
  template <class Visit>
  void visit_backwards(Visit&& visit) const {
    for (const Link* link = last_; link != nullptr; link = link->earlier) visit(link->segment);
  }

 private:
  /// Segments. A longer path forgets its beginning.
  static constexpr std::uint32_t kLongest = 4096;
  static constexpr std::uint32_t kKept = 64;  // of those before a round
  struct Link : FromFreeStore<Link> {
    Link(const PathSegment& s, Link* e, std::uint32_t l) : segment(s), earlier(e), length(l) {}
    PathSegment segment;
    Link* earlier;
    std::uint32_t length;  // up to here
    std::atomic<std::uint32_t> references{1};
  };
  /// Forgets all but the last segments.
  void shorten();
  static void release(Link* link) noexcept;

  Link* last_ = nullptr;
};

}  // namespace posse
