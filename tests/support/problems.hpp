// SPDX-License-Identifier: Apache-2.0
// Problems and runs for tests, in one line each.
#pragma once

#include <memory>
#include <string_view>

#include "core/objective/factories.hpp"
#include "core/objective/problem.hpp"
#include "core/sim/simulation.hpp"

namespace posse::test {

/// `clients` clients of `objective`, each shifted (sd `shift` of the width), with uniform noise.
inline Problem make_problem(std::string_view objective,
                            std::uint32_t clients,
                            std::uint64_t budget,
                            Seed seed,
                            double shift = 0.0,
                            double noise_half_width = 0.1) {
  const auto& kind = *find_objective(objective);
  std::shared_ptr<const Objective> base = kind.make(default_parameters(kind.parameters));
  const auto& spread = *find_heterogeneity(shift > 0 ? "shift" : "none");
  auto spread_parameters = default_parameters(spread.parameters);
  if (shift > 0) spread_parameters.set("scale", shift);
  const auto& noise = *find_noise(noise_half_width > 0 ? "uniform" : "none");
  auto noise_parameters = default_parameters(noise.parameters);
  if (noise_half_width > 0) noise_parameters.set("half_width", noise_half_width);
  return Problem(spread.make(base, spread_parameters, clients, seed),
                 noise.make(noise_parameters),
                 budget,
                 seed);
}

/// A run's specification together with what it points to.
struct Run {
  Run(const AlgorithmSpec& algorithm,
      const Parameters& parameters,
      std::uint32_t clients,
      Seed seed,
      const Problem* problem = nullptr,
      Policy policy = {}) {
    ProtocolContext context;
    context.clients = clients;
    context.policy = policy;
    context.problem = problem;
    make(algorithm, parameters, seed, context);
  }
  Run(const AlgorithmSpec& algorithm, const Parameters& parameters, Seed seed, const ArmSet& arms) {
    ProtocolContext context;
    context.arms = &arms;
    make(algorithm, parameters, seed, context);
  }
  std::unique_ptr<Protocol> protocol;
  SimulationSpec spec;

 private:
  void make(const AlgorithmSpec& algorithm,
            const Parameters& parameters,
            Seed seed,
            ProtocolContext context) {
    context.seed = seed;
    protocol = algorithm.make(parameters, context);
    spec.algorithm = &algorithm;
    spec.protocol = protocol.get();
    spec.problem = context.problem;
    spec.arms = context.arms;
    spec.clients = context.clients;
    spec.seed = seed;
  }
};

}  // namespace posse::test
