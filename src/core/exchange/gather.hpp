// SPDX-License-Identifier: Apache-2.0
// Collects one answer per member and round under a policy: which answers have arrived, when the
// round may close, and which members were late.
//
// Servers that wait for answers under a server policy use this class; players that wait for each
// other use PeerGather. A duplicate is never counted twice, and an answer to a closed round is
// never counted. Cost: O(1) per answer, 8 bytes per member; only `close` and `missing` scan the
// members, and only if some are missing.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/fetch.hpp"
#include "core/base/huge_pages.hpp"
#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/role/message.hpp"
#include "core/role/observation.hpp"
#include "core/role/policy.hpp"
#include "core/role/role.hpp"

namespace posse {

/// Order of a message with a round number relative to earlier ones from the same sender.
enum class Sight {
  newest,     // of a later round than any before
  overtaken,  // seen for the first time, but after a later round
  repeated,   // seen before
};

/// The rounds of which one sender's messages have been seen: the newest and the 32 before it, as in
/// IPsec's anti-replay window. A message older than the window counts as repeated. Rounds start at
/// 1.
class RoundsSeen {
 public:
  Sight see(Round round);
  bool has(Round round) const;
  Round newest() const { return {newest_}; }

 private:
  std::uint32_t newest_ = 0;
  std::uint32_t window_ = 0;  // bit j: round newest - 1 - j was seen
};

/// The number of answers and the sum of their waiting times until the round ends.
class WaitClock {
 public:
  void add(NodeId from, Time now) {
    waited_ = until(now);
    if (last_ != now) came_last_ = 0;
    last_ = now;
    if (came_last_ < last_nodes_.size()) last_nodes_[came_last_++] = from;
    ++answers_;
  }
  std::uint32_t answers() const { return answers_; }
  /// RoundEnded::came_last.
  std::vector<NodeId> came_last() const {
    if (came_last_ < 2) return {};
    return {last_nodes_.begin(), last_nodes_.begin() + came_last_};
  }
  Duration until(Time now) const { return {waited_.ns + answers_ * (now - last_).ns}; }

 private:
  Duration waited_{};
  Time last_{};
  std::uint32_t answers_ = 0, came_last_ = 0;
  std::array<NodeId, kMostCameLast + 1> last_nodes_{};
};

/// What members sent, by member; answers come in any order.
using Uploads = std::vector<Payload, HugePages<Payload>>;

/// The fate of one answer.
enum class Answer {
  used,       // first answer of a member to the open round
  duplicate,  // a copy of an answer that was seen before; changes nothing
  stale,      // its round is closed or was never opened, or the sender is not a member
};

class Gather {
 public:
  /// Members are the `members` (>= 1) consecutive nodes from `first`. A quorum above `members`
  /// counts as `members`.
  Gather(NodeId first, std::uint32_t members, const Policy& policy);

  /// Sets the number of members from the next round on; not less than now. New members follow the
  /// present ones.
  void admit(std::uint32_t members);

  /// Opens a round, whose number must grow from call to call, and sets the deadline's timer if the
  /// policy has one. Call it in the reaction that sends the requests.
  void open(Round round, Reaction& reaction) {
    open(round, reaction, 0, static_cast<std::uint32_t>(seen_.size()));
  }
  /// Opens a round in which only `asked` >= 1 members from number `first` on are asked.
  void open(Round round, Reaction& reaction, std::uint32_t first, std::uint32_t asked);

  /// Registers an answer; reports a stale one as an observation. The caller uses the content only
  /// if the result is `used`, and then checks `ready()`.
  Answer take(const Message& message, Reaction& reaction);

  /// True if the timer was the open round's deadline; the caller then checks `ready()`.
  bool on_timer(TimerId timer);

  /// The node has lost its timers: the open round's deadline, if it has one, begins anew.
  void restart(Reaction& reaction) const {
    if (open_ && policy_.kind == PolicyKind::deadline && !deadline_passed_)
      reaction.set_timer_from_now(TimerId{round_.value}, policy_.deadline);
  }

  /// True if the policy allows the open round to close.
  bool ready() const;

  /// Closes the round and fills in `arrived`, `expected`, `first_asked`, `waited`, `late` and
  /// `came_last` of its record.
  void close(Reaction& reaction, RoundEnded& record);

  bool is_open() const { return open_; }
  Round round() const { return round_; }
  std::uint32_t arrived() const { return clock_.answers(); }
  /// Fetches what `take` needs of the member.
  [[gnu::always_inline]] void fetch_member(std::uint32_t member) const { fetch(&seen_[member]); }
  bool has_answered(std::uint32_t member) const { return seen_[member].has(round_); }
  /// A lower bound on the number of messages until the open round may close; 0 if a timer may close
  /// it.
  std::uint32_t messages_before_close() const {
    return !open_ || policy_.kind == PolicyKind::deadline || ready() ? 0 : enough() - arrived();
  }
  /// Members that have not answered in the open round, in id order.
  std::vector<NodeId> missing() const;

 private:
  std::uint32_t enough() const;

  NodeId first_;
  Policy policy_;
  std::vector<RoundsSeen, HugePages<RoundsSeen>> seen_;  // per member
  Round round_{};
  std::uint32_t first_asked_ = 0;
  std::uint32_t asked_ = 0;
  WaitClock clock_;
  bool open_ = false;
  bool deadline_passed_ = false;
  Time closed_at_{-1};
};

}  // namespace posse
