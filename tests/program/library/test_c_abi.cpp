// SPDX-License-Identifier: Apache-2.0
// Programs that were built with the first version of the C interface run with this one.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/support/needed_program.hpp"

namespace posse::test_c_abi {

TEST_CASE("the C interface is compatible with its first version", "[abi]") {
  test::needed_program("abidiff");
  CHECK(std::system(POSSE_SOURCE_DIR "/tools/check_abi") == 0);
}

}  // namespace posse::test_c_abi
