// One answer per member and round, collected under a policy: who has arrived, when the round may
// close, who was late (simulation.md, server policies and datagram promises).
//
// Every role that gathers uses this class, so a duplicate is never counted twice, and an answer to
// a closed round never counts at all, whatever the algorithm. O(1) per answer; 8 bytes per member;
// only `close` and `missing` scan the members, and only when someone is missing.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/role/message.hpp"
#include "core/role/observation.hpp"
#include "core/role/policy.hpp"
#include "core/role/role.hpp"

namespace posse {

/// What a message with a round number is to someone who has seen others of the same kind.
enum class Sight {
  newest,     // of a later round than any before
  overtaken,  // for the first time, but a later round was seen before it
  repeated,   // seen before
};

/// Which rounds one sender's messages have been seen of: the newest and the 32 before it (IPsec's
/// anti-replay window). A message older than the window counts as repeated. Rounds start at 1.
class RoundsSeen {
 public:
  Sight see(Round round);
  bool has(Round round) const;
  Round newest() const { return {newest_}; }

 private:
  std::uint32_t newest_ = 0;
  std::uint32_t window_ = 0;  // bit j: round newest - 1 - j was seen
};

/// How many answers have come, and how long they have waited for the round to end, in sum.
class WaitClock {
 public:
  void add(Time now) {
    waited_ = until(now);
    last_ = now;
    ++answers_;
  }
  std::uint32_t answers() const { return answers_; }
  Duration until(Time now) const { return {waited_.ns + answers_ * (now - last_).ns}; }

 private:
  Duration waited_{};
  Time last_{};
  std::uint32_t answers_ = 0;
};

/// What became of one answer.
enum class Answer {
  used,       // first answer of a member to the open round
  duplicate,  // a copy of an answer that was seen before; changes nothing
  stale,      // its round is closed (or was never opened, or its sender is no member)
};

class Gather {
 public:
  /// Members are the `members` (>= 1) consecutive nodes from `first`. A quorum above `members`
  /// means all of them.
  Gather(NodeId first, std::uint32_t members, const Policy& policy);

  /// From the next round on there are `members` members, no fewer than now: the new ones come after
  /// the present ones.
  void admit(std::uint32_t members);

  /// Starts gathering answers that carry `round`, which must grow from one call to the next, and
  /// sets the deadline's timer if the policy has one. Call it in the reaction that asks.
  void open(Round round, Reaction& reaction) {
    open(round, reaction, 0, static_cast<std::uint32_t>(seen_.size()));
  }
  /// The same where only `asked` >= 1 members from number `first` on are asked.
  void open(Round round, Reaction& reaction, std::uint32_t first, std::uint32_t asked);

  /// Notes an answer; reports a stale one as an observation. The caller uses the content iff
  /// `used`, then asks `ready()`.
  Answer take(const Message& message, Reaction& reaction);

  /// True if the timer was the open round's deadline; then ask `ready()`.
  bool on_timer(TimerId timer);

  /// True when the policy lets the open round close.
  bool ready() const;

  /// Ends the open round and fills `arrived`, `expected`, `waited` and `late` of its record.
  void close(Reaction& reaction, RoundEnded& record);

  bool is_open() const { return open_; }
  Round round() const { return round_; }
  std::uint32_t arrived() const { return clock_.answers(); }
  bool has_answered(std::uint32_t member) const { return seen_[member].has(round_); }
  /// Members that haven't answered the open round, in id order.
  std::vector<NodeId> missing() const;

 private:
  std::uint32_t enough() const;

  NodeId first_;
  Policy policy_;
  std::vector<RoundsSeen> seen_;  // per member
  Round round_{};
  std::uint32_t first_asked_ = 0;
  std::uint32_t asked_ = 0;
  WaitClock clock_;
  bool open_ = false;
  bool deadline_passed_ = false;
};

}  // namespace posse
