// SPDX-License-Identifier: Apache-2.0
#include "program/page/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/csv.hpp"
#include "core/base/parameters.hpp"
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
  const DocumentLimits& limits() const { return limits_; }
  void add_run(Json run) { runs_.push_back(std::move(run)); }

  Json finish(std::size_t all_runs, const std::vector<DocumentTables>& tables) && {
    document_["source"] = "folder";
    document_["runs_left_out"] = all_runs - runs_.size();
    for (std::size_t i = 0; i < runs_.size(); ++i) tables[i].put_curves(runs_[i]);
    std::size_t size = document_text(document_).size(), without = 0;
    for (const auto& run : runs_) size += document_text(run).size();
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      Json details = Json::object();
      tables[i].put_details(details);
      const std::size_t more = document_text(details).size();
      if (size + more > limits_.bytes) {
        ++without;
        continue;
      }
      size += more;
      runs_[i].update(details);
    }
    document_["runs_without_details"] = without;
    document_["runs"] = std::move(runs_);
    return std::move(document_);
  }

 private:
  Json document_;
  DocumentLimits limits_;
  std::vector<Json> runs_;
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

/// An intervention in a document. `groups`: as in interventions.csv.
Json intervention_json(std::string_view run,
                       double virtual_s,
                       std::string_view action,
                       std::string_view groups) {
  Json list = Json::array();
  while (!groups.empty()) {
    const auto end = std::min(groups.find('|'), groups.size());
    list.push_back(words(groups.substr(0, end)));
    groups.remove_prefix(std::min(end + 1, groups.size()));
  }
  return {{"action", action}, {"run", run}, {"virtual_s", virtual_s}, {"groups", std::move(list)}};
}

/// Calls `action`; InputErrors become FileErrors that name the file.
template <class Action>
void naming(const fs::path& path, const Action& action) {
  try {
    action();
  } catch (const InputError& problem) {
    throw FileError(path, std::string("can't be read: ") + problem.what());
  }
}

void put_validation(const fs::path& folder, Json& head) {
  const auto path = folder / "validation.csv";
  if (std::error_code error; !fs::exists(path, error)) return;
  const auto text = read_file(path);
  naming(path, [&] {
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
    for (const auto* table : {"regret", "rounds"}) read_table(run_table(table));
    for (const auto* table : {"links", "cells", "arms"})
      if (stored_.has(fmt::format("{}.csv", table))) read_table(run_table(table));
    if (stored_.has("messages.csv.gz")) read_messages();
    return std::move(maker_).finish(stored_.all_runs(), tables_);
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
    tables_.resize(std::min(runs.size(), limits_.runs));
  }

  void read_table(const RunTable& table) {
    RunRows rows(stored_, table);
    while (rows.next())
      if (rows.run() && *rows.run() < tables_.size()) tables_[*rows.run()].add(table, rows.row());
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
    std::vector<bool> full(tables_.size());
    std::size_t left = full.size();
    std::string prefix;  // of the current run's lines: "fed-pne,0,"
    std::optional<std::size_t> run;
    while (left > 0 && lines.bytes() <= kMostTraceBytes && lines.next(line)) {
      if (prefix.empty() || !line.starts_with(prefix)) {
        const auto end = line.find(',', std::min(line.find(',') + 1, line.size()));
        prefix = line.substr(0, end == std::string::npos ? end : end + 1);
        run = run_of_message(path, lines.line(), line);
      }
      if (!run || full[*run]) continue;
      if (tables_[*run].add(table, message_in(path, lines.line(), line, table))) continue;
      full[*run] = true;
      --left;
    }
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
    return run && *run < tables_.size() ? run : std::nullopt;
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
    naming(path, [&] {
      CsvReader csv(text);
      const auto run = csv.column("run"), virtual_s = csv.column("virtual_s"),
                 action = csv.column("action"), groups = csv.column("groups");
      while (csv.next())
        maker_.head()["interventions"].push_back(intervention_json(
            csv.cell(run), finite_number(csv, virtual_s), csv.cell(action), csv.cell(groups)));
    });
  }

  StoredRun stored_;
  DocumentMaker maker_;
  DocumentLimits limits_;
  std::vector<DocumentTables> tables_;  // of the first stored runs
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
  interventions_table(scenario, result).each([&](const TableRow& row) {
    head["interventions"].push_back(intervention_json(std::get<std::string>(row[0]),
                                                      std::get<double>(row[1]),
                                                      std::get<std::string>(row[2]),
                                                      std::get<std::string>(row[3])));
  });
  put_validation(folder, head);
  std::vector<DocumentTables> tables(std::min(result.runs.size(), limits.runs));
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const RunRecord& record = result.runs[i];
    const RunView view = view_of_record(scenario, record);
    const Json entry = run_json(scenario, view);
    Json run =
        document_run(view.id, record.algorithm, to_string(view.state), JsonObject({}, "", entry));
    run["wall_s"] = record.wall_s;
    maker.add_run(std::move(run));
    tables[i].add(parts_of(record.result));
  }
  return std::move(maker).finish(result.figures.size(), tables);
}

}  // namespace posse
