// SPDX-License-Identifier: Apache-2.0
// Programs that were built with the first version of the C interface run with this one.
#include <catch2/catch.hpp>
#include <cstdlib>

namespace test_c_abi {

TEST_CASE("the C interface is compatible with its first version", "[abi]") {
  if (std::system("command -v abidiff >/dev/null") != 0) {
    WARN("skipped: abidiff isn't installed (Debian's abigail-tools)");
    return;
  }
  CHECK(std::system(POSSE_SOURCE_DIR "/tools/check_abi") == 0);
}

}  // namespace test_c_abi
