// SPDX-License-Identifier: Apache-2.0
// Named, counter-based random streams: Philox4x32-10 (Salmon et al. 2011) from Random123.
//
// The key of a stream is made of the seed and the *name* of its purpose (`reward/client-7`,
// `latency/server>client-7`); a draw has an index within its stream. A number therefore depends on
// (seed, name, index) only: neither on the order of execution nor on the draws of other streams.
// Distributions (distributions.hpp) run on a `DrawEngine`. Golden values in the tests pin all of
// this.
#pragma once

#define R123_USE_X86INTRIN_H 0  // Philox needs no intrinsics, and their headers are large
#define R123_USE_SSE 0
#include <Random123/philox.h>

#include <cstdint>
#include <string_view>
#include <utility>

#include "core/base/hash.hpp"
#include "core/base/ids.hpp"

namespace posse {

/// The 64-bit Philox key of one stream.
struct StreamKey {
  std::uint64_t value = 0;
  constexpr bool operator==(const StreamKey&) const = default;
};

/// The part of a key that all streams of one purpose have in common.
constexpr std::uint64_t seed_and_purpose(Seed seed, std::string_view purpose) {
  return hash_combine(mix64(seed.value), hash_name(purpose));
}
/// Key of the stream `purpose/name`, e.g. ("reward", hash_name("client-7")).
constexpr StreamKey stream_key(Seed seed, std::string_view purpose, std::uint64_t name_hash) {
  return {hash_combine(seed_and_purpose(seed, purpose), name_hash)};
}
constexpr StreamKey stream_key(Seed seed, std::string_view purpose, std::string_view name) {
  return stream_key(seed, purpose, hash_name(name));
}
/// Key of the stream `purpose/from>to` of a link.
constexpr StreamKey link_stream_key(std::uint64_t seed_and_purpose_hash,
                                    std::uint64_t from_hash,
                                    std::uint64_t to_hash) {
  return {hash_combine(hash_combine(seed_and_purpose_hash, from_hash), to_hash)};
}

/// One 128-bit Philox block as two 64-bit words.
using PhiloxBlock = std::pair<std::uint64_t, std::uint64_t>;

namespace philox {
using Counter = r123::Philox4x32::ctr_type;
using Key = r123::Philox4x32::key_type;
inline Counter counter(std::uint64_t counter, std::uint64_t tag) {
  return {{static_cast<std::uint32_t>(counter),
           static_cast<std::uint32_t>(counter >> 32),
           static_cast<std::uint32_t>(tag),
           static_cast<std::uint32_t>(tag >> 32)}};
}
inline Key key(StreamKey key) {
  return {{static_cast<std::uint32_t>(key.value), static_cast<std::uint32_t>(key.value >> 32)}};
}
inline PhiloxBlock words(const Counter& r) {
  return {(static_cast<std::uint64_t>(r[1]) << 32) | r[0],
          (static_cast<std::uint64_t>(r[3]) << 32) | r[2]};
}
}  // namespace philox

/// The block of a stream at this counter. Streams of different tags share no blocks.
inline PhiloxBlock philox_block(StreamKey key, std::uint64_t counter, std::uint64_t tag) {
  return philox::words(r123::Philox4x32()(philox::counter(counter, tag), philox::key(key)));
}

/// Uniform on the open interval (0, 1), from 53 bits. The largest value would round to 1; it is
/// replaced by the largest double below 1, since inverse CDFs are infinite at 1.
constexpr double to_unit_open(std::uint64_t bits) {
  const double u = (static_cast<double>(bits >> 11) + 0.5) * 0x1.0p-53;
  return u < 1 ? u : 1 - 0x1.0p-53;
}

/// `to_unit_open(bits) < p`, without arithmetic of doubles for each draw.
class IsBelow {
 public:
  constexpr IsBelow() = default;  // never
  explicit constexpr IsBelow(double p) {
    std::uint64_t end = std::uint64_t{1} << 53;
    while (smaller_ < end) {
      const std::uint64_t middle = smaller_ + (end - smaller_) / 2;
      if (to_unit_open(middle << 11) < p)
        smaller_ = middle + 1;
      else
        end = middle;
    }
  }
  constexpr bool operator()(std::uint64_t bits) const { return bits >> 11 < smaller_; }

 private:
  std::uint64_t smaller_ = 0;  // how many of the 2^53 values
};

/// Random access to a stream of uniforms: draw `index` costs half a Philox block when read in
/// order (two draws share a block).
class UniformStream {
 public:
  explicit UniformStream(StreamKey key) : key_(key) {}

  /// Draw number `index`, uniform on (0, 1).
  double at(std::uint64_t index) {
    if ((index >> 1) != cached_block_) {
      const auto [low, high] = philox_block(key_, index >> 1, kTag);
      cached_ = {to_unit_open(low), to_unit_open(high)};
      cached_block_ = index >> 1;
    }
    return (index & 1) ? cached_.second : cached_.first;
  }

  /// Calls use(u) for the draws first, first+1, … first+count-1 in order. The numbers are those of
  /// at(); each Philox block is computed once.
  template <class Use>
  void for_each(std::uint64_t first, std::uint64_t count, Use use) {
    std::uint64_t index = first;
    const std::uint64_t end = first + count;
    if ((index & 1) && index < end) use(at(index++));
    for (; end - index >= 2; index += 2) {
      const auto [low, high] = philox_block(key_, index >> 1, kTag);
      use(to_unit_open(low));
      use(to_unit_open(high));
    }
    if (index < end) use(at(index));
  }

 private:
  static constexpr std::uint64_t kTag = ~std::uint64_t{0};  // different from all DrawEngines
  StreamKey key_;
  std::uint64_t cached_block_ = ~std::uint64_t{0};
  std::pair<double, double> cached_{};
};

/// A uniform random bit generator that starts at draw `index` of a stream. It serves distributions
/// that need a varying number of words per draw.
class DrawEngine {
 public:
  using result_type = std::uint64_t;

  DrawEngine(StreamKey key, std::uint64_t index) : key_(key), index_(index) {}
  /// `first`: the draw's first block.
  DrawEngine(StreamKey key, std::uint64_t index, PhiloxBlock first)
      : key_(key), index_(index), block_(1), words_(first), left_(2) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  result_type operator()() {
    if (left_ == 0) {
      words_ = philox_block(key_, index_, block_++);
      left_ = 2;
    }
    return left_-- == 2 ? words_.first : words_.second;
  }
  double uniform() { return to_unit_open((*this)()); }

 private:
  StreamKey key_;
  std::uint64_t index_;
  std::uint64_t block_ = 0;
  PhiloxBlock words_{};
  unsigned left_ = 0;  // of words_
};

}  // namespace posse
