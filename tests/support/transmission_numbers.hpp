// SPDX-License-Identifier: Apache-2.0
// Numbers of transmissions, by link.
#pragma once

#include <cstdint>
#include <map>

#include "core/network/link_map.hpp"

namespace posse::test {

class TransmissionNumbers {
 public:
  std::uint32_t take(LinkId link) { return next_[link.value]++; }

 private:
  std::map<std::uint32_t, std::uint32_t> next_;
};

}  // namespace posse::test
