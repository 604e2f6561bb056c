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

/// all: every answer. quorum: the first `quorum` answers. deadline: what has arrived when
/// `deadline` has passed since the round's messages left (everything, if that comes first), but
/// at least `quorum` answers (1 unless given): if there are fewer, the round goes on until then.
struct Policy {
  PolicyKind kind = PolicyKind::all;
  std::uint32_t quorum = 1;  // answers, >= 1, <= members
  Duration deadline{};
};

}  // namespace posse
