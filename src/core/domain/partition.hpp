// Hierarchical partitions of a box: cell (h, i) has the children (h+1, k(i-1)+1) … (h+1, ki).
//
// Source: the trees of P0, P1 and of Bubeck et al. 2011. All coordinates come from integers (part p
// of s equal parts of a dimension), never from repeated halving, so that cells which touch share
// the bound bit for bit. Cells are half open; the last one of a dimension also holds its end.
//
// random_dim differs from PyXAB's BinaryPartition, which draws the dimension anew in every run and
// process: here it is keyed by the partition's seed and (h, i), so that a federation agrees.
// Streams: `partition/cuts` (random_dim only). Cost of point and bounds: O(d) for d = 1, else
// O(h + d), or O(h d) for dimwise; random_dim draws one Philox block per level.
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

/// cyclic: depth h -> h+1 cuts dimension h mod d into k parts. dimwise: every dimension is halved
/// (k = 2^d). random_dim: as cyclic with the dimension drawn per cell from the partition's seed.
enum class PartitionKind { cyclic, dimwise, random_dim };
constexpr std::string_view to_string(PartitionKind kind) {
  return kind == PartitionKind::cyclic    ? "cyclic"
         : kind == PartitionKind::dimwise ? "dimwise"
                                          : "random-dim";
}

/// Which point of a cell stands for it. uniform: a fresh one at every pull (P1, Bubeck et al.),
/// which whoever pulls draws; point() is then the centre.
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
  /// Dimension that the split of `cell` cuts (cyclic, random_dim).
  std::size_t cut_dimension(Cell cell) const;
  /// Where the cell lies along every dimension.
  void place(Cell cell, Grid& grid) const;

  Box box_;
  PartitionKind kind_;
  std::uint32_t k_;
  PointKind point_;
  std::uint64_t key_;  // stream of random_dim's dimensions
  std::uint32_t max_depth_;
};

/// The parameters every tree algorithm shares (`partition`, `arity`, `point`), for its
/// AlgorithmSpec.
std::vector<ParameterSpec> partition_parameters();
/// What is wrong with them on this domain, for AlgorithmSpec::validate: dimwise splits into 2^d
/// children, and more than 2^20 are refused.
std::vector<std::string> validate_partition(const Parameters& parameters, const Box& domain);
/// Throws if `validate_partition` complains of more than 31 dimensions.
Partition make_partition(const Parameters& parameters, const Box& domain, Seed seed);

/// Children of `indices` at depth h, ascending: the next level, or its first `limit` cells where
/// the budget can't reach more.
std::vector<std::uint64_t> children_of(const Partition& partition,
                                       std::uint32_t depth,
                                       std::span<const std::uint64_t> indices,
                                       std::uint64_t limit = std::uint64_t(-1));

}  // namespace posse
