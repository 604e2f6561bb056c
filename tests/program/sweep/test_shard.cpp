// SPDX-License-Identifier: Apache-2.0
// --shard: which part of a sweep a program runs.
#include <catch2/catch.hpp>
#include <map>

#include "program/sweep/shard.hpp"

namespace posse::test_shard {
namespace {

using Variables = std::map<std::string, std::string>;

Shard shard(const std::string& text, const Variables& variables = {}) {
  return parse_shard(text, [&](const char* name) -> const char* {
    const auto it = variables.find(name);
    return it == variables.end() ? nullptr : it->second.c_str();
  });
}

std::string problem(const std::string& text, const Variables& variables = {}) {
  try {
    shard(text, variables);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

void check(const Shard& shard, std::uint32_t part, std::uint32_t count) {
  CHECK(shard.index + 1 == part);
  CHECK(shard.count == count);
}

}  // namespace

TEST_CASE("a shard is a part of a number of parts") {
  check(shard("1/1"), 1, 1);
  check(shard("7/7"), 7, 7);
  using Catch::Matchers::Contains;
  for (const auto* text : {"", "3", "/", "a/b", "1/2/3", "1.5/2", "-1/2", "1/-2", " 1/2", "auto/x"})
    CHECK_THAT(problem(text), Contains("allowed: 2/7"));
  CHECK_THAT(problem("0/2"), Contains("part 0 of 2 doesn't exist"));
  CHECK_THAT(problem("3/2"), Contains("part 3 of 2 doesn't exist"));
  CHECK_THAT(problem("1/0"), Contains("from 1 to 1000000"));
  CHECK_THAT(problem("1/99999999999"), Contains("from 1 to 1000000"));
}

TEST_CASE("auto takes the part from the engine that started the program") {
  check(shard("auto",
              {{"SLURM_ARRAY_TASK_ID", "3"},
               {"SLURM_ARRAY_TASK_MIN", "0"},
               {"SLURM_ARRAY_TASK_MAX", "9"}}),
        4,
        10);
  check(shard("auto",
              {{"SLURM_ARRAY_TASK_ID", "9"},
               {"SLURM_ARRAY_TASK_MIN", "5"},
               {"SLURM_ARRAY_TASK_MAX", "11"},
               {"SLURM_ARRAY_TASK_STEP", "2"}}),
        3,
        4);
  check(shard("auto", {{"LSB_JOBINDEX", "2"}, {"LSB_JOBINDEX_END", "5"}}), 2, 5);
  check(
      shard("auto", {{"SGE_TASK_ID", "2"}, {"SGE_TASK_FIRST", "1"}, {"SGE_TASK_LAST", "4"}}), 2, 4);
  check(shard("auto/50", {{"PARALLEL_SEQ", "50"}}), 50, 50);
  check(shard("auto/50", {{"PBS_ARRAY_INDEX", "7"}}), 7, 50);
  check(shard("auto/50", {{"PBS_ARRAYID", "7"}}), 7, 50);
}

TEST_CASE("auto says what is missing") {
  using Catch::Matchers::Contains;
  CHECK_THAT(problem("auto"), Contains("no engine of arrays of jobs"));
  CHECK_THAT(problem("auto", {{"LSB_JOBINDEX", "0"}}), Contains("no engine of arrays of jobs"));
  CHECK_THAT(problem("auto", {{"SGE_TASK_ID", "undefined"}}),
             Contains("no engine of arrays of jobs"));
  CHECK_THAT(problem("auto", {{"PARALLEL_SEQ", "3"}}), Contains("as in auto/7"));
  CHECK_THAT(problem("auto/2", {{"PARALLEL_SEQ", "3"}}), Contains("part 3 of 2 doesn't exist"));
  CHECK_THAT(problem("auto", {{"SLURM_ARRAY_TASK_ID", "3"}, {"SLURM_ARRAY_TASK_MAX", "2"}}),
             Contains("doesn't exist"));
}

}  // namespace posse::test_shard
