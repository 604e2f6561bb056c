// SPDX-License-Identifier: Apache-2.0
// The program that the tests of the command line start.
#pragma once

#include <cstdlib>
#include <string>

namespace posse::test {

/// Programs that tests start don't look for leaks, which would take a quarter of their time; the
/// tests' own process does.
inline const int kWithoutLeaks = setenv("ASAN_OPTIONS", "detect_leaks=0", 0);

/// The path of `posse`. The environment's POSSE_EXECUTABLE names another build of it.
inline std::string posse_executable() {
  const char* other = std::getenv("POSSE_EXECUTABLE");
  return other == nullptr ? POSSE_EXECUTABLE : other;
}

}  // namespace posse::test
