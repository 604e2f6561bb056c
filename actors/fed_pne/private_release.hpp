// SPDX-License-Identifier: Apache-2.0
// The noise that a client of DP-Fed-PNE adds to each mean before it sends it.
//
// A mean of t rewards in [0, 1] is released as mean + noise / t; distributions and guarantees are
// in private_bounds.hpp. Stream: `privacy/client-m`, draw i for the client's i-th released mean,
// from 0. The noise is that of real numbers, rounded to doubles. This is sufficient to study the
// cost of privacy, not to protect data: the last bits can reveal rewards (Mironov 2012).
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

  /// Goes on after at most `releases` that were made before this object.
  void go_on_after(std::uint64_t releases) { released_ = releases; }
  /// The value to send for the mean of `pulls` rewards.
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
