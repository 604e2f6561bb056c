// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <vector>

#include "core/role/path.hpp"

namespace posse::test_path {
namespace {

Time at(std::int64_t ns) { return Time{ns}; }

std::vector<PathSegment> segments(const Path& path) {
  std::vector<PathSegment> all;
  path.visit_backwards([&](const PathSegment& segment) {
    all.push_back(segment);
    return true;
  });
  return all;
}

/// A path of n segments of 1 ns, at node i mod 7.
Path path_of(std::int64_t n) {
  auto path = Path::beginning(NodeId{0}, at(0));
  for (std::int64_t i = 1; i <= n; ++i)
    path.extend(PathPart::compute, NodeId{static_cast<std::uint32_t>(i % 7)}, at(i));
  return path;
}

}  // namespace

TEST_CASE("a path has its segments from the last to the first, and none without a duration") {
  auto path = path_of(3);
  path.extend(PathPart::stopped, NodeId{5}, at(3));
  path.extend(PathPart::stopped, NodeId{5}, at(2));
  path.extend(PathPart::stopped, NodeId{5}, at(9));
  CHECK(path.until() == at(9));
  const auto all = segments(path);
  REQUIRE(all.size() == 4);
  CHECK(all[0].part == PathPart::stopped);
  CHECK(all[0].from == at(3));
  CHECK(all[0].until == at(9));
  for (std::int64_t i = 1; i <= 3; ++i) {
    const auto& segment = all[static_cast<std::size_t>(4 - i)];
    CHECK(segment.node.value == i);
    CHECK(segment.from == at(i - 1));
    CHECK(segment.until == at(i));
  }
}

TEST_CASE("at the beginning of a round a path of more than 256 points keeps its last 64") {
  for (const std::int64_t n : {1, 63, 64, 254, 255}) {  // n segments have n + 1 points
    auto path = path_of(n);
    path.begin_round();
    CHECK(segments(path).size() == static_cast<std::size_t>(n));
  }
  auto path = path_of(256);
  const Path copy = path;
  path.begin_round();
  const auto kept = segments(path), all = segments(copy);
  CHECK(all.size() == 256);
  REQUIRE(kept.size() == 63);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    CHECK(kept[i].from == all[i].from);
    CHECK(kept[i].until == all[i].until);
    CHECK(kept[i].node == all[i].node);
  }
  // What is kept counts: 193 more points are 257 again.
  for (std::int64_t i = 257; i <= 256 + 192; ++i)
    path.extend(PathPart::propagation, NodeId{}, at(i));
  path.begin_round();
  CHECK(segments(path).size() == 63 + 192);
  path.extend(PathPart::propagation, NodeId{}, at(500));
  path.begin_round();
  CHECK(segments(path).size() == 63);
}

TEST_CASE("work after work of the same node is one segment, and copies keep their own") {
  auto path = Path::beginning(NodeId{3}, at(1));
  path.extend(PathPart::compute, NodeId{3}, at(2));
  const Path copy = path;
  path.extend(PathPart::compute, NodeId{3}, at(5));
  path.extend(PathPart::compute, NodeId{4}, at(6));
  path.extend(PathPart::propagation, NodeId{4}, at(7));
  path.extend(PathPart::propagation, NodeId{4}, at(8));
  const auto all = segments(path);
  REQUIRE(all.size() == 4);
  CHECK(all[3].from == at(1));
  CHECK(all[3].until == at(5));
  CHECK(segments(copy).size() == 1);
  CHECK(copy.until() == at(2));
}

TEST_CASE("within a round a path of more than 4096 points keeps its last 64") {
  CHECK(segments(path_of(4095)).size() == 4095);
  CHECK(segments(path_of(4096)).size() == 63);
}

}  // namespace posse::test_path
