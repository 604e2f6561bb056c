// SPDX-License-Identifier: Apache-2.0
// An observation of a role, with its place in the run.
#pragma once

#include <cstddef>
#include <utility>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/role/observation.hpp"
#include "core/role/path.hpp"

namespace posse {

struct ObservationRecord {
  ObservationRecord() = default;
  /// In a reaction of `n`, after so many of its effects; the times are not known yet.
  template <class T>
  ObservationRecord(NodeId n, std::size_t effects, T&& o)
      : node(n), after(effects), observation(std::forward<T>(o)) {}
  ObservationRecord(Time t, Time b, NodeId n, Observation&& o, Path p = {})
      : time(t), began(b), node(n), observation(std::move(o)), path(std::move(p)) {}
  Time time;   // when the work before it is done; of evaluations, when the last of them is
  Time began;  // of evaluations: when the first of them began; else `time`
  NodeId node;
  std::size_t after = 0;  // effects of the same reaction
  Observation observation;
  Path path{};  // up to `time`; only of a RoundEnded
};

}  // namespace posse
