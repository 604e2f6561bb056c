// SPDX-License-Identifier: Apache-2.0
#include "program/results/stored_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "core/base/csv.hpp"
#include "core/base/named.hpp"
#include "core/base/shown_text.hpp"
#include "program/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/base/gzip_lines.hpp"
#include "program/results/run_tables.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

/// At most so much of the file is unpacked to find where its runs begin.
constexpr std::size_t kMostTraceBytes = std::size_t{1} << 29;
constexpr std::size_t kColumnsOfRun = 2;  // algorithm, repetition

class MessageReader {
 public:
  MessageReader(const StoredRun& stored, std::size_t runs, std::size_t most)
      : stored_(stored),
        most_(most),
        path_(stored.folder() / "messages.csv.gz"),
        lines_(path_),
        names_(runs) {
    messages_.by_run.resize(runs);
  }

  StoredMessages read() && {
    std::string header;
    append_csv(stored_columns(table_), header);
    header.pop_back();  // the line's end
    if (!lines_.next(line_) || line_ != header)
      throw FileError(path_, fmt::format("line 1: the columns aren't {}", header));
    std::size_t left = messages_.by_run.size();  // runs whose messages aren't all there
    std::string prefix;                          // of the current run's lines: "fed-pne,0,"
    std::optional<std::size_t> run;
    while (left > 0 && most_ > 0 && lines_.bytes() <= kMostTraceBytes && lines_.next(line_)) {
      if (prefix.empty() || !line_.starts_with(prefix)) {
        const auto end = line_.find(',', std::min(line_.find(',') + 1, line_.size()));
        prefix = line_.substr(0, end == std::string::npos ? end : end + 1);
        run = run_of_line();
      }
      if (!run) continue;
      auto& messages = messages_.by_run[*run];
      messages.push_back(message(*run));
      if (messages.size() < most_) continue;
      run.reset();
      --left;
    }
    return std::move(messages_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw FileError(path_, fmt::format("line {}: {}", lines_.line(), problem));
  }

  /// Nothing for runs that aren't wanted.
  std::optional<std::size_t> run_of_line() const {
    const auto parts = plain_cells(line_);
    const auto repetition = parts.size() < 2 ? std::nullopt : parse_number<std::uint32_t>(parts[1]);
    if (!repetition) fail(fmt::format("begins with no run: '{}'", shortened(line_)));
    const std::string label(parts[0]);
    if (!stored_.find_algorithm(label))
      fail(fmt::format("results.json has no algorithm '{}'", shortened(label)));
    const auto run = stored_.find_run(label, *repetition);
    return run && *run < messages_.by_run.size() ? run : std::nullopt;
  }

  TableRow row() const {
    const auto cells = plain_cells(line_);
    const auto& columns = table_.columns;
    if (cells.size() != columns.size() + kColumnsOfRun)
      fail(fmt::format("{} columns instead of {}", cells.size(), columns.size() + kColumnsOfRun));
    TableRow row;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      auto value = datum_in(cells[i + kColumnsOfRun], columns[i].type);
      if (!value)
        fail(fmt::format("{} is '{}', not {}",
                         columns[i].name,
                         shortened(cells[i + kColumnsOfRun]),
                         wanted(columns[i].type)));
      row.push_back(std::move(*value));
    }
    return row;
  }

  std::size_t place_of(std::string_view column) const {
    const auto at = std::ranges::find(table_.columns, column, &Column::name);
    return static_cast<std::size_t>(at - table_.columns.begin());
  }

  template <class Value>
  const Value& value(const TableRow& row, std::string_view column) const {
    if (const auto* value = std::get_if<Value>(&row[place_of(column)])) return *value;
    fail(fmt::format("{} is empty", column));
  }
  std::uint32_t count(const TableRow& row, std::string_view column) const {
    const auto value = this->value<std::uint64_t>(row, column);
    if (value > std::numeric_limits<std::uint32_t>::max())
      fail(fmt::format("{} is {}: too large", column, value));
    return static_cast<std::uint32_t>(value);
  }
  Time time(const TableRow& row, std::string_view column) const {
    const auto seconds = value<double>(row, column);
    if (!(seconds >= 0 && seconds < Time::max().to_seconds()))
      fail(fmt::format("{} is {}: not a virtual time", column, seconds));
    return Time{} + Duration::seconds(seconds);
  }
  template <class Enum>
  Enum one_of(const TableRow& row, std::string_view column, std::initializer_list<Enum> all) const {
    const auto* text = std::get_if<std::string>(&row[place_of(column)]);
    const std::string_view name = text != nullptr ? std::string_view(*text) : "";
    if (const auto found = named(all, name)) return *found;
    fail(fmt::format("{} is '{}'", column, shortened(std::string(name))));
  }

  NodeId node(std::size_t run, const std::string& name) {
    auto& names = names_[run];
    if (!names) names = stored_nodes(stored_.runs()[run].results);
    const auto range = names->select(name);
    if (range.last != range.first + 1) fail(fmt::format("there is no node '{}'", shortened(name)));
    return {range.first};
  }

  MessageRecord message(std::size_t run) {
    const TableRow row = this->row();
    MessageRecord m;
    m.id = value<std::uint64_t>(row, "id");
    m.type = *messages_.types.insert(value<std::string>(row, "type")).first;
    m.round = Round{count(row, "round")};
    m.from = node(run, value<std::string>(row, "from"));
    m.to = node(run, value<std::string>(row, "to"));
    m.bytes = value<std::uint64_t>(row, "bytes");
    m.sent = time(row, "sent_virtual_s");
    using Outcome = MessageOutcome;
    m.outcome =
        one_of(row,
               "outcome",
               {Outcome::delivered, Outcome::discarded, Outcome::dropped, Outcome::in_flight});
    m.cause = one_of(row,
                     "cause",
                     {DropCause::none,
                      DropCause::loss,
                      DropCause::queue,
                      DropCause::partition,
                      DropCause::crash});
    if (m.arrived()) m.delivered = time(row, "delivered_virtual_s");
    m.transmission = count(row, "transmission");
    m.number = count(row, "number");
    const auto& content = value<std::string>(row, "content");
    m.content = std::strtoull(content.c_str(), nullptr, 16);
    return m;
  }

  const StoredRun& stored_;
  const RunTable& table_ = run_table("messages");
  std::size_t most_;
  fs::path path_;
  GzipLines lines_;
  std::string line_;
  std::vector<std::optional<NodeNames>> names_;  // by run
  StoredMessages messages_;
};

}  // namespace

StoredMessages read_first_messages(const StoredRun& stored, std::size_t runs, std::size_t most) {
  if (!stored.has("messages.csv.gz")) return {{}, std::vector<std::vector<MessageRecord>>(runs)};
  return MessageReader(stored, runs, most).read();
}

}  // namespace posse
