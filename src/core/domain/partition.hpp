// SPDX-License-Identifier: Apache-2.0
// Hierarchical partitions of a box: cell (h, i) has the children (h+1, k(i-1)+1), …, (h+1, ki).
//
// Source: the partition trees of Bubeck et al. 2011, Chen et al. 2015 and Li et al. 2024 (Fed-PNE).
// Coordinates are computed from integers (part p of s equal parts of a dimension), not by repeated
// halving, so that adjacent cells share their common bound bit for bit. Cells are half open; the
// last cell of a dimension also contains the upper end.
//
// random_dim differs from PyXAB's BinaryPartition, which draws the dimension anew in every run and
// process. Here the draw is keyed by the partition's seed and (h, i), so that all participants use
// the same cells (see PAPERS.md, pyxab-4). random_cut draws the places of the cuts by seed
// and (h, i), too, as PyXAB's RandomBinaryPartition and RandomKaryPartition; its cells have no
// common grid.
// Streams: `partition/cuts` (random_dim, random_cut), `partition/places` (random_cut). Cost of
// point and bounds: O(d) for d = 1, O(h d) for dimwise, O(d + h k log k) for random_cut, else O(h +
// d). random_dim draws one Philox block per level, random_cut k.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/parameters.hpp"
#include "core/domain/box.hpp"
#include "core/domain/cell.hpp"
#include "core/domain/point_set.hpp"

namespace posse {

/// cyclic: a cell of depth h is cut into k parts along dimension h mod d. dimwise: every dimension
/// is halved (k = 2^d). random_dim: as cyclic, but the dimension is drawn for each cell.
/// random_cut: as random_dim, but the parts end at k - 1 uniformly drawn places.
enum class PartitionKind { cyclic, dimwise, random_dim, random_cut };
constexpr std::string_view to_string(PartitionKind kind) {
  switch (kind) {
    case PartitionKind::cyclic:
      return "cyclic";
    case PartitionKind::dimwise:
      return "dimwise";
    case PartitionKind::random_dim:
      return "random-dim";
    case PartitionKind::random_cut:
      return "random-cut";
  }
  return "?";
}

/// The representative point of a cell. uniform: a new point for every pull (Bubeck et al. 2011, Li
/// et al. 2024), drawn by the node that pulls; point() then returns the centre.
enum class PointKind { centre, corner, uniform };

class Partition final : public PointSet {
 public:
  /// k >= 2 parts per split; ignored (2^d) for dimwise.
  Partition(Box box,
            PartitionKind kind,
            std::uint32_t k,
            Seed seed = {},
            PointKind point = PointKind::centre);

  PartitionKind kind() const { return kind_; }
  PointKind point_kind() const { return point_; }
  std::uint32_t children_per_cell() const { return k_; }
  /// The largest h with k^h <= 2^62; cells there are never expanded.
  std::uint32_t max_depth() const { return max_depth_; }
  const Box& box() const { return box_; }

  /// Child number c = 0 … k-1.
  Cell child(Cell cell, std::uint32_t c) const;
  Cell parent(Cell cell) const;
  /// Two cells that touch share the bound bit for bit.
  Box bounds(Cell cell) const;
  /// The representative point x_{h,i}; the centre if points are drawn at every pull.
  std::vector<double> point(Cell cell) const override;
  std::optional<Box> drawn_from(Cell cell) const override {
    return point_ == PointKind::uniform ? std::optional(bounds(cell)) : std::nullopt;
  }
  /// The one cell of depth h that holds x (half open; the last also holds the upper bound).
  Cell locate(std::uint32_t depth, std::span<const double> x) const;

 private:
  struct Grid;
  /// Dimension that the split of `cell` cuts (not dimwise).
  std::size_t cut_dimension(Cell cell) const;
  /// Where the split of `cell` cuts, in shares of its width, ascending (random_cut).
  std::vector<double> cut_places(Cell cell) const;
  Box bounds_of_random_cuts(Cell cell) const;
  Cell locate_among_random_cuts(std::uint32_t depth, std::span<const double> x) const;
  /// Where the cell lies along every dimension.
  void place(Cell cell, Grid& grid) const;

  Box box_;
  PartitionKind kind_;
  std::uint32_t k_;
  PointKind point_;
  std::uint64_t key_;     // stream of drawn dimensions
  std::uint64_t places_;  // stream of drawn places
  std::uint32_t max_depth_;
};

/// The parameters `partition`, `arity` and `point`, which all tree algorithms share, for an
/// AlgorithmSpec.
std::vector<ParameterSpec> partition_parameters();
/// Messages about parameters that do not suit this domain, for AlgorithmSpec::validate. dimwise is
/// limited to 2^20 children per cell.
std::vector<std::string> validate_partition(const Parameters& parameters, const Box& domain);
/// Fails a POSSE_CHECK for dimwise with more than 31 dimensions.
Partition make_partition(const Parameters& parameters, const Box& domain, Seed seed);

/// The children of `indices` at depth h in ascending order, at most `limit` of them. A limit saves
/// work when the budget covers only part of the next level.
std::vector<std::uint64_t> children_of(const Partition& partition,
                                       std::uint32_t depth,
                                       std::span<const std::uint64_t> indices,
                                       std::uint64_t limit = std::uint64_t(-1));

}  // namespace posse
