// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "program/base/gzip_text.hpp"
#include "tests/support/gunzipped.hpp"

namespace posse::test_gzip_text {

TEST_CASE("a compressed text is read as it was, and has no time stamp") {
  std::string noise;
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) noise += static_cast<char>(random() % 256);
  std::string lines;
  for (int i = 0; i < 10'000; ++i) lines += "posse_events_total{run=\"a/b/0\"} 12\n";
  for (const auto& text : {std::string(), std::string("a"), lines, noise}) {
    const auto packed = gzip_text(text);
    CHECK(test::gunzipped(packed) == text);
    CHECK(packed == gzip_text(text));
    CHECK(packed.substr(4, 4) == std::string(4, '\0'));
  }
  CHECK(gzip_text(lines).size() < lines.size() / 20);
}

}  // namespace posse::test_gzip_text
