// SPDX-License-Identifier: Apache-2.0
#include "program/compare/study_warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "program/base/text.hpp"

namespace posse {
namespace {

constexpr std::size_t kFewRepetitions = 5;

/// "a", "b": algorithms with these facts, each once.
std::vector<std::string> algorithms_where(
    const Study& study, const std::function<bool(const ComparisonFacts&)>& condition) {
  std::vector<std::string> labels;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a)
    for (std::size_t s = 0; s < study.settings.size(); ++s)
      if (const auto* cell = study.find(s, a); cell != nullptr && condition(cell->facts)) {
        labels.push_back(study.algorithms[a]);
        break;
      }
  return labels;
}

/// Of the first setting that the algorithm has runs in; it has them in one.
const StudyCell* first_cell(const Study& study, std::size_t algorithm) {
  std::size_t setting = 0;
  while (study.find(setting, algorithm) == nullptr) ++setting;
  return study.find(setting, algorithm);
}

/// What the algorithms do not have alike.
Sentences unfairness(const Study& study, const StudyComparison& comparison) {
  Sentences out;
  const auto with = [&](Widths widths) {
    return algorithms_where(study, [=](const auto& facts) { return facts.widths == widths; });
  };
  const auto practical = with(Widths::practical), theory = with(Widths::theory);
  if (!practical.empty() && !theory.empty())
    out.push_back(
        fmt::format("{} {} practical confidence widths, {} the theory's, which are wider; part of "
                    "the difference may come from that (parameters `constants` and `c`: `posse "
                    "describe ALGORITHM`)",
                    listed(practical),
                    practical.size() == 1 ? "has" : "have",
                    listed(theory)));
  std::map<std::pair<double, double>, std::vector<std::string>> smoothness;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a)
    if (const auto* cell = first_cell(study, a); cell->facts.nu1 && cell->facts.rho)
      smoothness[{*cell->facts.nu1, *cell->facts.rho}].push_back(study.algorithms[a]);
  if (smoothness.size() > 1) {
    std::vector<std::string> parts;
    for (const auto& [constants, labels] : smoothness)
      parts.push_back(fmt::format("{} nu1 = {}, rho = {}",
                                  listed(labels),
                                  rounded(constants.first, 4),
                                  rounded(constants.second, 4)));
    out.push_back(fmt::format(
        "the smoothness that algorithms are told differs ({}): part of the difference may "
        "come from that",
        fmt::join(parts, "; ")));
  }
  const auto random =
      algorithms_where(study, [](const auto& facts) { return facts.random_recommendation; });
  if (comparison.find("simple_regret") != nullptr && !random.empty() &&
      random.size() < study.algorithms.size())
    out.push_back(
        fmt::format("the simple regret of {} is that of a play drawn at random (recommendation = "
                    "\"uniform-play\"), not of the best that was found (\"most-pulled\")",
                    listed(random)));
  std::map<std::uint32_t, std::vector<std::string>> at_once;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a)
    if (const auto* cell = first_cell(study, a); cell->facts.pulls_at_once > 0)
      at_once[cell->facts.pulls_at_once].push_back(study.algorithms[a]);
  if (at_once.size() > 1) {
    std::vector<std::string> parts;
    for (const auto& [pulls, labels] : at_once)
      parts.push_back(fmt::format("{} {}", listed(labels), pulls));
    out.push_back(
        fmt::format("numbers of pulls under way at once differ ({}; parameters `parallel` and "
                    "`order`): virtual times compare these, not what the algorithms choose",
                    fmt::join(parts, "; ")));
  }
  return out;
}

/// Where numbers of clients differ, regrets of one client say nothing of all.
Sentences different_clients(const Study& study) {
  struct Row {
    std::string name;
    double clients, regret;
  };
  const auto row_of = [&](std::size_t s, std::size_t a, std::string name) -> std::optional<Row> {
    const auto* cell = study.find(s, a);
    if (cell == nullptr || cell->finished.empty()) return std::nullopt;
    Row row{std::move(name), 0, 0};
    double n = 0;
    for (const auto& [repetition, finals] : cell->finished) {
      const auto clients = clients_of(finals);
      const auto& regret = finals["cumulative_regret"];
      if (!clients || !regret) return std::nullopt;
      row.clients = *clients;
      row.regret += *regret * row.clients;
      ++n;
    }
    row.regret /= n;
    return row;
  };
  const auto sentence = [&](const std::vector<Row>& rows, const std::string& of) -> Sentences {
    if (rows.empty()) return {};
    const auto [least, most] = std::ranges::minmax(rows, {}, &Row::clients);
    if (std::round(least.clients) == std::round(most.clients)) return {};
    constexpr std::size_t kMostNamed = 4;
    std::vector<std::string> parts;
    for (const Row& row : rows)
      if (parts.size() < kMostNamed)
        parts.push_back(fmt::format("{} {}", row.name, pretty(rounded(row.regret, 4), "")));
    if (rows.size() > kMostNamed) parts.push_back(fmt::format("{} more", rows.size() - kMostNamed));
    return {
        fmt::format("regrets are those of one client, and numbers of clients differ: summed over "
                    "the clients, the cumulative regrets{} are {}",
                    of,
                    listed(parts))};
  };
  // Regrets of a setting are compared, and regrets of an algorithm.
  for (std::size_t s = 0; s < study.settings.size(); ++s) {
    std::vector<Row> rows;
    for (std::size_t a = 0; a < study.algorithms.size(); ++a)
      if (auto row = row_of(s, a, study.algorithms[a])) rows.push_back(std::move(*row));
    const auto of = study.settings.size() > 1 ? fmt::format(" ({})", setting_text(study, s)) : "";
    if (auto told = sentence(rows, of); !told.empty()) return told;
  }
  for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
    std::vector<Row> rows;
    for (std::size_t s = 0; s < study.settings.size(); ++s)
      if (auto row = row_of(s, a, setting_text(study, s))) rows.push_back(std::move(*row));
    const auto of = study.algorithms.size() > 1 ? fmt::format(" of {}", study.algorithms[a]) : "";
    if (auto told = sentence(rows, of); !told.empty()) return told;
  }
  return {};
}

/// Algorithms without runs in settings that compare others: "best" is among these there.
Sentences missing_algorithms(const Study& study) {
  Sentences out;
  const auto others = [&](std::size_t s, std::size_t a) {
    std::size_t count = 0;
    for (std::size_t other = 0; other < study.algorithms.size(); ++other)
      count += other != a && study.find(s, other) != nullptr;
    return count;
  };
  for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
    std::vector<std::string> without;
    bool meets = false;  // sources of an algorithm each have no settings in common
    for (std::size_t s = 0; s < study.settings.size(); ++s) {
      if (others(s, a) == 0) continue;
      if (study.find(s, a) == nullptr)
        without.push_back(setting_text(study, s));
      else
        meets = true;
    }
    if (!meets) continue;
    if (without.empty()) continue;
    out.push_back(
        fmt::format("{} has no runs in {} of {} settings ({}): what is said of these is "
                    "about the other algorithms",
                    study.algorithms[a],
                    without.size(),
                    study.settings.size(),
                    some_of(without)));
  }
  return out;
}

}  // namespace

Sentences warnings_of_runs(const Study& study) {
  // Warnings of all settings; algorithms with equal warnings share a sentence.
  std::vector<std::pair<std::string, std::vector<std::string>>> by_text;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
    std::size_t runs = 0;
    std::map<std::string, CountedWarnings::Counted> all;
    for (std::size_t s = 0; s < study.settings.size(); ++s) {
      const auto* cell = study.find(s, a);
      if (cell == nullptr) continue;
      runs += cell->finished.size();
      for (const auto& [code, counted] : cell->warnings.all())
        all.try_emplace(code, CountedWarnings::Counted{counted.largest})
            .first->second.add(counted.largest, counted.runs, counted.alike);
    }
    for (const auto& [code, counted] : all) {
      const auto where = counted.runs == runs ? fmt::format("in all {} runs", runs)
                                              : fmt::format("in {} of {} runs", counted.runs, runs);
      const auto text =
          runs == 1 ? counted.largest.text
          : counted.alike
              ? fmt::format("{}, {}", where, counted.largest.text)
              : fmt::format("{} (numbers of the worst), {}", where, counted.largest.text);
      const auto same = std::find_if(
          by_text.begin(), by_text.end(), [&](const auto& other) { return other.first == text; });
      if (same == by_text.end())
        by_text.push_back({text, {study.algorithms[a]}});
      else
        same->second.push_back(study.algorithms[a]);
    }
  }
  Sentences out;
  for (const auto& [text, labels] : by_text)
    out.push_back(fmt::format("{}: {}", listed(labels), text));
  return out;
}

Sentences study_warnings(const Study& study, const StudyComparison& comparison) {
  const StudyCounts counts = counts_of(study);
  Sentences out = warnings_of_runs(study);
  for (auto& sentence : missing_algorithms(study)) out.push_back(std::move(sentence));
  for (auto& sentence : unfairness(study, comparison)) out.push_back(std::move(sentence));
  for (auto& sentence : different_clients(study)) out.push_back(std::move(sentence));
  if (counts.unfinished > 0)
    out.push_back(
        fmt::format("{} {} not finish and {} left out; if they failed because they were hard, the "
                    "means are too optimistic",
                    counts.unfinished,
                    counts.unfinished == 1 ? "run did" : "runs did",
                    counts.unfinished == 1 ? "is" : "are"));
  if (study.self_stopped)
    out.push_back(
        "a sweep with --decide chose the numbers of repetitions by their results: the intervals "
        "and tests here are for numbers fixed before, and too optimistic; its own verdicts, in "
        "decisions.csv, hold");
  if (counts.least < kFewRepetitions)
    out.push_back(fmt::format("only {}: verdicts of so few change easily",
                              plural(counts.least, "repetition")));
  return out;
}

}  // namespace posse
