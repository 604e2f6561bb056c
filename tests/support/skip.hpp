// SPDX-License-Identifier: Apache-2.0
// Tests of what a machine may lack. A skipped test case says why on standard output, and a test
// program all of whose cases are skipped ends with kSkipped, which ctest counts as "Skipped".
#pragma once

#include <catch2/catch.hpp>
#include <cstdio>
#include <string>

namespace posse::test {

/// SKIP_RETURN_CODE in tests/CMakeLists.txt.
inline constexpr int kSkipped = 77;

/// Whether the test case that runs has been skipped; main.cpp clears it.
inline bool this_case_is_skipped = false;

/// Ends the test case; not within an assertion. What it has checked so far counts: a failure stays
/// one.
[[noreturn]] inline void skip_test(const std::string& reason) {
  this_case_is_skipped = true;
  std::printf("skipped: %s\n", reason.c_str());
  std::fflush(stdout);
  throw Catch::TestFailureException();  // without a failed assertion it only leaves the test case
}

}  // namespace posse::test
