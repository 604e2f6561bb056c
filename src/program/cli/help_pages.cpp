// SPDX-License-Identifier: Apache-2.0
#include "program/cli/help_pages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "program/base/exit_codes.hpp"
#include "program/base/quantities.hpp"
#include "program/base/terminal.hpp"
#include "program/base/text.hpp"
#include "program/cli/section_pages.hpp"
#include "program/metrics/definitions.hpp"
#include "program/reproduce/checks.hpp"
#include "program/reproduce/claims_file.hpp"
#include "program/reproduce/reproduce.hpp"
#include "program/reproduce/shipped_papers.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/fault_reader.hpp"
#include "program/scenario/json_schema.hpp"
#include "program/scenario/key_tables.hpp"
#include "program/scenario/schema.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {

namespace {

bool is_listed(const CatalogEntry& entry, const std::string& category) {
  if (category == kNetworks) {
    return entry.category == "latencies" || entry.category == "losses";
  }
  return category.empty() || entry.category == category;
}

/// A metric's type and labels.
std::string metric_lines(std::string_view name) {
  std::string out;
  for (const auto& m : metric_definitions()) {
    if (m.name != name) continue;
    const std::vector<std::string_view> labels(m.labels.begin(),
                                               m.labels.begin() + m.label_count());
    out += fmt::format("  type: {}\n  labels: {}\n",
                       to_string(m.type),
                       labels.empty() ? "none" : fmt::format("{}", fmt::join(labels, ", ")));
  }
  return out;
}

}  // namespace

namespace {

std::string parameter_text(const ParameterSpec& p) {
  constexpr std::size_t kColumn = 19;
  return hanging(fmt::format("    {}", p.name), p.help, kColumn) +
         wrapped(fmt::format("default {}; {}{}",
                             p.required ? "none: must be given" : format_value(p, p.default_value),
                             range_text(p),
                             p.unit.empty() ? "" : fmt::format("; in {}", p.unit)),
                 std::string(kColumn, ' '));
}

/// A component's parameter by the path that errors name: "algorithm.0.c", of all kinds that have
/// it, or "algorithm.fed-pne.c".
std::string describe_parameter(std::string_view path) {
  const auto first = path.find('.'), last = path.rfind('.');
  if (first == std::string_view::npos) return "";
  const auto section = path.substr(0, first), name = path.substr(last + 1);
  const auto between = last > first ? path.substr(first + 1, last - first - 1) : std::string_view();
  const auto is_of = [&](const CatalogEntry& entry) {
    if (section == "objective") {
      if (between == "noise") return entry.category == "noises";
      if (between == "heterogeneity") return entry.category == "heterogeneity";
      return entry.category == "objectives";
    }
    return entry.category == fmt::format("{}s", section);
  };
  const auto all = everything_listed();
  const bool kind_given = std::ranges::any_of(
      all, [&](const CatalogEntry& entry) { return is_of(entry) && entry.kind == between; });
  std::string out;
  for (const auto& entry : all) {
    if (!is_of(entry) || entry.parameters == nullptr || (kind_given && entry.kind != between))
      continue;
    for (const auto& p : *entry.parameters)
      if (p.name == name)
        out += fmt::format("{} ({})\n{}", entry.kind, entry.category, parameter_text(p));
  }
  return out;
}

}  // namespace

namespace {

void add_sections(std::string_view category,
                  const std::vector<SectionSpec>& sections,
                  std::string_view document,
                  std::vector<CatalogEntry>& to) {
  static std::map<std::string_view, std::string> plain;  // summaries, for good
  for (const auto& section : sections) {
    if (section.path.empty() || section.path.ends_with("*")) continue;
    const auto& summary =
        plain.try_emplace(section.summary, without_markup(section.summary)).first->second;
    to.push_back({category, std::string(section.path), summary, document, nullptr, nullptr});
  }
}

}  // namespace

std::vector<CatalogEntry> everything_listed(Figures figures) {
  auto all = catalog();
  add_sections("sections", scenario_sections(), "docs/scenario.md", all);
  for (const auto& f : fault_kinds())
    all.push_back({"faults",
                   std::string(f.name),
                   f.summary,
                   "[[fault]] kind; keys: posse describe fault",
                   nullptr,
                   nullptr});
  for (const auto& name : quantity_names())
    all.push_back({"measures",
                   name,
                   quantity_at(*quantity_named(name)).meaning,
                   "--measure, --until-ci and [thresholds]",
                   nullptr,
                   nullptr});
  for (const auto& m : metric_definitions())
    all.push_back({"metrics", std::string(m.name), m.help, "docs/watching.md", nullptr, nullptr});
  add_sections("claims", claims_sections(), "docs/claims.md", all);
  for (const auto& check : check_specs())
    all.push_back({"checks",
                   std::string(check.kind),
                   check.summary,
                   "docs/claims.md",
                   &check.parameters,
                   nullptr});
  if (figures == Figures::listed)
    for (const auto& paper : shipped_papers_or_none())
      for (const auto& f : paper.figures)
        all.push_back({"figures", f.name, f.summary, f.paper, nullptr, nullptr});
  for (const auto& c : kExitCodes)
    all.push_back(
        {"exit-codes", fmt::format("{}", to_int(c.code)), c.meaning, "", nullptr, nullptr});
  return all;
}

namespace {

std::vector<CatalogEntry> entries_in(const std::string& category) {
  if (category == "figures") shipped_papers();  // which may throw
  return everything_listed(category.empty() || category == "figures" ? Figures::listed
                                                                     : Figures::left_out);
}

std::vector<CatalogEntry> entries_named(const std::string& kind, Figures figures) {
  auto entries = everything_listed(figures);
  std::erase_if(entries, [&](const CatalogEntry& entry) { return entry.kind != kind; });
  return entries;
}

}  // namespace

std::vector<std::string> categories_listed() {
  std::vector<std::string> categories;
  for (const auto& entry : everything_listed(Figures::left_out))
    if (categories.empty() || categories.back() != entry.category) {
      if (entry.category == "exit-codes") categories.emplace_back("figures");
      categories.emplace_back(entry.category);
    }
  return categories;
}

std::string list_page(const std::string& category) {
  const auto entries = entries_in(category);
  const bool several = category.empty() || category == kNetworks;
  const bool is_terminal = terminal_columns(STDOUT_FILENO).has_value();  // else a line per entry
  std::string out;
  std::string_view current;
  for (const auto& entry : entries) {
    if (!is_listed(entry, category)) continue;
    if (several && entry.category != current)
      out += fmt::format("{}{}\n", out.empty() ? "" : "\n", entry.category);
    current = entry.category;
    std::size_t widest = 16;
    for (const auto& other : entries)
      if (other.category == entry.category) widest = std::max(widest, other.kind.size());
    const std::string indent = several ? "  " : "";
    if (is_terminal)
      out += hanging(indent + entry.kind, entry.summary, indent.size() + widest + 1);
    else
      out += fmt::format("{}{:<{}} {}\n", indent, entry.kind, widest, entry.summary);
  }
  return out;
}

std::optional<std::string> describe_page(const std::string& kind) {
  std::string out;
  auto entries = entries_named(kind, Figures::left_out);
  if (entries.empty()) {
    if (auto page = describe_key(kind); !page.empty()) return page;
    if (auto page = describe_parameter(kind); !page.empty()) return page;
    entries = entries_named(kind, Figures::listed);
  }
  for (const auto& entry : entries) {
    if (!out.empty()) out += "\n";
    if (entry.category == "sections" || entry.category == "claims") {
      out += describe_section(kind);
      continue;
    }
    if (entry.category == "figures") {
      out += figure_page(*find_figure(shipped_papers_or_none(), kind));
      continue;
    }
    out += fmt::format("{} ({})\n", entry.kind, entry.category) + wrapped(entry.summary, "  ");
    if (!entry.source.empty()) out += wrapped(fmt::format("source: {}", entry.source), "  ");
    if (entry.category == "metrics") out += metric_lines(kind);
    if (const auto* a = entry.algorithm) {
      out += fmt::format("  topology: {}\n", to_string(a->topology));
      out +=
          wrapped(fmt::format("needs {}; server policies: {}",
                              a->needs_problem ? "[objective] and [budget] evaluations_per_client"
                              : a->needs_arms  ? "[[arm]] and [budget] pulls"
                                               : "no objective",
                              a->uses_policy ? "all, quorum, deadline" : "all"),
                  "  ");
      std::string messages;
      for (const auto* type : a->messages)
        messages += fmt::format("{}{}", messages.empty() ? "" : ", ", type->name);
      out += wrapped(fmt::format("messages: {}", messages.empty() ? "none" : messages), "  ");
      out += wrapped(fmt::format("crash with loss of state: {}", a->state_loss), "  ");
    }
    if (entry.parameters == nullptr) continue;
    if (!(entry.category == "losses" && kind == "by-type"))  // its summary has them
      out += entry.parameters->empty() ? "  no parameters\n" : "  parameters:\n";
    for (const auto& p : *entry.parameters) out += parameter_text(p);
  }
  if (out.empty()) return std::nullopt;
  return out;
}

Json list_json(const std::string& category) {
  auto rows = Json::array();
  for (const auto& entry : entries_in(category))
    if (is_listed(entry, category))
      rows.push_back(
          {{"category", entry.category}, {"name", entry.kind}, {"summary", entry.summary}});
  return rows;
}

Json describe_json(const std::string& kind) {
  auto found = Json::array();
  auto entries = entries_named(kind, Figures::left_out);
  if (entries.empty()) entries = entries_named(kind, Figures::listed);
  for (const auto& entry : entries) {
    Json row{{"category", entry.category}, {"name", entry.kind}, {"summary", entry.summary}};
    if (!entry.source.empty()) row["source"] = entry.source;
    if (const auto* a = entry.algorithm) {
      row["topology"] = to_string(a->topology);
      row["needs"] = a->needs_problem ? "objective" : a->needs_arms ? "arm" : "";
      row["uses_server_policy"] = a->uses_policy;
      row["averages"] = a->averages;
      row["messages"] = Json::array();
      for (const auto* type : a->messages) row["messages"].push_back(type->name);
      row["state_loss"] = a->state_loss;
    }
    if (entry.category == "sections" || entry.category == "claims") {
      row["sections"] = Json::array();
      for (const auto& section :
           entry.category == "claims" ? claims_sections() : scenario_sections())
        if (section.path == kind || section.path.starts_with(kind + "."))
          row["sections"].push_back(section_json(section));
    }
    if (entry.category == "metrics")
      for (const auto& m : metric_definitions())
        if (m.name == kind) {
          row["type"] = to_string(m.type);
          row["labels"] =
              std::vector<std::string_view>(m.labels.begin(), m.labels.begin() + m.label_count());
        }
    if (entry.parameters != nullptr) row["parameters"] = parameters_json(*entry.parameters);
    found.push_back(std::move(row));
  }
  return found;
}

std::string new_scenario(const std::string& name) {
  return fmt::format(R"(# Describe the question of this scenario here.
#
# posse list             list all components
# posse check {0}.toml   check keys, units and ranges
# posse plan {0}.toml    print upper limits of evaluations, rounds, messages and bytes
# posse run {0}.toml     run it

name = {1}
seed = 1       # scenario and seed determine every bit of the results
repeat = 5     # repetitions, each with its own random numbers

# Several algorithms are compared under common random numbers. `posse describe fed-pne` lists all
# parameters and their defaults.
[[algorithm]]
kind = "fed-pne"
nu1 = 1.4      # smoothness of the objective: |f* - f(x)| <= nu1 rho^h in the best cell of depth h
rho = 0.7071

[[algorithm]]
kind = "parallel"
constants = "practical"   # confidence widths as small as those of Fed-PNE; the default is the theory's
nu1 = 1.4
rho = 0.7071

[population]
clients = 4    # clients of Fed-PNE, players of the parallel algorithm

[objective]
kind = "garland"
heterogeneity = {{ kind = "none" }}              # or {{ kind = "shift" }}: clients differ
noise = {{ kind = "uniform", half_width = 0.1 }}

[budget]
evaluations_per_client = 1000

# `posse describe network` prints all keys of this section, and likewise for the others.
[network]
latency = {{ kind = "exponential", mean = "40 ms", floor = "10 ms" }}
loss = {{ kind = "bursts", average = 0.01, mean_bad = "100 ms" }}
transport = "reliable"                         # lost messages are retransmitted

[compute]
evaluation = "1 ms"                            # virtual time of one evaluation

# A server that does not wait for everyone (Fed-PNE only):
# [server]
# policy = "deadline"                          # or "quorum", "all"
# deadline = "500 ms"
)",
                     name,
                     toml_string(name));
}

}  // namespace posse
