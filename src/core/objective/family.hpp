// Objectives that come with clients of their own.
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
      0;  // what files call its seed: the scenario's seed, plus 1 for each before
};

/// Objectives that differ by nature from client to client (a data set each, a region each), or as
/// a file says. What is learnt about them (a trained model) may be remembered: a family serves all
/// repetitions of a scenario, from several threads.
class ObjectiveFamily {
 public:
  virtual ~ObjectiveFamily() = default;
  virtual const Box& domain() const = 0;
  /// Where the clients' values lie or have been found to lie.
  virtual ValueRange value_range() const { return {}; }
  /// Throws InputError if a file doesn't say what these clients have.
  virtual void check(std::uint32_t clients, const Repetition& repetition) const {
    (void)clients, (void)repetition;
  }
  /// One objective per client; clients with the same objective share it. Throws what `check` does.
  virtual std::vector<std::shared_ptr<const Objective>> clients(
      std::uint32_t clients, const Repetition& repetition) const = 0;
};

}  // namespace posse
