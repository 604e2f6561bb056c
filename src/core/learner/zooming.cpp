// SPDX-License-Identifier: Apache-2.0
#include "core/learner/zooming.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "core/theory/optimistic.hpp"

namespace posse {

struct Zooming::Lower {
  bool operator()(const Arm& x, const Arm& y) const {
    return x.index < y.index || (x.index == y.index && x.cell > y.cell);
  }
};
struct Zooming::Later {
  bool operator()(const Siblings& x, const Siblings& y) const { return x.next > y.next; }
};

Zooming::Zooming(const Partition& partition, const ZoomingOptions& options)
    : partition_(&partition), nu_(options.nu), rho_(options.rho), recommender_(options.choices) {
  POSSE_CHECK(options.horizon >= 1, "horizon {}", options.horizon);
  POSSE_CHECK(options.nu > 0 && options.rho > 0 && options.rho < 1,
              "nu {}, rho {}",
              options.nu,
              options.rho);
  plan(options.horizon);
  add({});
}

void Zooming::plan(std::uint64_t horizon) {
  horizon_ = horizon;
  two_log_n_ = 2 * math::log(static_cast<double>(horizon));
  pulls_to_split_.clear();
  for (std::uint32_t h = 0; h < partition_->max_depth(); ++h)
    pulls_to_split_.push_back(theory::zooming_pulls(horizon, nu_, rho_, h));
  for (Arm& arm : arms_) arm.index = index_of(arm);
  std::make_heap(arms_.begin(), arms_.end(), Lower{});
}

double Zooming::index_of(const Arm& arm) const {
  const auto pulls = static_cast<double>(arm.pulls);
  return arm.sum / pulls + 2 * std::sqrt(two_log_n_ / (pulls + 1));
}

void Zooming::add(Siblings siblings) {
  if (siblings.next.index == siblings.skipped) ++siblings.next.index;
  if (siblings.next.index > siblings.last) return;
  fresh_.push_back(siblings);
  std::push_heap(fresh_.begin(), fresh_.end(), Later{});
}

Cell Zooming::next() {
  POSSE_CHECK(!pulled_, "next() before tell()");
  if (!fresh_.empty()) {
    std::pop_heap(fresh_.begin(), fresh_.end(), Later{});
    Siblings siblings = fresh_.back();
    fresh_.pop_back();
    pulled_ = Arm{.cell = siblings.next, .region = siblings.next};
    ++siblings.next.index;
    add(siblings);
  } else {
    std::pop_heap(arms_.begin(), arms_.end(), Lower{});
    pulled_ = arms_.back();
    arms_.pop_back();
  }
  return pulled_->cell;
}

void Zooming::tell(double reward) {
  POSSE_CHECK(pulled_, "tell() before next()");
  if (++evaluations_ > horizon_) plan(2 * horizon_);
  Arm& arm = *pulled_;
  ++arm.pulls;
  arm.sum += reward;
  arm.index = index_of(arm);
  recommender_.played(arm.cell, arm.pulls);
  if (arm.region.depth < pulls_to_split_.size() && arm.pulls >= pulls_to_split_[arm.region.depth])
    split(arm);
  arms_.push_back(arm);
  std::push_heap(arms_.begin(), arms_.end(), Lower{});
  pulled_.reset();
}

void Zooming::split(Arm& arm) {
  const auto point = partition_->point(arm.cell);
  const std::uint32_t k = partition_->children_per_cell();
  do {
    const std::uint32_t depth = arm.region.depth + 1;
    const Cell kept = partition_->locate(depth, point);
    POSSE_CHECK(partition_->parent(kept) == arm.region,
                "the point of {} at depth {}",
                arm.cell.index,
                depth);
    add({.next = partition_->child(arm.region, 0),
         .last = partition_->child(arm.region, k - 1).index,
         .skipped = kept.index});
    arm.region = kept;
    deepest_ = std::max(deepest_, depth);
    cells_ += k;
  } while (arm.region.depth < pulls_to_split_.size() &&
           arm.pulls >= pulls_to_split_[arm.region.depth]);
}

std::vector<Cell> Zooming::responsible_cells() const {
  std::vector<Cell> cells;
  for (const Arm& arm : arms_) cells.push_back(arm.region);
  if (pulled_) cells.push_back(pulled_->region);
  for (const Siblings& siblings : fresh_)
    for (Cell cell = siblings.next; cell.index <= siblings.last; ++cell.index)
      if (cell.index != siblings.skipped) cells.push_back(cell);
  return cells;
}

}  // namespace posse
