// When a node that gathers answers closes a round.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/time.hpp"

namespace posse {

enum class PolicyKind { all, quorum, deadline };

constexpr std::string_view to_string(PolicyKind kind) {
  switch (kind) {
    case PolicyKind::all:
      return "all";
    case PolicyKind::quorum:
      return "quorum";
    case PolicyKind::deadline:
      return "deadline";
  }
  return "?";
}

/// all: when every answer has arrived. quorum: when `quorum` answers have arrived. deadline: when
/// `deadline` has passed since the round's messages left, or earlier if every answer has arrived.
/// If fewer than `quorum` answers (default 1) have arrived by then, the round goes on until they
/// have.
struct Policy {
  PolicyKind kind = PolicyKind::all;
  std::uint32_t quorum = 1;  // answers, >= 1, <= members
  Duration deadline{};
};

}  // namespace posse
