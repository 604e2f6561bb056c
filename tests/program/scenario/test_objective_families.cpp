// SPDX-License-Identifier: Apache-2.0
// Objectives with clients of their own, as scenarios name them.
#include <catch2/catch.hpp>
#include <string>

#include "core/objective/problem.hpp"
#include "program/cli/help_pages.hpp"
#include "program/scenario/scenario.hpp"
#include "tests/support/folder.hpp"

namespace posse::test_objective_families {
namespace {

/// A folder with data.csv and a scenario that reads it.
class Folder {
 public:
  Folder(const std::string& objective, const std::string& csv) {
    folder_.write("data.csv", csv);
    file_ = folder_.write("scenario.toml",
                          R"([[algorithm]]
kind = "fed-pne"
[population]
clients = 4
[budget]
evaluations_per_client = 10
[objective]
)" + objective);
  }
  Scenario read(Diagnostics& diagnostics) const { return load_scenario(file_, {}, diagnostics); }
  std::string errors() const {
    Diagnostics diagnostics;
    read(diagnostics);
    return diagnostics.text();
  }

 private:
  test::Folder folder_;
  std::string file_;
};

std::string small_data() {
  std::string csv = "field,split,row,label,x1,x2,x3,x4,x5,x6,x7,x8,x9\n";
  for (const char* split : {"train", "test"})
    for (int i = 0; i < 6; ++i) {
      const bool mine = i % 2 == 1;
      csv += std::string("1,") + split + "," + std::to_string(i) + (mine ? ",1," : ",0,") +
             std::to_string(i + (mine ? 5 : 0)) + ",0,0,0,0,0,0,0,0\n";
    }
  return csv;
}

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

}  // namespace

TEST_CASE("a scenario without the landmine data says what is needed and where it comes from") {
  for (const char* file : {"", "file = \"nowhere.csv\"\n"}) {
    const auto text = Folder(std::string("kind = \"landmine\"\n") + file, "").errors();
    CHECK_THAT(text, has("objective.file"));
    CHECK_THAT(text, has("field,split,row,label,x1"));
    CHECK_THAT(text, has("github.com/WilliamLwj/PyXAB"));
  }
  CHECK_THAT(describe_page("landmine").value(), has("github.com/WilliamLwj/PyXAB"));
}

TEST_CASE("a wrong line of the landmine data is a wrong scenario") {
  const std::string objective = "kind = \"landmine\"\nfile = \"data.csv\"\n";
  CHECK(Folder(objective, small_data()).errors() == "");
  CHECK_THAT(Folder(objective, small_data() + "1,test,6,0,1,2\n").errors(),
             has("line 14: 6 columns instead of 13"));
  CHECK_THAT(Folder(objective + "heterogeneity = { kind = \"shift\" }\n", small_data()).errors(),
             has("landmine has clients of its own"));
}

TEST_CASE("families make the clients of a scenario, noise-free unless asked") {
  for (const char* objective : {"kind = \"landmine\"\nfile = \"data.csv\"\ngrid = 2\n",
                                "kind = \"doses\"\nregion = \"germany\"\nr = 2.0\n"}) {
    INFO(objective);
    Diagnostics diagnostics;
    const Scenario scenario = Folder(objective, small_data()).read(diagnostics);
    REQUIRE(diagnostics.text() == "");
    const auto problem = make_problem(scenario, 4, 0);
    CHECK(problem->clients() == 4);
    CHECK(problem->noise().range_width() == 0);
    const auto again = make_problem(scenario, 4, 0);
    const auto x = problem->domain().high;
    CHECK(problem->mean(x) == again->mean(x));
    CHECK(problem->mean_maximum().value >= problem->mean(x));
    CHECK(problem->mean_maximum().upper == 1);
  }
}

}  // namespace posse::test_objective_families
