// SPDX-License-Identifier: Apache-2.0
#include "core/arm/piecewise_linear_arms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "core/arm/base_optimizers.hpp"
#include "core/base/csv.hpp"
#include "core/function/plane_minimum.hpp"
#include "core/random/distributions.hpp"
#include "core/random/stream.hpp"

namespace posse {
namespace {

struct PlaneOptions {
  Eigen::Index dimension = 20;
  std::vector<double> planes, minima;
  double spread = 2;
  double half = 1;  // h
  std::string optimizer;
  bool known_radius = true;
  std::vector<Planes> instances;  // not empty: these, nothing is drawn
};

class PiecewiseLinearArms final : public ArmFamily {
 public:
  explicit PiecewiseLinearArms(PlaneOptions options) : options_(std::move(options)) {}

  std::uint32_t size() const override {
    return static_cast<std::uint32_t>(options_.instances.empty() ? options_.minima.size()
                                                                 : options_.instances.size());
  }

  std::shared_ptr<const ArmSet> arms(const Repetition& repetition,
                                     std::uint64_t budget) const override {
    auto set = std::make_shared<ArmSet>();
    set->budget = budget;
    for (std::uint32_t i = 0; i < size(); ++i) set->arms.push_back(arm(repetition, i, budget));
    return set;
  }

 private:
  Arm arm(const Repetition& repetition, std::uint32_t i, std::uint64_t budget) const {
    const auto& o = options_;
    auto problem = std::make_shared<BaseProblem>();
    problem->name = fmt::format("f{}", i + 1);
    const Planes planes = o.instances.empty() ? draw_planes(repetition,
                                                            problem->name,
                                                            static_cast<Eigen::Index>(o.planes[i]),
                                                            o.dimension,
                                                            o.spread)
                                              : o.instances[i];
    const auto d = planes.slopes.cols();
    const PlaneMinimum least = minimise_planes(planes.slopes, planes.offsets, -o.half, o.half);
    const double shift = planes.shift ? *planes.shift : o.minima[i] - least.value;
    const double minimum = planes.shift ? least.value + shift : o.minima[i];
    problem->function =
        std::make_shared<PiecewiseLinear>(planes.slopes, planes.offsets, shift, minimum);
    problem->set = FeasibleSet::box(d, -o.half, o.half);
    problem->start = problem->set.centre();
    problem->seed = repetition.seed;
    problem->horizon = budget;
    // R must be positive even if the minimum is at the centre.
    problem->radius =
        o.known_radius ? std::max(least.point.norm(), 1e-9 * o.half) : problem->set.diameter() / 2;
    if (o.optimizer == "triple-averaging-coded")
      problem->lipschitz = planes.slopes.cwiseAbs().maxCoeff();
    return make_arm(o.optimizer, problem, minimum);
  }

  PlaneOptions options_;
};

std::shared_ptr<const ArmFamily> make_piecewise_linear(const Parameters& p) {
  PlaneOptions o;
  o.dimension = static_cast<Eigen::Index>(p.integer("dimension"));
  o.planes = p.numbers("planes");
  o.minima = p.numbers("minima");
  o.spread = p.real("spread");
  o.half = p.real("box");
  o.optimizer = p.text("optimizer");
  o.known_radius = p.text("radius") == "known";
  if (!p.is_auto("file")) {
    try {
      o.instances = parse_planes(p.file("file"));
    } catch (const InputError& error) {
      throw InputError(error.what(), "file");
    }
    return std::make_shared<PiecewiseLinearArms>(std::move(o));
  }
  if (o.planes.empty() || o.planes.size() != o.minima.size())
    throw InputError(fmt::format("{} arms' planes for {} minima; allowed: one of each per arm",
                                 o.planes.size(),
                                 o.minima.size()),
                     "planes");
  for (const double count : o.planes)
    if (count != std::floor(count))
      throw InputError(fmt::format("{} is not a whole number", count), "planes");
  return std::make_shared<PiecewiseLinearArms>(std::move(o));
}

}  // namespace

Planes draw_planes(const Repetition& repetition,
                   std::string_view name,
                   Eigen::Index planes,
                   Eigen::Index dimension,
                   double spread) {
  Planes drawn{PiecewiseLinear::Matrix(planes, dimension), Vector(planes), std::nullopt};
  const StreamKey offsets = stream_key(repetition.seed, "plane-offset", name);
  const StreamKey slopes = stream_key(repetition.seed, "plane-slope", name);
  for (Eigen::Index k = 0; k < planes; ++k) {
    DrawEngine draws(offsets, static_cast<std::uint64_t>(k));
    drawn.offsets[k] = spread * draw_normal(draws);
    DrawEngine row(slopes, static_cast<std::uint64_t>(k));
    for (Eigen::Index j = 0; j < dimension; ++j) drawn.slopes(k, j) = spread * draw_normal(row);
  }
  return drawn;
}

std::vector<Planes> parse_planes(std::string_view text) {
  CsvReader csv(text);
  const auto columns = csv.numbered_columns("a_", 0);
  if (columns.empty()) throw InputError("line 1: there is no column 'a_0'");
  const std::size_t arm = csv.column("arm"), offset = csv.column("b_k"),
                    shift = csv.column("shift_c");
  struct Rows {
    std::string arm;
    std::vector<double> slopes, offsets;
    double shift = 0;
  };
  std::vector<Rows> arms;
  std::set<std::string> seen;
  while (csv.next()) {
    const double c = finite_number(csv, shift);
    if (arms.empty() || arms.back().arm != csv.cell(arm)) {
      if (!seen.insert(csv.cell(arm)).second)
        throw InputError(fmt::format(
            "line {}: the rows of arm {} must be consecutive", csv.line(), csv.cell(arm)));
      arms.push_back({csv.cell(arm), {}, {}, c});
    }
    if (c != arms.back().shift)
      throw InputError(fmt::format("line {}: shift_c is {}, but {} in the arm's first line",
                                   csv.line(),
                                   c,
                                   arms.back().shift));
    for (const std::size_t column : columns)
      arms.back().slopes.push_back(finite_number(csv, column));
    arms.back().offsets.push_back(finite_number(csv, offset));
  }
  if (arms.empty()) throw InputError("the file has no rows");
  std::vector<Planes> all;
  for (const auto& rows : arms) {
    const auto count = static_cast<Eigen::Index>(rows.offsets.size());
    all.push_back({Eigen::Map<const PiecewiseLinear::Matrix>(
                       rows.slopes.data(), count, static_cast<Eigen::Index>(columns.size())),
                   Eigen::Map<const Vector>(rows.offsets.data(), count),
                   rows.shift});
    if (all.back().slopes.isZero(0))
      throw InputError(fmt::format("arm {}: all slopes are 0, so M = 0", rows.arm));
  }
  return all;
}

ArmFamilySpec piecewise_linear_arms_spec() {
  return {
      .kind = "piecewise-linear",
      .summary = "maxima of planes over a box, by subgradient methods",
      .source = "Dorn, Katrutsa, Latypov & Soboleva 2025, section 5.2, equation 21",
      .parameters =
          {{.name = "dimension",
            .type = ParameterType::integer,
            .default_value = std::int64_t{20},
            .help = "d",
            .min = 1,
            .max = 1000},
           {.name = "planes",
            .type = ParameterType::numbers,
            .default_value = std::vector<double>{5, 10, 12},
            .help = "number of planes of each arm; the length of the list is K",
            .min = 1,
            .max = 1000},
           {.name = "minima",
            .type = ParameterType::numbers,
            .default_value = std::vector<double>{0.5, 1, 1.5},
            .help = "minima of the arms over the box"},
           {.name = "spread",
            .default_value = 2.0,
            .help = "standard deviation of the entries of a_k and b_k",
            .min = 0,
            .max = 1e6,
            .min_open = true},
           {.name = "box",
            .default_value = 1.0,
            .help = "h of [-h, h]^d: 1 as in the authors' code; 4, as in the paper, does not "
                    "separate the "
                    "arms within T = 1000",
            .min = 0,
            .max = 1e6,
            .min_open = true},
           {.name = "optimizer",
            .type = ParameterType::text,
            .default_value = std::string("triple-averaging"),
            .help = "triple-averaging-coded: the steps and constants of the code of Dorn et al., "
                    "which reproduce the paper's figure; its g is not a bound",
            .choices = {"triple-averaging", "triple-averaging-coded", "pgd", "pgd-horizon"}},
           {.name = "radius",
            .type = ParameterType::text,
            .default_value = std::string("known"),
            .help = "R in g; known: |x*|; diameter: half the box's diameter",
            .choices = {"known", "diameter"}},
           {.name = "file",
            .type = ParameterType::file,
            .default_value = std::monostate{},
            .help = "a given instance, which replaces the drawn planes and minima: CSV with the "
                    "columns arm, b_k, a_0 …, shift_c, one row per plane"}},
      .make = make_piecewise_linear,
      .foreign_mathematics = "Clp"};
}

}  // namespace posse
