// SPDX-License-Identifier: Apache-2.0
// Chaos in the default suite: 300 scenarios, in parts that run side by side.
#include <catch2/catch.hpp>

#include "program/base/files.hpp"
#include "tests/chaos/chaos.hpp"
#include "tests/support/executable.hpp"
#include "tests/support/folder.hpp"

namespace posse::test_chaos {
namespace {

void check_scenarios(std::uint64_t first, std::uint64_t count) {
  const test::Folder folder;
  TrialsProgress progress;
  const auto report = run_chaos({.first = first, .count = count, .folder = folder.path()},
                                test::posse_executable(),
                                progress);
  for (const auto& failure : report.failures)
    FAIL_CHECK("seed " << failure.seed << " (tools/chaos --seed " << failure.seed
                       << "): " << failure.property << "\n"
                       << failure.what);
  CHECK(report.scenarios == count);
  CHECK(progress.done == count);
}

}  // namespace

TEST_CASE("random scenarios 0 to 99 violate no property", "[chaos]") { check_scenarios(0, 100); }
TEST_CASE("random scenarios 100 to 199 violate no property", "[chaos]") {
  check_scenarios(100, 100);
}
TEST_CASE("random scenarios 200 to 299 violate no property", "[chaos]") {
  check_scenarios(200, 100);
}

TEST_CASE("random scenarios in which the kernels once ended at different times violate no property",
          "[chaos]") {
  check_scenarios(1225174, 1);
}

TEST_CASE("chaos on several threads runs the same scenarios") {
  const test::Folder folder;
  TrialsOptions options{.first = 40, .count = 20, .folder = folder.path()};
  TrialsProgress progress;
  const auto one = run_chaos(options, "", progress);
  options.jobs = 3;
  const auto three = run_chaos(options, "", progress);
  CHECK(three.scenarios == 20);
  CHECK(one.features == three.features);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("chaos with several jobs reports what goes wrong in one of them") {
  const test::Folder folder;
  const TrialsOptions options{.count = 1000, .jobs = 3, .folder = folder.path()};
  // The scenario in work can't be noted.
  std::filesystem::create_directory(options.folder / "running-1.toml");
  TrialsProgress progress;
  CHECK_THROWS_AS(run_chaos(options, "", progress), FileError);
  CHECK(progress.done < 1000);
}

TEST_CASE("chaos that is told to stop ends with what it has") {
  const test::Folder folder;
  TrialsProgress progress;
  progress.stop = true;
  CHECK(run_chaos({.seconds = 1000, .folder = folder.path()}, "", progress).scenarios == 0);
}

}  // namespace posse::test_chaos
