// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/base/shown_text.hpp"
#include "program/scenario/diagnostics.hpp"

namespace test_diagnostics {

using namespace posse;

TEST_CASE("the edit distance counts inserts, deletes, replacements and swaps") {
  CHECK(edit_distance("latency", "latency") == 0);
  CHECK(edit_distance("latncy", "latency") == 1);
  CHECK(edit_distance("latnecy", "latency") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("", "abc") == 3);
}

TEST_CASE("only a near name is offered") {
  const std::vector<std::string> names = {"latency", "loss", "rate"};
  CHECK(nearest_name("latncy", names) == "latency");
  CHECK(nearest_name("Loss", names) == "loss");
  CHECK(nearest_name("topology", names).empty());
  CHECK(nearest_name("bytes", {"payload_bytes", "wire_bytes", "messages"}) == "wire_bytes");
  CHECK(nearest_name("byt", {"payload_bytes", "wire_bytes"}).empty());
  // A file of thousands of unknown names among thousands takes no minutes.
  CHECK(nearest_name("latncy", std::vector<std::string>(1001, "latency")).empty());
}

TEST_CASE("errors are printed in the order of the lines") {
  Diagnostics diagnostics;
  diagnostics.add({{"a.toml", 9}, "b", "second", "1", "2", ""});
  diagnostics.add({{"a.toml", 3}, "a", "first", "", "", "x"});
  CHECK(diagnostics.text() ==
        "a.toml:3: error: a: first\n    did you mean 'x'?\n"
        "a.toml:9: error: b: second\n    given:   1\n    allowed: 2\n");
}

TEST_CASE("errors have no control characters, whatever part they come from") {
  Diagnostics diagnostics;
  diagnostics.add({{"a\x1b", 0}, "b\x1b", "c\x1b", "d\x1b", "e\x1b", "f\x1b"});
  CHECK(diagnostics.text().find('\x1b') == std::string::npos);
  CHECK(diagnostics.text().find("e\\x1b") != std::string::npos);
}

TEST_CASE("a list of allowed names is short, however many there are") {
  CHECK(names_text({"a", "b"}) == "a, b");
  const auto text = names_text(std::vector<std::string>(1000, "name"));
  CHECK(text.ends_with(", name, … and 940 more"));
}

}  // namespace test_diagnostics
