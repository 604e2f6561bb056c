// What a client lets out of its means when its rewards are private: each with noise of its own.
//
// A mean of t rewards in [0, 1] leaves as mean + (noise / t); laws and guarantees are in
// theory/dp_fed_pne.hpp. Stream: `privacy/client-m`, draw i for the client's i-th released mean,
// from 0. The noise is that of real numbers, rounded to doubles: good for studying what privacy
// costs, not for protecting anybody (Mironov 2012 reads rewards off the last bits).
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "actors/fed_pne/private_bounds.hpp"
#include "core/base/ids.hpp"
#include "core/random/stream.hpp"

namespace posse {

class PrivateRelease {
 public:
  /// Client number `client`, from 0.
  PrivateRelease(const theory::Privacy& privacy, Seed seed, std::uint32_t client)
      : privacy_(privacy), stream_(stream_key(seed, "privacy", fmt::format("client-{}", client))) {}

  bool adds_noise() const { return privacy_.adds_noise(); }

  /// What is sent for the mean of `pulls` rewards.
  double release(double mean, std::uint64_t pulls) {
    if (!adds_noise()) return mean;
    return mean + theory::privacy_noise_quantile(privacy_, stream_.at(released_++)) /
                      static_cast<double>(pulls);
  }

 private:
  theory::Privacy privacy_;
  UniformStream stream_;
  std::uint64_t released_ = 0;
};

}  // namespace posse
