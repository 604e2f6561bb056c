// SPDX-License-Identifier: Apache-2.0
#include "core/random/philox_rows.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace posse {
namespace {

#ifdef __x86_64__
/// A vector has one word of the state of all blocks of a row, in the lower halves of its 64-bit
/// lanes; what is in the upper halves doesn't matter before the end.
[[gnu::target("avx2")]] void rows_with_avx2(const StreamKey (&keys)[2],
                                            std::uint64_t first,
                                            PhiloxRow* const (&rows)[2]) {
  __m256i word[2][4], key[2][2];
  const __m256i counter = _mm256_add_epi64(_mm256_set1_epi64x(static_cast<long long>(first)),
                                           _mm256_setr_epi64x(0, 1, 2, 3));
#pragma GCC unroll 2
  for (int r = 0; r < 2; ++r) {
    word[r][0] = counter;
    word[r][1] = _mm256_srli_epi64(counter, 32);
    word[r][2] = word[r][3] = _mm256_setzero_si256();
    key[r][0] = _mm256_set1_epi64x(static_cast<long long>(keys[r].value));
    key[r][1] = _mm256_srli_epi64(key[r][0], 32);
  }
  const __m256i multiplier[] = {_mm256_set1_epi64x(PHILOX_M4x32_0),
                                _mm256_set1_epi64x(PHILOX_M4x32_1)};
  const __m256i step[] = {_mm256_set1_epi64x(PHILOX_W32_0), _mm256_set1_epi64x(PHILOX_W32_1)};
#pragma GCC unroll 1  // unrolled, the keys of all rounds would be constants, and in memory
  for (unsigned i = 0; i < r123::Philox4x32::rounds; ++i) {
#pragma GCC unroll 2
    for (int r = 0; r < 2; ++r) {
      const __m256i a = _mm256_mul_epu32(word[r][0], multiplier[0]);
      const __m256i b = _mm256_mul_epu32(word[r][2], multiplier[1]);
      const __m256i c = _mm256_xor_si256(word[r][1], key[r][0]);
      const __m256i d = _mm256_xor_si256(word[r][3], key[r][1]);
      word[r][0] = _mm256_xor_si256(_mm256_srli_epi64(b, 32), c);
      word[r][1] = b;
      word[r][2] = _mm256_xor_si256(_mm256_srli_epi64(a, 32), d);
      word[r][3] = a;
      key[r][0] = _mm256_add_epi64(key[r][0], step[0]);
      key[r][1] = _mm256_add_epi64(key[r][1], step[1]);
    }
  }
  const __m256i lower_half = _mm256_set1_epi64x(0xffffffff);
  for (int r = 0; r < 2; ++r) {
    std::uint64_t words[2][4];
    for (std::size_t w = 0; w < 2; ++w)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(words[w]),
                          _mm256_or_si256(_mm256_and_si256(word[r][2 * w], lower_half),
                                          _mm256_slli_epi64(word[r][2 * w + 1], 32)));
    for (std::size_t i = 0; i < 4; ++i) (*rows[r])[i] = {words[0][i], words[1][i]};
  }
}
const bool has_avx2 = __builtin_cpu_supports("avx2");
#endif

}  // namespace

void philox_rows(StreamKey a, StreamKey b, std::uint64_t first, PhiloxRow& of_a, PhiloxRow& of_b) {
#ifdef __x86_64__
  if (has_avx2) return rows_with_avx2({a, b}, first, {&of_a, &of_b});
#endif
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    of_a[i] = philox_block(a, first + i, 0);
    of_b[i] = philox_block(b, first + i, 0);
  }
}

}  // namespace posse
