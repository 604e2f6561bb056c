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
  /// Latencies: those of the first transmissions of each link.
  static constexpr std::uint32_t kMostTransmissions = 1024;
  static constexpr std::size_t kMostLatencies = 200'000;

  void add(const ServiceSample& sample);
  /// All that is kept. The book is empty after that.
  std::vector<ServiceSample> take();

 private:
  using Kind = std::tuple<ServiceSample::Of, std::uint32_t, bool, std::uint32_t>;
  struct Reservoir {
    std::uint64_t seen = 0;
    std::vector<ServiceSample> kept;
  };
  std::map<Kind, Reservoir> reservoirs_;
  std::vector<ServiceSample> latencies_;
};

}  // namespace posse
