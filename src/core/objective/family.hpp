// SPDX-License-Identifier: Apache-2.0
// Families of objectives: objectives that define their clients.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/ids.hpp"
#include "core/domain/box.hpp"
#include "core/objective/objective.hpp"

namespace posse {

/// One repetition of a scenario.
struct Repetition {
  Seed seed;  // of its streams
  std::uint64_t number =
      0;  // seed in the files: the scenario's seed plus the index of the repetition
};

/// Objectives that differ from client to client by nature (each has a data set or a region) or as a
/// file says. A family serves all repetitions of a scenario, from several threads, and may cache
/// results such as trained models.
class ObjectiveFamily {
 public:
  virtual ~ObjectiveFamily() = default;
  virtual const Box& domain() const = 0;
  /// The range of the clients' values, known or found on samples.
  virtual ValueRange value_range() const { return {}; }
  /// Throws InputError if a file lacks an entry for one of these clients.
  virtual void check(std::uint32_t clients, const Repetition& repetition) const {
    (void)clients, (void)repetition;
  }
  /// One objective per client; equal clients share an objective. Throws as `check` does.
  virtual std::vector<std::shared_ptr<const Objective>> clients(
      std::uint32_t clients, const Repetition& repetition) const = 0;
};

}  // namespace posse
