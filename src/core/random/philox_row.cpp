// SPDX-License-Identifier: Apache-2.0
#include "core/random/philox_row.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace posse {
namespace {

/// Where a row begins, and by how much each block's counter and tag exceed those before.
struct RowOf {
  std::uint64_t counter, tag;
  std::uint32_t counter_step, tag_step;
};

#ifdef __x86_64__
/// 64-bit lanes from the lower halves of two vectors.
[[gnu::target("avx2")]] __m256i joined(__m256i lower, __m256i upper) {
  return _mm256_blend_epi32(lower, _mm256_slli_epi64(upper, 32), 0b10101010);
}

/// The state of four blocks. A vector has one word of all of them, in the lower halves of its
/// 64-bit lanes; what is in the upper halves doesn't matter before the end.
struct FourBlocks {
  long long first;  // its number in the row
  PhiloxBlock* place;
  __m256i word[4];
};

/// first + step n for the four blocks n from `number` on.
[[gnu::target("avx2")]] __m256i four(std::uint64_t first, std::uint32_t step, long long number) {
  const __m256i numbers =
      _mm256_add_epi64(_mm256_set1_epi64x(number), _mm256_setr_epi64x(0, 1, 2, 3));
  return _mm256_add_epi64(_mm256_set1_epi64x(static_cast<long long>(first)),
                          _mm256_mul_epu32(numbers, _mm256_set1_epi64x(step)));
}

[[gnu::target("avx2")]] void row_with_avx2(StreamKey stream, const RowOf& of, PhiloxRow& row) {
  static_assert(kRowSize == 8);
  FourBlocks halves[] = {{0, row.data(), {}}, {4, row.data() + 4, {}}};
#pragma GCC unroll 2
  for (FourBlocks& half : halves) {
    half.word[0] = four(of.counter, of.counter_step, half.first);
    half.word[1] = _mm256_srli_epi64(half.word[0], 32);
    half.word[2] = four(of.tag, of.tag_step, half.first);
    half.word[3] = _mm256_srli_epi64(half.word[2], 32);
  }
  __m256i key[2];
  key[0] = _mm256_set1_epi64x(static_cast<long long>(stream.value));
  key[1] = _mm256_srli_epi64(key[0], 32);
  const __m256i multiplier[] = {_mm256_set1_epi64x(PHILOX_M4x32_0),
                                _mm256_set1_epi64x(PHILOX_M4x32_1)};
  const __m256i step[] = {_mm256_set1_epi64x(PHILOX_W32_0), _mm256_set1_epi64x(PHILOX_W32_1)};
#pragma GCC unroll 1  // unrolled, the keys of all rounds would be constants, and in memory
  for (unsigned i = 0; i < r123::Philox4x32::rounds; ++i) {
#pragma GCC unroll 2
    for (FourBlocks& half : halves) {
      auto& word = half.word;
      const __m256i a = _mm256_mul_epu32(word[0], multiplier[0]);
      const __m256i b = _mm256_mul_epu32(word[2], multiplier[1]);
      const __m256i c = _mm256_xor_si256(word[1], key[0]);
      const __m256i d = _mm256_xor_si256(word[3], key[1]);
      word[0] = _mm256_xor_si256(_mm256_srli_epi64(b, 32), c);
      word[1] = b;
      word[2] = _mm256_xor_si256(_mm256_srli_epi64(a, 32), d);
      word[3] = a;
    }
    key[0] = _mm256_add_epi64(key[0], step[0]);
    key[1] = _mm256_add_epi64(key[1], step[1]);
  }
#pragma GCC unroll 2
  for (const FourBlocks& half : halves) {
    const __m256i low = joined(half.word[0], half.word[1]),
                  high = joined(half.word[2], half.word[3]);
    // Of blocks 0 and 2, and of blocks 1 and 3.
    const __m256i even = _mm256_unpacklo_epi64(low, high), odd = _mm256_unpackhi_epi64(low, high);
    auto* const place = reinterpret_cast<__m256i*>(half.place);
    _mm256_storeu_si256(place, _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256(place + 1, _mm256_permute2x128_si256(even, odd, 0x31));
  }
}
const bool has_avx2 = __builtin_cpu_supports("avx2");
#endif

void make_row(StreamKey key, const RowOf& of, PhiloxRow& row) {
#ifdef __x86_64__
  if (has_avx2) return row_with_avx2(key, of, row);
#endif
  for (std::size_t i = 0; i < row.size(); ++i)
    row[i] = philox_block(key, of.counter + i * of.counter_step, of.tag + i * of.tag_step);
}

}  // namespace

void philox_row(StreamKey key, std::uint64_t first, PhiloxRow& row) {
  make_row(key, {first, 0, 1, 0}, row);
}

void philox_row_of_tags(StreamKey key,
                        std::uint64_t counter,
                        std::uint64_t first_tag,
                        PhiloxRow& row) {
  make_row(key, {counter, first_tag, 0, 1}, row);
}

}  // namespace posse
