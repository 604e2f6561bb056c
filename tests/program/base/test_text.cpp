// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>

#include "program/base/terminal.hpp"
#include "program/base/text.hpp"

namespace test_text {

using namespace posse;

TEST_CASE("text is 100 columns wide and plain unless the command line asks for more") {
  CHECK(text_columns() == 100);
  CHECK(toned(Tone::bad, "violated") == "violated");
  CHECK(toned_err(Tone::bad, "violated") == "violated");
}

TEST_CASE("the width of a text is that of its characters, without colours") {
  CHECK(width("3 ± 1") == 5);
  CHECK(width("\033[1;31mviolated\033[0m") == 8);
  CHECK(width("\033[1") == 0);
}

TEST_CASE("wrapped lines keep a number with its unit") {
  const std::string words(94, 'x');
  CHECK(wrapped(words + " 16.0 %, then", "") == words + "\n16.0 %, then\n");
  CHECK(wrapped(words + " 200 ms) more", "") == words + "\n200 ms) more\n");
  CHECK(wrapped(words + " 2 msgs", "") == words + " 2\nmsgs\n");
  CHECK(wrapped("", "  ").empty());
}

TEST_CASE("a description hangs beside its name, or below a long one") {
  CHECK(hanging("  run", "run it", 8) == "  run   run it\n");
  CHECK(hanging("  reproduce", "rerun it", 8) == "  reproduce\n        rerun it\n");
  CHECK(hanging("  run", "", 8) == "  run\n");
}

TEST_CASE("a table that is too wide loses its indentation, then is printed in parts") {
  const std::string a(40, 'a'), b(30, 'b');
  TextTable fits({"name", a, b});
  fits.add({"x", "1", "2"});
  CHECK(fits.text() == "  name  " + a + "  " + b + "\n  x     1" + std::string(41, ' ') + "2\n");
  const std::string wider(52, 'b');
  TextTable tight({"name", a, wider});
  tight.add({"x", "1", "2"});
  CHECK(tight.text() == "name  " + a + "  " + wider + "\nx     1" + std::string(41, ' ') + "2\n");
  TextTable parts({"name", a, wider + "b"});
  parts.add({"x", "1", "2"});
  CHECK(parts.text() == "  name  " + a + "\n  x     1\n\n  name  " + wider + "b\n  x     2\n");
  TextTable notes({"name", "mean", ""});
  notes.add(
      {"x", "1", std::string(40, 'a') + " " + std::string(40, 'b') + " " + std::string(20, 'c')});
  CHECK(notes.text() == "  name  mean\n  x     1     " + std::string(40, 'a') + " " +
                            std::string(40, 'b') + "\n" + std::string(14, ' ') +
                            std::string(20, 'c') + "\n");
  TextTable alone({std::string(120, 'a')});
  CHECK(alone.text() == "  " + std::string(120, 'a') + "\n");
}

}  // namespace test_text
