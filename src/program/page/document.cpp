// SPDX-License-Identifier: Apache-2.0
#include "program/page/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/csv.hpp"
#include "program/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/base/text.hpp"
#include "program/results/recorded_interventions.hpp"
#include "program/results/results.hpp"
#include "program/results/run_json.hpp"
#include "program/results/run_rows.hpp"
#include "program/results/stored_messages.hpp"
#include "program/results/stored_run.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

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
  Json& details(std::size_t run) { return details_[run]; }

  Json finish(std::size_t all_runs) && {
    document_["source"] = "folder";
    document_["runs_left_out"] = all_runs - runs_.size();
    std::size_t size = compact_json(document_).size();
    for (const auto& run : runs_) size += compact_json(run).size();
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::size_t more = compact_json(details_[i]).size();
      if (size + more > limits_.bytes) {
        runs_[i]["details_left_out"] = true;
        continue;
      }
      size += more;
      for (auto& [key, table] : details_[i].items()) runs_[i][key] = std::move(table);
    }
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

Json number_or_null(const CsvReader& csv, std::size_t column) {
  return csv.cell(column).empty() ? Json() : Json(finite_number(csv, column));
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
    messages_ = read_first_messages(stored_, maker_.runs(), kMostArrows);
    around_.resize(maker_.runs());
    read_curves();
    for (const auto* table : {"links", "cells"})
      if (stored_.has(fmt::format("{}.csv", table))) read_table(run_table(table));
    put_sequences();
    return std::move(maker_).finish(stored_.all_runs());
  }

 private:
  static Json head_of(const StoredRun& stored) {
    return document_head(
        stored.facts(), read_file(stored.folder() / "scenario.toml"), stored.algorithms());
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

  /// Adds the rows of one run after the other to the document.
  class RunByRun {
   public:
    explicit RunByRun(DocumentReader& reader) : reader_(reader) {}
    void take(const RunTable& table, const RunRows& rows) {
      if (rows.begins_run()) {
        finish();
        run_ = reader_.shown(rows.run());
        if (run_) tables_.emplace(reader_.stored_.runs()[*run_].results);
      }
      if (run_) tables_->add(table, rows.row());
    }
    void finish() {
      if (run_) tables_->put_into(reader_.maker_.details(*run_));
      run_.reset();
    }

   private:
    DocumentReader& reader_;
    std::optional<std::size_t> run_;
    std::optional<DocumentTables> tables_;
  };

  void read_table(const RunTable& table) {
    RunRows rows(stored_, table);
    RunByRun runs(*this);
    while (rows.next()) runs.take(table, rows);
    runs.finish();
  }

  /// The charts, and the rows of rounds that their curves are made from.
  void read_curves() {
    RunByRun runs(*this);
    const auto data = read_run(stored_, [&](const RunTable& table, const RunRows& rows) {
      if (table.name == "rounds") runs.take(table, rows);
      keep_around(table, rows);
    });
    runs.finish();
    maker_.head().update(drawn_json(data));
  }

  /// The run, if the document has it.
  std::optional<std::size_t> shown(std::optional<std::size_t> run) const {
    return run && *run < maker_.runs() ? run : std::nullopt;
  }

  /// The diagrams of messages, with the rounds and regrets around them.
  void put_sequences() {
    for (std::size_t i = 0; i < maker_.runs(); ++i) {
      const NodeNames nodes = stored_nodes(stored_.runs()[i].results);
      put_sequence({nodes.size(),
                    [&](NodeId node) { return nodes.name(node); },
                    stored_.facts().transport,
                    {},
                    messages_.by_run[i],
                    around_[i].rounds,
                    around_[i].regret,
                    {},
                    {}},
                   maker_.details(i));
    }
  }

  void keep_around(const RunTable& table, const RunRows& rows) {
    const auto run = shown(rows.run());
    if (!run || messages_.by_run[*run].empty()) return;
    if (table.name == "rounds") {
      RoundRecord& round = around_[*run].rounds.emplace_back();
      round.round = Round{rows.count(rows.column("round"))};
      round.began = Time{} + Duration::seconds(rows.real(rows.column("began_virtual_s")));
      round.ended = Time{} + Duration::seconds(rows.real(rows.column("ended_virtual_s")));
    } else if (table.name == "regret") {
      for (const std::string_view measure : {"simple_regret", "cumulative_regret"})
        if (rows.text(rows.column("measure")) == measure)
          around_[*run].regret.push_back({0,
                                          0,
                                          0,
                                          rows.real(rows.column("virtual_s")),
                                          measure,
                                          rows.real(rows.column("value"))});
    }
  }

  void read_interventions() {
    if (!stored_.has("interventions.csv")) return;
    const auto path = stored_.folder() / "interventions.csv";
    const auto text = read_file(path);
    naming_file(path, [&] {
      CsvReader csv(text);
      const auto run = csv.column("run"), virtual_s = csv.column("virtual_s"),
                 action = csv.column("action"), amount = csv.column("amount"),
                 unit = csv.column("unit"), groups = csv.column("groups");
      while (csv.next())
        maker_.head()["interventions"].push_back({{"action", csv.cell(action)},
                                                  {"run", csv.cell(run)},
                                                  {"virtual_s", finite_number(csv, virtual_s)},
                                                  {"amount", number_or_null(csv, amount)},
                                                  {"unit", csv.cell(unit)},
                                                  {"groups", groups_in(csv.cell(groups))}});
    });
  }

  /// What is drawn beside the messages of a run.
  struct Around {
    std::vector<RoundRecord> rounds;
    std::vector<RegretPoint> regret;
  };

  StoredRun stored_;
  DocumentMaker maker_;
  DocumentLimits limits_;
  StoredMessages messages_;
  std::vector<Around> around_;  // by run
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
      document_head(scenario_facts(toml, scenario.file), toml, algorithm_facts(scenario)), limits);
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
  head.update(drawn_json(run_data_of(scenario, result)));
  for (std::size_t i = 0; i < std::min(result.runs.size(), limits.runs); ++i) {
    const RunRecord& record = result.runs[i];
    const RunView view = view_of_record(scenario, record);
    const Json entry = run_json(scenario, view);
    const JsonObject checked({}, "", entry);
    Json run = document_run(view.id, record.algorithm, to_string(view.state), checked);
    run["wall_s"] = record.wall_s;
    maker.add_run(std::move(run));
    DocumentTables tables(checked);
    tables.add(parts_of(record.result));
    tables.put_into(maker.details(i));
    put_sequence(sequence_parts(record.result, scenario.network.transport), maker.details(i));
  }
  return std::move(maker).finish(result.figures.size());
}

}  // namespace posse
