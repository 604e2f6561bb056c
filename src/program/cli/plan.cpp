// SPDX-License-Identifier: Apache-2.0
#include "program/cli/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>

#include "core/network/wire.hpp"
#include "core/objective/problem.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/page/document_parts.hpp"
#include "program/run/memory.hpp"
#include "program/run/runner.hpp"
#include "program/sweep/run_key.hpp"

namespace posse {
namespace {

/// Larger populations aren't built: their first clients stand for all.
constexpr std::uint32_t kMostClientsBuilt = 1000;

// Measured: the results of a run; what the page of the first ones takes while it is made, more with
// rows of rounds and with cells.
constexpr double kBytesOfRecord = 30e3;
constexpr double kBytesOfShownRun = 90e3, kBytesOfShownRound = 1.1e3, kBytesOfShownCells = 115e3;

}  // namespace

double bytes_of_results(const Scenario& scenario, const std::vector<PlanRow>& rows) {
  const double repetitions = scenario.repeat;
  const double detailed = std::min<double>(repetitions, RunOptions{}.detailed_repetitions);
  const double shown = std::min(
      repetitions, static_cast<double>(kMostRunsInDocument) / static_cast<double>(rows.size()));
  double sum = 0;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    const bool cells = scenario.algorithms[a].parameters.all().contains("partition");
    sum += detailed * kBytesOfRecord + repetitions * kBytesOfFigures +
           shown * (kBytesOfShownRun + (cells ? kBytesOfShownCells : 0) +
                    kBytesOfShownRound * std::min<double>(rows[a].each.rounds, kRoundsInFull));
  }
  return sum;
}

namespace {

/// How pulls are given out by algorithms that plan it.
std::string allocations_text(const Scenario& scenario, const std::vector<PlanRow>& rows) {
  std::string out;
  for (const auto& row : rows) {
    if (row.allocation.empty()) continue;
    const auto budget = static_cast<double>(scenario.arms->budget);
    const double pulls = row.each.evaluations;
    const auto sum = pulls > budget
                         ? fmt::format("{} pulls, {} more than the budget", pulls, pulls - budget)
                         : fmt::format("{} of {} pulls", pulls, budget);
    out += wrapped(fmt::format("{}: {}; {}", row.label, row.allocation, sum), "  ");
  }
  return out.empty() ? out : "Arms and the pulls that each has in all, rung by rung:\n" + out;
}

/// Of messages of equal sizes, without handshakes.
double bytes_with_headers(const NetworkScenario& network, const Forecast& each) {
  if (each.messages == 0) return 0;
  if (!network.wire) return each.bytes + each.messages * static_cast<double>(network.header_bytes);
  const auto mean = static_cast<std::uint64_t>(std::ceil(each.bytes / each.messages));
  return each.messages * static_cast<double>(wire_format(*network.wire).size_bytes(mean));
}

constexpr std::string_view kCeilings =
    "Ceilings, which may be far above what is needed, without acknowledgements and "
    "retransmissions.";

void add_runs(PlanRow& sum, const PlanRow& row, double runs) {
  sum.each.evaluations += runs * row.each.evaluations;
  sum.each.messages += runs * row.each.messages;
  sum.each.bytes += runs * row.each.bytes;
  sum.bytes_with_headers += runs * row.bytes_with_headers;
}

bool has_headers(const PlanRow& row) { return row.bytes_with_headers > row.each.bytes; }

std::vector<std::string> header(std::string_view what, const PlanRow& total) {
  std::vector<std::string> names{
      std::string(what), "evaluations", "rounds each", "messages", "payload"};
  if (has_headers(total)) names.emplace_back("with headers");
  names.emplace_back("memory (est.)");
  return names;
}

std::vector<std::string> cells(const std::string& label,
                               const PlanRow& of,
                               const std::string& rounds,
                               const std::string& memory,
                               bool with_headers) {
  std::vector<std::string> row{label,
                               pretty_number(of.each.evaluations),
                               rounds,
                               pretty_number(of.each.messages),
                               pretty_bytes(of.each.bytes)};
  if (with_headers) row.push_back(pretty_bytes(of.bytes_with_headers));
  row.push_back(memory);
  return row;
}

}  // namespace

std::vector<PlanRow> make_plan(const Scenario& scenario) {
  std::vector<PlanRow> rows;
  for (const auto& entry : scenario.algorithms) {
    AlgorithmEntry few = entry;
    few.clients = std::min(few.clients, kMostClientsBuilt);
    const Workload workload = make_workload(scenario, few, 0);
    const auto protocol = make_protocol(scenario, entry, workload, 0);
    PlanRow row;
    row.label = entry.label;
    row.each = protocol->forecast();
    row.allocation = protocol->allocation();
    row.bytes_with_headers = bytes_with_headers(scenario.network, row.each);
    for (const auto& group : protocol->groups()) row.nodes += group.size;
    row.memory_bytes = forecast_memory(scenario, entry).bytes();
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string plan_text(const Scenario& scenario, const std::vector<PlanRow>& rows) {
  const double repeat = scenario.repeat;
  PlanRow total;
  for (const auto& row : rows) add_runs(total, row, repeat);
  TextTable table(header("algorithm", total));
  for (const auto& row : rows) {
    PlanRow all;
    add_runs(all, row, repeat);
    table.add(cells(row.label,
                    all,
                    pretty_number(row.each.rounds),
                    pretty_bytes(row.memory_bytes),
                    has_headers(total)));
  }
  table.add(cells("total", total, "", "", has_headers(total)));
  std::string out =
      fmt::format("{}: {} runs ({} × {} repetitions); ceilings per algorithm, all repetitions\n",
                  scenario.name,
                  rows.size() * scenario.repeat,
                  rows.size(),
                  scenario.repeat) +
      table.text() + wrapped(std::string(kCeilings), "") +
      wrapped(fmt::format("Memory is per run; one run per thread. Results take about {} more.",
                          pretty_bytes(rounded(bytes_of_results(scenario, rows), 2))),
              "");
  return out + allocations_text(scenario, rows);
}

std::string plan_json(const Scenario& scenario, const std::vector<PlanRow>& rows) {
  Json json{{"name", scenario.name}, {"repeat", scenario.repeat}, {"algorithms", Json::array()}};
  json["results_memory_bytes_estimate"] = bytes_of_results(scenario, rows);
  for (const auto& row : rows)
    json["algorithms"].push_back({{"algorithm", row.label},
                                  {"nodes", row.nodes},
                                  {"evaluations_per_run", row.each.evaluations},
                                  {"rounds_ceiling", row.each.rounds},
                                  {"messages_ceiling_per_run", row.each.messages},
                                  {"bytes_ceiling_per_run", row.each.bytes},
                                  {"bytes_with_headers_ceiling_per_run", row.bytes_with_headers},
                                  {"allocation", row.allocation},
                                  {"memory_bytes_estimate", row.memory_bytes}});
  return pretty_json(json) + "\n";
}

namespace {

// Measured: the files of a small run, in blocks of 4 KiB; and what grows with it.
constexpr double kBytesOfRunFolder = 56e3;
constexpr double kBytesOfStoredLink = 35;
constexpr double kBytesOfStoredRound = 250;

double stored_bytes(const PlanRow& row) {
  const bool with_links = row.nodes <= kMostNodesWithLinks;
  return kBytesOfRunFolder + (with_links ? kBytesOfStoredLink * 2 * row.nodes : 0) +
         kBytesOfStoredRound * std::min<double>(row.each.rounds, kRoundsInFull);
}

void take_largest(PlanRow& largest, const PlanRow& row) {
  largest.nodes = std::max(largest.nodes, row.nodes);
  largest.memory_bytes = std::max(largest.memory_bytes, row.memory_bytes);
  largest.each.evaluations = std::max(largest.each.evaluations, row.each.evaluations);
  largest.each.rounds = std::max(largest.each.rounds, row.each.rounds);
  largest.each.messages = std::max(largest.each.messages, row.each.messages);
  largest.each.bytes = std::max(largest.each.bytes, row.each.bytes);
  largest.bytes_with_headers = std::max(largest.bytes_with_headers, row.bytes_with_headers);
}

// Typical seconds, in units that don't matter.
constexpr double kPriceOfEvaluation = 1, kPriceOfMessage = 3, kPriceOfNode = 10, kPriceOfRun = 1000;

double size_of(const PlanRow& row) {
  return kPriceOfRun + kPriceOfNode * row.nodes + kPriceOfEvaluation * row.each.evaluations +
         kPriceOfMessage * row.each.messages;
}

}  // namespace

SweepForecast forecast_sweep(const SweepPlan& plan) {
  SweepForecast forecast;
  std::unordered_set<std::string_view> seen;
  std::unordered_set<std::string> workloads;
  auto& [sizes, different, makes_workload] = forecast.sizes;
  different.assign(plan.settings(), std::vector<std::size_t>(plan.algorithms().size(), 0));
  forecast.largest.resize(plan.algorithms().size());
  for (const auto& run : plan.runs())
    different[run.setting][run.algorithm] += seen.insert(run.key).second;
  for (std::size_t setting = 0; setting < plan.settings(); ++setting) {
    const Scenario scenario = plan.scenario(setting);
    const auto rows = make_plan(scenario);
    const auto positions = plan.algorithms_in(setting);
    auto& makes = makes_workload.emplace_back(plan.algorithms().size(), false);
    auto& of_setting = sizes.emplace_back(plan.algorithms().size(), 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto& entry = scenario.algorithms[i];
      const auto a = positions[i];
      makes[a] = workloads.insert(workload_text(single_run(scenario, entry, 0), entry)).second;
      auto& largest = forecast.largest[a];
      if (largest.label.empty()) largest = rows[i];
      largest.label = plan.algorithms()[a];
      take_largest(largest, rows[i]);
      of_setting[a] = size_of(rows[i]);
      const auto runs = static_cast<double>(different[setting][a]);
      add_runs(forecast.total, rows[i], runs);
      forecast.disk_bytes += runs * stored_bytes(rows[i]);
    }
  }
  return forecast;
}

namespace {

std::string run_forecast_text(const RunForecast& run, std::uint32_t repeat, std::size_t jobs) {
  std::string out = fmt::format("time: about {} with {}",
                                pretty_seconds(rounded(run.seconds, 2)),
                                jobs == 1 ? "one job" : fmt::format("{} jobs", jobs));
  out += fmt::format(", from {} of {} repetitions", run.repetitions, repeat);
  if (run.memory_bytes > 0)
    out += fmt::format("\nmemory: about {}", pretty_bytes(rounded(run.memory_bytes, 2)));
  return out + fmt::format("\ndisk: about {}\n", pretty_bytes(rounded(run.disk_bytes, 2)));
}

std::string pilot_text(const Pilot& pilot, std::size_t jobs) {
  const auto seconds = [](double s) { return pretty_seconds(rounded(s, 2)); };
  const auto [shortest, longest] = std::ranges::minmax(pilot.runs, {}, &PilotRun::seconds);
  std::string out;
  if (pilot.seconds == 0)
    out += "time: unknown, since no run came far enough to tell\n";
  else
    out += fmt::format("time: about {} with {}; {}the longest run about {}: {}\n",
                       seconds(pilot.seconds / static_cast<double>(jobs)),
                       jobs == 1 ? "one job" : fmt::format("{} jobs", jobs),
                       pilot.unknown ? "without what could not be tried; " : "",
                       seconds(pilot.longest_s),
                       pilot.longest);
  out += fmt::format("  from {} of {} to {}",
                     pilot.runs.size() == 1 ? "a run" : fmt::format("{} runs", pilot.runs.size()),
                     seconds(shortest.seconds),
                     seconds(longest.seconds));
  if (const auto cut = std::ranges::count_if(pilot.runs, [](auto& run) { return run.part < 1; }))
    out += fmt::format(", {} of which {} stopped", cut, cut == 1 ? "was" : "were");
  if (pilot.largest_tried < 0.99)
    out += fmt::format("; the largest could not be tried: of some it is {:.2g} times as large",
                       1 / pilot.largest_tried);
  out += "\n";
  if (pilot.memory_bytes > 0)
    out += fmt::format("memory: up to {} in these runs, with one job\n",
                       pretty_bytes(rounded(pilot.memory_bytes, 2)));
  if (pilot.failed > 0) out += fmt::format("{} of the pilot's runs failed\n", pilot.failed);
  return out;
}

}  // namespace

std::string sweep_plan_text(const SweepPlan& plan,
                            const SweepForecast& forecast,
                            const std::optional<Pilot>& pilot,
                            const std::optional<RunForecast>& run,
                            std::size_t present,
                            std::size_t jobs) {
  std::string out = fmt::format(
      "{}: {} × {} × {}{} = {}",
      plan.name(),
      count_text(plan.settings(), "setting", "settings"),
      count_text(plan.algorithms().size(), "algorithm", "algorithms"),
      count_text(plan.repeat(), "repetition", "repetitions"),
      plan.left_out() == 0 ? "" : fmt::format(" - {} left out", plan.left_out() * plan.repeat()),
      count_text(plan.runs().size(), "run", "runs"));
  if (plan.distinct_runs() != plan.runs().size())
    out += fmt::format(", {} of them different", plan.distinct_runs());
  if (present > 0) out += fmt::format(", {} there already", present);
  out += "\n";
  for (const auto& axis : plan.axes()) {
    std::string values;
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
      if (i == 8 && axis.values.size() > 10) {
        values += fmt::format(", … {} in all", axis.values.size());
        break;
      }
      values += (i == 0 ? "" : ", ") + axis.text(i);
    }
    out += wrapped(fmt::format("{}: {}", axis.key, values), "  ");
  }
  if (plan.excluded() > 0)
    out +=
        fmt::format("  {} excluded\n", count_text(plan.excluded(), "setting is", "settings are"));
  if (plan.left_out() > 0)
    out += fmt::format("  {} without some of the algorithms\n",
                       count_text(plan.settings_with_fewer(), "setting is", "settings are"));
  TextTable table(header("largest run", forecast.total));
  for (const auto& row : forecast.largest)
    table.add(cells(row.label,
                    row,
                    pretty_number(row.each.rounds),
                    pretty_bytes(row.memory_bytes),
                    has_headers(forecast.total)));
  table.add(cells("all runs", forecast.total, "", "", has_headers(forecast.total)));
  out += table.text() + wrapped(std::string(kCeilings), "");
  if (run && run->repetitions > 0) return out + run_forecast_text(*run, plan.repeat(), jobs);
  if (!pilot || pilot->runs.empty())
    return out + fmt::format("disk: about {}; `--pilot` makes a few runs to tell the time\n",
                             pretty_bytes(rounded(forecast.disk_bytes, 2)));
  return out + fmt::format("disk: about {}\n", pretty_bytes(rounded(pilot->disk_bytes, 2))) +
         pilot_text(*pilot, jobs) +
         (run ? fmt::format("memory of `run`, with its results: about {}\n",
                            pretty_bytes(rounded(run->memory_bytes, 2)))
              : "");
}

std::string sweep_plan_json(const SweepPlan& plan,
                            const SweepForecast& forecast,
                            const std::optional<Pilot>& pilot,
                            const std::optional<RunForecast>& run,
                            std::size_t present) {
  Json json{{"name", plan.name()},
            {"settings", plan.settings()},
            {"excluded_settings", plan.excluded()},
            {"algorithms", plan.algorithms()},
            {"repeat", plan.repeat()},
            {"runs", plan.runs().size()},
            {"different_runs", plan.distinct_runs()},
            {"runs_present", present},
            {"evaluations_ceiling", forecast.total.each.evaluations},
            {"messages_ceiling", forecast.total.each.messages},
            {"bytes_ceiling", forecast.total.each.bytes},
            {"bytes_with_headers_ceiling", forecast.total.bytes_with_headers},
            {"disk_bytes_estimate", pilot ? pilot->disk_bytes : forecast.disk_bytes}};
  json["run"] = nullptr;
  if (run)
    json["run"] = {{"wall_s", run->seconds},
                   {"memory_bytes", run->memory_bytes},
                   {"disk_bytes", run->disk_bytes},
                   {"repetitions_tried", run->repetitions}};
  json["pilot"] = nullptr;
  if (!pilot) return pretty_json(json) + "\n";
  auto runs = Json::array();
  for (const auto& tried : pilot->runs)
    runs.push_back({{"setting", plan.setting_text(tried.setting)},
                    {"algorithm", plan.algorithms()[tried.algorithm]},
                    {"wall_s", tried.seconds},
                    {"part", tried.part},
                    {"failed", tried.failed}});
  json["pilot"] = {{"runs", std::move(runs)},
                   {"wall_s_of_all_runs", pilot->seconds},
                   {"wall_s_of_the_longest", pilot->longest_s},
                   {"longest", pilot->longest},
                   {"largest_tried", pilot->largest_tried},
                   {"memory_bytes", pilot->memory_bytes}};
  return pretty_json(json) + "\n";
}

}  // namespace posse
