// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "core/domain/partition.hpp"

namespace posse::test_partition {
namespace {

struct Case {
  const char* name;
  Partition partition;
};

std::vector<Case> cases() {
  const Box square{{-5, 0}, {5, 0.3}};
  return {
      {"cyclic 2 on the unit interval", {Box::cube(1, 0, 1), PartitionKind::cyclic, 2}},
      {"cyclic 3 on an interval", {Box::cube(1, -1, 2.5), PartitionKind::cyclic, 3}},
      {"cyclic 2 in two dimensions", {square, PartitionKind::cyclic, 2}},
      {"cyclic 3 in five dimensions", {Box::cube(5, -1, 1), PartitionKind::cyclic, 3}},
      {"dimwise in two dimensions", {square, PartitionKind::dimwise, 2}},
      {"dimwise in three dimensions", {Box::cube(3, -1, 1), PartitionKind::dimwise, 2}},
      {"random-dim 2", {square, PartitionKind::random_dim, 2, Seed{4}}},
      {"random-dim 3", {Box::cube(3, 0, 1), PartitionKind::random_dim, 3, Seed{5}}},
      {"random-cut 2", {square, PartitionKind::random_cut, 2, Seed{6}}},
      {"random-cut 3", {Box::cube(3, 0, 1), PartitionKind::random_cut, 3, Seed{7}}},
  };
}

double volume(const Box& box) {
  double product = 1;
  for (std::size_t j = 0; j < box.dimension(); ++j) product *= box.width(j);
  return product;
}

/// A cell reached by random choices, so that deep cells are met too.
Cell random_cell(const Partition& partition, std::uint32_t depth, std::mt19937_64& random) {
  Cell cell;
  while (cell.depth < depth)
    cell =
        partition.child(cell, static_cast<std::uint32_t>(random() % partition.children_per_cell()));
  return cell;
}

TEST_CASE("children tile their parent and share its bounds bit for bit", "[partition]") {
  for (const auto& [name, partition] : cases()) {
    INFO(name);
    std::mt19937_64 random(1);
    for (int repeat = 0; repeat < 50; ++repeat) {
      const Cell cell = random_cell(partition, 1 + repeat % 9, random);
      const Box parent = partition.bounds(cell);
      double sum = 0;
      std::vector<bool> low_met(parent.dimension()), high_met(parent.dimension());
      for (std::uint32_t c = 0; c < partition.children_per_cell(); ++c) {
        const Cell child = partition.child(cell, c);
        CHECK(partition.parent(child) == cell);
        CHECK(child.index == partition.children_per_cell() * (cell.index - 1) + c + 1);
        const Box box = partition.bounds(child);
        sum += volume(box);
        for (std::size_t j = 0; j < box.dimension(); ++j) {
          CHECK(box.low[j] >= parent.low[j]);
          CHECK(box.high[j] <= parent.high[j]);
          if (box.low[j] == parent.low[j]) low_met[j] = true;
          if (box.high[j] == parent.high[j]) high_met[j] = true;
        }
        if (c > 0 && partition.children_per_cell() < 4) {
          // Consecutive children touch in the dimension that was cut.
          const Box before = partition.bounds(partition.child(cell, c - 1));
          int shared = 0;
          for (std::size_t j = 0; j < box.dimension(); ++j) shared += before.high[j] == box.low[j];
          CHECK(shared == 1);
        }
      }
      CHECK(sum == Approx(volume(parent)).epsilon(1e-9));
      for (std::size_t j = 0; j < parent.dimension(); ++j) CHECK((low_met[j] && high_met[j]));
    }
  }
}

TEST_CASE("locate finds a cell from its centre, its lower corner, and agrees with parents",
          "[partition]") {
  for (const auto& [name, partition] : cases()) {
    INFO(name);
    std::mt19937_64 random(2);
    for (int repeat = 0; repeat < 100; ++repeat) {
      const Cell cell = random_cell(partition, repeat % 13, random);
      CHECK(partition.locate(cell.depth, partition.point(cell)) == cell);
      CHECK(partition.locate(cell.depth, partition.bounds(cell).low) == cell);
      std::vector<double> x;
      for (std::size_t j = 0; j < partition.box().dimension(); ++j) {
        const double u = static_cast<double>(random() >> 11) * 0x1p-53;
        x.push_back(partition.box().low[j] + u * partition.box().width(j));
      }
      const Cell deep = partition.locate(12, x);
      CHECK(partition.bounds(deep).contains(x));
      CHECK(partition.parent(deep) == partition.locate(11, x));
    }
    // The upper ends belong to the last cells.
    CHECK(partition.bounds(partition.locate(6, partition.box().high)).high == partition.box().high);
  }
}

TEST_CASE("representative points of cells follow the definition", "[partition]") {
  const Partition line(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  CHECK(line.point({0, 1})[0] == 0.5);
  CHECK(line.point({3, 1})[0] == 0.0625);       // x(n) of the sine example
  CHECK(line.point({7, 61})[0] == 0.47265625);  // x(n) of the garland example
  // Index 4 at depth 2: both cuts up, dimension 0 first.
  const Partition square(Box::cube(2, 0, 1), PartitionKind::cyclic, 2);
  CHECK(square.point({1, 2}) == std::vector<double>{0.75, 0.5});
  CHECK(square.point({2, 2}) == std::vector<double>{0.25, 0.75});
  CHECK(square.point({3, 3}) == std::vector<double>{0.125, 0.75});
  // dimwise: child c takes the upper half of dimension j iff bit j of c is 1.
  const Partition halves(Box::cube(2, 0, 1), PartitionKind::dimwise, 2);
  CHECK(halves.children_per_cell() == 4);
  CHECK(halves.point({1, 2}) == std::vector<double>{0.75, 0.25});
  CHECK(halves.point({1, 3}) == std::vector<double>{0.25, 0.75});
  CHECK(halves.point({2, 6}) == std::vector<double>{0.875, 0.125 + 0.0});
  const Partition corners(Box::cube(1, 0, 1), PartitionKind::cyclic, 2, {}, PointKind::corner);
  CHECK(corners.point({2, 3})[0] == 0.5);
}

TEST_CASE("three parts keep the centre of a cell as the centre of a child", "[partition]") {
  const Partition thirds(Box::cube(1, -1, 1), PartitionKind::cyclic, 3);
  Cell cell;
  for (int h = 0; h < 20; ++h) {
    CHECK(thirds.point(cell)[0] == 0.0);
    cell = thirds.child(cell, 1);
  }
}

TEST_CASE("the depth limit is the largest h with k^h <= 2^62", "[partition]") {
  const auto limit = [](std::uint32_t k) {
    return Partition(Box::cube(1, 0, 1), PartitionKind::cyclic, k).max_depth();
  };
  CHECK(limit(2) == 62);
  CHECK(limit(4) == 31);
  CHECK(limit(1024) == 6);
  CHECK(limit(3) == 39);
  const Partition line(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  CHECK_THROWS_AS(line.child({62, 1}, 0), CheckFailure);
  CHECK(line.bounds({62, std::uint64_t{1} << 62}).high[0] == 1.0);
}

TEST_CASE("random dimensions follow the seed and use every dimension", "[partition]") {
  const auto first_cuts = [](Seed seed) {
    const Partition p(Box::cube(3, 0, 1), PartitionKind::random_dim, 2, seed);
    std::vector<double> points;
    for (std::uint64_t i = 1; i <= 64; ++i)
      for (const double x : p.point({6, i})) points.push_back(x);
    return points;
  };
  CHECK(first_cuts(Seed{1}) == first_cuts(Seed{1}));
  CHECK(first_cuts(Seed{1}) != first_cuts(Seed{2}));
  // Among 63 cells, a dimension that is never cut would have probability 3 (2/3)^63 < 1e-10.
  const auto points = first_cuts(Seed{1});
  for (std::size_t j = 0; j < 3; ++j) {
    bool cut = false;
    for (std::size_t i = j; i < points.size(); i += 3) cut = cut || points[i] != 0.5;
    CHECK(cut);
  }
}

TEST_CASE("random cuts follow the seed and are uniform", "[partition]") {
  const auto shares = [](Seed seed, std::uint32_t k) {
    const Partition p(Box::cube(1, -2, 3), PartitionKind::random_cut, k, seed);
    std::vector<double> all;
    for (std::uint64_t i = 1; i <= 32; ++i) {
      const Box cell = p.bounds({5, i});
      all.push_back((p.bounds(p.child({5, i}, 0)).high[0] - cell.low[0]) / cell.width(0));
    }
    return all;
  };
  CHECK(shares(Seed{1}, 2) == shares(Seed{1}, 2));
  CHECK(shares(Seed{1}, 2) != shares(Seed{2}, 2));
  // The first of k - 1 uniform places is at 1/k on average. Of 4000 seeds' root cuts the mean is
  // within 5 standard errors, which fails with probability 6e-7.
  for (const std::uint32_t k : {2u, 4u}) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 4000; ++seed)
      sum += Partition(Box::cube(1, 0, 1), PartitionKind::random_cut, k, Seed{seed})
                 .bounds({1, 1})
                 .high[0];
    const double variance = (k - 1.0) / (k * k * (k + 1.0));  // Beta(1, k - 1)
    CHECK(std::abs(sum / 4000 - 1.0 / k) < 5 * std::sqrt(variance / 4000));
  }
}

TEST_CASE("children_of lists the next level in ascending order", "[partition]") {
  const Partition thirds(Box::cube(1, 0, 1), PartitionKind::cyclic, 3);
  const std::vector<std::uint64_t> indices{1, 4};
  CHECK(children_of(thirds, 2, indices) == std::vector<std::uint64_t>{1, 2, 3, 10, 11, 12});
}

TEST_CASE("the parameters build the partition they name", "[partition]") {
  Parameters p = default_parameters(partition_parameters());
  CHECK(make_partition(p, Box::cube(2, 0, 1), {}).children_per_cell() == 2);
  p.set("arity", std::int64_t{3});
  CHECK(make_partition(p, Box::cube(2, 0, 1), {}).children_per_cell() == 3);
  p.set("partition", std::string("dimwise"));
  CHECK(make_partition(p, Box::cube(2, 0, 1), {}).children_per_cell() == 4);
  p.set("point", std::string("corner"));
  CHECK(make_partition(p, Box::cube(2, 0, 1), {}).point({0, 1}) == std::vector<double>{0, 0});
}

}  // namespace
}  // namespace posse::test_partition
