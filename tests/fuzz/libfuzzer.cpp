// SPDX-License-Identifier: Apache-2.0
// The entry point of libFuzzer, compiled once for each target: POSSE_FUZZ_TARGET is its function.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  posse::fuzz::POSSE_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
