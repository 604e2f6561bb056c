#include <catch2/catch.hpp>

#include "program/results.hpp"
#include "program/summary.hpp"

using namespace posse;

TEST_CASE("a run's exit code says what was wrong with it") {
  RunRecord run;
  run.started = true;
  CHECK(exit_code_of(run) == ExitCode::ok);
  run.figures.push_back(
      {"rounds", "", 5, Bound{4, BoundKind::exact, BoundStrength::always, false, ""}});
  CHECK(exit_code_of(run) == ExitCode::violated);
  run.figures[0].bound->strength = BoundStrength::with_probability;
  CHECK(exit_code_of(run) == ExitCode::ok);
  CHECK(verdict(run.figures[0]) == "exceeded");
  for (const auto& [status, code] : {std::pair{RunStatus::stalled, 7},
                                     {RunStatus::limit_reached, 7},
                                     {RunStatus::failed, 1},
                                     {RunStatus::ledger_violated, 5}}) {
    run.result.outcome.status = status;
    CHECK(static_cast<int>(exit_code_of(run)) == code);
  }
}

TEST_CASE("UTC times are ISO 8601") { CHECK(utc_text(951782400) == "2000-02-29T00:00:00Z"); }
