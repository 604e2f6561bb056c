// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/shard.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "core/base/csv.hpp"

namespace posse {
namespace {

constexpr auto kAllowedShards = "2/7 (the second of seven parts), auto, or auto/7";
constexpr std::uint32_t kMostShards = 1'000'000;

/// Engines of arrays of jobs: which job this is, and, where they tell, from which to which the jobs
/// are numbered, in which steps.
struct Engine {
  const char *name, *index, *first, *last, *step;
};
constexpr std::array<Engine, 6> kEngines{
    {{"Slurm",
      "SLURM_ARRAY_TASK_ID",
      "SLURM_ARRAY_TASK_MIN",
      "SLURM_ARRAY_TASK_MAX",
      "SLURM_ARRAY_TASK_STEP"},
     {"LSF", "LSB_JOBINDEX", nullptr, "LSB_JOBINDEX_END", "LSB_JOBINDEX_STEP"},
     {"PBS", "PBS_ARRAY_INDEX", nullptr, nullptr, nullptr},
     {"Torque", "PBS_ARRAYID", nullptr, nullptr, nullptr},
     {"Grid Engine", "SGE_TASK_ID", "SGE_TASK_FIRST", "SGE_TASK_LAST", "SGE_TASK_STEPSIZE"},
     {"GNU parallel", "PARALLEL_SEQ", nullptr, nullptr, nullptr}}};

[[noreturn]] void refuse(const std::string& text, const std::string& problem) {
  throw std::invalid_argument(
      fmt::format("--shard {}: {}; allowed: {}", text, problem, kAllowedShards));
}

std::optional<std::int64_t> number_in(const Environment& environment, const char* variable) {
  const char* text = variable == nullptr ? nullptr : environment(variable);
  return text == nullptr ? std::nullopt : parse_number<std::int64_t>(text);
}

}  // namespace

Shard parse_shard(const std::string& text, const Environment& environment) {
  const auto slash = text.find('/');
  const auto head = text.substr(0, slash);
  std::optional<std::uint32_t> count;
  if (slash != std::string::npos) {
    count = parse_number<std::uint32_t>(std::string_view(text).substr(slash + 1));
    if (!count || *count == 0 || *count > kMostShards)
      refuse(text, fmt::format("the number of parts is not from 1 to {}", kMostShards));
  }
  const auto part = [&](std::int64_t number) {  // from 1
    if (number < 1 || number > *count)
      refuse(text, fmt::format("part {} of {} doesn't exist", number, *count));
    return Shard{static_cast<std::uint32_t>(number - 1), *count};
  };
  if (head != "auto") {
    const auto number = parse_number<std::int64_t>(head);
    if (!number || !count) refuse(text, "is not a part and a number of parts");
    return part(*number);
  }
  for (const Engine& engine : kEngines) {
    if (environment(engine.index) == nullptr) continue;
    // Grid Engine sets "undefined" outside of arrays, LSF 0.
    const auto index = number_in(environment, engine.index);
    if (!index || *index < 0 || (*index == 0 && std::string_view(engine.name) == "LSF")) continue;
    if (count) {
      const auto first = number_in(environment, engine.first).value_or(1);
      const auto step = number_in(environment, engine.step).value_or(1);
      return part((*index - first) / (step < 1 ? 1 : step) + 1);
    }
    const auto last = number_in(environment, engine.last);
    if (!last)
      refuse(text,
             fmt::format("{} ({}={}) doesn't tell the number of parts: give it, as in auto/7",
                         engine.name,
                         engine.index,
                         *index));
    const auto first = number_in(environment, engine.first).value_or(1);
    const auto step = number_in(environment, engine.step).value_or(1);
    if (step < 1 || *last < first || *last - first > kMostShards)
      refuse(text, fmt::format("{} numbers its jobs from {} to {}", engine.name, first, *last));
    count = static_cast<std::uint32_t>((*last - first) / step + 1);
    return part((*index - first) / step + 1);
  }
  refuse(text,
         "no engine of arrays of jobs has started this program (none of SLURM_ARRAY_TASK_ID, "
         "LSB_JOBINDEX, PBS_ARRAY_INDEX, PBS_ARRAYID, SGE_TASK_ID, PARALLEL_SEQ is set)");
}

}  // namespace posse
