// SPDX-License-Identifier: Apache-2.0
// Learners asked and told by a program are those of scenarios.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "program/library/experiment.hpp"
#include "program/library/learner_session.hpp"
#include "program/library/scenario_mistakes.hpp"

namespace test_learner_session {

using namespace posse;
using Catch::Matchers::Contains;

namespace {

const std::set<std::string> kInstances{"poo", "gpo", "pct", "vpct"};

Value parameters(std::string_view toml) {
  Diagnostics diagnostics;
  auto value = parse_toml(toml, "parameters", diagnostics);
  REQUIRE(diagnostics.empty());
  return value;
}

Box unit_interval() { return Box::cube(1, 0, 1); }

/// One client with the learner `kind` of its own, on a garland.
std::string scenario_text(const std::string& kind, const std::string& more, bool noise) {
  return "name = \"one\"\nseed = 7\n[[algorithm]]\nkind = \"" + kind + "\"\n" + more +
         (kInstances.contains(kind) ? "" : "\nplacement = \"local\"") +
         R"(
[population]
clients = 1
[objective]
kind = "garland"
)" +
         (noise ? "noise = { kind = \"uniform\", half_width = 0.2 }\n"
                : "noise = { kind = \"none\" }\n") +
         R"([budget]
evaluations_per_client = 600
)";
}

/// The recommendation of a session that is told the scenario's rewards.
std::vector<double> asked_and_told(const std::string& kind,
                                   const std::string& more,
                                   const Scenario& scenario) {
  const auto problem = make_problem(scenario, 1, 0);
  RewardSource rewards(*problem, 0);
  LearnerSession session(kind, parameters(more), problem->domain(), 600, 7);
  for (int t = 0; t < 600; ++t) {
    const auto point = session.ask();
    session.tell(rewards.pull(point, 1));
  }
  CHECK(session.evaluations() == 600);
  return session.recommend();
}

void check_like_scenario(const std::string& kind, const std::string& more, bool noise) {
  INFO(kind << ": " << more << (noise ? ", with noise" : ""));
  const Experiment experiment(scenario_text(kind, more, noise), "");
  const auto results = experiment.run();
  REQUIRE(results.exit_code() == ExitCode::ok);
  const auto& regret = results.runs().front().result.outcome.regret;
  const auto recommended =
      kInstances.contains(kind) ? regret.recommendation : regret.local_recommendations.at(0);
  CHECK(asked_and_told(kind, more, results.scenario()) == recommended);
}

}  // namespace

TEST_CASE("a learner that is asked and told does what it does at a client, bit for bit") {
  const auto kinds = learner_kinds();
  CHECK(kinds.size() >= 18);
  for (const auto& kind : kinds) {
    check_like_scenario(kind, "", false);
    // Instances of a meta-algorithm draw their rewards from streams of their own.
    if (!kInstances.contains(kind)) check_like_scenario(kind, "", true);
  }
  check_like_scenario("hct", "point = \"uniform\"\nc = 0.3\nnu1 = 2.5", true);
}

TEST_CASE("beyond its budget a learner asks for its recommendation") {
  LearnerSession session("hoo", parameters(""), unit_interval(), 10, 1);
  for (int t = 0; t < 10; ++t) {
    const double x = session.ask()[0];
    session.tell(x);
  }
  const auto best = session.recommend();
  for (int t = 0; t < 3; ++t) {
    CHECK(session.ask()[0] == best[0]);
    session.tell(0);
  }
  CHECK(session.recommend() == best);
  CHECK(session.evaluations() == 13);
}

TEST_CASE("a copy of a learner goes on as the learner does, and neither disturbs the other") {
  const auto play = [](LearnerSession& session, int evaluations) {
    std::vector<double> points;
    for (int t = 0; t < evaluations; ++t) {
      const double x = session.ask()[0];
      points.push_back(x);
      session.tell(x * (1 - x));
    }
    points.push_back(session.recommend()[0]);
    return points;
  };
  for (const auto& kind : learner_kinds()) {
    INFO(kind);
    for (const int before : {0, 57, 300}) {
      LearnerSession session(kind, parameters(""), unit_interval(), 400, 3);
      play(session, before);
      session.ask();  // a copy has the pending point, too
      LearnerSession copy(session);
      LearnerSession other(copy);
      for (int t = 0; t < 80; ++t) {
        other.ask();
        other.tell(0);
      }
      CHECK(copy.evaluations() == session.evaluations());
      const auto expected = play(session, 100);
      CHECK(play(copy, 100) == expected);
    }
  }
}

TEST_CASE("a learner that searches on chooses among many points beyond its budget") {
  for (const std::string kind :
       {"hoo", "t-hoo", "hct", "vhct", "doo", "soo", "poo", "vroom", "zooming"}) {
    INFO(kind);
    LearnerSession session(kind, parameters(""), unit_interval(), 100, 1, BeyondBudget::search);
    std::set<double> late;
    for (int t = 0; t < 1000; ++t) {
      const double x = session.ask()[0];
      if (t >= 100) late.insert(x);
      session.tell(1 - std::abs(x - 0.3));
    }
    CHECK(session.evaluations() == 1000);
    CHECK(late.size() > 5);  // the recommendation alone is one
  }
}

TEST_CASE("the cell of a point is told, and the bounds of cells") {
  LearnerSession session("hct", parameters(""), Box{{-1}, {3}}, 100, 1);
  for (int t = 0; t < 50; ++t) {
    const double x = session.ask()[0];
    const auto bounds = session.bounds(session.cell());
    REQUIRE(bounds);
    CHECK((bounds->low[0] + bounds->high[0]) / 2 == x);
    session.tell(x);
  }
  const auto best = session.bounds(session.recommended_cell());
  REQUIRE(best);
  CHECK((best->low[0] + best->high[0]) / 2 == session.recommend()[0]);
  CHECK_FALSE(LearnerSession("random", parameters(""), unit_interval(), 10, 1).bounds({0, 1}));
}

TEST_CASE("asking again before telling gives the same point, and telling first is refused") {
  LearnerSession session("t-hoo", parameters("nu1 = 1"), Box::cube(2, -1, 1), 100, 1);
  CHECK_THROWS_WITH(session.tell(1), Contains("ask first"));
  const std::vector<double> point(session.ask().begin(), session.ask().end());
  CHECK(point.size() == 2);
  const auto again = session.ask();
  CHECK(std::equal(again.begin(), again.end(), point.begin(), point.end()));
  CHECK_THROWS_WITH(session.tell(std::numeric_limits<double>::quiet_NaN()), Contains("not finite"));
  session.tell(0.5);
  CHECK_THROWS_AS(session.tell(0.5), std::invalid_argument);
  REQUIRE(session.tree());
  CHECK(session.tree()->cells == 2);
}

TEST_CASE("what a learner can't be made of is said") {
  const auto make = [](std::string_view kind, std::string_view toml, Box domain, std::uint64_t n) {
    LearnerSession(kind, parameters(toml), std::move(domain), n, 1);
  };
  CHECK_THROWS_WITH(make("htc", "", unit_interval(), 10),
                    Contains("'htc' is not a learner") && Contains("did you mean 'hct'"));
  CHECK_THROWS_WITH(make("fed-pne", "", unit_interval(), 10), Contains("is not a learner"));
  CHECK_THROWS_WITH(make("hct", "rho = 2", unit_interval(), 10), Contains("rho"));
  CHECK_THROWS_WITH(make("hct", "roh = 0.5", unit_interval(), 10), Contains("did you mean 'rho'"));
  CHECK_THROWS_WITH(make("hct", "", unit_interval(), 0), Contains("budget"));
  CHECK_THROWS_WITH(make("hct", "", Box{{}, {}}, 10), Contains("each dimension"));
  CHECK_THROWS_WITH(make("hct", "", Box{{0}, {0}}, 10), Contains("lower one first"));
  CHECK_THROWS_WITH(make("hct", "", Box{{0}, {std::numeric_limits<double>::infinity()}}, 10),
                    Contains("finite"));
  CHECK_THROWS_WITH(make("hct", "partition = \"dimwise\"", Box::cube(40, 0, 1), 10),
                    Contains("dimwise"));
}

}  // namespace test_learner_session
