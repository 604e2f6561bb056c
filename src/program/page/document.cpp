// SPDX-License-Identifier: Apache-2.0
#include "program/page/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/csv.hpp"
#include "core/base/shown_text.hpp"
#include "program/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/base/gzip_lines.hpp"
#include "program/base/text.hpp"
#include "program/results/recorded_interventions.hpp"
#include "program/results/results.hpp"
#include "program/results/run_json.hpp"
#include "program/results/run_rows.hpp"
#include "program/results/stored_run.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

/// At most so much of a trace is unpacked to find where its runs begin.
constexpr std::size_t kMostTraceBytes = std::size_t{1} << 29;

/// A document and its runs; details are added while it stays small enough.
class DocumentMaker {
 public:
  DocumentMaker(Json head, const DocumentLimits& limits)
      : document_(std::move(head)), limits_(limits) {}

  Json& head() { return document_; }
  void add_run(Json run) {
    runs_.push_back(std::move(run));
    details_.push_back(Json::object());
  }
  std::size_t runs() const { return runs_.size(); }
  void add(std::size_t run, const DocumentTables& tables) {
    tables.put_into(runs_[run], details_[run]);
  }

  Json finish(std::size_t all_runs) && {
    document_["source"] = "folder";
    document_["runs_left_out"] = all_runs - runs_.size();
    std::size_t size = document_text(document_).size(), without = 0;
    for (const auto& run : runs_) size += document_text(run).size();
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::size_t more = document_text(details_[i]).size();
      if (size + more > limits_.bytes) {
        ++without;
        continue;
      }
      size += more;
      for (auto& [key, table] : details_[i].items()) runs_[i][key] = std::move(table);
    }
    document_["runs_without_details"] = without;
    Json& runs = document_["runs"] = Json::array();
    for (auto& run : runs_) runs.push_back(std::move(run));
    return std::move(document_);
  }

 private:
  Json document_;
  DocumentLimits limits_;
  std::vector<Json> runs_, details_;
};

std::string id_of(const std::string& name, const std::string& label, std::uint32_t repetition) {
  return fmt::format("{}/{}/{}", name, label, repetition);
}

std::string_view state_of(std::string_view status) {
  return status == "not_started" ? "waiting" : "over";
}

/// Words between single spaces.
Json words(std::string_view text) {
  Json list = Json::array();
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (end > 0) list.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return list;
}

/// The groups of an intervention, as interventions.csv has them.
Json groups_in(std::string_view cell) {
  Json list = Json::array();
  while (!cell.empty()) {
    const auto end = std::min(cell.find('|'), cell.size());
    list.push_back(words(cell.substr(0, end)));
    cell.remove_prefix(std::min(end + 1, cell.size()));
  }
  return list;
}

void put_validation(const fs::path& folder, Json& head) {
  const auto path = folder / "validation.csv";
  if (std::error_code error; !fs::exists(path, error)) return;
  const auto text = read_file(path);
  naming_file(path, [&] {
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
      head["validation"].push_back({{"run", csv.cell(run)},
                                    {"quantity", csv.cell(quantity)},
                                    {"simulated", shown(simulated)},
                                    {"measured", shown(measured)},
                                    {"verdict", csv.cell(verdict)},
                                    {"holds", csv.cell(holds) == "yes"}});
  });
}

class DocumentReader {
 public:
  DocumentReader(const fs::path& folder, const DocumentLimits& limits)
      : stored_(folder), maker_(head_of(stored_), limits), limits_(limits) {}

  Json read() {
    Json& head = maker_.head();
    head["title"] = run_title(stored_.folder());
    put_results(stored_.results(), head);
    add_runs();
    read_interventions();
    put_validation(stored_.folder(), head);
    for (const auto* table : {"rounds", "regret"}) read_table(run_table(table));
    for (const auto* table : {"arms", "links", "cells"})
      if (stored_.has(fmt::format("{}.csv", table))) read_table(run_table(table));
    if (stored_.has("messages.csv.gz")) read_messages();
    return std::move(maker_).finish(stored_.all_runs());
  }

 private:
  static Json head_of(const StoredRun& stored) {
    std::vector<DocumentAlgorithm> algorithms;
    for (const auto& algorithm : stored.algorithms())
      algorithms.push_back({algorithm.label, algorithm.kind, algorithm.clients});
    return document_head(stored.facts(), read_file(stored.folder() / "scenario.toml"), algorithms);
  }

  void add_runs() {
    const auto path = stored_.folder() / "metadata.json";
    const Json json = read_json(path);
    const JsonObject metadata(path, "", json);
    put_metadata(metadata, maker_.head());
    const Json wall = metadata.optional_list("run_wall_s");
    const auto& runs = stored_.runs();
    for (std::size_t i = 0; i < std::min(runs.size(), limits_.runs); ++i) {
      const auto& label = stored_.algorithms()[runs[i].algorithm].label;
      Json run = document_run(id_of(stored_.name(), label, runs[i].repetition),
                              runs[i].algorithm,
                              state_of(runs[i].status),
                              runs[i].results);
      run["wall_s"] = i < wall.size() && wall[i].is_number() ? wall[i] : Json(nullptr);
      maker_.add_run(std::move(run));
    }
  }

  void read_table(const RunTable& table) {
    RunRows rows(stored_, table);
    std::optional<std::size_t> run;
    DocumentTables tables;
    while (rows.next()) {
      if (rows.begins_run()) {
        if (run) maker_.add(*run, std::exchange(tables, {}));
        run = shown(rows.run());
      }
      if (run) tables.add(table, rows.row());
    }
    if (run) maker_.add(*run, tables);
  }

  /// The run, if the document has it.
  std::optional<std::size_t> shown(std::optional<std::size_t> run) const {
    return run && *run < maker_.runs() ? run : std::nullopt;
  }

  void read_messages() {
    const RunTable& table = run_table("messages");
    const auto path = stored_.folder() / "messages.csv.gz";
    GzipLines lines(path);
    std::string line, header;
    append_csv(stored_columns(table), header);
    header.pop_back();  // the line's end
    if (!lines.next(line) || line != header)
      throw FileError(path, fmt::format("line 1: the columns aren't {}", header));
    std::size_t left = maker_.runs();  // whose messages aren't all there
    std::string prefix;                // of the current run's lines: "fed-pne,0,"
    std::optional<std::size_t> run;
    DocumentTables tables;
    while (left > 0 && lines.bytes() <= kMostTraceBytes && lines.next(line)) {
      if (prefix.empty() || !line.starts_with(prefix)) {
        const auto end = line.find(',', std::min(line.find(',') + 1, line.size()));
        prefix = line.substr(0, end == std::string::npos ? end : end + 1);
        if (run) maker_.add(*run, std::exchange(tables, {}));
        run = run_of_message(path, lines.line(), line);
      }
      if (!run || tables.add(table, message_in(path, lines.line(), line, table))) continue;
      maker_.add(*run, std::exchange(tables, {}));
      run.reset();  // it has enough of them
      --left;
    }
    if (run) maker_.add(*run, tables);
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
    return shown(stored_.find_run(label, *repetition));
  }

  static TableRow message_in(const fs::path& path,
                             std::size_t number,
                             const std::string& line,
                             const RunTable& table) {
    constexpr std::size_t kOfRun = 2;  // algorithm, repetition
    const auto cells = plain_cells(line);
    if (cells.size() != table.columns.size() + kOfRun)
      throw FileError(path,
                      fmt::format("line {}: {} columns instead of {}",
                                  number,
                                  cells.size(),
                                  table.columns.size() + kOfRun));
    TableRow row;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      auto value = datum_in(cells[i + kOfRun], table.columns[i].type);
      if (!value)
        throw FileError(path,
                        fmt::format("line {}: {} is '{}', not {}",
                                    number,
                                    table.columns[i].name,
                                    shortened(cells[i + kOfRun]),
                                    wanted(table.columns[i].type)));
      row.push_back(std::move(*value));
    }
    return row;
  }

  void read_interventions() {
    if (!stored_.has("interventions.csv")) return;
    const auto path = stored_.folder() / "interventions.csv";
    const auto text = read_file(path);
    naming_file(path, [&] {
      CsvReader csv(text);
      const auto run = csv.column("run"), virtual_s = csv.column("virtual_s"),
                 action = csv.column("action"), groups = csv.column("groups");
      while (csv.next())
        maker_.head()["interventions"].push_back({{"action", csv.cell(action)},
                                                  {"run", csv.cell(run)},
                                                  {"virtual_s", finite_number(csv, virtual_s)},
                                                  {"groups", groups_in(csv.cell(groups))}});
    });
  }

  StoredRun stored_;
  DocumentMaker maker_;
  DocumentLimits limits_;
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

Json document_of(const Scenario& scenario,
                 const Execution& execution,
                 const fs::path& folder,
                 const DocumentLimits& limits) {
  const ScenarioResult& result = execution.result;
  const auto toml = to_toml(with_interventions(scenario, result));
  DocumentMaker maker(
      document_head(scenario_facts(toml, scenario.file), toml, document_algorithms(scenario)),
      limits);
  Json& head = maker.head();
  const Json results = results_head(scenario, result, execution.summary);
  put_results({{}, "", results}, head);
  const Json metadata = metadata_json(scenario, result, execution.summary, execution.metadata);
  put_metadata({{}, "", metadata}, head);
  for (const auto& run : result.runs)
    for (const auto& done : run.result.interventions)
      head["interventions"].push_back(
          intervention_json(run_id(scenario, run.algorithm, run.repetition), done));
  put_validation(folder, head);
  for (std::size_t i = 0; i < std::min(result.runs.size(), limits.runs); ++i) {
    const RunRecord& record = result.runs[i];
    const RunView view = view_of_record(scenario, record);
    const Json entry = run_json(scenario, view);
    Json run =
        document_run(view.id, record.algorithm, to_string(view.state), JsonObject({}, "", entry));
    run["wall_s"] = record.wall_s;
    maker.add_run(std::move(run));
    DocumentTables tables;
    tables.add(parts_of(record.result));
    maker.add(i, tables);
  }
  return std::move(maker).finish(result.figures.size());
}

}  // namespace posse
