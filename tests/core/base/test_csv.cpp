// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/base/csv.hpp"
#include "core/base/parameters.hpp"
#include "core/random/stream.hpp"

namespace test_csv {

using namespace posse;
using Catch::Contains;

namespace {

std::vector<std::vector<std::string>> rows(std::string_view text) {
  CsvReader csv(text);
  std::vector<std::vector<std::string>> all;
  while (csv.next()) all.push_back(csv.cells());
  return all;
}

}  // namespace

TEST_CASE("csv: rows follow RFC 4180, with quotes, commas and line ends in cells, LF or CRLF") {
  const std::vector<std::vector<std::string>> expected = {
      {"1", "a,b"}, {"2", "say \"so\""}, {"3", "two\nlines"}, {"", ""}};
  CHECK(rows("x,y\r\n1,\"a,b\"\r\n2,\"say \"\"so\"\"\"\r\n3,\"two\nlines\"\r\n,\r\n") == expected);
  CHECK(rows("\xEF\xBB\xBFx , y\n\n 1 ,\"a,b\" \n2,\"say \"\"so\"\"\"\n3,\"two\nlines\"\n,") ==
        expected);
}

TEST_CASE("csv: rows have their line number, columns are found by name") {
  CsvReader csv("a,b\n1,\"x\ny\"\n\n3,4\n");
  CHECK(csv.column("b") == 1);
  REQUIRE(csv.next());
  CHECK(csv.line() == 2);
  REQUIRE(csv.next());
  CHECK(csv.line() == 5);
  CHECK(csv.cell(1) == "4");
  CHECK_FALSE(csv.next());
  CHECK_THROWS_WITH(csv.column("c"), Contains("no column 'c'") && Contains("a, b"));
  CHECK(csv.find_column("a") == 0);
  CHECK_FALSE(csv.find_column("c"));
}

TEST_CASE(
    "csv: numbered columns are found up to the first that is missing, the first of equal ones") {
  const CsvReader csv("x2,y,x1,x1,x4\n");
  CHECK(csv.numbered_columns("x", 1) == std::vector<std::size_t>{2, 0});
  CHECK(csv.numbered_columns("x", 4) == std::vector<std::size_t>{4});
  CHECK(csv.numbered_columns("z", 0).empty());
}

TEST_CASE("csv: malformed input is refused with its line") {
  CHECK_THROWS_WITH(CsvReader(""), Contains("empty"));
  CHECK_THROWS_WITH(CsvReader(" \n\n"), Contains("empty"));
  CHECK_THROWS_WITH(rows("a,b\n1\n"), Contains("line 2: 1 columns instead of 2"));
  CHECK_THROWS_WITH(rows("a,b\n1,2,3\n"), Contains("line 2: 3 columns"));
  CHECK_THROWS_WITH(rows("a\n\"1\n"), Contains("line 2: unterminated quote"));
  CHECK_THROWS_WITH(rows("a\n\"1\"2\n"), Contains("text after the closing quote"));
}

TEST_CASE("csv: any text is read or refused with its line") {
  const std::string alphabet = "a1,\"\n\r \t.;\xff";
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    DrawEngine draws(stream_key(Seed{trial}, "garbage", "csv"), 0);
    std::string text;
    for (auto size = draws() % 40; size > 0; --size) text += alphabet[draws() % alphabet.size()];
    try {
      CsvReader csv(text);
      std::size_t line = 0;
      while (csv.next()) {
        REQUIRE(csv.cells().size() == csv.columns().size());
        REQUIRE(csv.line() > line);
        line = csv.line();
      }
    } catch (const InputError& problem) {
      REQUIRE(std::string(problem.what()).find("line") != std::string::npos);
    }
  }
}

TEST_CASE("csv: a number is parsed from the whole text or not at all") {
  CHECK(parse_number<double>("-1.5e3") == -1500.0);
  CHECK(parse_number<int>("42") == 42);
  for (const auto* text : {"", " 1", "1 ", "1x", "+1", "0x10", "1,5"})
    CHECK_FALSE(parse_number<double>(text));
}

}  // namespace test_csv
