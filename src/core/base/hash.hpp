// SPDX-License-Identifier: Apache-2.0
// 64-bit hashing for names, stream keys and fingerprints. These functions must never change: random
// streams and fingerprints depend on them.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace posse {

/// splitmix64's finaliser: a bijection with full avalanche.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return x;
}

/// Order-sensitive combination of a running hash with one more value.
constexpr std::uint64_t hash_combine(std::uint64_t h, std::uint64_t value) {
  return mix64((h ^ value) * 0x9e3779b97f4a7c15ULL + 0x632be59bd9b4e019ULL);
}

/// FNV-1a of the characters, finalised.
constexpr std::uint64_t hash_name(std::string_view name) {
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix64(h);
}

inline std::uint64_t hash_double(std::uint64_t h, double x) {
  return hash_combine(h, std::bit_cast<std::uint64_t>(x));
}

}  // namespace posse
