// SPDX-License-Identifier: Apache-2.0
// The contents of results.json and metadata.json, and of rounds as text.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <utility>

#include "program/base/units.hpp"
#include "program/base/version.hpp"
#include "program/results/results.hpp"
#include "program/results/results_json.hpp"
#include "program/results/run_json.hpp"
#include "program/results/summary_json.hpp"

namespace posse {
namespace {

/// The first sentence of the comparison; empty if there is none.
std::string headline_of(const Summary& summary) {
  return summary.study && !summary.study->headline.empty() ? summary.study->headline.front() : "";
}

}  // namespace

std::string overall_status(const ScenarioResult& result) {
  for (const auto& run : result.figures)
    if (!run.finished()) return std::string(status_of(run));
  return "finished";
}

Json results_head(const Scenario& scenario, const ScenarioResult& result, const Summary& summary) {
  Json json{{"results_version", kResultsVersion},
            {"name", scenario.name},
            {"seed", scenario.seed},
            {"repeat", scenario.repeat},
            {"status", overall_status(result)},
            {"fingerprint", summary.fingerprint}};
  put_summary(summary, json);
  return json;
}

void write_results_json(std::ostream& out,
                        const Scenario& scenario,
                        const ScenarioResult& result,
                        const Summary& summary) {
  // A run at a time: as a tree, a run takes several times the memory of its text.
  std::string text = pretty_json(results_head(scenario, result, summary));
  text.resize(text.size() - std::string_view("\n}").size());
  out << text << ",\n  \"runs\": [";
  for (const auto& run : result.runs) {
    text = &run == &result.runs.front() ? "\n    " : ",\n    ";
    for (const char c : pretty_json(run_json(scenario, view_of_record(scenario, run)))) {
      text += c;
      if (c == '\n') text += "    ";
    }
    out << text;
  }
  out << (result.runs.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

std::string results_json(const Scenario& scenario,
                         const ScenarioResult& result,
                         const Summary& summary) {
  std::ostringstream out;
  write_results_json(out, scenario, result, summary);
  return std::move(out).str();
}

Json metadata_json(const Scenario& scenario,
                   const ScenarioResult& result,
                   const Summary& summary,
                   const RunMetadata& metadata) {
  Json wall = Json::array();
  for (const auto& run : result.figures) wall.push_back(run.wall_s);
  Json foreign = nullptr;  // whether results depend on the processor, and on which
  if (const auto names = foreign_mathematics(scenario); !names.empty())
    foreign = {{"by", names}, {"machine", machine_mathematics()}};
  return {{"name", scenario.name},
          {"label", scenario.label},
          {"scenario", scenario.file},
          {"seed", scenario.seed},
          {"fingerprint", fingerprint_text(result)},
          {"status", overall_status(result)},
          {"headline", headline_of(summary)},
          {"warnings", summary.warnings},
          {"exit_code", to_int(metadata.exit_code)},
          {"version", version()},
          {"commit", commit()},
          {"compiler", compiler()},
          {"libraries", libraries()},
          {"foreign_mathematics", std::move(foreign)},
          {"command_line", metadata.command_line},
          {"start", metadata.started},
          {"end", metadata.ended},
          {"wall_s", metadata.wall_s},
          {"run_wall_s", wall},
          {"threads", metadata.threads},
          {"kernel", metadata.kernel},
          {"clock", metadata.clock}};
}

std::string rounds_text(const Scenario& scenario, const ScenarioResult& result) {
  std::string out;
  for (const auto& run : result.runs)
    for (const auto& r : run.result.outcome.rounds) {
      out += fmt::format("{}, repetition {}, round {}: {} to {}",
                         scenario.algorithms[run.algorithm].label,
                         run.repetition,
                         r.round.value,
                         pretty_seconds(r.began.to_seconds()),
                         pretty_seconds(r.ended.to_seconds()));
      if (r.expected > 0) out += fmt::format("; {} of {} answers", r.arrived, r.expected);
      for (std::size_t i = 0; i < r.late.size(); ++i)
        out += fmt::format("{}{}", i == 0 ? ", late: " : " ", run.result.name_of(r.late[i]));
      out +=
          fmt::format("; {} messages, {}", r.messages, pretty_bytes(static_cast<double>(r.bytes)));
      if (r.path) {
        bool first = true;
        for (const auto& part : kCriticalPathParts) {
          const Duration time = (*r.path).*part.time;
          if (time.ns == 0) continue;
          out += fmt::format("{}{} {}",
                             std::exchange(first, false) ? "; " : ", ",
                             part.name,
                             pretty_seconds(time.to_seconds()));
        }
        if (r.path->waited_for)
          out += fmt::format("; waited for {}", run.result.name_of(*r.path->waited_for));
      }
      out += '\n';
    }
  return out;
}

}  // namespace posse
