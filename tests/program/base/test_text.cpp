// SPDX-License-Identifier: Apache-2.0
// Text for terminals.
#include <catch2/catch.hpp>

#include "program/base/files.hpp"
#include "program/base/text.hpp"

namespace test_text {

using namespace posse;

TEST_CASE("printed text can't contain commands for the terminal") {
  CHECK(printable("plain, \ttabbed,\nbroken, größer …") == "plain, \ttabbed,\nbroken, größer …");
  CHECK(printable("\x1b[2J\a\x7f") == "\\x1b[2J\\x07\\x7f");
  CHECK(printable(std::string("a\0b", 3)) == "a\\x00b");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\xc2\\x9b31m");  // U+009B begins a command, too
  CHECK(std::string(FileError("x\x1b", "is \x1b[31mred").what()) == "'x\\x1b' is \\x1b[31mred");
}

}  // namespace test_text
