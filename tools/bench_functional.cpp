// SPDX-License-Identifier: Apache-2.0
// Optimizer steps of functional bandits.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "actors/f_lcb/allocation/f_lcb.hpp"
#include "actors/f_lcb/protocol.hpp"
#include "actors/host/run.hpp"
#include "core/arm/arm_family.hpp"
#include "core/base/median.hpp"
#include "core/function/synthetic_functions.hpp"
#include "core/optimizer/optimizer.hpp"
#include "core/sim/simulation.hpp"
#include "program/run/runner.hpp"
#include "tools/bench_clocks.hpp"
#include "tools/bench_references.hpp"
#include "tools/bench_sections.hpp"

namespace posse {
namespace {

/// The reference: value and gradient at a moving point of the function of section 5.1 of Dorn et
/// al.
double gradients_per_second(std::uint64_t steps) {
  const SmoothCone f(0, Vector::LinSpaced(20, 0.05, 1), Vector::Zero(20));
  Vector x = Vector::Constant(20, 1), gradient(20);
  double sum = 0;
  const double start = cpu_seconds();
  for (std::uint64_t i = 0; i < steps; ++i) {
    sum += f.value_and_subgradient(x, gradient);
    x[static_cast<Eigen::Index>(i % 20)] = -x[static_cast<Eigen::Index>(i % 20)];
  }
  const double seconds = cpu_seconds() - start;
  if (!(sum > 0)) std::exit(1);  // keeps the loop
  return static_cast<double>(steps) / seconds;
}

std::shared_ptr<const ArmSet> bench_arms(std::string_view kind, std::uint64_t budget) {
  const ArmFamilySpec& spec = *find_arm_family(kind);
  return spec.make(default_parameters(spec.parameters))->arms({Seed{1}, 1}, budget);
}

double steps_alone(std::string_view kind, std::uint64_t steps) {
  const auto arms = bench_arms(kind, steps);
  const auto optimizer = arms->arms.front().start(0);
  const double start = cpu_seconds();
  for (std::uint64_t i = 0; i < steps; ++i) optimizer->step();
  return static_cast<double>(steps) / (cpu_seconds() - start);
}

}  // namespace

double pulls_without_network(std::string_view kind, std::uint64_t budget) {
  const auto arms = bench_arms(kind, budget);
  std::vector<std::unique_ptr<Optimizer>> optimizers;
  for (const auto& arm : arms->arms) optimizers.push_back(arm.start(0));
  FLcb agent(arms->size(), budget, {});
  std::vector<Pull> pulls;
  const double start = cpu_seconds();
  for (;;) {
    pulls.clear();
    agent.start(pulls);
    if (pulls.empty()) break;
    for (const auto& pull : pulls) {
      auto& optimizer = *optimizers[pull.arm];
      optimizer.step();
      agent.take(pull, {optimizer.steps(), optimizer.value(), optimizer.bound()});
    }
  }
  return static_cast<double>(budget) / (cpu_seconds() - start);
}

namespace {

double pulls_through(Kernel kernel, std::string_view kind, std::uint64_t budget) {
  const auto arms = bench_arms(kind, budget);
  const AlgorithmSpec& algorithm = f_lcb_algorithm();
  ProtocolContext context;
  context.arms = arms.get();
  const auto protocol = algorithm.make(default_parameters(algorithm.parameters), context);
  SimulationSpec spec;
  spec.algorithm = &algorithm;
  spec.protocol = protocol.get();
  spec.arms = arms.get();
  spec.seed = Seed{1};
  spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.050)}}};
  const double start = cpu_seconds();
  const auto result =
      kernel == Kernel::serial ? run_serial(spec) : run_actors(spec, {.threads = 1});
  const double seconds = cpu_seconds() - start;
  if (result.outcome.status != RunStatus::finished) {
    fmt::print(stderr, "f-lcb did not finish: {}\n", result.outcome.report);
    std::exit(1);
  }
  return static_cast<double>(budget) / seconds;
}

}  // namespace

void functional_bench() {
  constexpr std::uint64_t kSteps = 1'000'000;
  constexpr std::uint64_t kPulls = 200'000;
  constexpr int kRepeats = 5;
  fmt::print(
      "\nfunctional: million steps per CPU second, d = 20, medians of {}; in brackets the ratio to "
      "values\nand gradients of experiment 5.1 in a bare loop\n"
      "{:<18} {:>16} {:>17} {:>16} {:>16} {:>19}\n",
      kRepeats,
      "arms",
      "optimizer alone",
      "F-LCB, no network",
      "serial kernel",
      "actors",
      "actors ÷ no network");
  for (const std::string_view kind : {"smooth", "piecewise-linear", "noisy"}) {
    if (find_arm_family(kind) == nullptr) continue;
    std::vector<double> reference, alone, direct, serial, actors, share;
    for (int i = 0; i < kRepeats; ++i) {
      reference.push_back(gradients_per_second(kSteps));
      alone.push_back(steps_alone(kind, kSteps));
      direct.push_back(pulls_without_network(kind, kPulls));
      serial.push_back(pulls_through(Kernel::serial, kind, kPulls));
      actors.push_back(pulls_through(Kernel::actors, kind, kPulls));
      share.push_back(actors.back() / direct.back());
    }
    const double bare = median(reference);
    const auto cell = [&](std::vector<double>& rates) {
      const double rate = median(rates);
      return fmt::format("{:.2f} ({:.3f})", rate / 1e6, rate / bare);
    };
    fmt::print("{:<18} {:>16} {:>17} {:>16} {:>16} {:>19.2f}\n",
               kind,
               cell(alone),
               cell(direct),
               cell(serial),
               cell(actors),
               median(share));
  }
}

}  // namespace posse
