// SPDX-License-Identifier: Apache-2.0
// What is read from a resolved scenario without making anything.
#include <catch2/catch.hpp>

#include "program/base/files.hpp"
#include "program/scenario/scenario_facts.hpp"
#include "tests/support/folder.hpp"

namespace test_scenario_facts {

using namespace posse;

namespace {

std::optional<double> latency(const std::string& toml) {
  const test::Folder folder;
  folder.write("matrix.csv", "from,to,latency_ms\na,b,10\nb,a,30\n");
  return read_scenario_facts(folder.write("scenario.toml", "[network]\nlatency = " + toml + "\n"))
      .latency_s;
}

}  // namespace

TEST_CASE("the mean latency of a scenario is that of its distribution") {
  CHECK(*latency("\"250 ms\"") == Approx(0.25));
  CHECK(*latency("{ kind = \"constant\", value = \"1 s\" }") == Approx(1));
  CHECK(*latency("{ kind = \"uniform\", min = \"10 ms\", max = \"30 ms\" }") == Approx(0.02));
  CHECK(*latency("{ kind = \"exponential\", mean = \"40 ms\", floor = \"10 ms\" }") ==
        Approx(0.05));
  // scale · shape / (shape - 1)
  CHECK(*latency("{ kind = \"pareto\", scale = \"10 ms\", shape = 3.0 }") == Approx(0.015));
  CHECK(*latency("{ kind = \"matrix\", file = \"matrix.csv\" }") == Approx(0.02));
  CHECK_FALSE(latency("{ kind = \"matrix\", file = \"nowhere.csv\" }"));
  CHECK_FALSE(latency("{ kind = \"telepathy\" }"));
  CHECK_FALSE(latency("7"));
}

TEST_CASE("facts that a scenario doesn't have are empty, and a file that is not TOML is refused") {
  const test::Folder folder;
  const auto none = read_scenario_facts(folder.write("a.toml", ""));
  CHECK(none.objective.empty());
  CHECK_FALSE(none.budget);
  CHECK_FALSE(none.latency_s);
  CHECK_FALSE(none.arms_are_ranked);
  const auto some = read_scenario_facts(folder.write("b.toml",
                                                     R"([objective]
kind = "garland"
noise = { kind = "uniform" }
[[arm]]
kind = "curves"
ranking = "a b"
[budget]
pulls = 100
[network]
topology = "star"
latency = "0 s"
)"));
  CHECK(some.objective == "garland");
  CHECK(some.heterogeneity.empty());
  CHECK(some.noise == "uniform");
  CHECK(some.budget == 100);
  CHECK(some.latency_s == 0);
  CHECK(some.arms_are_ranked);
  CHECK_THROWS_AS(read_scenario_facts(folder.write("c.toml", "= =")), FileError);
  CHECK_THROWS_AS(read_scenario_facts(folder / "nowhere.toml"), FileError);
  // Values of other kinds than they should be say nothing.
  CHECK(read_scenario_facts(folder.write("d.toml", "objective = 3\nnetwork = []\narm = 1\n"))
            .objective.empty());
}

}  // namespace test_scenario_facts
