// SPDX-License-Identifier: Apache-2.0
#include "program/reproduce/claims_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/base/shown_text.hpp"
#include "program/base/files.hpp"
#include "program/reproduce/checks.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {
namespace {

namespace fs = std::filesystem;

/// Text that a file may break into lines, on one line.
std::string on_one_line(std::string_view text) {
  std::string line;
  bool space = false;
  for (const char c : text) {
    const bool breaks = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!breaks && space && !line.empty()) line += ' ';
    if (!breaks) line += c;
    space = breaks;
  }
  return line;
}

class ClaimsReader {
 public:
  ClaimsReader(const Value& root, const std::string& file, Diagnostics& diagnostics)
      : diagnostics_(diagnostics), file_(file), root_(table(root, "")) {}

  Paper read() {
    paper_.citation = line_at(root_, "paper").value_or("");
    read_notes();
    const auto figures = root_.tables("figure");
    if (figures.empty() && !root_.is_wrong("figure"))
      root_.error("figure", "there is no figure", "[[figure]] with name and scenario");
    for (std::size_t i = 0; i < figures.size(); ++i)
      read_figure(figures[i], fmt::format("figure.{}", i));
    const auto left_out = root_.tables("left_out");
    for (std::size_t i = 0; i < left_out.size(); ++i) {
      auto reader = table(left_out[i], fmt::format("left_out.{}", i));
      auto what = required_line(reader, "what"), why = required_line(reader, "why");
      paper_.left_out.push_back({std::move(what), std::move(why)});
      reader.finish();
    }
    root_.finish();
    if (diagnostics_.empty()) reject_unused_notes();
    return std::move(paper_);
  }

 private:
  TableReader table(const Value& value, const std::string& path) {
    return {value, path, find_section(path, claims_sections()), diagnostics_};
  }

  void add(const Value& value,
           const std::string& path,
           std::string problem,
           std::string allowed,
           std::string nearest = "") {
    const bool shown = value.table() == nullptr && value.array() == nullptr;
    diagnostics_.add({value.location,
                      path,
                      std::move(problem),
                      shown ? describe(value) : "",
                      std::move(allowed),
                      std::move(nearest)});
  }

  /// A text on one line; nothing, and reported, if it is empty or can't be printed.
  std::optional<std::string> line_of(const Value& value, const std::string& path) {
    const auto* text = std::get_if<std::string>(&value.data);
    auto line = text == nullptr ? std::string() : on_one_line(*text);
    if (text == nullptr)
      add(value, path, "is not a string", "a string in quotes");
    else if (line.empty())
      add(value, path, "is empty", "a text");
    else if (!is_printable_line(line))
      add(value, path, "can't be printed", "text in UTF-8 without control characters");
    else
      return line;
    return std::nullopt;
  }

  std::optional<std::string> line_at(TableReader& reader, std::string_view key) {
    const Value* value = reader.find(key);
    return value == nullptr ? std::nullopt : line_of(*value, reader.path_of(key));
  }

  std::string required_line(TableReader& reader, std::string_view key) {
    reader.require(key, "a text");
    return line_at(reader, key).value_or("");
  }

  /// The elements of a list; nothing if the key is absent or no list.
  const Array* list_at(TableReader& reader, std::string_view key) {
    const Value* value = reader.find(key);
    if (value == nullptr) return nullptr;
    if (value->array() == nullptr) reader.error(key, "is not a list", "a list: […]");
    return value->array();
  }

  /// Calls `each(element, its path)`.
  template <class Each>
  void for_each(TableReader& reader, std::string_view key, const Array& list, const Each& each) {
    for (std::size_t i = 0; i < list.size(); ++i)
      each(list[i], fmt::format("{}.{}", reader.path_of(key), i));
  }

  void read_lines(TableReader& reader, std::string_view key, std::vector<std::string>& to) {
    const Array* list = list_at(reader, key);
    if (list == nullptr) return;
    to.clear();
    for_each(reader, key, *list, [&](const Value& element, const std::string& path) {
      if (auto line = line_of(element, path)) to.push_back(std::move(*line));
    });
  }

  void read_assignments(TableReader& reader, std::string_view key, std::vector<std::string>& to) {
    const auto errors = diagnostics_.all().size();
    read_lines(reader, key, to);
    if (!reader.has(key) || diagnostics_.all().size() != errors) return;
    const Array& list = *list_at(reader, key);
    for_each(reader, key, list, [&](const Value& element, const std::string& path) {
      const auto& text = std::get<std::string>(element.data);
      if (text.find('=') == std::string::npos || text.find('=') == 0)
        add(element, path, "is no change of a scenario", "KEY=VALUE, as with --set");
    });
  }

  void read_notes() {
    const Value* value = root_.find("notes");
    if (value == nullptr) return;
    auto reader = table(*value, "notes");
    if (const Table* notes = value->table())
      for (const auto& [name, text] : *notes) {
        if (!is_folder_name(name))
          reader.error(name, "is not a plain word", "letters, digits, '-', '_', '.'");
        notes_[name] = line_at(reader, name).value_or("");
      }
    reader.finish();
  }

  void reject_unused_notes() {
    for (const auto& [name, text] : notes_)
      if (!used_notes_.contains(name))
        table(*root_.find("notes"), "notes").error(name, "does nothing: no figure names it");
  }

  /// Words without a space are names in [notes].
  void read_notes_of(TableReader& reader, std::vector<std::string>& to) {
    const Array* list = list_at(reader, "notes");
    if (list == nullptr) return;
    to.clear();
    for_each(reader, "notes", *list, [&](const Value& element, const std::string& path) {
      auto line = line_of(element, path);
      if (!line) return;
      if (const auto named = notes_.find(*line); named != notes_.end()) {
        used_notes_.insert(*line);
        to.push_back(named->second);
        return;
      }
      if (line->find(' ') != std::string::npos) return to.push_back(std::move(*line));
      std::vector<std::string> names;
      for (const auto& [name, text] : notes_) names.push_back(name);
      add(element,
          path,
          "is neither a sentence nor a name in [notes]",
          names.empty() ? "a text of several words" : names_text(names),
          nearest_name(*line, names));
    });
  }

  void read_plots(TableReader& reader, std::vector<PlotOptions>& to) {
    const Array* list = list_at(reader, "plots");
    if (list == nullptr) return;
    to.clear();
    for_each(reader, "plots", *list, [&](const Value& element, const std::string& path) {
      const bool plain = std::holds_alternative<std::string>(element.data);
      const Value whole{element.location, Table{{"kind", element}}};
      auto plot = table(plain ? whole : element, path);
      if (element.table() == nullptr && !plain) return;
      PlotOptions options;
      plot.require("kind", "a kind of `posse plot`");
      options.kind = plot.choice("kind").value_or("");
      if (plot.choice("scope") == "local") options.scope = Scope::local;
      options.algorithm = line_at(plot, "algorithm").value_or("");
      plot.finish();
      to.push_back(std::move(options));
    });
  }

  void read_data(const Value& value, const std::string& path, FigureData& to) {
    auto reader = table(value, path);
    to.file = required_line(reader, "file");
    to.key = required_line(reader, "key");
    to.kind = line_at(reader, "kind").value_or("");
    std::vector<std::string> kinds;
    for (const auto& entry : catalog()) kinds.push_back(entry.kind);
    if (!to.kind.empty() && std::find(kinds.begin(), kinds.end(), to.kind) == kinds.end())
      reader.error(
          "kind", "is unknown", "a name for `posse describe`", nearest_name(to.kind, kinds));
    reader.finish();
  }

  void read_claims_of(TableReader& reader, std::vector<Claim>& to) {
    if (!reader.has("claim")) return;
    to.clear();
    const auto claims = reader.tables("claim");
    for (std::size_t i = 0; i < claims.size(); ++i) {
      auto claim = table(claims[i], fmt::format("{}.{}", reader.path_of("claim"), i));
      const auto text = required_line(claim, "text");
      claim.require("check", "a table { kind = …, … }, or a list of several");
      if (const Value* check = claim.find("check")) {
        const Array one{*check};
        const Array& checks = check->array() == nullptr ? one : *check->array();
        if (checks.empty()) claim.error("check", "is an empty list", "at least one check");
        for (std::size_t c = 0; c < checks.size(); ++c)
          read_check(checks[c], fmt::format("{}.{}", claim.path_of("check"), c), text, to);
      }
      claim.finish();
    }
  }

  void read_check(const Value& value,
                  const std::string& path,
                  const std::string& text,
                  std::vector<Claim>& to) {
    const auto errors = diagnostics_.all().size();
    auto reader = table(value, path);
    if (value.table() == nullptr) return;
    const auto kinds = kinds_of(check_specs());
    reader.require("kind", names_text(kinds));
    const auto kind = reader.choice("kind", kinds);
    if (!kind) return;  // its parameters are unknown
    const auto* spec = find_check_spec(*kind);
    const auto parameters = reader.parameters(spec->parameters);
    reader.finish();
    if (diagnostics_.all().size() == errors) to.push_back({text, {spec, parameters}, value, path});
  }

  void read_figure(const Value& value, const std::string& path) {
    auto reader = table(value, path);
    PaperFigure figure;
    if (const auto like = reader.text("like")) {
      std::vector<std::string> names;
      for (const auto& other : paper_.figures) {
        names.push_back(other.name);
        if (other.name == *like) figure = other;
      }
      if (std::find(names.begin(), names.end(), *like) == names.end())
        reader.error("like",
                     "is no figure above",
                     names.empty() ? "a figure above: this is the first" : names_text(names),
                     nearest_name(*like, names));
    }
    figure.source = value;
    figure.path = path;
    figure.paper = paper_.citation;
    reader.require("name", "letters, digits, '-', '_', '.'; up to 100");
    if (auto name = reader.text("name")) read_name(reader, std::move(*name), figure);
    if (auto number = line_at(reader, "number")) figure.number = std::move(*number);
    if (auto summary = line_at(reader, "summary")) figure.summary = std::move(*summary);
    if (auto scenario = line_at(reader, "scenario")) figure.scenario = std::move(*scenario);
    if (figure.scenario.empty() && !reader.has("scenario"))
      reader.error(
          "scenario", "is missing", "the path of a scenario, from the folder of this file");
    figure.file = (fs::path(file_).parent_path() / figure.scenario).lexically_normal().string();
    read_assignments(reader, "set", figure.set);
    read_lines(reader, "only", figure.only);
    read_assignments(reader, "quick", figure.quick);
    read_assignments(reader, "wrong", figure.wrong);
    if (auto unknown = line_at(reader, "unknown")) figure.unknown = std::move(*unknown);
    read_plots(reader, figure.plots);
    read_notes_of(reader, figure.notes);
    if (const Value* data = reader.find("data"))
      read_data(*data, reader.path_of("data"), figure.data);
    read_claims_of(reader, figure.claims);
    if (figure.claims.empty() && !reader.has("claim"))
      reader.error("claim", "is missing", "[[figure.claim]] with text and check");
    reader.finish();
    paper_.figures.push_back(std::move(figure));
  }

  void read_name(TableReader& reader, std::string name, PaperFigure& figure) {
    if (!is_folder_name(name))
      reader.error("name", "can't name a folder", "letters, digits, '-', '_', '.'; up to 100");
    else if (name == "all")
      reader.error("name", "stands for all figures", "another name");
    else if (std::ranges::any_of(paper_.figures, [&](const auto& f) { return f.name == name; }))
      reader.error("name", "is used twice", "a different name for every figure");
    figure.name = std::move(name);
  }

  Diagnostics& diagnostics_;
  const std::string& file_;
  TableReader root_;
  std::map<std::string, std::string, std::less<>> notes_;
  std::set<std::string, std::less<>> used_notes_;
  Paper paper_;
};

}  // namespace

const PaperFigure* find_figure(const std::vector<Paper>& papers, std::string_view name) {
  for (const auto& paper : papers)
    for (const auto& figure : paper.figures)
      if (figure.name == name) return &figure;
  return nullptr;
}

Paper read_claims(const Value& root, const std::string& file, Diagnostics& diagnostics) {
  return ClaimsReader(root, file, diagnostics).read();
}

Paper load_claims(const std::string& file, Diagnostics& diagnostics) {
  const Value root = load_toml(file, diagnostics);
  return diagnostics.empty() ? read_claims(root, file, diagnostics) : Paper{};
}

bool is_claims_file(const Value& root) {
  const Table* table = root.table();
  return table != nullptr && table->contains("figure") && !table->contains("algorithm");
}

}  // namespace posse
