// SPDX-License-Identifier: Apache-2.0
// random_scenario SEED…: prints the scenarios that `posse chaos` would run, so that their message
// logs can be checked (tools/check_logs).
#include "program/chaos/random_scenario.hpp"

#include <fmt/format.h>

#include <cstdlib>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    fmt::print("{}", posse::random_scenario(std::strtoull(argv[i], nullptr, 10)));
}
