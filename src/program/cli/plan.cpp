#include "program/cli/plan.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/network/link_map.hpp"
#include "core/objective/problem.hpp"
#include "program/base/units.hpp"

namespace posse {
namespace {

// Measured, rounded up. Per node: its actor, role and queues; per link: counters; per round: its
// row and its counts.
constexpr double kBytesPerNode = 1536;
constexpr double kBytesPerLink = 64;
constexpr double kBytesPerRound = 512;
constexpr double kBytesOfProgram = 20e6;

}  // namespace

std::vector<PlanRow> make_plan(const Scenario& scenario) {
  std::vector<PlanRow> rows;
  for (const auto& entry : scenario.algorithms) {
    const Workload workload = make_workload(scenario, entry, 0);
    const auto protocol = make_protocol(scenario, entry, workload, 0);
    PlanRow row;
    row.label = entry.label;
    row.each = protocol->forecast();
    const auto groups = protocol->groups();
    for (const auto& group : groups) row.nodes += group.size;
    const Topology topology = topology_of(*entry.spec, *protocol);
    const LinkMap map(topology, static_cast<std::uint32_t>(row.nodes), edges_of(topology, groups));
    const auto links = static_cast<double>(map.links());
    row.memory_bytes = kBytesOfProgram + kBytesPerNode * row.nodes + kBytesPerLink * links +
                       kBytesPerRound * row.each.rounds;
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
  return out +
         fmt::format("  {:<20} {:>12} {:>12} {:>12} {:>12}\n",
                     "total",
                     pretty_number(total.evaluations),
                     "",
                     pretty_number(total.messages),
                     pretty_bytes(total.bytes)) +
         "Without acknowledgements and retransmissions. Memory is per run; one run per thread.\n";
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
                                  {"memory_bytes_estimate", row.memory_bytes}});
  return json.dump(2) + "\n";
}

}  // namespace posse
