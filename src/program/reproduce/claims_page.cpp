// SPDX-License-Identifier: Apache-2.0
#include "program/reproduce/claims_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "program/base/files.hpp"
#include "program/base/text.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

/// A text in a cell of a table, or in a paragraph.
std::string in_markdown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_' || c == '<' || c == '`' || c == '[') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

using Some = std::vector<const Reproduction*>;

Some those_of(const Paper& paper, const std::vector<Reproduction>& reproductions) {
  Some some;
  for (const auto& r : reproductions)
    if (r.figure->paper == paper.citation) some.push_back(&r);
  return some;
}

/// "12 reproduced, 3 not reproduced"
std::string counts(const Some& reproductions) {
  std::string out;
  for (const auto verdict : kVerdicts) {
    std::size_t n = 0;
    for (const auto* r : reproductions) n += r->count(verdict);
    if (n > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", n, to_string(verdict));
  }
  return out;
}

/// A row per figure.
std::string table_of(const Some& reproductions) {
  std::string out = "| row | in the paper | verdicts |\n| --- | --- | --- |\n";
  for (const auto* r : reproductions)
    out += fmt::format("| [{0}](#{0}) | {1} | {2} |\n",
                       r->figure->name,
                       in_markdown(r->figure->number),
                       counts({r}));
  return out + "\n";
}

std::string figure_part(const Reproduction& r, const fs::path& folder) {
  const auto& figure = *r.figure;
  std::string out = fmt::format("### {}\n\n", figure.name);
  for (const auto& text : {figure.number, figure.summary})
    if (!text.empty()) out += in_markdown(capitalized(text)) + ". ";
  out += fmt::format("`posse reproduce {}{}`, {} s.\n\n",
                     figure.shipped ? "" : figure.source.location.file + " ",
                     figure.name,
                     pretty_number(rounded(r.wall_s, 2)));
  out += "| the paper | verdict | measured |\n| --- | --- | --- |\n";
  std::string_view last;
  for (const auto& [claim, judgement] : r.claims) {
    out += fmt::format("| {} | {} | {} |\n",
                       claim.text == last ? "" : in_markdown(claim.text),
                       to_string(judgement.verdict),
                       in_markdown(measured_text(judgement)));
    last = claim.text;
  }
  out += "\n";
  if (!figure.unknown.empty())
    out += fmt::format("Setting unknown: {}\n\n", in_markdown(figure.unknown));
  if (!r.plots.empty()) {
    const auto picture = figure.name + ".svg";
    fs::copy_file(
        r.folder / r.plots.front(), folder / picture, fs::copy_options::overwrite_existing);
    out += fmt::format("![{}]({})\n\n", in_markdown(figure.summary), picture);
  }
  for (const auto& note : figure.notes) out += fmt::format("- {}\n", in_markdown(note));
  if (!figure.wrong.empty())
    out += fmt::format("- A planted mistake, `--wrong`: `{}`\n", fmt::join(figure.wrong, "`, `"));
  return out + "\n";
}

}  // namespace

void write_claims_page(const std::vector<Paper>& papers,
                       const std::vector<Reproduction>& reproductions,
                       const fs::path& folder) {
  fs::create_directories(folder);
  double seconds = 0;
  Some all;
  for (const auto& r : reproductions) {
    seconds += r.wall_s;
    all.push_back(&r);
  }
  std::string out = fmt::format(
      "# What the papers claim, and what holds\n\n{} figures, tables and theorems, run in {} s: "
      "{}. "
      "Verdicts compare 95 % intervals over the repetitions with the claim. "
      "`posse reproduce all --page DIR` makes this page.\n\n",
      reproductions.size(),
      pretty_number(rounded(seconds, 2)),
      counts(all));
  for (const auto& paper : papers) {
    const auto its = those_of(paper, reproductions);
    if (its.empty()) continue;
    out +=
        fmt::format("## {}\n\n{}.\n\n{}", in_markdown(paper.citation), counts(its), table_of(its));
    for (const auto* r : its) out += figure_part(*r, folder);
    if (!paper.left_out.empty()) out += "Without a row:\n\n";
    for (const auto& left : paper.left_out)
      out += fmt::format("- {}: {}\n", in_markdown(left.what), in_markdown(left.why));
    if (!paper.left_out.empty()) out += "\n";
  }
  write_file(folder / "claims.md", out);
}

}  // namespace posse
