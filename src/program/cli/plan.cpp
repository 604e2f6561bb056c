// SPDX-License-Identifier: Apache-2.0
#include "program/cli/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>

#include "core/objective/problem.hpp"
#include "program/base/files.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/results/json_object.hpp"
#include "program/run/memory.hpp"
#include "program/sweep/run_store.hpp"
#include "program/sweep/sweep.hpp"

namespace posse {
namespace {

/// Larger populations aren't built: their first clients stand for all.
constexpr std::uint32_t kMostClientsBuilt = 1000;

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
    for (const auto& group : protocol->groups()) row.nodes += group.size;
    row.memory_bytes = forecast_memory(scenario, entry).bytes();
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string plan_text(const Scenario& scenario, const std::vector<PlanRow>& rows) {
  std::string out =
      fmt::format("{}: {} runs ({} × {} repetitions); ceilings per algorithm, all repetitions\n",
                  scenario.name,
                  rows.size() * scenario.repeat,
                  rows.size(),
                  scenario.repeat);
  out += fmt::format("  {:<20} {:>12} {:>12} {:>12} {:>12} {:>14}\n",
                     "algorithm",
                     "evaluations",
                     "rounds each",
                     "messages",
                     "bytes",
                     "memory (est.)");
  Forecast total;
  const double repeat = scenario.repeat;
  for (const auto& row : rows) {
    out += fmt::format("  {:<20} {:>12} {:>12} {:>12} {:>12} {:>14}\n",
                       row.label,
                       pretty_number(row.each.evaluations * repeat),
                       pretty_number(row.each.rounds),
                       pretty_number(row.each.messages * repeat),
                       pretty_bytes(row.each.bytes * repeat),
                       pretty_bytes(row.memory_bytes));
    total.evaluations += row.each.evaluations * repeat;
    total.messages += row.each.messages * repeat;
    total.bytes += row.each.bytes * repeat;
  }
  out += fmt::format("  {:<20} {:>12} {:>12} {:>12} {:>12}\n",
                     "total",
                     pretty_number(total.evaluations),
                     "",
                     pretty_number(total.messages),
                     pretty_bytes(total.bytes)) +
         "Without acknowledgements and retransmissions. Memory is per run; one run per thread.\n";
  return out + allocations_text(scenario, rows);
}

std::string plan_json(const Scenario& scenario, const std::vector<PlanRow>& rows) {
  nlohmann::ordered_json json{{"name", scenario.name},
                              {"repeat", scenario.repeat},
                              {"algorithms", nlohmann::ordered_json::array()}};
  for (const auto& row : rows)
    json["algorithms"].push_back({{"algorithm", row.label},
                                  {"nodes", row.nodes},
                                  {"evaluations_per_run", row.each.evaluations},
                                  {"rounds_ceiling", row.each.rounds},
                                  {"messages_ceiling_per_run", row.each.messages},
                                  {"bytes_ceiling_per_run", row.each.bytes},
                                  {"allocation", row.allocation},
                                  {"memory_bytes_estimate", row.memory_bytes}});
  return json.dump(2) + "\n";
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
}

/// Different runs of each algorithm.
std::vector<std::size_t> distinct_by_algorithm(const SweepPlan& plan) {
  std::vector<std::size_t> counts(plan.algorithms().size(), 0);
  std::unordered_set<std::string_view> seen;
  for (const auto& run : plan.runs()) counts[run.algorithm] += seen.insert(run.key).second;
  return counts;
}

}  // namespace

SweepForecast forecast_sweep(const SweepPlan& plan) {
  SweepForecast forecast;
  std::unordered_set<std::string_view> seen;
  std::vector<std::vector<std::uint32_t>> different(  // repetitions, by setting and algorithm
      plan.settings(),
      std::vector<std::uint32_t>(plan.algorithms().size(), 0));
  for (const auto& run : plan.runs())
    different[run.setting][run.algorithm] += seen.insert(run.key).second;
  for (std::size_t setting = 0; setting < plan.settings(); ++setting) {
    const auto rows = make_plan(plan.scenario(setting));
    if (setting == 0) forecast.largest = rows;
    for (std::size_t a = 0; a < rows.size(); ++a) {
      forecast.largest[a].label = plan.algorithms()[a];
      take_largest(forecast.largest[a], rows[a]);
      const double runs = different[setting][a];
      forecast.total.evaluations += runs * rows[a].each.evaluations;
      forecast.total.messages += runs * rows[a].each.messages;
      forecast.total.bytes += runs * rows[a].each.bytes;
      forecast.disk_bytes += runs * stored_bytes(rows[a]);
    }
  }
  return forecast;
}

void add_pilot(const SweepPlan& plan, std::size_t each, SweepForecast& forecast) {
  namespace fs = std::filesystem;
  std::string name = (fs::temp_directory_path() / "posse-pilot-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw FileError(name, fmt::format("can't be created: {}", std::strerror(errno)));
  struct Removed {
    fs::path folder;
    ~Removed() {
      std::error_code ignored;
      fs::remove_all(folder, ignored);
    }
  } const removed{name};

  // Runs of the first repetition: positions setting * algorithms + algorithm.
  const std::size_t settings = plan.settings(), algorithms = plan.algorithms().size();
  SweepOptions options;
  const std::size_t tried = std::min(each, settings);
  for (std::size_t i = 0; i < tried; ++i) {
    const auto setting = tried < 2 ? 0 : i * (settings - 1) / (tried - 1);
    for (std::size_t a = 0; a < algorithms; ++a) options.only.push_back(setting * algorithms + a);
  }
  const RunStore store(name);
  const SweepOutcome outcome = run_sweep(plan, store, options);

  SweepForecast::Pilot pilot;
  pilot.failed = outcome.failed.size();
  pilot.shortest_s = std::numeric_limits<double>::infinity();
  double bytes = 0;
  std::vector<double> seconds(algorithms, 0), made(algorithms, 0);
  for (const auto i : options.only) {
    const auto& run = plan.runs()[i];
    if (!store.has(run.key)) continue;
    const auto folder = store.folder(run.key);
    const Json json = read_json(folder / "metadata.json");
    const double wall = JsonObject(folder / "metadata.json", "", json).number("wall_s");
    ++pilot.runs;
    pilot.shortest_s = std::min(pilot.shortest_s, wall);
    pilot.longest_s = std::max(pilot.longest_s, wall);
    seconds[run.algorithm] += wall;
    ++made[run.algorithm];
    for (const auto& file : fs::directory_iterator(folder))
      if (file.is_regular_file())
        bytes += std::ceil(static_cast<double>(file.file_size()) / 4096) * 4096;
  }
  if (pilot.runs == 0) return;
  const auto distinct = distinct_by_algorithm(plan);
  for (std::size_t a = 0; a < algorithms; ++a)
    if (made[a] > 0) pilot.wall_s += seconds[a] / made[a] * static_cast<double>(distinct[a]);
  forecast.disk_bytes =
      bytes / static_cast<double>(pilot.runs) * static_cast<double>(plan.distinct_runs());
  forecast.pilot = pilot;
}

std::string sweep_plan_text(const SweepPlan& plan,
                            const SweepForecast& forecast,
                            std::size_t present,
                            std::size_t jobs) {
  const auto counted = [](std::size_t n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  std::string out = fmt::format("{}: {} × {} × {} = {}",
                                plan.name(),
                                counted(plan.settings(), "setting"),
                                counted(plan.algorithms().size(), "algorithm"),
                                counted(plan.repeat(), "repetition"),
                                counted(plan.runs().size(), "run"));
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
      values += (i == 0 ? "" : ", ") + value_text(axis.values[i]);
    }
    out += wrapped(fmt::format("{}: {}", axis.key, values), "  ");
  }
  if (plan.excluded() > 0)
    out += fmt::format("  {} settings are excluded by the constraint\n", plan.excluded());
  TextTable table({"largest run", "evaluations", "rounds", "messages", "bytes", "memory (est.)"});
  for (const auto& row : forecast.largest)
    table.add({row.label,
               pretty_number(row.each.evaluations),
               pretty_number(row.each.rounds),
               pretty_number(row.each.messages),
               pretty_bytes(row.each.bytes),
               pretty_bytes(row.memory_bytes)});
  table.add({"all runs",
             pretty_number(forecast.total.evaluations),
             "",
             pretty_number(forecast.total.messages),
             pretty_bytes(forecast.total.bytes),
             ""});
  out += table.text() + "ceilings, without acknowledgements and retransmissions\n";
  out += fmt::format("disk: about {}", pretty_bytes(rounded(forecast.disk_bytes, 2)));
  if (!forecast.pilot) return out + "; `--pilot` makes a few runs to tell the time\n";
  const auto& pilot = *forecast.pilot;
  out += fmt::format("; time: about {} with {} (from {} runs of {} to {} each)\n",
                     pretty_seconds(rounded(pilot.wall_s / static_cast<double>(jobs), 2)),
                     jobs == 1 ? "one job" : fmt::format("{} jobs", jobs),
                     pilot.runs,
                     pretty_seconds(rounded(pilot.shortest_s, 2)),
                     pretty_seconds(rounded(pilot.longest_s, 2)));
  if (pilot.failed > 0) out += fmt::format("{} of the pilot's runs failed\n", pilot.failed);
  return out;
}

std::string sweep_plan_json(const SweepPlan& plan,
                            const SweepForecast& forecast,
                            std::size_t present) {
  nlohmann::ordered_json json{{"name", plan.name()},
                              {"settings", plan.settings()},
                              {"excluded_settings", plan.excluded()},
                              {"algorithms", plan.algorithms()},
                              {"repeat", plan.repeat()},
                              {"runs", plan.runs().size()},
                              {"different_runs", plan.distinct_runs()},
                              {"runs_present", present},
                              {"evaluations_ceiling", forecast.total.evaluations},
                              {"messages_ceiling", forecast.total.messages},
                              {"bytes_ceiling", forecast.total.bytes},
                              {"disk_bytes_estimate", forecast.disk_bytes}};
  json["pilot"] = nullptr;
  if (const auto& pilot = forecast.pilot)
    json["pilot"] = {{"runs", pilot->runs},
                     {"failed", pilot->failed},
                     {"wall_s_of_all_runs", pilot->wall_s},
                     {"shortest_s", pilot->shortest_s},
                     {"longest_s", pilot->longest_s}};
  return json.dump(2) + "\n";
}

}  // namespace posse
