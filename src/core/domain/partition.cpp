// SPDX-License-Identifier: Apache-2.0
#include "core/domain/partition.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/base/check.hpp"
#include "core/base/hash.hpp"
#include "core/random/stream.hpp"

namespace posse {
namespace {

constexpr std::size_t kMaxDimwiseDimensions = 20;  // a level of 2^20 cells takes 8 MB per player
constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 62;

std::uint32_t depth_limit(std::uint32_t k) {
  std::uint32_t depth = 0;
  for (std::uint64_t cells = 1; cells <= kMaxCells / k; cells *= k) ++depth;
  return depth;
}

/// Lower bound of part p of `parts` equal parts. The upper bound of a cell is the same expression
/// at p + 1, so adjacent cells share it bit for bit. The quotient p/parts of two integers is
/// rounded once, and equal fractions give equal quotients; therefore cells of different depths
/// share bounds as well. For parts >= 2^53 the integers are rounded first, which keeps the bounds
/// consistent.
double cut(double low, double high, std::uint64_t p, std::uint64_t parts) {
  if (p == parts) return high;
  return low + (high - low) * (static_cast<double>(p) / static_cast<double>(parts));
}

/// The end of the first `share` of an interval; not beyond it by rounding.
double cut_at(double low, double high, double share) {
  return std::min(high, low + (high - low) * share);
}

}  // namespace

/// Position of a cell along every dimension: part `p` of `parts`.
struct Partition::Grid {
  // No allocation in up to 16 dimensions: point() is called in inner loops.
  static constexpr std::size_t kInline = 16;
  struct Position {
    std::uint64_t p = 0;
    std::uint64_t parts = 1;
  };
  explicit Grid(std::size_t dimension) {
    if (dimension > kInline) large.resize(dimension);
    positions = {dimension > kInline ? large.data() : small.data(), dimension};
  }
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  std::array<Position, kInline> small;
  std::vector<Position> large;
  std::span<Position> positions;
};

Partition::Partition(Box box, PartitionKind kind, std::uint32_t k, Seed seed, PointKind point)
    : box_(std::move(box)), kind_(kind), k_(k), point_(point) {
  const std::size_t d = box_.dimension();
  POSSE_CHECK(d >= 1 && box_.high.size() == d, "a box has at least one dimension");
  for (std::size_t j = 0; j < d; ++j)
    POSSE_CHECK(box_.low[j] < box_.high[j], "dimension {} of the box is empty", j);
  if (kind_ == PartitionKind::dimwise) {
    POSSE_CHECK(d <= 31, "dimwise makes 2^{} children per cell", d);
    k_ = std::uint32_t{1} << d;
  }
  POSSE_CHECK(k_ >= 2, "a cell has at least 2 children, not {}", k_);
  max_depth_ = depth_limit(k_);
  key_ = stream_key(seed, "partition", "cuts").value;
  places_ = stream_key(seed, "partition", "places").value;
}

Cell Partition::child(Cell cell, std::uint32_t c) const {
  POSSE_CHECK(cell.depth < max_depth_, "depth {} has no children", cell.depth);
  POSSE_CHECK(c < k_, "child {} of {}", c, k_);
  return {cell.depth + 1, (cell.index - 1) * k_ + c + 1};
}

Cell Partition::parent(Cell cell) const {
  POSSE_CHECK(cell.depth > 0, "the root has no parent");
  return {cell.depth - 1, (cell.index - 1) / k_ + 1};
}

std::size_t Partition::cut_dimension(Cell cell) const {
  const std::uint64_t d = box_.dimension();
  if (kind_ == PartitionKind::cyclic) return cell.depth % d;
  // One Philox word per cell; the bias of the remainder is below d / 2^64.
  return philox_block({key_}, cell.index, cell.depth).first % d;
}

void Partition::place(Cell cell, Grid& grid) const {
  POSSE_CHECK(cell.depth <= max_depth_, "depth {} > {}", cell.depth, max_depth_);
  const std::size_t d = box_.dimension();
  const std::uint32_t h = cell.depth;
  auto& at = grid.positions;
  std::uint64_t rest = cell.index - 1;

  if (kind_ == PartitionKind::dimwise) {
    // Bit j of each base-2^d digit belongs to dimension j.
    for (std::size_t j = 0; j < d; ++j) at[j].parts = std::uint64_t{1} << h;
    for (std::uint32_t level = 0; level < h; ++level, rest >>= d)
      for (std::size_t j = 0; j < d; ++j) at[j].p |= ((rest >> j) & 1) << level;
  } else if (kind_ == PartitionKind::cyclic && d == 1) {
    at[0].p = rest;
    for (std::uint32_t level = 0; level < h; ++level) at[0].parts *= k_;
  } else if (kind_ == PartitionKind::cyclic) {
    // Digits are read from the last split to the first, so a digit's weight is the number of
    // parts up to then.
    for (std::uint32_t level = h; level-- > 0; rest /= k_) {
      auto& along = at[level % d];
      along.p += (rest % k_) * along.parts;
      along.parts *= k_;
    }
  } else {
    for (Cell c = cell; c.depth > 0;) {
      const Cell above = parent(c);
      auto& along = at[cut_dimension(above)];
      along.p += ((c.index - 1) % k_) * along.parts;
      along.parts *= k_;
      c = above;
    }
  }
}

std::vector<double> Partition::cut_places(Cell cell) const {
  std::vector<double> places;
  for (std::uint32_t i = 0; i + 1 < k_; ++i)
    places.push_back(
        to_unit_open(philox_block({hash_combine(places_, i)}, cell.index, cell.depth).first));
  std::sort(places.begin(), places.end());
  return places;
}

Box Partition::bounds_of_random_cuts(Cell cell) const {
  POSSE_CHECK(cell.depth <= max_depth_, "depth {} > {}", cell.depth, max_depth_);
  std::vector<Cell> path{cell};
  while (path.back().depth > 0) path.push_back(parent(path.back()));
  Box box = box_;
  for (std::size_t level = path.size(); level-- > 1;) {
    const std::size_t j = cut_dimension(path[level]);
    const auto places = cut_places(path[level]);
    const auto part = (path[level - 1].index - 1) % k_;
    const double low = box.low[j];
    const double high = box.high[j];
    if (part > 0) box.low[j] = cut_at(low, high, places[part - 1]);
    if (part + 1 < k_) box.high[j] = cut_at(low, high, places[part]);
  }
  return box;
}

Box Partition::bounds(Cell cell) const {
  if (kind_ == PartitionKind::random_cut) return bounds_of_random_cuts(cell);
  Grid grid(box_.dimension());
  place(cell, grid);
  Box result = box_;
  for (std::size_t j = 0; j < box_.dimension(); ++j) {
    const auto [p, parts] = grid.positions[j];
    result.low[j] = cut(box_.low[j], box_.high[j], p, parts);
    result.high[j] = cut(box_.low[j], box_.high[j], p + 1, parts);
  }
  return result;
}

std::vector<double> Partition::point(Cell cell) const {
  if (kind_ == PartitionKind::random_cut) {
    Box box = bounds_of_random_cuts(cell);
    if (point_ != PointKind::corner)
      for (std::size_t j = 0; j < box.dimension(); ++j) box.low[j] += box.width(j) / 2;
    return std::move(box.low);
  }
  Grid grid(box_.dimension());
  place(cell, grid);
  std::vector<double> x(box_.dimension());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto [p, parts] = grid.positions[j];
    // The centre is a cut of the grid twice as fine: again one quotient of integers.
    x[j] = point_ == PointKind::corner ? cut(box_.low[j], box_.high[j], p, parts)
                                       : cut(box_.low[j], box_.high[j], 2 * p + 1, 2 * parts);
  }
  return x;
}

Cell Partition::locate(std::uint32_t depth, std::span<const double> x) const {
  POSSE_CHECK(depth <= max_depth_, "depth {} > {}", depth, max_depth_);
  POSSE_CHECK(box_.contains(x), "locate: the point is outside the box");
  if (kind_ == PartitionKind::random_cut) return locate_among_random_cuts(depth, x);
  const std::size_t d = box_.dimension();
  Grid grid(d);
  auto& at = grid.positions;
  // The part of `along`, cut into k, that holds x[j]: compared with the bounds themselves, so that
  // locate and bounds never disagree.
  const auto descend = [&](std::size_t j, std::uint32_t k) {
    auto& along = at[j];
    along.parts *= k;
    along.p *= k;
    std::uint32_t low = 0;  // the answer is in [low, high)
    std::uint32_t high = k;
    while (high - low > 1) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (x[j] >= cut(box_.low[j], box_.high[j], along.p + middle, along.parts))
        low = middle;
      else
        high = middle;
    }
    along.p += low;
    return low;
  };
  Cell cell;
  while (cell.depth < depth) {
    std::uint32_t c = 0;
    if (kind_ == PartitionKind::dimwise) {
      for (std::size_t j = 0; j < d; ++j) c |= descend(j, 2) << j;
    } else {
      c = descend(cut_dimension(cell), k_);
    }
    cell = child(cell, c);
  }
  return cell;
}

Cell Partition::locate_among_random_cuts(std::uint32_t depth, std::span<const double> x) const {
  Cell cell;
  Box box = box_;
  while (cell.depth < depth) {
    const std::size_t j = cut_dimension(cell);
    const double low = box.low[j];
    const double high = box.high[j];
    std::uint32_t part = 0;
    for (const double place : cut_places(cell)) {
      const double bound = cut_at(low, high, place);
      if (x[j] < bound) {
        box.high[j] = bound;
        break;
      }
      box.low[j] = bound;
      ++part;
    }
    cell = child(cell, part);
  }
  return cell;
}

std::vector<ParameterSpec> partition_parameters() {
  return {
      {.name = "partition",
       .type = ParameterType::text,
       .default_value = std::string("cyclic"),
       .help = "how a cell is split: cyclic (the dimensions in turn), dimwise (every dimension is "
               "halved, 2^d children), random-dim (a dimension drawn per cell), random-cut (a "
               "dimension and "
               "the places of the cuts drawn per cell)",
       .choices = {"cyclic", "dimwise", "random-dim", "random-cut"}},
      {.name = "arity",
       .type = ParameterType::integer,
       .default_value = std::int64_t{2},
       .help = "k, children per cell (ignored by dimwise)",
       .min = 2,
       .max = 1024},
      {.name = "point",
       .type = ParameterType::text,
       .default_value = std::string("centre"),
       .help = "the point of a cell that is evaluated, x_{h,i}: its centre, its lower corner, or a "
               "uniform one drawn at every pull",
       .choices = {"centre", "corner", "uniform"}},
  };
}

std::vector<std::string> validate_partition(const Parameters& parameters, const Box& domain) {
  if (parameters.text("partition") != "dimwise" || domain.dimension() <= kMaxDimwiseDimensions)
    return {};
  return {fmt::format("dimwise splits a cell into 2^d children; at most {} dimensions, not {}",
                      kMaxDimwiseDimensions,
                      domain.dimension())};
}

Partition make_partition(const Parameters& parameters, const Box& domain, Seed seed) {
  const std::string& kind = parameters.text("partition");
  return Partition(domain,
                   kind == "dimwise"      ? PartitionKind::dimwise
                   : kind == "random-dim" ? PartitionKind::random_dim
                   : kind == "random-cut" ? PartitionKind::random_cut
                                          : PartitionKind::cyclic,
                   static_cast<std::uint32_t>(parameters.integer("arity")),
                   seed,
                   parameters.text("point") == "corner"    ? PointKind::corner
                   : parameters.text("point") == "uniform" ? PointKind::uniform
                                                           : PointKind::centre);
}

std::vector<std::uint64_t> children_of(const Partition& partition,
                                       std::uint32_t depth,
                                       std::span<const std::uint64_t> indices,
                                       std::uint64_t limit) {
  const std::uint32_t k = partition.children_per_cell();
  std::vector<std::uint64_t> children;
  children.reserve(std::min<std::uint64_t>(indices.size() * k, limit));
  for (const std::uint64_t index : indices) {
    for (std::uint32_t c = 0; c < k; ++c) {
      if (children.size() == limit) return children;
      children.push_back(partition.child({depth, index}, c).index);
    }
  }
  return children;
}

}  // namespace posse
