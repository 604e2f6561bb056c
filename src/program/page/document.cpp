// SPDX-License-Identifier: Apache-2.0
#include "program/page/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/base/shown_text.hpp"
#include "program/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/base/gzip_lines.hpp"
#include "program/base/text.hpp"
#include "program/results/run_rows.hpp"
#include "program/results/stored_run.hpp"
#include "program/scenario/catalog.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

/// At most so much of a trace is unpacked to find where its runs begin.
constexpr std::size_t kMostTraceBytes = std::size_t{1} << 29;

/// A cell as a number; null for infinity and NaN, which JSON does not have.
Json number_in(const RunRows& rows, std::size_t column) {
  const auto& text = rows.text(column);
  if (text.empty()) return nullptr;
  if (const auto whole = parse_number<std::uint64_t>(text)) return *whole;
  const auto number = parse_number<double>(text);
  if (!number) rows.fail(column, "a number");
  return finite_or_null(*number);
}

/// Names of a CSV column in the file and in the document.
struct ColumnName {
  std::string in_file, in_document;
};

class DocumentReader {
 public:
  DocumentReader(const fs::path& folder, const DocumentLimits& limits)
      : stored_(folder), limits_(limits) {}

  Json read() {
    document_["source"] = "folder";
    document_["title"] = run_title(stored_.folder());
    read_scenario();
    read_results();
    read_metadata();
    read_interventions();
    read_validation();
    read_curves();
    details_.assign(runs_.size(), Json::object());
    read_rounds();
    if (stored_.has("links.csv")) read_links();
    if (stored_.has("cells.csv")) read_cells();
    if (stored_.has("arms.csv")) read_arms();
    if (stored_.has("messages.csv.gz")) read_messages();
    assemble();
    return std::move(document_);
  }

 private:
  void read_scenario() {
    const ScenarioFacts& facts = stored_.facts();
    document_["objective"] = facts.objective;
    document_["heterogeneity"] = facts.heterogeneity;
    document_["noise"] = facts.noise;
    if (facts.budget) document_["budget"] = *facts.budget;
    document_["scenario_toml"] = read_file(stored_.folder() / "scenario.toml");
  }

  // --- results.json ---

  void read_results() {
    const JsonObject& results = stored_.results();
    document_["name"] = stored_.name();
    document_["seed"] = results.optional_number("seed", nullptr);
    document_["repeat"] = results.optional_number("repeat", nullptr);
    document_["status"] = results.optional_text("status");
    document_["fingerprint"] = results.optional_text("fingerprint");
    document_["thresholds"] = results.optional_list("thresholds");
    document_["warnings"] = results.optional_list("warnings");
    document_["study"] = results.optional_object("study", nullptr);
    if (!document_["study"].is_null()) document_["study"].erase("measures");
    for (const auto& algorithm : stored_.algorithms())
      document_["algorithms"].push_back({{"label", algorithm.label},
                                         {"kind", algorithm.kind},
                                         {"clients", algorithm.clients},
                                         {"finished", 0},
                                         {"not_finished", 0},
                                         {"measurements", Json::array()},
                                         {"totals", Json::array()}});
    const auto& runs = stored_.runs();
    for (std::size_t i = 0; i < std::min(runs.size(), limits_.runs); ++i)
      runs_.push_back(run_json(runs[i]));
    std::vector<const AlgorithmSpec*> specs;
    for (const auto& algorithm : stored_.algorithms())
      specs.push_back(find_algorithm(algorithm.kind));
    document_["message_types"] = message_types(specs);
    document_["runs_left_out"] = stored_.all_runs() - runs_.size();
    if (results.has("summary"))
      for (const auto& summary : results.objects("summary")) read_summary(summary);
  }

  Json run_json(const StoredRun::Run& one) const {
    const JsonObject& result = one.results;
    Json run = empty_run(
        fmt::format(
            "{}/{}/{}", stored_.name(), stored_.algorithms()[one.algorithm].label, one.repetition),
        one.algorithm,
        one.repetition);
    if (one.status != "not_started") {
      run["state"] = "over";
      run["status"] = one.status;
    }
    run["report"] = result.optional_text("report");
    run["now_virtual_s"] = result.optional_number(
        one.status == "finished" ? "virtual_time_s" : "last_event_virtual_s", 0);
    run["rounds"] = result.optional_number("rounds", 0);
    run["events"] = result.optional_number("events", 0);
    run["tied_rounds"] = result.optional_number("tied_rounds", 0);
    run["measurements"] = result.optional_list("measurements");
    run["forecast"] = result.optional_object("forecast", Json::object());
    run["regret"] = result.optional_object("regret", nullptr);
    run["ledger"] = result.optional_list("ledger");
    run["phases"] = result.optional_object("phases", nullptr);
    run["critical_paths"] = result.optional_object("critical_paths", nullptr);
    run["plane"] = result.optional_object("plane", nullptr);
    put_arms(run, result.optional_object("arms", nullptr));
    for (const auto* part : {"measurements", "forecast", "regret", "arms"})
      null_non_finite(run[part]);
    if (result.has("regret"))
      run["evaluations"] = result.object("regret").optional_number("evaluations", 0);
    if (const auto expected = run["forecast"].find("evaluations");
        expected != run["forecast"].end() && *expected != 0)
      run["evaluations_expected"] = *expected;
    return run;
  }

  void read_summary(const JsonObject& summary) {
    const auto label = summary.text("algorithm");
    const auto position = stored_.find_algorithm(label);
    if (!position) summary.fail("algorithm", fmt::format("'{}' is in no run", label));
    Json& algorithm = document_["algorithms"][*position];
    for (const auto* key : {"finished", "not_finished"}) algorithm[key] = summary.count(key);
    for (const auto* key : {"measurements", "totals"}) {
      algorithm[key] = summary.optional_list(key);
      null_non_finite(algorithm[key]);
    }
  }

  // --- metadata.json ---

  void read_metadata() {
    const auto path = stored_.folder() / "metadata.json";
    const Json json = read_json(path);
    const JsonObject metadata(path, "", json);
    document_["metadata"] = {{"version", metadata.optional_text("version")},
                             {"commit", metadata.optional_text("commit")},
                             {"started", metadata.optional_text("start")},
                             {"ended", metadata.optional_text("end")},
                             {"wall_s", metadata.optional_number("wall_s", nullptr)},
                             {"command_line", metadata.optional_list("command_line")},
                             {"threads", metadata.optional_number("threads", nullptr)},
                             {"kernel", metadata.optional_text("kernel")},
                             {"clock", metadata.optional_text("clock")},
                             {"exit_code", metadata.optional_number("exit_code", nullptr)}};
    const Json wall = metadata.optional_list("run_wall_s");
    for (std::size_t i = 0; i < std::min(runs_.size(), wall.size()); ++i)
      if (wall[i].is_number()) runs_[i]["wall_s"] = wall[i];
  }

  // --- CSV files ---

  /// The position in `runs_` of the rows' run, or nothing if it is not shown.
  std::optional<std::size_t> run_of(const RunRows& rows) const {
    return rows.run() && *rows.run() < runs_.size() ? rows.run() : std::nullopt;
  }

  static std::vector<std::size_t> positions(const RunRows& rows,
                                            const std::vector<std::string_view>& names) {
    std::vector<std::size_t> columns;
    columns.reserve(names.size());
    for (const auto name : names) columns.push_back(rows.column(name));
    return columns;
  }

  void read_curves() {
    RunRows rows(stored_, "regret.csv");
    const auto client = rows.column("client"), metric = rows.column("metric");
    const std::vector<std::string_view> names{
        "evaluations", "rounds", "bytes", "virtual_s", "value"};
    const auto columns = positions(rows, names);
    std::optional<std::size_t> run;
    while (rows.next()) {
      if (rows.begins_run()) run = run_of(rows);
      if (!run || rows.text(client) != "all") continue;
      Json& curve = runs_[*run]["curves"][rows.text(metric)];
      for (std::size_t c = 0; c < columns.size(); ++c)
        curve[std::string(names[c])].push_back(number_in(rows, columns[c]));
    }
  }

  void read_rounds() {
    std::vector<ColumnName> names{{"round", "round"},
                                  {"began_virtual_s", "began_s"},
                                  {"ended_virtual_s", "ended_s"},
                                  {"messages", "messages"},
                                  {"bytes", "bytes"},
                                  {"values", "values"},
                                  {"bytes_so_far", "bytes_so_far"},
                                  {"active_cells", "active_cells"},
                                  {"sum_compute_virtual_s", "sum_compute_s"},
                                  {"sum_queueing_virtual_s", "sum_queueing_s"},
                                  {"sum_transfer_virtual_s", "sum_transfer_s"},
                                  {"sum_propagation_virtual_s", "sum_propagation_s"},
                                  {"sum_waiting_virtual_s", "sum_waiting_s"},
                                  {"arrived", "arrived"},
                                  {"expected", "expected"}};
    RunRows rows(stored_, "rounds.csv");
    // Before schema 3 the names of sums didn't say that they are sums.
    for (auto& name : names)
      if (name.in_file.starts_with("sum_") && !rows.find_column(name.in_file))
        name.in_file.erase(0, 4);
    const auto waited_for = rows.find_column("waited_for");  // older folders have no paths
    if (waited_for)
      for (const auto& part : kCriticalPathParts)
        names.push_back(
            {fmt::format("path_{}_virtual_s", part.name), fmt::format("path_{}_s", part.name)});
    std::vector<std::size_t> columns;
    columns.reserve(names.size());
    for (const auto& column : names) columns.push_back(rows.column(column.in_file));
    const auto late = rows.column("late");
    std::vector<std::vector<Json>> table;  // of the current run, row by row
    std::optional<std::size_t> run;
    const auto finish = [&] {
      if (run) put_rounds(*run, table, names);
      table.clear();
    };
    while (rows.next()) {
      if (rows.begins_run()) {
        finish();
        run = run_of(rows);
      }
      if (!run) continue;
      auto& row = table.emplace_back();
      for (const auto column : columns) row.push_back(number_in(rows, column));
      row.push_back(words(rows.text(late)));
      if (waited_for) row.push_back(rows.text(*waited_for));
    }
    finish();
  }

  void put_rounds(std::size_t run,
                  const std::vector<std::vector<Json>>& table,
                  std::span<const ColumnName> names) {
    Json& columns = details_[run]["rounds_table"];
    for (const auto i : thinned_rows(table.size(), kMostRoundsInDocument)) {
      for (std::size_t c = 0; c < names.size(); ++c)
        columns[names[c].in_document].push_back(table[i][c]);
      columns["late"].push_back(table[i][names.size()]);
      if (table[i].size() > names.size() + 1)
        columns["waited_for"].push_back(table[i][names.size() + 1]);
    }
  }

  /// Words between single spaces.
  static Json words(std::string_view text) {
    Json list = Json::array();
    while (!text.empty()) {
      const auto end = std::min(text.find(' '), text.size());
      if (end > 0) list.push_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return list;
  }

  void read_links() {
    struct Row {
      std::string from, to;
      std::array<Json, 4> counts;
    };
    RunRows rows(stored_, "links.csv");
    const auto columns = positions(rows, {"from", "to", "departed", "arrived", "dropped"});
    const auto bytes = rows.find_column("wire_bytes");  // not in schema 2
    std::vector<Row> table;
    std::optional<std::size_t> run;
    const auto finish = [&] {
      if (!run || table.empty()) return;
      // In the order of ids: links come sender by sender.
      std::map<std::string, std::size_t> places;
      Json nodes = Json::array();
      const auto add = [&](const std::string& node) {
        if (places.try_emplace(node, nodes.size()).second) nodes.push_back(node);
      };
      for (const auto& row : table) add(row.from);
      for (const auto& row : table) add(row.to);
      Columns links{"from", "to", "departed", "arrived", "dropped", "wire_bytes"};
      for (const auto& row : table)
        links.add({places[row.from],
                   places[row.to],
                   row.counts[0],
                   row.counts[1],
                   row.counts[2],
                   row.counts[3]});
      // The nodes of a star or hierarchy have one link each to a node before them.
      std::vector<std::set<std::size_t>> above(nodes.size());
      for (const auto& row : table) {
        const auto [low, high] = std::minmax(places[row.from], places[row.to]);
        above[high].insert(low);
      }
      const bool tree = std::all_of(
          above.begin() + 1, above.end(), [](const auto& them) { return them.size() == 1; });
      // Two nodes look like either topology.
      if (tree && (nodes.size() > 2 || is_star(*run))) details_[*run]["hub"] = 0;
      if (tree && above.back() != std::set<std::size_t>{0}) {
        auto& list = details_[*run]["above"] = Json::array({nullptr});
        for (std::size_t i = 1; i < above.size(); ++i) list.push_back(*above[i].begin());
      }
      details_[*run]["nodes"] = std::move(nodes);
      details_[*run]["links"] = std::move(links).json();
      table.clear();
    };
    while (rows.next()) {
      if (rows.begins_run()) {
        finish();
        table.clear();
        run = run_of(rows);
      }
      if (run)
        table.push_back({rows.text(columns[0]),
                         rows.text(columns[1]),
                         {number_in(rows, columns[2]),
                          number_in(rows, columns[3]),
                          number_in(rows, columns[4]),
                          bytes ? number_in(rows, *bytes) : Json()}});
    }
    finish();
  }

  bool is_star(std::size_t run) const {
    const auto& topology = stored_.facts().topology;
    if (!topology.empty()) return topology == to_string(Topology::star);
    const auto* spec = find_algorithm(stored_.algorithms()[stored_.runs()[run].algorithm].kind);
    return spec != nullptr && spec->topology == Topology::star;
  }

  void read_cells() {
    RunRows rows(stored_, "cells.csv");
    const auto columns = positions(rows, {"depth", "index", "round", "mean"});
    const auto kept = rows.column("kept"), children = rows.column("children");
    std::vector<Columns> tables(runs_.size(), Columns{"depth", "index", "round", "mean", "kept"});
    std::optional<std::size_t> run;
    while (rows.next()) {
      if (rows.begins_run()) run = run_of(rows);
      if (!run) continue;
      const auto& text = rows.text(kept);
      const bool is_kept = text == "1" || text == "true";
      if (!is_kept && text != "0" && text != "false") rows.fail(kept, "0 or 1");
      details_[*run]["children_per_cell"] = rows.count(children);
      tables[*run].add({number_in(rows, columns[0]),
                        number_in(rows, columns[1]),
                        number_in(rows, columns[2]),
                        number_in(rows, columns[3]),
                        is_kept});
    }
    for (std::size_t i = 0; i < tables.size(); ++i)
      if (tables[i].rows() > 0) details_[i]["cells"] = std::move(tables[i]).json();
  }

  void read_arms() {
    const std::vector<std::string_view> names{
        "pulls", "total_pulls", "virtual_s", "value", "best", "bound"};
    RunRows rows(stored_, "arms.csv");
    const auto arm = rows.column("arm");
    const auto columns = positions(rows, names);
    std::optional<std::size_t> run;
    while (rows.next()) {
      if (rows.begins_run()) run = run_of(rows);
      if (!run) continue;
      Json& curves = details_[*run]["arm_curves"];
      if (curves.size() >= kMostArmCurves && !curves.contains(rows.text(arm))) continue;
      Json& curve = curves[rows.text(arm)];
      for (std::size_t c = 0; c < columns.size(); ++c)
        curve[std::string(names[c])].push_back(number_in(rows, columns[c]));
    }
  }

  void read_messages() {
    const auto path = stored_.folder() / "messages.csv.gz";
    GzipLines lines(path);
    std::string line;
    constexpr std::string_view kHeader =
        "algorithm,repetition,id,type,round,from,to,bytes,sent_virtual_s,delivered_virtual_s,"
        "outcome,cause";
    if (!lines.next(line) || !line.starts_with(kHeader))
      throw FileError(path, fmt::format("line 1: the first columns aren't {}", kHeader));
    const std::size_t columns = plain_cells(line).size();
    std::vector<MessageTable> tables(runs_.size());
    std::size_t full = 0;
    std::string prefix;  // of the current run's lines: "fed-pne,0,"
    std::optional<std::size_t> run;
    while (full < runs_.size() && lines.bytes() <= kMostTraceBytes && lines.next(line)) {
      if (prefix.empty() || !line.starts_with(prefix)) {
        const auto end = line.find(',', std::min(line.find(',') + 1, line.size()));
        prefix = line.substr(0, end == std::string::npos ? end : end + 1);
        run = run_of_message(path, lines.line(), line);
      }
      if (!run || tables[*run].rows() >= kMostMessagesInDocument) continue;
      add_message(path, lines.line(), line, columns, tables[*run]);
      if (tables[*run].rows() == kMostMessagesInDocument) ++full;
    }
    for (std::size_t i = 0; i < tables.size(); ++i)
      if (tables[i].rows() > 0) std::move(tables[i]).put_into(details_[i]);
  }

  std::optional<std::size_t> run_of_message(const fs::path& path,
                                            std::size_t number,
                                            const std::string& line) const {
    const auto parts = plain_cells(line);
    const auto repetition = parts.size() < 2 ? std::nullopt : parse_number<std::uint32_t>(parts[1]);
    if (!repetition)
      throw FileError(path,
                      fmt::format("line {}: begins with no run: '{}'", number, shortened(line)));
    const std::string label(parts[0]);
    if (!stored_.find_algorithm(label))
      throw FileError(
          path,
          fmt::format("line {}: results.json has no algorithm '{}'", number, shortened(label)));
    const auto run = stored_.find_run(label, *repetition);
    return run && *run < runs_.size() ? run : std::nullopt;
  }

  static void add_message(const fs::path& path,
                          std::size_t number,
                          const std::string& line,
                          std::size_t columns,
                          MessageTable& table) {
    const auto parts = plain_cells(line);
    if (parts.size() != columns)
      throw FileError(
          path, fmt::format("line {}: {} columns instead of {}", number, parts.size(), columns));
    const auto round = parse_number<std::uint64_t>(parts[4]),
               bytes = parse_number<std::uint64_t>(parts[7]);
    const auto sent = parse_number<double>(parts[8]), delivered = parse_number<double>(parts[9]);
    if (!round || !bytes || !sent || !std::isfinite(*sent) || (!delivered && !parts[9].empty()))
      throw FileError(path,
                      fmt::format("line {}: a number is malformed: '{}'", number, shortened(line)));
    table.add(parts[3], *round, parts[5], parts[6], *bytes, *sent, delivered, parts[10], parts[11]);
  }

  void read_interventions() {
    if (!stored_.has("interventions.csv")) return;
    const auto path = stored_.folder() / "interventions.csv";
    const auto text = read_file(path);
    try {
      CsvReader csv(text);
      const auto run = csv.column("run"), virtual_s = csv.column("virtual_s"),
                 action = csv.column("action"), groups = csv.column("groups");
      while (csv.next()) {
        Json list = Json::array();
        std::string_view rest = csv.cell(groups);
        while (!rest.empty()) {
          const auto end = std::min(rest.find('|'), rest.size());
          list.push_back(words(rest.substr(0, end)));
          rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        document_["interventions"].push_back({{"action", csv.cell(action)},
                                              {"run", csv.cell(run)},
                                              {"virtual_s", finite_number(csv, virtual_s)},
                                              {"groups", std::move(list)}});
      }
    } catch (const InputError& problem) {
      throw FileError(path, std::string("can't be read: ") + problem.what());
    }
  }

  void read_validation() {
    if (!stored_.has("validation.csv")) return;
    const auto path = stored_.folder() / "validation.csv";
    const auto text = read_file(path);
    try {
      CsvReader csv(text);
      const auto run = csv.column("run"), quantity = csv.column("quantity"),
                 unit = csv.column("unit"), simulated = csv.column("simulated"),
                 measured = csv.column("measured"), verdict = csv.column("verdict"),
                 holds = csv.column("holds");
      const auto shown = [&](std::size_t column) {
        const auto number =
            csv.cell(unit) == "text" ? std::nullopt : parse_number<double>(csv.cell(column));
        return number ? pretty(*number, csv.cell(unit)) : csv.cell(column);
      };
      while (csv.next())
        document_["validation"].push_back({{"run", csv.cell(run)},
                                           {"quantity", csv.cell(quantity)},
                                           {"simulated", shown(simulated)},
                                           {"measured", shown(measured)},
                                           {"verdict", csv.cell(verdict)},
                                           {"holds", csv.cell(holds) == "yes"}});
    } catch (const InputError& problem) {
      throw FileError(path, std::string("can't be read: ") + problem.what());
    }
  }

  // --- together ---

  /// Adds details run by run while the document stays within its limit.
  void assemble() {
    std::size_t size = document_text(document_).size();
    for (const auto& run : runs_) size += document_text(run).size();
    std::size_t without = 0;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::size_t more = document_text(details_[i]).size();
      if (size + more > limits_.bytes) {
        ++without;
        continue;
      }
      size += more;
      for (auto& [key, part] : details_[i].items()) runs_[i][key] = std::move(part);
    }
    document_["runs_without_details"] = without;
    for (auto& run : runs_) document_["runs"].push_back(std::move(run));
  }

  StoredRun stored_;
  DocumentLimits limits_;
  Json document_ = empty_document();
  std::vector<Json> runs_, details_;  // the first of the stored runs
};

}  // namespace

std::string run_title(const fs::path& folder) {
  std::error_code error;
  const auto path = fs::weakly_canonical(folder, error);
  const auto& shown = error ? folder : path;
  return (shown.parent_path().filename() / shown.filename()).generic_string();
}

Json read_document(const fs::path& folder, const DocumentLimits& limits) {
  return DocumentReader(folder, limits).read();
}

}  // namespace posse
