// SPDX-License-Identifier: Apache-2.0
// Ways for m players, of whom each has a vector of numbers, to bring all vectors, or their sum, to
// all of them. Each way is a plan per player: what it sends to whom as soon as it has it.
//
//   mesh      everybody to everybody: 1 step (Chen et al. 2015)
//   relay     to player 0, which sends back what follows: 2 steps
//   ring      to the next player, m - 1 times; summed parts twice as often
//   tree      up a binary tree and down again: 2 floor(log2 m) steps
//   doubling  to players at the distances 1, 2, 4, …: at most ceil(log2 m) steps for vectors, two
//             more for sums where m is no power of two
//
// Vectors by doubling: Bruck, Ho, Kipnis, Upfal and Weathersby, Efficient algorithms for all-to-all
// communications in multiport message-passing systems (1997). Sums by doubling and in a ring:
// Thakur, Rabenseifner and Gropp, Optimization of collective communication operations in MPICH
// (2005).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/ids.hpp"

namespace posse {

enum class AllToAll { mesh, relay, ring, tree, doubling };

inline constexpr std::array kAllToAll{
    AllToAll::mesh, AllToAll::relay, AllToAll::ring, AllToAll::tree, AllToAll::doubling};

constexpr std::string_view to_string(AllToAll way) {
  switch (way) {
    case AllToAll::mesh:
      return "mesh";
    case AllToAll::relay:
      return "relay";
    case AllToAll::ring:
      return "ring";
    case AllToAll::tree:
      return "tree";
    case AllToAll::doubling:
      return "doubling";
  }
  return "?";
}

/// A place in the binary tree, whose subtrees hold consecutive players, the root first. Subtrees of
/// one node differ by at most one player.
struct TreePlace {
  std::optional<NodeId> parent;  // none: player 0
  std::vector<NodeId> children;
  std::uint32_t below = 1;  // players in its subtree, itself included
};
TreePlace tree_place(std::uint32_t players, std::uint32_t self);

/// One message to each of `nodes` consecutive players from `to`: the vectors of `count` players
/// from `first`, cyclically; or, if `count` is 0, what follows from all vectors.
struct VectorSend {
  NodeId to;
  std::uint32_t nodes = 1;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// What a player sends, each as soon as it has it.
struct GatherPlan {
  std::vector<VectorSend> sends;
  std::uint32_t vectors = 1;          // that it gets, from its own on (cyclically), itself included
  std::optional<NodeId> result_from;  // who sends it what follows, if it does not get all vectors
};
GatherPlan gather_plan(AllToAll way, std::uint32_t players, std::uint32_t self);

/// How a player helps to add up one part of the vectors: in each stage it adds what it gets to its
/// own sum, then sends the sum. Any one player sends to it at most once.
struct SumPlan {
  struct Stage {
    std::vector<NodeId> from, to;
  };
  std::vector<Stage> stages;
  std::optional<NodeId> result_from;  // who sends it what follows; else it has the sum
  std::vector<NodeId> forwards;       // to whom it sends what follows
};

/// For part 0 … parts - 1: `ring` has as many parts as players, the others one. Not for `mesh` and
/// `relay`, which add up whole vectors.
std::uint32_t sum_parts(AllToAll way, std::uint32_t players);
SumPlan sum_plan(AllToAll way, std::uint32_t players, std::uint32_t self, std::uint32_t part);

}  // namespace posse
