#include "program/page/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "program/base/files.hpp"
#include "program/base/gzip_lines.hpp"
#include "program/results/run_data.hpp"
#include "program/results/run_rows.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/scenario_facts.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

/// At most so much of a trace is unpacked to find where its runs begin.
constexpr std::size_t kMostTraceBytes = std::size_t{1} << 29;

/// Posse writes no deeper JSON; recursion over deeper files could overflow the stack.
constexpr int kDeepest = 64;

Json parsed(const fs::path& path) {
  const auto check_depth = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest) throw FileError(path, "is nested too deeply");
    return true;
  };
  Json root;
  try {
    root = Json::parse(read_file(path), check_depth);
  } catch (const Json::exception& problem) {
    throw FileError(path, fmt::format("is not valid JSON: {}", problem.what()));
  }
  if (!root.is_object()) throw FileError(path, "is not a JSON object");
  return root;
}

/// Reads members of a JSON file; errors name the key.
class Members {
 public:
  Members(const fs::path& path, std::string at, const Json& object)
      : path_(path), at_(std::move(at)), object_(object) {
    if (!object.is_object()) throw FileError(path_, fmt::format("{} is not an object", at_));
  }

  std::string text(const char* key) const {
    const Json& value = needed(key);
    if (!value.is_string()) fail(key, "is not a string");
    return value.get<std::string>();
  }
  std::uint32_t count(const char* key) const {
    const Json& value = needed(key);
    const double number = value.is_number() ? value.get<double>() : -1;
    if (!(number >= 0 && number <= 4294967295.0) || std::floor(number) != number)
      fail(key, "is not a count");
    return static_cast<std::uint32_t>(number);
  }
  const Json& list(const char* key) const {
    const Json& value = needed(key);
    if (!value.is_array()) fail(key, "is not a list");
    return value;
  }

  // Members that may be missing or null, with the value to use then.
  Json optional_list(const char* key) const {
    return optional(key, Json::array(), &Json::is_array, "is not a list");
  }
  Json optional_object(const char* key, Json otherwise) const {
    return optional(key, std::move(otherwise), &Json::is_object, "is not an object");
  }
  Json optional_number(const char* key, Json otherwise) const {
    return optional(key, std::move(otherwise), &Json::is_number, "is not a number");
  }
  Json optional_text(const char* key) const {
    return optional(key, "", &Json::is_string, "is not a string");
  }

 private:
  [[noreturn]] void fail(std::string_view key, std::string_view problem) const {
    throw FileError(path_, fmt::format("{}{} {}", at_.empty() ? "" : at_ + ".", key, problem));
  }
  const Json& needed(const char* key) const {
    const auto value = object_.find(key);
    if (value == object_.end()) fail(key, "is missing");
    return *value;
  }
  Json optional(const char* key,
                Json otherwise,
                bool (Json::*is)() const noexcept,
                std::string_view problem) const {
    const auto value = object_.find(key);
    if (value == object_.end() || value->is_null()) return otherwise;
    if (!((*value).*is)()) fail(key, problem);
    return *value;
  }

  fs::path path_;
  std::string at_;
  const Json& object_;
};

/// A cell as a number; null for infinity and NaN, which JSON does not have.
Json number_in(const RunRows& rows, std::size_t column) {
  const auto& text = rows.text(column);
  if (const auto whole = parse_number<std::uint64_t>(text)) return *whole;
  const auto number = parse_number<double>(text);
  if (!number) rows.fail(column, "a number");
  return finite_or_null(*number);
}

/// Names of a CSV column in the file and in the document.
struct ColumnName {
  std::string_view in_file, in_document;
};

class DocumentReader {
 public:
  DocumentReader(const fs::path& folder, const DocumentLimits& limits)
      : folder_(find_run_folder(folder)), limits_(limits) {}

  Json read() {
    document_["source"] = "folder";
    document_["title"] = title();
    read_scenario();
    read_results();
    read_metadata();
    read_interventions();
    read_curves();
    details_.assign(runs_.size(), Json::object());
    read_rounds();
    if (has("links.csv")) read_links();
    if (has("cells.csv")) read_cells();
    if (has("arms.csv")) read_arms();
    if (has("messages.csv.gz")) read_messages();
    assemble();
    return std::move(document_);
  }

 private:
  bool has(const char* file) const {
    std::error_code error;
    return fs::exists(folder_ / file, error);
  }

  /// "quickstart/20261121T062740Z-a0df6d5f", for any path to the folder.
  std::string title() const {
    std::error_code error;
    auto path = fs::canonical(folder_, error);
    if (error) path = folder_;
    return (path.parent_path().filename() / path.filename()).generic_string();
  }

  void read_scenario() {
    const auto path = folder_ / "scenario.toml";
    facts_ = read_scenario_facts(path);
    document_["objective"] = facts_.objective;
    document_["heterogeneity"] = facts_.heterogeneity;
    document_["noise"] = facts_.noise;
    if (facts_.budget) document_["budget"] = *facts_.budget;
    document_["scenario_toml"] = read_file(path);
  }

  // --- results.json ---

  void read_results() {
    const auto path = folder_ / "results.json";
    const Json root = parsed(path);
    const Members results(path, "", root);
    check_schema(path, root);
    document_["name"] = name_ = results.text("name");
    document_["seed"] = results.optional_number("seed", nullptr);
    document_["repeat"] = results.optional_number("repeat", nullptr);
    document_["status"] = results.optional_text("status");
    document_["fingerprint"] = results.optional_text("fingerprint");
    document_["thresholds"] = results.optional_list("thresholds");
    document_["comparisons"] = results.optional_list("comparisons");
    null_non_finite_comparisons(document_["comparisons"]);
    const Json& runs = results.list("runs");
    for (std::size_t i = 0; i < runs.size(); ++i)
      read_result(path, fmt::format("runs[{}]", i), runs[i], i);
    document_["runs_left_out"] = runs.size() - runs_.size();
    const Json summaries = results.optional_list("summary");
    for (std::size_t i = 0; i < summaries.size(); ++i)
      read_summary(path, fmt::format("summary[{}]", i), summaries[i]);
  }

  void read_result(const fs::path& path, std::string at, const Json& json, std::size_t index) {
    const Members result(path, std::move(at), json);
    const auto label = result.text("algorithm");
    const auto [place, fresh] = algorithms_.try_emplace(label, algorithms_.size());
    if (fresh)
      document_["algorithms"].push_back({{"label", label},
                                         {"kind", result.optional_text("kind")},
                                         {"clients", result.count("clients")},
                                         {"finished", 0},
                                         {"not_finished", 0},
                                         {"measurements", Json::array()},
                                         {"totals", Json::array()}});
    const auto repetition = result.count("repetition");
    const auto status = result.text("status");
    if (index >= limits_.runs) return;
    index_.try_emplace({label, repetition}, runs_.size());
    Json run =
        empty_run(fmt::format("{}/{}/{}", name_, label, repetition), place->second, repetition);
    if (status != "not_started") {
      run["state"] = "over";
      run["status"] = status;
    }
    run["report"] = result.optional_text("report");
    run["now_virtual_s"] = result.optional_number(
        status == "finished" ? "finished_at_virtual_s" : "last_event_virtual_s", 0);
    run["rounds"] = result.optional_number("rounds", 0);
    run["events"] = result.optional_number("events", 0);
    run["measurements"] = result.optional_list("measurements");
    run["forecast"] = result.optional_object("forecast", Json::object());
    run["regret"] = result.optional_object("regret", nullptr);
    run["ledger"] = result.optional_list("ledger");
    run["phases"] = result.optional_object("phases", nullptr);
    put_arms(run, result.optional_object("arms", nullptr));
    for (const auto* part : {"measurements", "forecast", "regret", "arms"})
      null_non_finite(run[part]);
    if (run["regret"].is_object())
      run["evaluations"] = Members(path, "regret", run["regret"]).optional_number("evaluations", 0);
    if (const auto expected = run["forecast"].find("evaluations");
        expected != run["forecast"].end() && *expected != 0)
      run["evaluations_expected"] = *expected;
    runs_.push_back(std::move(run));
  }

  void read_summary(const fs::path& path, std::string at, const Json& json) {
    const Members summary(path, at, json);
    const auto label = summary.text("algorithm");
    const auto place = algorithms_.find(label);
    if (place == algorithms_.end())
      throw FileError(path, fmt::format("{}.algorithm '{}' is in no run", at, label));
    Json& algorithm = document_["algorithms"][place->second];
    for (const auto* key : {"finished", "not_finished"}) algorithm[key] = summary.count(key);
    for (const auto* key : {"measurements", "totals"}) {
      algorithm[key] = summary.optional_list(key);
      null_non_finite(algorithm[key]);
    }
  }

  // --- metadata.json ---

  void read_metadata() {
    const auto path = folder_ / "metadata.json";
    const Json root = parsed(path);
    const Members metadata(path, "", root);
    document_["metadata"] = {{"version", metadata.optional_text("version")},
                             {"commit", metadata.optional_text("commit")},
                             {"started", metadata.optional_text("start")},
                             {"ended", metadata.optional_text("end")},
                             {"wall_s", metadata.optional_number("wall_s", nullptr)},
                             {"command_line", metadata.optional_list("command_line")},
                             {"threads", metadata.optional_number("threads", nullptr)},
                             {"kernel", metadata.optional_text("kernel")},
                             {"exit_code", metadata.optional_number("exit_code", nullptr)}};
    const Json wall = metadata.optional_list("run_wall_s");
    for (std::size_t i = 0; i < std::min(runs_.size(), wall.size()); ++i)
      if (wall[i].is_number()) runs_[i]["wall_s"] = wall[i];
  }

  // --- CSV files ---

  /// The position in `runs_` of the rows' run, or nothing if it is not shown.
  std::optional<std::size_t> run_of(const RunRows& rows) const {
    if (!algorithms_.contains(rows.algorithm()))
      rows.fail(fmt::format("results.json has no algorithm '{}'", rows.algorithm()));
    const auto run = index_.find({rows.algorithm(), rows.repetition()});
    return run == index_.end() ? std::nullopt : std::optional(run->second);
  }

  static std::vector<std::size_t> positions(const RunRows& rows,
                                            const std::vector<std::string_view>& names) {
    std::vector<std::size_t> columns;
    for (const auto name : names) columns.push_back(rows.column(name));
    return columns;
  }

  void read_curves() {
    RunRows rows(folder_ / "regret.csv");
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
    constexpr std::array<ColumnName, 15> kColumns{{{"round", "round"},
                                                   {"began_virtual_s", "began_s"},
                                                   {"ended_virtual_s", "ended_s"},
                                                   {"messages", "messages"},
                                                   {"bytes", "bytes"},
                                                   {"values", "values"},
                                                   {"bytes_so_far", "bytes_so_far"},
                                                   {"active_cells", "active_cells"},
                                                   {"compute_virtual_s", "compute_s"},
                                                   {"queueing_virtual_s", "queueing_s"},
                                                   {"transfer_virtual_s", "transfer_s"},
                                                   {"propagation_virtual_s", "propagation_s"},
                                                   {"waiting_virtual_s", "waiting_s"},
                                                   {"arrived", "arrived"},
                                                   {"expected", "expected"}}};
    RunRows rows(folder_ / "rounds.csv");
    std::vector<std::size_t> columns;
    for (const auto& column : kColumns) columns.push_back(rows.column(column.in_file));
    const auto late = rows.column("late");
    std::vector<std::vector<Json>> table;  // of the current run, row by row
    std::optional<std::size_t> run;
    const auto finish = [&] {
      if (run) put_rounds(*run, table, kColumns);
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
    }
    finish();
  }

  void put_rounds(std::size_t run,
                  const std::vector<std::vector<Json>>& table,
                  std::span<const ColumnName> names) {
    Json& columns = details_[run]["rounds_table"];
    for (const auto i : thinned_rows(table.size(), kMostRoundsInDocument)) {
      for (std::size_t c = 0; c < names.size(); ++c)
        columns[std::string(names[c].in_document)].push_back(table[i][c]);
      columns["late"].push_back(table[i].back());
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
      std::array<Json, 3> counts;
    };
    RunRows rows(folder_ / "links.csv");
    const auto columns = positions(rows, {"from", "to", "departed", "arrived", "dropped"});
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
      Columns links{"from", "to", "departed", "arrived", "dropped"};
      for (const auto& row : table)
        links.add({places[row.from], places[row.to], row.counts[0], row.counts[1], row.counts[2]});
      const bool star = std::all_of(table.begin(), table.end(), [&](const Row& row) {
        return places[row.from] == 0 || places[row.to] == 0;
      });
      // Two nodes look like either topology.
      if (star && (nodes.size() > 2 || is_star(*run))) details_[*run]["hub"] = 0;
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
                          number_in(rows, columns[4])}});
    }
    finish();
  }

  bool is_star(std::size_t run) const {
    if (!facts_.topology.empty()) return facts_.topology == to_string(Topology::star);
    const Json& algorithm = document_["algorithms"][runs_[run]["algorithm"].get<std::size_t>()];
    const auto* spec = find_algorithm(algorithm["kind"].get_ref<const std::string&>());
    return spec != nullptr && spec->topology == Topology::star;
  }

  void read_cells() {
    RunRows rows(folder_ / "cells.csv");
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
    RunRows rows(folder_ / "arms.csv");
    const auto arm = rows.column("arm");
    const auto columns = positions(rows, names);
    std::optional<std::size_t> run;
    while (rows.next()) {
      if (rows.begins_run()) run = run_of(rows);
      if (!run) continue;
      Json& curve = details_[*run]["arm_curves"][rows.text(arm)];
      for (std::size_t c = 0; c < columns.size(); ++c)
        curve[std::string(names[c])].push_back(number_in(rows, columns[c]));
    }
  }

  void read_messages() {
    const auto path = folder_ / "messages.csv.gz";
    GzipLines lines(path);
    std::string line;
    constexpr std::string_view kHeader =
        "algorithm,repetition,id,type,round,from,to,bytes,sent_virtual_s,delivered_virtual_s,"
        "outcome,cause";
    if (!lines.next(line) || line != kHeader)
      throw FileError(path, fmt::format("line 1: the columns aren't {}", kHeader));
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
      add_message(path, lines.line(), line, tables[*run]);
      if (tables[*run].rows() == kMostMessagesInDocument) ++full;
    }
    for (std::size_t i = 0; i < tables.size(); ++i)
      if (tables[i].rows() > 0) std::move(tables[i]).put_into(details_[i]);
  }

  /// Cells of a line without quotes.
  static std::vector<std::string_view> cells(std::string_view line) {
    std::vector<std::string_view> out;
    for (;;) {
      const auto end = line.find(',');
      out.push_back(line.substr(0, end));
      if (end == std::string_view::npos) return out;
      line.remove_prefix(end + 1);
    }
  }

  std::optional<std::size_t> run_of_message(const fs::path& path,
                                            std::size_t number,
                                            const std::string& line) const {
    const auto parts = cells(line);
    const auto repetition = parts.size() < 2 ? std::nullopt : parse_number<std::uint32_t>(parts[1]);
    if (!repetition)
      throw FileError(path, fmt::format("line {}: begins with no run: '{}'", number, line));
    const std::string label(parts[0]);
    if (!algorithms_.contains(label))
      throw FileError(path,
                      fmt::format("line {}: results.json has no algorithm '{}'", number, label));
    const auto run = index_.find({label, *repetition});
    return run == index_.end() ? std::nullopt : std::optional(run->second);
  }

  static void add_message(const fs::path& path,
                          std::size_t number,
                          const std::string& line,
                          MessageTable& table) {
    const auto parts = cells(line);
    if (parts.size() != 12)
      throw FileError(path, fmt::format("line {}: {} columns instead of 12", number, parts.size()));
    const auto round = parse_number<std::uint64_t>(parts[4]),
               bytes = parse_number<std::uint64_t>(parts[7]);
    const auto sent = parse_number<double>(parts[8]), delivered = parse_number<double>(parts[9]);
    if (!round || !bytes || !sent || !std::isfinite(*sent) || (!delivered && !parts[9].empty()))
      throw FileError(path, fmt::format("line {}: a number is malformed: '{}'", number, line));
    table.add(parts[3], *round, parts[5], parts[6], *bytes, *sent, delivered, parts[10], parts[11]);
  }

  void read_interventions() {
    if (!has("interventions.csv")) return;
    const auto path = folder_ / "interventions.csv";
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

  fs::path folder_;
  DocumentLimits limits_;
  ScenarioFacts facts_;
  std::string name_;
  Json document_ = empty_document();
  std::vector<Json> runs_, details_;
  std::map<std::string, std::size_t> algorithms_;                       // by label
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> index_;  // of runs_
};

}  // namespace

Json read_document(const fs::path& folder, const DocumentLimits& limits) {
  return DocumentReader(folder, limits).read();
}

}  // namespace posse
