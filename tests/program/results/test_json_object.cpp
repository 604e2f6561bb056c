// SPDX-License-Identifier: Apache-2.0
// JSON files of run folders: errors name the file and the key, wherever it is.
#include <catch2/catch.hpp>

#include "program/base/files.hpp"
#include "program/results/json_object.hpp"
#include "tests/support/folder.hpp"

namespace test_json_object {

using namespace posse;

namespace {

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

}  // namespace

TEST_CASE("a member of the wrong type is an error that names the file and the whole key") {
  const Json json = Json::parse(
      R"({"runs": [{}, {"regret": {"simple": "inf", "n": 1.5}}], "text": "x", "null": null})");
  const JsonObject root("results.json", "", json);
  const auto runs = root.objects("runs");
  REQUIRE(runs.size() == 2);
  const auto regret = runs[1].object("regret");
  CHECK_THROWS_WITH(regret.number("simple"),
                    has("results.json") && has("runs[1].regret.simple is not a number"));
  CHECK_THROWS_WITH(regret.count("n"), has("runs[1].regret.n is not a count"));
  CHECK_THROWS_WITH(runs[0].text("algorithm"), has("runs[0].algorithm is missing"));
  CHECK_THROWS_WITH(root.object("text"), has("text is not an object"));
  CHECK_THROWS_WITH(root.list("text"), has("text is not a list"));
  CHECK_THROWS_WITH(root.text("null"), has("null is not a string"));
}

TEST_CASE("a member that may be missing may also be null, but has no other type") {
  const Json json = Json::parse(R"({"null": null, "text": "x", "number": 7})");
  const JsonObject root("metadata.json", "", json);
  for (const auto* key : {"nowhere", "null"}) {
    CHECK_FALSE(root.has(key));
    CHECK(root.optional_text(key).empty());
    CHECK(root.optional_list(key) == Json::array());
    CHECK(root.optional_number(key, nullptr).is_null());
    CHECK(root.optional_object(key, Json::object()) == Json::object());
    CHECK_FALSE(root.optional_flag(key));
  }
  CHECK(root.optional_number("number", nullptr) == 7);
  CHECK_THROWS_AS(root.optional_text("number"), FileError);
  CHECK_THROWS_AS(root.optional_list("text"), FileError);
  CHECK_THROWS_AS(root.optional_number("text", nullptr), FileError);
  CHECK_THROWS_AS(root.optional_object("text", nullptr), FileError);
  CHECK_THROWS_AS(root.optional_flag("text"), FileError);
}

TEST_CASE("truncated JSON, other values than objects and deep nesting are errors of the file") {
  const test::Folder folder;
  const auto problem = [&](const std::string& text) {
    try {
      read_json(folder.write("a.json", text));
    } catch (const FileError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(problem("{\"a\": [1, 2"), has("a.json' is not valid JSON"));
  CHECK_THAT(problem("\xff\xfe"), has("is not valid JSON"));
  CHECK_THAT(problem("[]"), has("is not a JSON object"));
  CHECK_THAT(problem("{\"a\": " + std::string(100, '[') + std::string(100, ']') + "}"),
             has("is nested too deeply"));
  CHECK(problem("{}").empty());
  // Brackets in strings nest nothing, and neither do those of lists that have ended.
  CHECK(problem("{\"a\\\"\": \"" + std::string(100, '[') + "\\\"[\"}").empty());
  std::string list = "{\"a\": [[]";
  for (int i = 0; i < 100; ++i) list += ",[]";
  CHECK(problem(list + "]}").empty());
}

}  // namespace test_json_object
