// SPDX-License-Identifier: Apache-2.0
// The fields Accept and Accept-Encoding, with RFC 9110's grammar and without.
#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "program/http/negotiation.hpp"

namespace posse::test_negotiation {

TEST_CASE("a preference has its name, its parameters and its quality") {
  const auto read =
      preferences("Application/OpenMetrics-Text; Version=\"1.0.0\" ;q=0.25,text/plain,*/*;q=0");
  REQUIRE(read.size() == 3);
  CHECK(read[0].name == "application/openmetrics-text");
  CHECK(read[0].parameters ==
        std::vector<std::pair<std::string, std::string>>{{"version", "1.0.0"}});
  CHECK(read[0].quality == 0.25);
  CHECK(read[1].name == "text/plain");
  CHECK(read[1].quality == 1);
  CHECK(read[2].name == "*/*");
  CHECK(read[2].quality == 0);
}

TEST_CASE("separators in quoted strings separate nothing") {
  const auto read = preferences(R"(a;x="1,2;q=0\",",b)");
  REQUIRE(read.size() == 2);
  CHECK(read[0].parameters[0].second == R"(1,2;q=0",)");
  CHECK(read[1].name == "b");
}

TEST_CASE("elements that are not well formed are left out, the others stay") {
  for (const std::string bad : {"",
                                ";",
                                "q=1;",
                                "a b",
                                "a/b/c",
                                "gzip;q",
                                "gzip;q=",
                                "gzip;q=2",
                                "gzip;q=-1",
                                "gzip;q=x",
                                "gzip;q=nan",
                                "gzip;q=1e-1",
                                "gzip;q=0.5x",
                                "gzip;=1",
                                "g\x01zip",
                                "\"gzip\"",
                                "gzip;\"q\"=1"}) {
    INFO(bad);
    CHECK(preferences(bad).empty());
    const auto read = preferences(" ,\t" + bad + ", br;q=0.5 ,");
    REQUIRE(read.size() == 1);
    CHECK(read[0].name == "br");
    CHECK(read[0].quality == 0.5);
  }
}

TEST_CASE("any bytes are read without harm") {
  std::mt19937_64 random(1);
  const std::string bytes = "gzip*/,;=\"\\q0.1 \t\xff";
  for (int i = 0; i < 20'000; ++i) {
    std::string field;
    for (auto n = random() % 30; n > 0; --n) field += bytes[random() % bytes.size()];
    for (const auto& each : preferences(field)) CHECK((each.quality >= 0 && each.quality <= 1));
    prefers_gzip(field);
  }
}

TEST_CASE("an answer is compressed where gzip is named and not worse than none") {
  for (const std::string field : {"gzip",
                                  "GZIP",
                                  "x-gzip",
                                  "deflate, gzip, br",
                                  "gzip;q=0.001",
                                  "gzip;q=0.5, identity;q=0.5",
                                  "identity;q=0, *",
                                  "*;q=0, gzip",
                                  "nonsense;;;, gzip"}) {
    INFO(field);
    CHECK(prefers_gzip(field));
  }
  for (const std::string field : {"",
                                  "*",
                                  "identity",
                                  "br",
                                  "gzip;q=0",
                                  "gzip;q=0.0",
                                  "gzip;q=0.4, identity",
                                  "identity;q=0, *;q=0",
                                  "gzip;q=x",
                                  "gzippy"}) {
    INFO(field);
    CHECK_FALSE(prefers_gzip(field));
  }
}

}  // namespace posse::test_negotiation
