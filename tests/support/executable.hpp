// The program that the tests of the command line start.
#pragma once

#include <cstdlib>
#include <string>

namespace posse::test {

/// Processes that tests start don't look for leaks, which takes a quarter of a short one; the
/// tests' own does.
inline const int kWithoutLeaks = setenv("ASAN_OPTIONS", "detect_leaks=0", 0);

/// The path of `posse`. The environment's POSSE_EXECUTABLE names another build of it.
inline std::string posse_executable() {
  const char* other = std::getenv("POSSE_EXECUTABLE");
  return other == nullptr ? POSSE_EXECUTABLE : other;
}

}  // namespace posse::test
