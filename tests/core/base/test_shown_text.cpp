// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/base/shown_text.hpp"

namespace test_shown_text {

using namespace posse;

TEST_CASE("printed text can't contain commands for the terminal") {
  CHECK(printable("plain, \ttabbed,\nbroken, größer …") == "plain, \ttabbed,\nbroken, größer …");
  CHECK(printable("\x1b[2J\a\x7f") == "\\x1b[2J\\x07\\x7f");
  CHECK(printable(std::string("a\0b", 3)) == "a\\x00b");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\u009b31m");  // begins a command, too
  CHECK(printable("\xff\xc3") == "\\xff\\xc3");
}

TEST_CASE("printed text can't reorder or hide what stands beside it") {
  CHECK(printable("a\u202Eb\u2066c\u200Fd\u061Ce") == "a\\u202eb\\u2066c\\u200fd\\u061ce");
  CHECK(printable("a\u2028b\u200Bc\uFEFFd") == "a\\u2028b\\u200bc\\ufeffd");
  CHECK(printable("\U000E0041") == "\\ue0041");
  CHECK(printable("שלום, 你好") == "שלום, 你好");
}

TEST_CASE("a printable line has neither line breaks nor tabs, and is UTF-8") {
  CHECK(is_printable_line("größer …"));
  for (const auto* text : {"a\nb", "a\tb", "\x1b", "\u202E", "\u0085", "\xff"})
    CHECK_FALSE(is_printable_line(text));
}

TEST_CASE("quoted input is one line of so many characters") {
  CHECK(shortened("two\nlines") == "two\\x0alines");
  CHECK(shortened(std::string(60, 'x')) == std::string(60, 'x'));
  CHECK(shortened(std::string(61, 'x')) == std::string(60, 'x') + "…");
  CHECK(shortened("größer", 3) == "grö…");
}

TEST_CASE("an error is never longer than some kilobytes, and keeps its begin and its end") {
  const auto shown = shown_error("begin " + std::string(5'000'000, 'x') + " end");
  CHECK(shown.size() < 6100);
  CHECK(shown.starts_with("begin xxx"));
  CHECK(shown.ends_with("xxx end"));
  std::string umlauts;  // of two bytes each, cut wherever it may be
  for (int i = 0; i < 4000; ++i) umlauts += "ö";
  for (const auto* before : {"", "x"}) CHECK(is_printable_line(shown_error(before + umlauts)));
}

}  // namespace test_shown_text
