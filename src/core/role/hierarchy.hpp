// SPDX-License-Identifier: Apache-2.0
// A star with edges in between: the server is linked to edges, and each edge to a block of clients.
//
// Node 0 is the server, 1 … E are the edges, E+1 … E+M the clients. Edge e has the clients from
// floor(e M / E) to floor((e+1) M / E) - 1, so that the sizes of blocks differ by at most one.
// Without edges (E = 0) it is a star.
#pragma once

#include <cstdint>

#include "core/base/ids.hpp"

namespace posse {

struct Hierarchy {
  std::uint32_t clients = 1;  // M >= 1
  std::uint32_t edges = 0;    // E <= M

  /// The number of nodes that the server is linked to, from node 1 on.
  std::uint32_t below_server() const { return edges > 0 ? edges : clients; }
  NodeId first_client() const { return {1 + edges}; }

  /// The first client of edge number `edge`, from 0; with `edge` = E, M.
  std::uint32_t first_of(std::uint32_t edge) const {
    return static_cast<std::uint32_t>(std::uint64_t{edge} * clients / edges);
  }
  std::uint32_t size_of(std::uint32_t edge) const { return first_of(edge + 1) - first_of(edge); }

  /// The number of nodes that `node` is linked to.
  std::uint32_t degree(NodeId node) const {
    if (node.value == 0) return below_server();
    return node.value <= edges ? 1 + size_of(node.value - 1) : 1;
  }
  /// The node that `node` (not the server) is linked to on the way to the server.
  NodeId above(NodeId node) const {
    if (node.value <= edges || edges == 0) return {0};
    const std::uint64_t client = node.value - first_client().value;
    return {static_cast<std::uint32_t>(1 + ((client + 1) * edges - 1) / clients)};
  }
};

}  // namespace posse
