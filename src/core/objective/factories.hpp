// SPDX-License-Identifier: Apache-2.0
// Catalogue entries of all objectives, noise models and kinds of heterogeneity.
//
// A kind is one row: name, one line, source, parameters, factory. Parameters are validated against
// their specs before a factory sees them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/parameters.hpp"
#include "core/objective/family.hpp"
#include "core/objective/noise.hpp"
#include "core/objective/objective.hpp"
#include "core/objective/problem.hpp"

namespace posse {

struct ObjectiveSpec {
  std::string_view kind;     // "garland"
  std::string_view summary;  // one line
  std::string_view source;
  std::vector<ParameterSpec> parameters;
  /// Throws InputError for errors that a range check cannot find (a file's content, an expression).
  std::unique_ptr<Objective> (*make)(const Parameters&) = nullptr;
  /// Replaces `make` for objectives that define their clients. Throws InputError.
  std::unique_ptr<ObjectiveFamily> (*make_family)(const Parameters&) = nullptr;
  /// The noise of a scenario that names none.
  std::string_view noise = "uniform";
  /// Libraries ("libsvm") that compute values with the C library's mathematics. The last bits of
  /// such values, and of a run, may depend on the processor. Empty: none.
  std::string_view foreign_mathematics = {};
};

struct NoiseSpec {
  std::string_view kind;  // "uniform"
  std::string_view summary;
  std::string_view source;
  std::vector<ParameterSpec> parameters;
  std::unique_ptr<Noise> (*make)(const Parameters&) = nullptr;
};

/// How the clients' objectives differ from the base. The random kinds draw from the streams
/// `shift/client-m`, `shift/all` and `scale/client-m` of the run's seed.
struct HeterogeneitySpec {
  std::string_view kind;  // "shift"
  std::string_view summary;
  std::string_view source;
  std::vector<ParameterSpec> parameters;
  /// One objective per client; clients with the same objective share it.
  std::vector<std::shared_ptr<const Objective>> (*make)(
      const std::shared_ptr<const Objective>& base,
      const Parameters& parameters,
      std::uint32_t clients,
      Seed seed) = nullptr;
  /// Replaces `make` for kinds that read files or make functions. Called once for all repetitions.
  /// Throws InputError.
  std::unique_ptr<ObjectiveFamily> (*make_family)(std::shared_ptr<const Objective> base,
                                                  const Parameters& parameters) = nullptr;
  /// Checks that need the number of clients or the dimension. Returns messages for the user. May be
  /// null.
  std::vector<std::string> (*validate)(const Parameters& parameters,
                                       std::uint32_t clients,
                                       std::size_t dimension) = nullptr;
};

const std::vector<ObjectiveSpec>& objective_specs();
const std::vector<NoiseSpec>& noise_specs();
const std::vector<HeterogeneitySpec>& heterogeneity_specs();

/// The entry of a kind, or null.
const ObjectiveSpec* find_objective(std::string_view kind);
const NoiseSpec* find_noise(std::string_view kind);
const HeterogeneitySpec* find_heterogeneity(std::string_view kind);

}  // namespace posse
