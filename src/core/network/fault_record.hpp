// A fault that began or ended, for the record of a run.
#pragma once

#include <compare>
#include <cstdint>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"

namespace posse {

struct FaultRecord {
  Time at;
  bool of_links = false;
  std::uint16_t fault = 0;  // its number in NetworkConfig::link_faults or node_faults
  bool begins = true;
  NodeId node;  // of a node's fault
  auto operator<=>(const FaultRecord&) const = default;
};

}  // namespace posse
