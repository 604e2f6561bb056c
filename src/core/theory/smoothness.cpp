// SPDX-License-Identifier: Apache-2.0
#include "core/theory/smoothness.hpp"

#include <array>
#include <cmath>

#include "core/base/math.hpp"
#include "core/theory/assumption_a.hpp"

namespace posse::theory {
namespace {

struct Row {
  std::string_view objective;
  PartitionKind partition;
  Smoothness smoothness;
  std::optional<NearOptimality> near_optimality;
};

// Cyclic rows are valid for k = 2. The constants C are max_h |I_h| for the recommended pair or a
// smaller one, over depths 0 … 16 (garland), 12 (sine).
const std::array kRows = {
    Row{"sine", PartitionKind::cyclic, {2.4, 0.5}, std::nullopt},
    Row{"garland", PartitionKind::cyclic, {1.4, 1 / std::sqrt(2.0)}, NearOptimality{0, 285}},
    Row{"doublesine", PartitionKind::cyclic, {1, 0.8}, std::nullopt},
    Row{"himmelblau", PartitionKind::cyclic, {2, 0.5}, std::nullopt},
    Row{"himmelblau", PartitionKind::dimwise, {1.5, 0.25}, std::nullopt},
    Row{"ackley", PartitionKind::cyclic, {2.6, 1 / std::sqrt(2.0)}, std::nullopt},
    Row{"rastrigin", PartitionKind::dimwise, {2, 0.5}, std::nullopt},
};

// Tolerance for rounded constants: rho = 0.7071 is accepted for 1/sqrt(2).
constexpr double kConstantTolerance = 1e-4;

const Row* find_row(std::string_view objective, PartitionKind partition, std::uint32_t k) {
  if (partition == PartitionKind::cyclic && k != 2) return nullptr;
  for (const Row& row : kRows)
    if (row.objective == objective && row.partition == partition) return &row;
  return nullptr;
}

}  // namespace

std::optional<Smoothness> valid_smoothness(std::string_view objective,
                                           PartitionKind partition,
                                           std::uint32_t children_per_cell,
                                           std::size_t dimension) {
  // In one dimension with two parts all kinds are the same partition.
  if (dimension == 1 && children_per_cell == 2) partition = PartitionKind::cyclic;
  if (objective == "rastrigin" && partition == PartitionKind::cyclic && children_per_cell == 2)
    return Smoothness{2.2, math::pow(2.0, -1.0 / static_cast<double>(dimension))};
  const Row* row = find_row(objective, partition, children_per_cell);
  if (row == nullptr) return std::nullopt;
  return row->smoothness;
}

std::optional<NearOptimality> near_optimality(std::string_view objective,
                                              PartitionKind partition,
                                              std::uint32_t children_per_cell,
                                              std::size_t dimension) {
  if (dimension == 1 && children_per_cell == 2) partition = PartitionKind::cyclic;
  const Row* row = find_row(objective, partition, children_per_cell);
  if (row == nullptr) return std::nullopt;
  return row->near_optimality;
}

std::string smoothness_verdict(const Problem& problem,
                               const Partition& partition,
                               double nu1,
                               double rho,
                               std::uint32_t deepest) {
  const std::string_view kind = problem.objective_kind();
  const auto k = partition.children_per_cell();
  const auto statement = [&](const std::string& verdict) {
    return fmt::format(
        "smoothness nu1 = {:.6g}, rho = {:.6g} on {} ({} partition, {} children per cell): {}",
        nu1,
        rho,
        kind.empty() ? "this objective" : kind,
        to_string(partition.kind()),
        k,
        verdict);
  };
  if (problem.mean_maximum().conventional) return statement("unknown, since no maximiser is known");
  const auto fails = assumption_a_fails_at(problem, partition, nu1, rho, deepest);
  if (fails) return statement(fmt::format("does not hold, it fails at depth {}", *fails));
  const auto valid = valid_smoothness(kind, partition.kind(), k, problem.domain().dimension());
  if (valid && partition.point_kind() == PointKind::centre &&
      nu1 >= valid->nu1 - kConstantTolerance && rho >= valid->rho - kConstantTolerance)
    return statement(
        problem.homogeneous()
            ? "yes"
            : fmt::format("yes for each client; for their mean it holds down to depth {}",
                          deepest));
  return statement(
      fmt::format("not proven; checked on this instance: it holds down to depth {}", deepest));
}

std::optional<NearOptimality> near_optimality_of(const Problem& problem,
                                                 const Partition& partition,
                                                 double nu1,
                                                 double rho) {
  const auto k = partition.children_per_cell();
  const auto dimension = problem.domain().dimension();
  const auto valid = valid_smoothness(problem.objective_kind(), partition.kind(), k, dimension);
  if (!valid || !problem.homogeneous() || partition.point_kind() != PointKind::centre ||
      nu1 > valid->nu1 + kConstantTolerance || rho > valid->rho + kConstantTolerance)
    return std::nullopt;
  return near_optimality(problem.objective_kind(), partition.kind(), k, dimension);
}

}  // namespace posse::theory
