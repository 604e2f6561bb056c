// SPDX-License-Identifier: Apache-2.0
// Who looks at runs while they go on: never kept waiting, and never in their way.
#include <atomic>
#include <catch2/catch.hpp>
#include <map>
#include <thread>

#include "program/live/spectator.hpp"
#include "tests/support/scenario_text.hpp"

namespace test_spectator {

using namespace posse;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;

Scenario scenario(const std::string& extra = "") {
  return test::read_valid(R"(
name = "looked-at"
repeat = 2
[[algorithm]]
kind = "echo"
label = "a"
rounds = 400
[[algorithm]]
kind = "echo"
label = "b"
rounds = 400
[population]
clients = 5
[network]
latency = { kind = "uniform", min = "1 ms", max = "3 ms" }
)" + extra);
}

/// Much more than a look may take on a busy machine, much less than a wait for a run's end.
constexpr auto kALittle = 400ms;

}  // namespace

TEST_CASE("at first all runs wait, under their names, and each has an empty snapshot") {
  const auto given = scenario();
  RunOptions options;
  RunMonitor monitor(number_of_runs(given, options));
  Spectator spectator(given, options, monitor);
  const auto view = spectator.look();
  CHECK(view.scenario == &given);
  REQUIRE(view.runs.size() == 4);
  const std::vector<std::string> ids{
      "looked-at/a/0", "looked-at/b/0", "looked-at/a/1", "looked-at/b/1"};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(view.runs[i]->id == ids[i]);
    CHECK(view.runs[i]->state == posse::RunState::waiting);
    REQUIRE(view.runs[i]->snapshot != nullptr);
    CHECK(view.runs[i]->snapshot->outcome.events == 0);
    CHECK(view.runs[i]->record == nullptr);
    CHECK(spectator.interventions(i) != nullptr);
  }
  options.only_repetition = 1;
  RunMonitor one(number_of_runs(given, options));
  CHECK(Spectator(given, options, one).look().runs[0]->id == "looked-at/a/1");
}

TEST_CASE("a run is observed running, paused, stepped and ended, without changing its result") {
  const auto given = scenario();
  RunOptions options;
  RunMonitor alone_monitor(number_of_runs(given, options));
  const auto alone = run_scenario(given, options, alone_monitor);
  options.watched = true;
  RunMonitor monitor(number_of_runs(given, options));
  Spectator spectator(given, options, monitor);
  for (std::size_t i = 0; i < 4; ++i)
    spectator.interventions(i)->ask({Intervention::Action::pause, {}, {}});
  ScenarioResult result;
  std::thread program([&] { result = run_scenario(given, options, monitor); });
  const auto wait_for = [&](std::size_t run, posse::RunState state) {
    for (int i = 0; i < 200; ++i) {
      auto view = spectator.look();
      if (view.runs[run]->state == state) return view;
      std::this_thread::sleep_for(10ms);
    }
    FAIL("run " << run << " never is " << to_string(state));
    return ScenarioView{};
  };
  for (std::size_t run = 0; run < 4; ++run) {
    auto view = wait_for(run, posse::RunState::paused);
    CHECK(view.runs[run]->snapshot->paused);
    CHECK(view.runs[run]->snapshot->outcome.complete_rounds == 0);
    REQUIRE(view.runs[run]->start != nullptr);
    CHECK(view.runs[run]->start->names.size() == 6);
    CHECK(view.runs[run]->start->topology == Topology::star);
    CHECK(view.runs[run]->start->forecast.rounds == 400);
    for (std::size_t later = run + 1; later < 4; ++later)
      CHECK(view.runs[later]->state == posse::RunState::waiting);
    // One round further, and still paused.
    spectator.interventions(run)->ask({Intervention::Action::step, {}, {}});
    for (int i = 0; i < 200 && view.runs[run]->snapshot->outcome.complete_rounds == 0; ++i) {
      std::this_thread::sleep_for(10ms);
      view = spectator.look();
    }
    view = wait_for(run, posse::RunState::paused);
    CHECK(view.runs[run]->snapshot->outcome.complete_rounds == 1);
    CHECK(view.runs[run]->snapshot->messages.size() == 10);
    spectator.interventions(run)->ask({Intervention::Action::resume, {}, {}});
    view = wait_for(run, posse::RunState::over);
    REQUIRE(view.runs[run]->record != nullptr);
    CHECK(view.runs[run]->snapshot->over);
    CHECK_FALSE(view.runs[run]->record->measurements.empty());
    CHECK(view.runs[run]->wall_s == view.runs[run]->record->wall_s);
    // The spectator's view may be a moment ahead of the runner's last word.
    for (int i = 0; i < 100 && spectator.interventions(run) != nullptr; ++i)
      std::this_thread::sleep_for(1ms);
    CHECK(spectator.interventions(run) == nullptr);
  }
  program.join();
  CHECK(result.fingerprint == alone.fingerprint);
}

TEST_CASE("several threads may observe runs at once, also while they end") {
  const auto given = scenario();
  RunOptions options;
  RunMonitor alone_monitor(number_of_runs(given, options));
  const auto alone = run_scenario(given, options, alone_monitor);
  options.watched = true;
  options.threads = 2;
  for (int repeat = 0; repeat < 3; ++repeat) {
    RunMonitor monitor(number_of_runs(given, options));
    Spectator spectator(given, options, monitor);
    std::atomic<bool> over{false};
    std::atomic<int> wrong{0};
    std::vector<std::thread> observers;
    for (int i = 0; i < 3; ++i)
      observers.emplace_back([&, i] {
        std::vector<posse::RunState> before(4, posse::RunState::waiting);
        std::vector<std::uint64_t> events(4);
        while (!over) {
          const auto start = Clock::now();
          const auto view = spectator.look(std::chrono::milliseconds(5 + 10 * i));
          wrong += Clock::now() - start > 35ms + kALittle;
          for (std::size_t run = 0; run < 4; ++run) {
            wrong += view.runs[run]->state < before[run];  // nothing goes back
            before[run] = view.runs[run]->state;
            wrong += view.runs[run]->snapshot->outcome.events < events[run];
            events[run] = view.runs[run]->snapshot->outcome.events;
          }
        }
      });
    const auto result = run_scenario(given, options, monitor);
    over = true;
    for (auto& observer : observers) observer.join();
    CHECK(wrong == 0);
    CHECK(result.fingerprint == alone.fingerprint);
    std::this_thread::sleep_for(60ms);
    const auto last = spectator.look();
    for (const auto& run : last.runs) CHECK(run->state == posse::RunState::over);
  }
}

TEST_CASE("observing a run that doesn't answer takes little longer than the given patience") {
  const auto given = scenario();
  RunOptions options;
  RunMonitor monitor(number_of_runs(given, options));
  Spectator spectator(given, options, monitor);
  monitor.slots[1].running = true;  // it is busy with something else for ever
  for (const auto patience : {0ms, 10ms, 60ms}) {
    std::this_thread::sleep_for(60ms);  // looks are no more frequent than this
    const auto start = Clock::now();
    const auto view = spectator.look(patience);
    const auto took = Clock::now() - start;
    CHECK(took >= patience);
    CHECK(took < patience + kALittle);
    CHECK(view.runs[1]->state == posse::RunState::running);
    CHECK(view.runs[0]->state == posse::RunState::waiting);
  }
  // Who comes right afterwards sees what the one before saw.
  const auto start = Clock::now();
  spectator.look(20s);
  CHECK(Clock::now() - start < 10s);
}

TEST_CASE("an observer with little patience doesn't wait for one with more") {
  const auto given = scenario();
  RunOptions options;
  RunMonitor monitor(number_of_runs(given, options));
  Spectator spectator(given, options, monitor);
  monitor.slots[0].running = true;  // never answers
  std::thread patient([&] { spectator.look(700ms); });
  std::this_thread::sleep_for(50ms);
  const auto start = Clock::now();
  const auto view = spectator.look(10ms);
  const auto took = Clock::now() - start;
  CHECK(took < 10ms + kALittle);
  CHECK(view.runs.size() == 4);
  patient.join();
}

}  // namespace test_spectator
