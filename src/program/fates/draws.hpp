// SPDX-License-Identifier: Apache-2.0
// Random choices from one Philox stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "core/base/math.hpp"
#include "core/random/stream.hpp"

namespace posse {

class Draws {
 public:
  /// The stream `chaos/name` of this seed.
  Draws(std::uint64_t seed, std::string_view name)
      : engine_(stream_key(Seed{seed}, "chaos", name), 0) {}

  bool chance(double p) { return engine_.uniform() < p; }
  /// Uniform on 0 … n - 1.
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  /// Uniform on low … high.
  std::uint64_t whole(std::uint64_t low, std::uint64_t high) { return low + below(high - low + 1); }
  double real(double low, double high) { return low + (high - low) * engine_.uniform(); }
  /// As `real`, but every order of magnitude is as likely as another.
  double scale(double low, double high) { return math::exp(real(math::log(low), math::log(high))); }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }
  template <class Container>
  const auto& element_of(const Container& choices) {
    return choices[below(choices.size())];
  }

 private:
  DrawEngine engine_;
};

}  // namespace posse
