// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "program/base/output.hpp"
#include "program/base/text.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/replay/inspection.hpp"

namespace posse {
namespace {

struct InspectFlags {
  std::string run, algorithm;
  std::optional<std::uint32_t> round, repetition;
  bool json = false;

  void add_to(CLI::App& verb) {
    add_external_flag(verb);
    verb.add_option("RUN", run, "run folder, or a directory that contains `latest`")->required();
    verb.add_option("--round",
                    round,
                    "round (default: the first that eliminates the optimum's cell, or the last)");
    verb.add_option("--algorithm", algorithm, "algorithm, by its label (default: the first)");
    verb.add_option("--repetition", repetition, "repetition, counted from 0 (default: 0)");
    verb.add_flag("--json", json, "print the round as JSON");
  }
};

constexpr std::size_t kCellsShown = 20;

std::string number(double x) { return pretty(rounded(x, 4), ""); }
std::string cell_text(const Cell& cell) { return fmt::format("({}, {})", cell.depth, cell.index); }

std::string margin_text(const InspectedCell& cell, const Inspection& inspection) {
  if (!inspection.threshold) return "";
  const double margin = cell.mean - *inspection.threshold;
  return fmt::format("{} {} the threshold {}",
                     number(std::abs(margin)),
                     margin < 0 ? "below" : "above",
                     number(*inspection.threshold));
}

/// What became of the optimum's cell.
std::string optimum_text(const Inspection& inspection) {
  if (inspection.eliminated)
    return fmt::format("the optimum's cell is not among them: it was eliminated in round {}",
                       *inspection.eliminated);
  if (!inspection.optimum) return "the optimum's cell is not among them";
  const InspectedCell& cell = inspection.cells[*inspection.optimum];
  const auto margin = margin_text(cell, inspection);
  return fmt::format("the optimum's cell {} was {}: its mean {} is {}",
                     cell_text(cell.cell),
                     cell.kept ? "kept" : "eliminated",
                     number(cell.mean),
                     margin.empty() ? "compared with a threshold of its own" : margin);
}

/// Whether the missing clients, at their expected values, would have changed the cell's fate.
std::string with_missing_text(const Inspection& inspection) {
  if (!inspection.with_missing) return "";
  const auto& [mean, threshold] = *inspection.with_missing;
  return fmt::format(
      "if the missing clients had sent what is expected of them, for every cell, its mean would "
      "have "
      "been {}, {} {} the threshold {}",
      number(mean),
      number(std::abs(mean - threshold)),
      mean < threshold ? "below" : "above",
      number(threshold));
}

std::string inspection_text(const Inspection& inspection) {
  std::size_t kept = 0;
  for (const InspectedCell& cell : inspection.cells) kept += cell.kept;
  const InspectedCell& best = inspection.cells[inspection.best];
  const InspectedCell& cell = inspection.cells[inspection.looked_at];
  std::string text = fmt::format("{}, repetition {}: round {} ended at {} s at {}\n",
                                 inspection.algorithm,
                                 inspection.repetition,
                                 inspection.round,
                                 inspection.ended_virtual_s,
                                 inspection.node);
  text += wrapped(fmt::format("{} of {} cells were kept, {} pulls each by every client; best: {}, "
                              "mean {}; {} of {} answers were used",
                              kept,
                              inspection.cells.size(),
                              inspection.pulls_per_cell,
                              cell_text(best.cell),
                              number(best.mean),
                              inspection.answers,
                              inspection.expected_answers),
                  "  ");
  text += wrapped(optimum_text(inspection), "  ");
  if (const auto with = with_missing_text(inspection); !with.empty()) text += wrapped(with, "  ");
  text += fmt::format("\nthe {} cell {}, client by client\n",
                      inspection.optimum ? "optimum's" : "best",
                      cell_text(cell.cell));
  TextTable clients({"", "mean", "expected", "error", ""});
  for (const Contribution& c : inspection.contributions)
    clients.add({c.node,
                 c.mean ? number(*c.mean) : "",
                 c.expected ? number(*c.expected) : "",
                 c.mean && c.expected ? number(*c.mean - *c.expected) : "",
                 c.missing.empty() ? "" : "missing: " + c.missing});
  clients.add(
      {"all", number(cell.mean), number(cell.expected), number(cell.mean - cell.expected), ""});
  text += clients.text();
  if (!inspection.on_the_way.empty()) {
    text += "\non the way when the round ended\n";
    for (const auto& message : inspection.on_the_way) text += "  " + message + "\n";
  }
  text += "\ncells\n";
  TextTable cells({"cell", "mean", "expected", "error", "", ""});
  for (std::size_t i = 0; i < std::min(kCellsShown, inspection.cells.size()); ++i) {
    const InspectedCell& c = inspection.cells[i];
    cells.add({cell_text(c.cell),
               number(c.mean),
               number(c.expected),
               number(c.mean - c.expected),
               c.kept ? "kept" : "eliminated",
               i == inspection.optimum ? "the optimum's"
               : i == inspection.best  ? "the best"
                                       : ""});
  }
  text += cells.text();
  if (inspection.cells.size() > kCellsShown)
    text += fmt::format("  … and {} more\n", inspection.cells.size() - kCellsShown);
  return text;
}

Json inspection_json(const Inspection& inspection) {
  const auto optional = [](const auto& x) { return x ? Json(*x) : Json(nullptr); };
  Json json{{"algorithm", inspection.algorithm},
            {"repetition", inspection.repetition},
            {"round", inspection.round},
            {"ended_virtual_s", inspection.ended_virtual_s},
            {"node", inspection.node},
            {"pulls_per_cell", inspection.pulls_per_cell},
            {"answers", inspection.answers},
            {"expected_answers", inspection.expected_answers},
            {"threshold", optional(inspection.threshold)},
            {"best", inspection.best},
            {"optimum", optional(inspection.optimum)},
            {"optimum_eliminated_in_round", optional(inspection.eliminated)},
            {"looked_at", inspection.looked_at},
            {"cells", Json::array()},
            {"clients", Json::array()},
            {"with_missing", nullptr},
            {"on_the_way", inspection.on_the_way}};
  if (inspection.with_missing)
    json["with_missing"] = {{"mean", inspection.with_missing->mean},
                            {"threshold", inspection.with_missing->threshold}};
  for (const InspectedCell& cell : inspection.cells)
    json["cells"].push_back({{"depth", cell.cell.depth},
                             {"index", cell.cell.index},
                             {"mean", cell.mean},
                             {"expected", cell.expected},
                             {"kept", cell.kept}});
  for (const Contribution& c : inspection.contributions)
    json["clients"].push_back({{"node", c.node},
                               {"mean", optional(c.mean)},
                               {"expected", optional(c.expected)},
                               {"missing", c.missing}});
  return json;
}

ExitCode explain_round(const InspectFlags& flags, const Invocation&) {
  InspectOptions options;
  options.algorithm = flags.algorithm;
  options.repetition = flags.repetition.value_or(0);
  options.round = flags.round;
  try {
    const Inspection inspection = inspect_round(flags.run, options);
    if (flags.json)
      print_json(inspection_json(inspection));
    else
      print_out("{}", inspection_text(inspection));
    return ExitCode::ok;
  } catch (const std::invalid_argument& problem) {
    print_err("{} (exit code 2)\n", problem.what());
    return ExitCode::usage;
  }
}

}  // namespace

Command inspect_verb(CLI::App& verb) { return command_of(verb, explain_round); }

}  // namespace posse
