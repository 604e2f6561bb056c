// The program that the tests of the command line start.
#pragma once

#include <cstdlib>
#include <string>

namespace posse::test {

/// The path of `posse`. The environment's POSSE_EXECUTABLE names another build of it.
inline std::string posse_executable() {
  const char* other = std::getenv("POSSE_EXECUTABLE");
  return other == nullptr ? POSSE_EXECUTABLE : other;
}

}  // namespace posse::test
