// SPDX-License-Identifier: Apache-2.0
#include "core/objective/maximum.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <set>

#include "core/base/check.hpp"
#include "core/base/interruption.hpp"

namespace posse {
namespace {

using Objectives = std::span<const std::shared_ptr<const Objective>>;
constexpr std::uint64_t kCellsWithoutModulus = 8192;
constexpr double kClosedFormTolerance = 1e-12;  // relative
constexpr double kSmallestMaximum = 1e-3;       // that the relative tolerance refers to
constexpr double kPolishingStep = 0x1p-20;      // a share of the box's width
constexpr double kUnknown = std::numeric_limits<double>::infinity();

struct Point {
  double value = -kUnknown;
  std::vector<double> x;
};

struct Region {
  double upper = 0;
  std::vector<double> centre;
  std::vector<double> half_width;
  std::vector<double> promising;  // to be tried when the region is split; may be empty
  std::uint64_t order = 0;        // breaks ties: the cell made first wins
};
struct LessPromising {
  bool operator()(const Region& a, const Region& b) const {
    return a.upper != b.upper ? a.upper < b.upper : a.order > b.order;
  }
};

class Search {
 public:
  Search(Objectives objectives, const MaximumSearch& limits)
      : objectives_(objectives),
        box_(objectives.front()->domain()),
        limits_(limits),
        closed_form_(std::all_of(
            objectives.begin(), objectives.end(), [](const auto& f) { return f->closed_form(); })),
        mean_(box_.dimension()),
        one_(box_.dimension()) {
    // Largest number of evaluations of f̄ per stage.
    stage_ = std::max<std::uint64_t>(200, limits.evaluations / objectives.size());
  }

  CertifiedMaximum run() {
    if (const auto maximum = convention()) return {*maximum, *maximum, centre(), false, true};
    if (any_expensive()) return best_known();
    offer(centre());
    if (!closed_form_) try_candidates();
    double upper = separable() ? by_coordinates() : in_box(box_, 1);
    if (closed_form_)
      best_ = local_search(best_, kPolishingStep, stage_);
    else
      refine_best();
    // Equal where clients share a maximiser.
    if (const auto limit = mean_of_maxima(); limit && closed_form_) {
      best_.value = std::min(best_.value, *limit);
      upper = std::min(upper, *limit);
    }
    upper = std::max(upper, best_.value);
    return {.value = best_.value,
            .upper = upper,
            .point = best_.x,
            .certified = closed_form_ && upper - best_.value <= tolerance()};
  }

 private:
  bool separable() const {
    return box_.dimension() > 1 && std::all_of(objectives_.begin(),
                                               objectives_.end(),
                                               [](const auto& f) { return f->separable(); });
  }

  bool any_expensive() const {
    return std::any_of(
        objectives_.begin(), objectives_.end(), [](const auto& f) { return f->expensive(); });
  }

  /// The largest gap between the best value found and the bound.
  double tolerance() const {
    return closed_form_ ? kClosedFormTolerance * std::max(kSmallestMaximum, std::abs(best_.value))
                        : limits_.tolerance;
  }

  /// The mean over the objectives of what `get` returns, if it does for all.
  template <class Get>
  std::optional<double> mean_of(Get get) const {
    double sum = 0;
    for (const auto& f : objectives_) {
      const std::optional<double> number = get(*f);
      if (!number) return std::nullopt;
      sum += *number;
    }
    return sum / static_cast<double>(objectives_.size());
  }
  std::optional<double> convention() const {
    return mean_of([](const Objective& f) { return f.conventional_maximum(); });
  }
  std::optional<double> mean_of_maxima() const {
    return mean_of([](const Objective& f) { return f.maximum(); });
  }

  CertifiedMaximum best_known() {
    constexpr std::size_t kRepresentatives = 20;
    constexpr std::uint64_t kStepsAroundBest = 40;
    constexpr double kFirstStep = 1.0 / 32;
    // Clients may share an objective, and objectives their candidates.
    std::vector<const Objective*> different;
    std::set<const Objective*> seen;
    for (const auto& f : objectives_)
      if (seen.insert(f.get()).second) different.push_back(f.get());
    const std::size_t used = std::min(kRepresentatives, different.size());
    std::set<std::vector<double>> points{centre()};
    for (std::size_t i = 0; i < used; ++i)
      for (auto& x : different[i * different.size() / used]->candidate_maximisers())
        if (box_.contains(x)) points.insert(std::move(x));
    for (const auto& x : points) offer(x);
    best_ = local_search(best_, kFirstStep, kStepsAroundBest);
    std::vector<double> half_width(box_.dimension());
    for (std::size_t j = 0; j < half_width.size(); ++j) half_width[j] = 0.5 * box_.width(j);
    const auto upper =
        mean_of([&](const Objective& f) { return upper_bound(f, centre(), half_width); });
    return {best_.value, std::max(best_.value, upper.value_or(kUnknown)), best_.x};
  }

  std::vector<double> centre() const {
    std::vector<double> x(box_.dimension());
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = box_.low[j] + 0.5 * box_.width(j);
    return x;
  }

  double value(std::span<const double> x) {
    if (!closed_form_) return mean_value(objectives_, x);
    bound(x, std::vector<double>(x.size(), 0.0));
    return mean_.at_centre;
  }

  /// Sets mean_ to f̄'s upper bound on the box. Its peak is that of the first objective that has one
  /// there.
  void bound(std::span<const double> centre, std::span<const double> half_width) {
    const auto count = static_cast<double>(objectives_.size());
    mean_.at_centre = 0;
    mean_.set_constant(0);
    mean_.peak.clear();
    for (const auto& f : objectives_) {
      check_interruption();
      if (!f->upper_model(centre, half_width, one_)) {
        mean_.at_centre += f->value(centre);
        mean_.value = kUnknown;
        continue;
      }
      mean_.at_centre += one_.at_centre;
      mean_.value += one_.value;
      for (std::size_t j = 0; j < centre.size(); ++j) {
        mean_.gradient[j] += one_.gradient[j];
        mean_.curvature[j] += one_.curvature[j];
      }
      if (mean_.peak.empty()) mean_.peak = one_.peak;
    }
    mean_.at_centre /= count;
    mean_.value /= count;
    for (std::size_t j = 0; j < centre.size(); ++j) {
      mean_.gradient[j] /= count;
      mean_.curvature[j] /= count;
    }
  }

  /// Where mean_ is largest in the box, or else its peak.
  std::vector<double> promising(std::span<const double> centre,
                                std::span<const double> half_width) const {
    std::vector<double> x = mean_.peak;
    if (x.empty()) {
      x.assign(centre.begin(), centre.end());
      for (std::size_t j = 0; j < x.size(); ++j) x[j] += mean_.best_step(j, half_width[j]);
    }
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = std::clamp(x[j], box_.low[j], box_.high[j]);
    return x;
  }

  void offer(std::span<const double> x) { offer(x, value(x)); }
  void offer(std::span<const double> x, double f) {
    if (f > best_.value) best_ = {f, {x.begin(), x.end()}};
    // Starting points for the refinement, the best first.
    if (starts_.size() < kStarts || f > starts_.back().value) {
      const auto place =
          std::find_if(starts_.begin(), starts_.end(), [&](const Point& p) { return p.value < f; });
      starts_.insert(place, {f, {x.begin(), x.end()}});
      if (starts_.size() > kStarts) starts_.pop_back();
    }
  }

  void try_candidates() {
    // With very many objectives their candidates are dense; an evenly spaced subset represents
    // them.
    const std::size_t each =
        std::max<std::size_t>(1, objectives_.front()->candidate_maximisers().size());
    const std::size_t used = std::clamp<std::size_t>(stage_ / each, 1, objectives_.size());
    for (std::size_t i = 0; i < used; ++i) {
      const auto& f = objectives_[i * objectives_.size() / used];
      for (const auto& x : f->candidate_maximisers())
        if (box_.contains(x)) offer(x);
    }
  }

  /// Branch and bound on `box`, which may be flat in some dimensions, up to `share` of the
  /// tolerance. Returns an upper bound of f̄ on it. Adds every centre to the points found, and of
  /// closed forms the promising points of the boxes that are split.
  double in_box(const Box& box, double share) {
    std::priority_queue<Region, std::vector<Region>, LessPromising> open;
    std::uint64_t cells = 0;
    double local_best = -kUnknown;  // of this box: a flat box may exclude the best point found
    const auto found = [&](std::span<const double> x, double f) {
      local_best = std::max(local_best, f);
      offer(x, f);
    };
    const auto add = [&](std::vector<double> centre, std::vector<double> half_width) {
      bound(centre, half_width);
      found(centre, mean_.at_centre);
      const double upper = mean_.largest(half_width);
      auto better = closed_form_ ? promising(centre, half_width) : std::vector<double>{};
      open.push({upper, std::move(centre), std::move(half_width), std::move(better), cells++});
    };
    const bool whole = box.low == box_.low && box.high == box_.high;
    std::vector<double> centre(box.dimension());
    std::vector<double> half_width(box.dimension());
    for (std::size_t j = 0; j < centre.size(); ++j) {
      half_width[j] = 0.5 * box.width(j);
      centre[j] = box.low[j] + half_width[j];
    }
    add(centre, half_width);
    if (box.contains(best_.x)) local_best = std::max(local_best, best_.value);
    // A bound is infinite only where no modulus is known. The search then continues for a while as
    // a plain subdivision.
    while (2 * cells <
           (open.top().upper == kUnknown ? std::min(stage_, kCellsWithoutModulus) : stage_)) {
      if (whole) local_best = best_.value;
      if (open.top().upper - local_best <= share * tolerance()) break;
      Region cell = open.top();
      open.pop();
      if (!cell.promising.empty()) found(cell.promising, value(cell.promising));
      std::size_t widest = 0;
      for (std::size_t j = 1; j < box.dimension(); ++j)
        if (cell.half_width[j] / box_.width(j) > cell.half_width[widest] / box_.width(widest))
          widest = j;
      cell.half_width[widest] *= 0.5;
      for (const double side : {-1.0, 1.0}) {
        std::vector<double> half_centre = cell.centre;
        half_centre[widest] += side * cell.half_width[widest];
        add(std::move(half_centre), cell.half_width);
      }
    }
    return open.top().upper;
  }

  /// For separable f̄: max f̄ - f̄(x) is the sum over the coordinates of the gain along each
  /// coordinate alone.
  double by_coordinates() {
    const std::size_t d = box_.dimension();
    double gap = 0;
    const std::uint64_t all = stage_;
    stage_ = std::max<std::uint64_t>(200, all / d);
    for (std::size_t j = 0; j < d; ++j) {
      Box line{best_.x, best_.x};
      line.low[j] = box_.low[j];
      line.high[j] = box_.high[j];
      const double upper = in_box(line, 1 / static_cast<double>(d));
      gap += std::max(0.0, upper - best_.value);
    }
    stage_ = all;
    return best_.value + gap;
  }

  /// Compass search from a point with at most `left` evaluations of f̄, the step (a share of the
  /// box's width) halved where no direction is better, down to a few ulps of the box.
  Point local_search(Point point, double step, std::uint64_t left) {
    while (step > 0x1p-50 && left > 0) {
      bool better = false;
      for (std::size_t j = 0; j < box_.dimension() && left > 0; ++j) {
        for (const double side : {-1.0, 1.0}) {
          if (left == 0) break;
          --left;
          std::vector<double> x = point.x;
          x[j] = std::clamp(x[j] + side * step * box_.width(j), box_.low[j], box_.high[j]);
          const double f = value(x);
          if (f > point.value) {
            point = {f, std::move(x)};
            better = true;
            break;
          }
        }
      }
      if (!better) step *= 0.5;
    }
    return point;
  }

  /// Local search from the best points.
  void refine_best() {
    const std::size_t d = box_.dimension();
    constexpr std::uint64_t kStepsPerDimension = 120;
    const std::size_t starts =
        std::clamp<std::size_t>(stage_ / (kStepsPerDimension * d), 1, starts_.size());
    const std::vector<Point> from(starts_.begin(),
                                  starts_.begin() + static_cast<std::ptrdiff_t>(starts));
    for (const Point& start : from) {
      const Point point = local_search(
          start, 1.0 / 512, std::min<std::uint64_t>(stage_, 4 * kStepsPerDimension * d));
      // At a cusp, f̄ differs between neighbouring doubles by 1e-8 / M. Searching among them would
      // only make the result depend on rounding.
      constexpr double kMinGain = 1e-9;
      if (point.value > best_.value + kMinGain) best_ = point;
    }
  }

  static constexpr std::size_t kStarts = 10;
  Objectives objectives_;
  const Box& box_;
  MaximumSearch limits_;
  bool closed_form_;
  UpperModel mean_;  // of the box that bound() had last
  UpperModel one_;   // of one objective there
  std::uint64_t stage_ = 0;
  Point best_;
  std::vector<Point> starts_;
};

}  // namespace

double mean_value(Objectives objectives, std::span<const double> x) {
  double sum = 0;
  for (const auto& f : objectives) {
    check_interruption();
    sum += f->value(x);
  }
  return sum / static_cast<double>(objectives.size());
}

CertifiedMaximum maximise_mean(Objectives objectives, const MaximumSearch& search) {
  POSSE_CHECK(!objectives.empty());
  if (objectives.size() == 1 && objectives.front()->maximum()) {
    const double maximum = *objectives.front()->maximum();
    const auto points = objectives.front()->maximisers();
    return {maximum, maximum, points.empty() ? std::vector<double>{} : points.front(), true};
  }
  return Search(objectives, search).run();
}

}  // namespace posse
