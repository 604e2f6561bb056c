// SPDX-License-Identifier: Apache-2.0
// How rules and faults say which nodes they are about.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <utility>

namespace posse {

/// Selects nodes: a node's name ("client-3"), a group ("client"), a range ("client-4..9") or
/// everyone ("*"); NodeNames::select has them all.
using NodeSelector = std::string;

/// The nodes of a fault: those that a selector matches, or a share of them.
struct FaultyNodes {
  NodeSelector of;
  std::optional<double> share;  // (0, 1]: rounded, at least one node, drawn in each run

  FaultyNodes(NodeSelector selector, std::optional<double> part = std::nullopt)
      : of(std::move(selector)), share(part) {}
  FaultyNodes(const char* selector) : of(selector) {}
  auto operator<=>(const FaultyNodes&) const = default;
};

}  // namespace posse
