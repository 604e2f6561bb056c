// The points of tree learners: the representative points of cells.
#pragma once

#include <utility>
#include <vector>

#include "core/domain/partition.hpp"
#include "core/learner/learner.hpp"

namespace posse {

class CellPoints final : public PointSet {
 public:
  explicit CellPoints(Partition partition) : partition_(std::move(partition)) {}
  std::vector<double> point(Cell cell) const override { return partition_.point(cell); }
  const Partition& partition() const { return partition_; }

 private:
  Partition partition_;
};

}  // namespace posse
