// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/base/csv.hpp"
#include "program/base/csv.hpp"

namespace posse::test_program_csv {

TEST_CASE("a CSV cell is quoted only where needed, and reads back as it was") {
  CHECK(csv_cell("fed-pne 2") == "fed-pne 2");
  CHECK(csv_cell("say \"so\"") == "\"say \"\"so\"\"\"");
  for (const auto* text :
       {"", "a", "a,b", "\"", "two\nlines", " a", "a ", "\ta", "a\t", " ", "\r"}) {
    const auto table = "x,y\n" + csv_cell(text) + ",\n";
    CsvReader csv(table);
    REQUIRE(csv.next());
    CHECK(csv.cell(0) == text);
  }
}

}  // namespace posse::test_program_csv
