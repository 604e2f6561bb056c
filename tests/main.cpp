// SPDX-License-Identifier: Apache-2.0
// Runs test cases. Exit code: 0 if all passed or some were skipped, kSkipped if all were skipped, 1
// if any failed.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/support/skip.hpp"

namespace {

std::vector<std::string> skipped_cases;
bool any_other_case = false;

struct SkippedCases : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testCaseStarting(const Catch::TestCaseInfo&) override {
    posse::test::this_case_is_skipped = false;
  }
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (posse::test::this_case_is_skipped)
      skipped_cases.push_back(stats.testInfo.name);
    else
      any_other_case = true;
  }
};
CATCH_REGISTER_LISTENER(SkippedCases)

}  // namespace

int main(int argc, char* argv[]) {
  if (Catch::Session().run(argc, argv) != 0) return 1;
  if (skipped_cases.empty()) return 0;
  std::printf("%zu of the test cases were skipped:\n", skipped_cases.size());
  for (const auto& name : skipped_cases) std::printf("  %s\n", name.c_str());
  return any_other_case ? 0 : posse::test::kSkipped;
}
