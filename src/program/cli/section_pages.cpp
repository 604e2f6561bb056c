// SPDX-License-Identifier: Apache-2.0
#include "program/cli/section_pages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "program/base/units.hpp"
#include "program/scenario/schema.hpp"

namespace posse {
namespace {

constexpr std::size_t kLineBytes = 100;  // of a paragraph

using Row = std::vector<std::string>;

std::string trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

/// Markdown without backticks and targets of links.
std::string plain(std::string_view markdown) {
  std::string out;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    const char c = markdown[i];
    if (c == '`') continue;
    if (c == '[') {
      const auto middle = markdown.find("](", i);
      const auto end = middle == markdown.npos ? middle : markdown.find(')', middle);
      const auto label = markdown.substr(i + 1, middle == markdown.npos ? 0 : middle - i - 1);
      if (end != markdown.npos && label.find('[') == label.npos) {
        out += plain(label);
        i = end;
        continue;
      }
    }
    out += c;
  }
  return out;
}

/// "| a | b |" as cells.
Row cells_of(std::string_view line) {
  Row cells;
  std::size_t begin = 1;
  for (auto end = line.find('|', begin); end != line.npos; end = line.find('|', begin)) {
    cells.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

/// Words in backticks.
std::vector<std::string> in_backticks(std::string_view markdown) {
  std::vector<std::string> words;
  for (auto begin = markdown.find('`'); begin != markdown.npos; begin = markdown.find('`', begin)) {
    const auto end = markdown.find('`', begin + 1);
    if (end == markdown.npos) break;
    words.emplace_back(markdown.substr(begin + 1, end - begin - 1));
    begin = end + 1;
  }
  return words;
}

/// Characters, of which UTF-8 may take several bytes.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}
std::string padded(const std::string& text, std::size_t columns) {
  const auto used = width(text);
  return text + std::string(columns > used ? columns - used : 0, ' ');
}

/// "[[network.link]]" as "network.link".
std::string section_name(std::string_view heading) {
  std::string name;
  for (const char c : plain(heading))
    if (c != '[' && c != ']') name += c;
  return trimmed(name);
}

/// Turns the lines of the document into pages.
class SectionReader {
 public:
  std::vector<SectionPage> read(std::string_view document) {
    bool code = false;
    while (!document.empty()) {
      const auto end = std::min(document.find('\n'), document.size());
      const auto line = document.substr(0, end);
      document.remove_prefix(std::min(end + 1, document.size()));
      if (line.starts_with("```")) {
        flush();
        code = !code;
        add(code ? "\n" : "");
      } else if (code) {
        add(line.empty() ? "\n" : fmt::format("    {}\n", line));
      } else {
        take(line);
      }
    }
    flush();
    return std::move(pages_);
  }

 private:
  void take(std::string_view line) {
    if (!line.starts_with("|")) show_table();
    if (line.empty() || line.starts_with("#") || line.starts_with("- ") || line.starts_with("|"))
      show_paragraph();
    if (line.starts_with("## ")) {
      begin_section(line.substr(3));
    } else if (line.starts_with("### ")) {
      add(fmt::format("\n  {}\n", plain(line.substr(4))));
    } else if (line.starts_with("|")) {
      table_.push_back(cells_of(line));
    } else if (!line.empty()) {
      paragraph_ += fmt::format("{}{}", paragraph_.empty() ? "" : " ", plain(line));
    }
  }

  void begin_section(std::string_view heading) {
    open_ = heading.starts_with("`[");
    if (!open_) return;
    SectionPage page;
    page.name = section_name(heading);
    for (const auto& row : overview_)
      if (row[0].find(heading) != std::string::npos) page.summary = plain(row[1]);
    page.text = fmt::format("{} (section of a scenario)\n", plain(heading));
    pages_.push_back(std::move(page));
  }

  void add(std::string_view text) {
    if (open_) pages_.back().text += text;
  }
  void flush() {
    show_table();
    show_paragraph();
  }
  void show_paragraph() {
    for (std::string_view rest = paragraph_; !rest.empty();) {
      auto end = rest.size();
      if (end > kLineBytes) end = rest.rfind(' ', kLineBytes);
      if (end == rest.npos) end = rest.size();
      add(fmt::format("  {}\n", rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    paragraph_.clear();
  }

  void show_table() {
    if (table_.empty()) return;
    const Row heading = table_.front();
    table_.erase(table_.begin(), table_.begin() + 2);  // the heading and the line below it
    if (!open_) {
      if (heading[0] == "table") overview_ = table_;
    } else if (heading[0].starts_with("key")) {
      show_keys(heading);
    } else {
      if (heading.size() > 2) table_.insert(table_.begin(), heading);
      show_columns();
    }
    table_.clear();
  }

  /// A line per row: the key, then everything about it.
  void show_keys(const Row& heading) {
    const auto below = in_backticks(heading[0]);
    const std::string path =
        pages_.back().name + (below.empty() ? "" : fmt::format(".{}", below.front()));
    if (!below.empty()) add(fmt::format("\n  {}\n", plain(heading[0])));
    std::size_t widest = 16;
    for (const auto& row : table_) widest = std::max(widest, width(plain(row[0])));
    for (const auto& row : table_) {
      for (const auto& key : in_backticks(row[0]))
        pages_.back().keys.push_back(fmt::format("{}.{}", path, key));
      std::vector<std::string> parts;
      for (std::size_t i = 1; i < row.size(); ++i) {
        if (row[i].empty()) continue;
        const bool is_default = heading[i] == "default" && !row[i].starts_with("must");
        parts.push_back((is_default ? "default: " : "") + plain(row[i]));
      }
      add(fmt::format("    {} {}\n", padded(plain(row[0]), widest), fmt::join(parts, "; ")));
    }
  }

  void show_columns() {
    std::vector<std::size_t> widths(table_.front().size(), 0);
    for (const auto& row : table_)
      for (std::size_t i = 0; i < row.size(); ++i)
        widths[i] = std::max(widths[i], width(plain(row[i])));
    for (const auto& row : table_) {
      std::string line = "   ";
      for (std::size_t i = 0; i < row.size(); ++i)
        line += " " + (i + 1 < row.size() ? padded(plain(row[i]), widths[i] + 1) : plain(row[i]));
      while (line.ends_with(' ')) line.pop_back();
      add(line + "\n");
    }
  }

  std::vector<SectionPage> pages_;
  bool open_ = false;  // the last of them is being written
  std::string paragraph_;
  std::vector<Row> table_;
  std::vector<Row> overview_;  // of all sections, at the top of the document
};

}  // namespace

const std::vector<SectionPage>& section_pages() {
  static const std::vector<SectionPage> pages = [] {
    std::string document;
    for (const auto piece : scenario_reference("markdown")) document += piece;
    return SectionReader().read(document);
  }();
  return pages;
}

std::string describe_key(std::string_view name) {
  std::string out;
  for (const auto& section : scenario_sections())
    for (const auto& key : section.keys) {
      const bool is_choice =
          std::find(key.choices.begin(), key.choices.end(), name) != key.choices.end();
      if (key.name != name && !is_choice) continue;
      out += fmt::format("{}{} (key of [{}{}{}])\n",
                         out.empty() ? "" : "\n",
                         key.name,
                         section.array ? "[" : "",
                         section.path,
                         section.array ? "]" : "");
      const auto add = [&](std::string_view label, std::string_view text) {
        if (!text.empty()) out += fmt::format("  {}{}\n", label, plain(text));
      };
      add("", key.meaning);
      add("values: ", values_text(section, key));
      add(key.otherwise.starts_with("must") ? "" : "default: ", key.otherwise);
      if (!section.path.empty())
        out += fmt::format("  more: describe {}\n", section.path.substr(0, section.path.find('.')));
    }
  return out;
}

std::string describe_section(std::string_view name) {
  std::string out;
  for (const auto& page : section_pages())
    if (page.name == name || page.name.starts_with(fmt::format("{}.", name)))
      out += (out.empty() ? "" : "\n") + page.text;
  std::string units;
  for (const auto& [word, forms] :
       {std::pair{"a duration", kDurationUnits}, {"a size", kSizeUnits}, {"a rate", kRateUnits}})
    if (out.find(word) != std::string::npos)
      units += fmt::format("  {}: a string with {}\n", word, forms);
  return units.empty() ? out : fmt::format("{}\n{}", out, units);
}

}  // namespace posse
