// SPDX-License-Identifier: Apache-2.0
// One client's evaluations of cells, or of the arms of any point set. Clients and players of all
// algorithms evaluate through this class.
//
// With a fixed representative point (x_{h,i} in the analyses of the papers) f is evaluated once for
// all pulls of a cell. With `uniform` points every pull has its own point. Each pull is reported to
// the recorder. Streams: `reward/client-m` through RewardSource; `point/client-m`, draws (pull
// number) d + j for coordinate j of a uniform point. If several nodes evaluate for one client, each
// has its own streams: `reward/client-m/name`, `point/client-m/name`.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/domain/cell.hpp"
#include "core/domain/point_set.hpp"
#include "core/objective/problem.hpp"
#include "core/random/stream.hpp"
#include "core/role/role.hpp"

namespace posse {

/// The uniform point of pull number `pull`, from 0, drawn from `box`.
std::vector<double> uniform_point(const Box& box, UniformStream& draws, std::uint64_t pull);

class CellRewards {
 public:
  /// Client number `client`, from 0. `name` distinguishes the evaluators of one client, and is
  /// empty if there is only one. Both references must outlive this object.
  CellRewards(const Problem& problem,
              const PointSet& points,
              std::uint32_t client,
              std::string_view name = {});

  /// The cells cell_of(item), which are about to be pulled: an objective that computes the values
  /// of many points faster together does so now.
  template <class Items, class CellOf>
  void prepare(const Items& items, CellOf cell_of) const {
    if (!problem_->batched(client())) return;
    std::vector<std::vector<double>> fixed;
    for (const auto& item : items)
      if (const Cell cell = cell_of(item); !points_->drawn_from(cell))
        fixed.push_back(points_->point(cell));
    problem_->prepare(client(), fixed);
  }
  /// Prepares cells of one depth, which are about to be pulled.
  void prepare_level(std::uint32_t depth, std::span<const std::uint64_t> index) const {
    prepare(index, [depth](std::uint64_t i) { return Cell{depth, i}; });
  }

  /// The sum of the next `count` rewards of the cell, added one by one in pull order.
  double pull(Cell cell, std::uint64_t count, Reaction& reaction);
  /// Calls use(reward) for each of the next `count` rewards of the cell, in pull order, for callers
  /// that need more than the sum.
  template <class Use>
  void pull_each(Cell cell, std::uint64_t count, Reaction& reaction, Use use) {
    const auto box = points_->drawn_from(cell);
    const std::uint64_t each = box ? 1 : count;
    for (std::uint64_t done = 0; done < count; done += each) {
      auto point = box ? draw_point(*box) : points_->point(cell);
      rewards_.pull_each(point, each, use);
      reaction.observe(PullsObserved{client(), std::move(point), each, rewards_.value()});
    }
  }

  /// Goes on after `pulls` pulls that were made before this object.
  void go_on_after(std::uint64_t pulls) { rewards_.go_on_after(pulls); }
  /// Pulls so far.
  std::uint64_t pulls() const { return rewards_.pulls(); }
  /// Pulls left in the budget.
  std::uint64_t left() const { return problem_->budget() - rewards_.pulls(); }
  std::uint32_t client() const { return static_cast<std::uint32_t>(rewards_.client()); }

 private:
  double pull_within(const Box& box, std::uint64_t count, Reaction& reaction);
  std::vector<double> draw_point(const Box& box) {
    return uniform_point(box, draws_, rewards_.pulls());
  }

  const Problem* problem_;
  const PointSet* points_;
  RewardSource rewards_;
  UniformStream draws_;
};

}  // namespace posse
