// SPDX-License-Identifier: Apache-2.0
#include "run_folder.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <fstream>
#include <memory>
#include <string_view>

namespace message_log {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json read_json(const fs::path& path) {
  std::ifstream in(path);
  if (!in) throw Unreadable("can't read " + path.string());
  try {
    return json::parse(in);
  } catch (const json::exception& problem) {
    throw Unreadable(fmt::format("{}: {}", path.string(), problem.what()));
  }
}

std::vector<std::string> lines_of_gzip(const fs::path& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (file == nullptr) throw Unreadable("can't read " + path.string());
  std::vector<std::string> lines(1);
  std::string buffer(1 << 16, '\0');
  for (;;) {
    const int n = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
    if (n < 0) throw Unreadable("damaged: " + path.string());
    if (n == 0) break;
    for (const char c : std::string_view(buffer).substr(0, static_cast<std::size_t>(n)))
      if (c == '\n')
        lines.emplace_back();
      else
        lines.back() += c;
  }
  if (!lines.back().empty()) throw Unreadable("ends within a line: " + path.string());
  lines.pop_back();
  return lines;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const auto comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

/// The columns of a table, found by name.
class Columns {
 public:
  Columns(std::string_view header, const std::vector<std::string_view>& names) {
    const auto cells = cells_of(header);
    for (const auto name : names) {
      const auto at = std::find(cells.begin(), cells.end(), name);
      if (at == cells.end()) throw Unreadable(fmt::format("there is no column {}", name));
      places_.push_back(static_cast<std::size_t>(at - cells.begin()));
    }
    width_ = cells.size();
  }

  /// The cells of a line, in the order of the names.
  std::vector<std::string_view> of(std::string_view line) const {
    const auto cells = cells_of(line);
    if (cells.size() != width_) throw Unreadable(fmt::format("not a row: {}", line));
    std::vector<std::string_view> chosen;
    for (const auto place : places_) chosen.push_back(cells[place]);
    return chosen;
  }

 private:
  std::vector<std::size_t> places_;
  std::size_t width_ = 0;
};

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream in(path);
  if (!in) throw Unreadable("can't read " + path.string());
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  if (lines.empty()) throw Unreadable("empty: " + path.string());
  return lines;
}

}  // namespace

RunFolder read_run_folder(const fs::path& folder) {
  RunFolder read;
  read.network = read_network(folder);
  read.metadata = read_json(folder / "metadata.json");
  read.results = read_json(folder / "results.json");
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> place;
  std::map<std::string, std::size_t> by_id;  // in faults.csv
  try {
    const auto name = read.results.at("name").get<std::string>();
    for (const auto& entry : read.results.at("runs")) {
      Run run;
      run.algorithm = entry.at("algorithm").get<std::string>();
      run.repetition = entry.at("repetition").get<std::uint64_t>();
      run.name =
          fmt::format("{}: {}, repetition {}", folder.string(), run.algorithm, run.repetition);
      run.results = entry;
      place[{run.algorithm, run.repetition}] = read.runs.size();
      by_id[fmt::format("{}/{}/{}", name, run.algorithm, run.repetition)] = read.runs.size();
      read.runs.push_back(std::move(run));
    }
  } catch (const json::exception& problem) {
    throw Unreadable(fmt::format("{}/results.json: {}", folder.string(), problem.what()));
  }
  const auto run_of = [&](std::string_view algorithm, std::string_view repetition) -> Run& {
    const auto at = place.find({std::string(algorithm), whole_number(repetition)});
    if (at == place.end()) throw Unreadable(fmt::format("no run {} {}", algorithm, repetition));
    return read.runs[at->second];
  };

  const auto messages = lines_of_gzip(folder / "messages.csv.gz");
  if (messages.empty()) throw Unreadable("empty: messages.csv.gz");
  const Columns columns(messages[0],
                        {"algorithm",
                         "repetition",
                         "type",
                         "round",
                         "from",
                         "to",
                         "bytes",
                         "sent_virtual_s",
                         "delivered_virtual_s",
                         "outcome",
                         "cause",
                         "transmission",
                         "number",
                         "order",
                         "content"});
  for (std::size_t i = 1; i < messages.size(); ++i) {
    const auto c = columns.of(messages[i]);
    run_of(c[0], c[1])
        .copies.push_back({i + 1,
                           std::string(c[2]),
                           whole_number(c[3]),
                           std::string(c[4]),
                           std::string(c[5]),
                           whole_number(c[6]),
                           seconds(c[7]),
                           c[8].empty() ? kNone : seconds(c[8]),
                           std::string(c[9]),
                           std::string(c[10]),
                           whole_number(c[11]),
                           whole_number(c[12]),
                           whole_number(c[13]),
                           whole_number(c[14], 16)});
  }

  if (fs::exists(folder / "faults.csv")) {
    const auto lines = lines_of(folder / "faults.csv");
    const Columns of_faults(lines[0],
                            {"run", "virtual_s", "fault", "kind", "state", "event", "nodes"});
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const auto c = of_faults.of(lines[i]);
      const auto at = by_id.find(std::string(c[0]));
      if (at == by_id.end()) throw Unreadable(fmt::format("faults.csv: no run {}", c[0]));
      if (c[3] == "loss burst" || c[3] == "unrecorded loss burst") continue;  // of no [[fault]]
      read.runs[at->second].faults.push_back({whole_number(c[2]),
                                              std::string(c[3]),
                                              std::string(c[4]),
                                              std::string(c[6]),
                                              c[5] == "begins",
                                              seconds(c[1])});
    }
  }
  if (fs::exists(folder / "links.csv")) {
    const auto lines = lines_of(folder / "links.csv");
    const Columns of_links(
        lines[0],
        {"algorithm", "repetition", "from", "to", "departed", "arrived", "dropped", "wire_bytes"});
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const auto c = of_links.of(lines[i]);
      run_of(c[0], c[1])
          .links.push_back({std::string(c[2]),
                            std::string(c[3]),
                            whole_number(c[4]),
                            whole_number(c[5]),
                            whole_number(c[6]),
                            whole_number(c[7])});
    }
  }
  return read;
}

}  // namespace message_log
