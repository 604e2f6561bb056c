// SPDX-License-Identifier: Apache-2.0
#include "core/arm/smooth_arms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/arm/base_optimizers.hpp"
#include "core/base/csv.hpp"
#include "core/base/math.hpp"
#include "core/random/distributions.hpp"
#include "core/random/stream.hpp"

namespace posse {
namespace {

Vector read_vector(const CsvReader& csv, const std::vector<std::size_t>& columns) {
  Vector v(static_cast<Eigen::Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j)
    v[static_cast<Eigen::Index>(j)] = finite_number(csv, columns[j]);
  return v;
}

struct SmoothOptions {
  Eigen::Index dimension = 20;
  double p = 5;
  std::vector<double> minima, offsets;
  std::optional<double> diameter;         // replaces |x0 - x*|
  std::vector<SmoothInstance> instances;  // not empty: these, nothing is drawn
};

class SmoothArms final : public ArmFamily {
 public:
  explicit SmoothArms(SmoothOptions options) : options_(std::move(options)) {}

  std::uint32_t size() const override {
    return static_cast<std::uint32_t>(options_.instances.empty() ? options_.minima.size()
                                                                 : options_.instances.size());
  }

  std::shared_ptr<const ArmSet> arms(const Repetition& repetition,
                                     std::uint64_t budget) const override {
    auto set = std::make_shared<ArmSet>();
    set->budget = budget;
    for (std::uint32_t i = 0; i < size(); ++i) {
      const std::string name = fmt::format("f{}", i + 1);
      const SmoothInstance instance = instance_of(repetition, i, name);
      auto problem = std::make_shared<BaseProblem>();
      problem->name = name;
      problem->function = std::make_shared<SmoothCone>(
          instance.minimum, instance.function.diagonal, instance.function.minimiser);
      const auto d = instance.function.minimiser.size();
      problem->set = FeasibleSet::space(d);
      problem->start = instance.function.minimiser.array() + instance.offset;
      problem->seed = repetition.seed;
      problem->radius = std::abs(instance.offset) * std::sqrt(static_cast<double>(d));
      if (options_.diameter) {
        if (*options_.diameter < problem->radius)
          throw InputError(fmt::format("{} is less than the distance {:.6g} from {}'s start to its "
                                       "minimiser: g would not be a bound",
                                       *options_.diameter,
                                       problem->radius,
                                       name),
                           "diameter");
        problem->radius = *options_.diameter;
      }
      set->arms.push_back(make_arm("agd", problem, instance.minimum));
    }
    return set;
  }

 private:
  SmoothInstance instance_of(const Repetition& repetition,
                             std::uint32_t i,
                             std::string_view name) const {
    if (!options_.instances.empty()) return options_.instances[i];
    return {options_.minima[i],
            options_.offsets[i],
            draw_smooth(repetition, name, options_.dimension, options_.p)};
  }

  SmoothOptions options_;
};

std::vector<double> offsets_of(const Parameters& p, std::size_t arms) {
  std::vector<double> offsets(arms, 2.0);
  offsets[0] = 4.5;
  if (p.is_auto("offsets")) return offsets;
  offsets = p.numbers("offsets");
  if (offsets.size() == 1) offsets.resize(arms, offsets[0]);
  if (offsets.size() != arms)
    throw InputError(
        fmt::format("{} offsets for {} minima; allowed: one, or one per arm", offsets.size(), arms),
        "offsets");
  if (std::find(offsets.begin(), offsets.end(), 0.0) != offsets.end())
    throw InputError("an offset of 0 starts at the minimiser; it must not be 0", "offsets");
  return offsets;
}

std::shared_ptr<const ArmFamily> make_smooth(const Parameters& p) {
  SmoothOptions options;
  options.dimension = static_cast<Eigen::Index>(p.integer("dimension"));
  options.p = p.real("p");
  options.minima = p.numbers("minima");
  if (options.minima.empty()) throw InputError("at least one arm is needed", "minima");
  options.offsets = offsets_of(p, options.minima.size());
  if (!p.is_auto("file")) {
    try {
      options.instances = parse_smooth_instances(p.file("file"));
    } catch (const InputError& error) {
      throw InputError(error.what(), "file");
    }
    options.dimension = options.instances.front().function.minimiser.size();
  }
  if (p.text("radius") == "diameter")
    options.diameter =
        p.real_or("diameter", 14 * std::sqrt(static_cast<double>(options.dimension)));
  return std::make_shared<SmoothArms>(std::move(options));
}

}  // namespace

SmoothDraw draw_smooth(const Repetition& repetition,
                       std::string_view name,
                       Eigen::Index dimension,
                       double p) {
  SmoothDraw draw{Vector(dimension), Vector(dimension)};
  UniformStream curvature(stream_key(repetition.seed, "arm-curvature", name));
  draw.diagonal[0] = 1;
  for (Eigen::Index j = 1; j < dimension; ++j)
    draw.diagonal[j] = math::exp(-p * curvature.at(static_cast<std::uint64_t>(j - 1)));
  DrawEngine normals(stream_key(repetition.seed, "arm-minimiser", name), 0);
  for (auto& x : draw.minimiser) x = draw_normal(normals);
  return draw;
}

std::vector<SmoothInstance> parse_smooth_instances(std::string_view text) {
  CsvReader csv(text);
  const auto sigma = csv.numbered_columns("sigma_", 0), xstar = csv.numbered_columns("xstar_", 0);
  if (sigma.empty() || sigma.size() != xstar.size())
    throw InputError(
        fmt::format("line 1: the columns sigma_0 … and xstar_0 … must be equally many, at least "
                    "one; there are {} "
                    "and {}",
                    sigma.size(),
                    xstar.size()));
  std::vector<SmoothInstance> all;
  while (csv.next()) {
    SmoothInstance arm{finite_number(csv, csv.column("fstar")),
                       finite_number(csv, csv.column("x0_minus_xstar_each_coord")),
                       {read_vector(csv, sigma), read_vector(csv, xstar)}};
    if (arm.function.diagonal.minCoeff() <= 0)
      throw InputError(fmt::format("line {}: a sigma is {}; they must be above 0",
                                   csv.line(),
                                   arm.function.diagonal.minCoeff()));
    if (arm.offset == 0)
      throw InputError(fmt::format("line {}: the start equals the minimiser", csv.line()));
    all.push_back(std::move(arm));
  }
  if (all.empty()) throw InputError("the file has no rows");
  return all;
}

std::vector<ParameterSpec> smooth_parameters(double default_p) {
  return {{.name = "dimension",
           .type = ParameterType::integer,
           .default_value = std::int64_t{20},
           .help = "d",
           .min = 1,
           .max = 100000},
          {.name = "p",
           .default_value = default_p,
           .help = "curvatures are 1 and exp(-p xi), xi ~ U[0, 1]; Dorn et al.: 5 in section 5.1, "
                   "1 in section 5.3",
           .min = 0,
           .max = 100},
          {.name = "minima",
           .type = ParameterType::numbers,
           .default_value = std::vector<double>{0.5, 1, 1.5},
           .help = "c_i, the arms' minima; the length of the list is K"}};
}

ArmFamilySpec smooth_arms_spec() {
  auto parameters = smooth_parameters(5.0);
  parameters.push_back({.name = "offsets",
                        .type = ParameterType::numbers,
                        .default_value = std::monostate{},
                        .help =
                            "x0 - x* in every coordinate, one for all arms or one per arm; auto: "
                            "4.5 for the first arm, 2 for the others"});
  parameters.push_back({.name = "radius",
                        .type = ParameterType::text,
                        .default_value = std::string("known"),
                        .help = "R in g; known: |x0 - x*|; diameter: the parameter diameter",
                        .choices = {"known", "diameter"}});
  parameters.push_back(
      {.name = "diameter",
       .default_value = std::monostate{},
       .help = "R if radius = diameter; auto: 14 sqrt d, the diameter of [-7, 7]^d",
       .min = 0,
       .min_open = true});
  parameters.push_back(
      {.name = "file",
       .type = ParameterType::file,
       .default_value = std::monostate{},
       .help =
           "a given instance, which replaces the drawn functions, minima and offsets: CSV with the "
           "columns fstar, x0_minus_xstar_each_coord, sigma_0 …, xstar_0 …, one row per arm"});
  return {.kind = "smooth",
          .summary = "smooth convex functions, by accelerated gradient descent",
          .source = "Dorn, Katrutsa, Latypov & Soboleva 2025, section 5.1, equation 20",
          .parameters = std::move(parameters),
          .make = make_smooth};
}

}  // namespace posse
