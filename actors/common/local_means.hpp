// SPDX-License-Identifier: Apache-2.0
// The upload of a client in the phased elimination algorithms.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/role/message.hpp"

namespace posse {

/// One client's means of a phase's cells, in their order: 8 + 8n bytes, n values.
struct LocalMeans {
  static constexpr std::string_view kName = "LocalMeans";
  std::uint32_t phase = 0;  // PF-PNE: the depth h
  std::vector<double> means;
  std::uint64_t values() const { return means.size(); }
  POSSE_FIELDS(phase, means)
};

}  // namespace posse
