// SPDX-License-Identifier: Apache-2.0
// Zooming: a bandit over the points of a metric space that adds arms where rewards are high.
//
// Papers: Kleinberg, Slivkins & Upfal, "Multi-armed bandits in metric spaces" (STOC 2008, arXiv
// 0809.4882); "Bandits and experts in metric spaces" (JACM 2019, arXiv 1312.1277).
//   horizon    n >= 1 evaluations; doubled whenever there are more (Posse's own): radii only grow,
//   so
//              every point stays covered
//   nu, rho    diameters: points of the same cell of depth h differ by at most nu rho^h in value
// An arm is the point of a cell. After T pulls its radius is r = sqrt(2 ln n / (T + 1)), its index
// mean + 2 r. An arm covers the points at a distance of at most r. Activation rule: a point that no
// active arm covers becomes an arm. Selection rule: the arm with the largest index is pulled.
//
// The covering oracle over a partition (PAPERS.md, zooming-1): the cells of depth h have the
// diameter nu rho^h, and each active arm is responsible for one cell that holds its point. These
// cells tile the domain. While the radius of an arm is smaller than the diameter of its cell, this
// cell is split: the arm keeps the child that holds its point, and in each of the others the point
// of the child becomes an arm, responsible for that child. No part of a cell is lost. So before
// each pull every point is covered by the arm of its cell, which is what the proof needs. An arm
// without pulls has an infinite radius and index: it is pulled first. Ties: the smallest cell of
// activation. Cells at the partition's depth limit are never split.
//
// The theory needs rewards in [0, 1] and a Lipschitz function of the distance: any two points of a
// cell, not only the maximiser and another one. Output: by `choices` (ties are not drawn).
//
// Cost: O(log arms) per pull, O(depth) per split. Memory: 56 bytes per pulled arm, and 32 per
// split. Streams: recommend/name (uniform_play only).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/domain/partition.hpp"
#include "core/learner/choices.hpp"
#include "core/learner/learner.hpp"

namespace posse {

struct ZoomingOptions {
  std::uint64_t horizon = 1;
  double nu = 1;
  double rho = 0.9;
  LearnerChoices choices;
};

class Zooming final : public Learner {
 public:
  /// The partition must outlive the learner.
  Zooming(const Partition& partition, const ZoomingOptions& options);

  std::unique_ptr<Learner> clone() const override { return std::make_unique<Zooming>(*this); }
  Cell next() override;
  void tell(double reward) override;
  Cell recommend() const override { return recommender_.cell(); }
  /// The split cells and their children.
  std::optional<TreeSize> tree() const override { return TreeSize{deepest_, cells_}; }

  /// The cells for which pulled arms are responsible, and those of arms without pulls: they tile
  /// the domain. For tests.
  std::vector<Cell> responsible_cells() const;

 private:
  struct Arm {
    Cell cell;    // whose point it is
    Cell region;  // for which it is responsible
    std::uint64_t pulls = 0;
    double sum = 0;
    double index = 0;
  };
  /// Siblings whose arms have no pulls: indices next … last of a depth, but for `skipped`.
  struct Siblings {
    Cell next;
    std::uint64_t last = 1;
    std::uint64_t skipped = 0;
  };
  struct Lower;  // the heaps' orders
  struct Later;

  /// The constants of a horizon, and the indices of all arms.
  void plan(std::uint64_t horizon);
  double index_of(const Arm& arm) const;
  void add(Siblings siblings);
  void split(Arm& arm);

  const Partition* partition_;
  double nu_;
  double rho_;
  std::uint64_t horizon_ = 1;
  std::uint64_t evaluations_ = 0;
  double two_log_n_ = 0;
  std::vector<std::uint64_t> pulls_to_split_;  // by depth
  std::vector<Arm> arms_;                      // a heap, the largest index first
  std::vector<Siblings> fresh_;                // a heap, the smallest cell first
  std::optional<Arm> pulled_;
  Recommender recommender_;
  std::uint32_t deepest_ = 0;
  std::uint64_t cells_ = 1;
};

}  // namespace posse
