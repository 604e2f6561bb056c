// SPDX-License-Identifier: Apache-2.0
// A sample of what was measured, of bounded size.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "core/sim/service_sample.hpp"

namespace posse {

class ServiceBook {
 public:
  /// Of each kind of work; each one measured is equally likely to be among them.
  static constexpr std::size_t kMostKept = 4096;

  void add(const ServiceSample& sample);
  /// All that is kept. The book is empty after that.
  std::vector<ServiceSample> take();

 private:
  using Kind = std::tuple<ServiceSample::Of, std::uint16_t, bool, std::uint16_t, std::uint16_t>;
  struct Reservoir {
    std::uint64_t seen = 0;
    std::vector<ServiceSample> kept;
  };
  std::map<Kind, Reservoir> reservoirs_;
};

}  // namespace posse
