// SPDX-License-Identifier: Apache-2.0
// Rare branches of the kernel. A run notes which of them it reached, so that random scenarios can
// show that they reach all.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace posse {

enum class Branch : std::uint8_t {
  // How the run ended (ending.hpp).
  ended_without_hub,
  ended_before_a_round,
  settled_finished,
  settled_idle,
  settled_down,
  late_member_left_out,
  newcomer_waited_for,
  newcomer_still_to_be_told,
  stop_delayed_settled_work,
  hub_departed_after_answer,
  hub_stopped_after_answer,
  hub_repeated_after_answer,
  // What became of acknowledgements (reliable_transport.hpp).
  acknowledged_in_time,
  acknowledged_before_next_check,
  acknowledged_later,
  acknowledgement_lost,
  acknowledgement_as_event,
  copy_lost_while_watched,
  received_out_of_order,
  gave_up,
  forgot_sent,
};

inline constexpr std::array<std::string_view, 21> kBranchNames = {
    "end: all nodes decide",
    "end: no round was closed",
    "end: a participant has finished",
    "end: a participant has nothing left to do",
    "end: a participant is down for good",
    "end: a late member is left out",
    "end: a newcomer is waited for",
    "end: a newcomer is still to be told",
    "end: a stop delays the work of a settled node",
    "end: the hub's last message departs after the answer",
    "end: the hub stops or restarts after the answer",
    "end: the hub repeats a message after the answer",
    "transport: acknowledged before the check",
    "transport: acknowledged between two checks",
    "transport: acknowledged after the next check",
    "transport: acknowledgement lost",
    "transport: acknowledgement as an event",
    "transport: a watched copy is lost",
    "transport: received out of order",
    "transport: given up",
    "transport: forgotten with the sender's state",
};
static_assert(kBranchNames.size() == static_cast<std::size_t>(Branch::forgot_sent) + 1);

constexpr std::uint32_t bit_of(Branch branch) { return 1u << static_cast<unsigned>(branch); }
/// `reached`: a set of bits.
constexpr bool has_reached(std::uint32_t reached, Branch branch) {
  return (reached & bit_of(branch)) != 0;
}

/// The branches that a run has reached, as a set of bits. Thread-safe.
class ReachedBranches {
 public:
  [[gnu::always_inline]] void add(Branch branch) {
    const std::uint32_t bit = bit_of(branch);
    if ((bits_.load(std::memory_order_relaxed) & bit) == 0) [[unlikely]]
      bits_.fetch_or(bit, std::memory_order_relaxed);
  }
  std::uint32_t bits() const { return bits_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint32_t> bits_{0};
};

}  // namespace posse
