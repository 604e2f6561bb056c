// SPDX-License-Identifier: Apache-2.0
// The schema of scenarios: docs/scenario.md and the JSON schema follow it, and shipped scenarios
// use all of it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "program/base/files.hpp"
#include "program/cli/section_pages.hpp"
#include "program/scenario/json_schema.hpp"
#include "program/scenario/key_tables.hpp"
#include "program/scenario/scenario.hpp"
#include "program/scenario/schema.hpp"
#include "tests/support/json_schema.hpp"
#include "tests/support/test_data.hpp"

namespace posse::test_schema {
namespace {

namespace fs = std::filesystem;

const std::string kRootFolder = POSSE_SOURCE_DIR;

std::vector<Value> shipped_trees() {
  std::vector<Value> trees;
  for (const auto& entry : fs::recursive_directory_iterator(kRootFolder + "/scenarios")) {
    if (entry.path().extension() != ".toml" || entry.path().parent_path().filename() == "claims")
      continue;  // no scenarios
    Diagnostics diagnostics;
    trees.push_back(load_toml(entry.path().string(), diagnostics));
    REQUIRE(diagnostics.empty());
  }
  REQUIRE(trees.size() > 40);
  return trees;
}

/// Adds the paths of the keys of a tree: "network.link.from". Tables of components count as a key.
void add_used(const Value& value, const std::string& path, std::set<std::string>& used) {
  if (!path.empty()) used.insert(path);
  if (const auto* array = value.array()) {
    for (const auto& element : *array)
      if (element.table() != nullptr) add_used(element, path, used);
    return;
  }
  if (value.table() == nullptr || (!path.empty() && find_section(path) == nullptr)) return;
  for (const auto& [key, entry] : *value.table())
    add_used(entry, path.empty() ? key : path + "." + key, used);
}

}  // namespace

TEST_CASE("docs/scenario.md has the schema's keys with their meaning, values and defaults") {
  const auto file = kRootFolder + "/docs/scenario.md";
  // tools/golden writes it anew.
  if (std::getenv("POSSE_REWRITE_GOLDEN") != nullptr)
    write_file(file, with_key_tables(read_file(file)));
  const auto document = read_file(file);
  const bool same = document == with_key_tables(document);
  CHECK(same);
  for (const auto& section : scenario_sections())
    for (const auto& row : key_rows(section)) {
      INFO(markdown_line(row));
      CHECK(document.find(markdown_line(row)) != std::string::npos);
    }
}

TEST_CASE("tables of keys are written anew, whatever stood there, and the rest is kept") {
  const auto document = read_file(kRootFolder + "/docs/scenario.md");
  const auto at = document.find("| `duplication` |");
  auto damaged = document;
  damaged.replace(
      at, document.find('\n', at) - at, "| `duplicatoin` | nonsense | | |\n| `more` | | | |");
  CHECK(with_key_tables(damaged) == document);
  CHECK_THROWS_AS(with_key_tables("## `[network]`\n\n| key | meaning |\n| --- | --- |\n"),
                  std::invalid_argument);
  CHECK_THROWS_AS(with_key_tables(document + "## `[nothing]`\n\n| key |\n| --- |\n"),
                  std::invalid_argument);
}

TEST_CASE("every shipped scenario keeps to the JSON schema") {
  const test::JsonSchema schema(scenario_json_schema());
  for (const auto& tree : shipped_trees()) {
    INFO(tree.location.file);
    CHECK(schema.problem(test::json_of(tree)) == "");
  }
}

TEST_CASE("the JSON schema refuses unknown keys, kinds and choices, and numbers without units") {
  const test::JsonSchema schema(scenario_json_schema());
  const std::string file = kRootFolder + "/scenarios/quickstart.toml";
  const auto problem = [&](const std::string& assignment) {
    Diagnostics diagnostics;
    Value root = load_toml(file, diagnostics);
    if (!assignment.empty()) apply_override(root, assignment, "--set", diagnostics);
    REQUIRE(diagnostics.empty());
    return schema.problem(test::json_of(root));
  };
  CHECK(problem("") == "");
  CHECK(problem("network.latency=\"5 ms\"") == "");
  CHECK(problem("thresholds.fed-pne.rounds=\"max <= bound\"") == "");
  CHECK(problem("sweep.network.latency=[\"1 ms\"]") == "");
  CHECK(problem("sweep={ \"network.loss\" = { from = 0, to = 0.2, steps = 3 } }") == "");
  CHECK(problem("sweep={ \"algorithm.0.c\" = [0.1, 1] }") == "");
  CHECK(problem("sweep={ server = [{ policy = \"all\" }] }") == "");
  CHECK(problem("algorithm.0.delta=\"auto\"") == "");
  for (const auto* wrong : {"sede=1",
                            "network.latencey=\"5 ms\"",
                            "algorithm.0.roh=0.5",
                            "algorithm.0.kind=\"fed-pnee\"",
                            "algorithm.0.rho=\"0.5\"",
                            "algorithm.0.rho=2",
                            "objective.kind=\"garlnd\"",
                            "objective.noise={ kind = \"unifrom\" }",
                            "objective.noise={ kind = \"none\", sd = 1 }",
                            "network.order=\"lifo\"",
                            "network.latency=5",
                            "network.latency=\"5 parsecs\"",
                            "network.latency={ kind = \"exponential\" }",
                            "network.latency={ kind = \"uniform\", mean = \"5 ms\" }",
                            "network.loss=2",
                            "network.rate=\"5 Mb\"",
                            "server.quorum=\"many\"",
                            "server={ polcy = \"all\" }",
                            "fault=[{ at = \"1 s\" }]",
                            "fault=[{ kind = \"crush\" }]",
                            "thresholds.simple_regrets=\"mean < 1\"",
                            "sweep={ \"network.loss\" = 3 }",
                            "sweep={ \"network.loss\" = [\"5%\"] }",
                            "sweep={ network = { loss = [2] } }",
                            "sweep={ \"population.clients\" = [0] }",
                            "sweep={ \"netwrok.loss\" = [0.1] }",
                            "algorithm="}) {
    INFO(wrong);
    CHECK(problem(wrong) != "");
  }
}

TEST_CASE("keys and their choices are described by their names") {
  CHECK_THAT(describe_key("wire"), Catch::Matchers::Contains("wire (key of [network])"));
  CHECK(describe_key("network.wire") == describe_key("wire"));
  CHECK_THAT(describe_key("network.link.0.from"),
             Catch::Matchers::StartsWith("from (key of [[network.link]])\n"));
  CHECK_THAT(describe_key("repeat"), Catch::Matchers::Contains("at the top of a scenario"));
  CHECK(describe_key("network.wires") == "");
  CHECK(describe_key("nothing.wire") == "");
  CHECK(describe_key("quic") == describe_key("wire"));
  CHECK_THAT(describe_key("loss"), Catch::Matchers::Contains("loss (key of [[network.link]])"));
  CHECK(describe_key("nothing") == "");
}

TEST_CASE("the top of a file has the same tables for the schema, the JSON schema and the reader") {
  const auto schema = scenario_json_schema();
  std::set<std::string> sections;
  for (const auto& key : find_section("")->keys) sections.insert(std::string(key.name));
  std::set<std::string> listed;
  for (const auto& [key, value] : schema["properties"].items()) listed.insert(key);
  CHECK(listed == sections);
  Diagnostics diagnostics;
  read_scenario(parse_toml("bogus = 1", "bogus.toml", diagnostics), "bogus.toml", diagnostics);
  const auto unknown = std::find_if(
      diagnostics.all().begin(), diagnostics.all().end(), [](const Diagnostic& mistake) {
        return mistake.problem == "unknown key";
      });
  REQUIRE(unknown != diagnostics.all().end());
  std::set<std::string> known;
  std::istringstream names(unknown->allowed);
  for (std::string name; std::getline(names >> std::ws, name, ',');) known.insert(name);
  CHECK(known == sections);
}

TEST_CASE("every section of the schema, and every key, is used by a shipped scenario") {
  std::set<std::string> used;
  for (const auto& tree : shipped_trees()) add_used(tree, "", used);
  const auto is_used = [&](const std::string& path) { return used.contains(path); };
  std::vector<std::string> unused;
  for (const auto& section : scenario_sections()) {
    if (section.path == "sweep.*") continue;  // below other names
    for (const auto& key : section.keys) {
      const auto path =
          std::string(section.path) + (section.path.empty() ? "" : ".") + std::string(key.name);
      if (!is_used(path)) unused.push_back(path);
    }
  }
  CHECK(unused == std::vector<std::string>{});
}

}  // namespace posse::test_schema
