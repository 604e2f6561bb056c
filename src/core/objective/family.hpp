// Objectives that come with clients of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/ids.hpp"
#include "core/domain/box.hpp"
#include "core/objective/objective.hpp"

namespace posse {

/// Objectives that differ by nature from client to client (a data set each, a region each), rather
/// than by a heterogeneity on top of one base. What is learnt about them (a trained model) may be
/// remembered: a family serves all repetitions of a scenario, from several threads.
class ObjectiveFamily {
 public:
  virtual ~ObjectiveFamily() = default;
  virtual const Box& domain() const = 0;
  /// One objective per client, drawn from the seed; clients with the same objective share it.
  virtual std::vector<std::shared_ptr<const Objective>> clients(std::uint32_t clients,
                                                                Seed seed) const = 0;
};

}  // namespace posse
