// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/decision.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "core/base/check.hpp"
#include "program/compare/study_report.hpp"
#include "program/sweep/collect.hpp"

namespace posse {
namespace {

/// What decisions.csv says of a candidate.
std::string_view result_of(const Race& race, std::size_t candidate) {
  const Race::Candidate& it = race.candidates()[candidate];
  if (it.beaten_by || (it.equal_to && race.candidates()[*it.equal_to].beaten_by)) return "beaten";
  if (race.state() != RaceState::decided) return "open";
  return it.equal_to ? "equal" : "best";
}

}  // namespace

SweepDecision::SweepDecision(const SweepPlan& plan,
                             double error,
                             std::optional<std::size_t> measure)
    : plan_(plan), error_(error), measure_(measure) {
  const std::size_t settings = plan.settings();
  const std::size_t races = between_settings() ? 1 : settings;
  for (std::size_t v = 0; v < races; ++v) {
    const auto algorithms = plan.algorithms_in(v);
    const std::size_t candidates = between_settings() ? settings : algorithms.size();
    Verdict& verdict = verdicts_.emplace_back(
        Verdict{{candidates, error / static_cast<double>(races), plan.repeat()}, {}, {}});
    for (std::size_t c = 0; c < candidates; ++c)
      verdict.cells.push_back(between_settings() ? Cell{c, 0} : Cell{v, algorithms[c]});
    verdict.values.resize(candidates);
  }
}

std::vector<std::size_t> SweepDecision::positions(bool only_new) const {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < plan_.runs().size(); ++i) {
    const PlannedRun& run = plan_.runs()[i];
    const Verdict& verdict = verdicts_[between_settings() ? 0 : run.setting];
    const std::size_t candidate =
        between_settings() ? run.setting : plan_.position_in(run.setting, run.algorithm);
    const bool seen = run.repetition < verdict.values[candidate].size();
    if (run.repetition < verdict.race.candidates()[candidate].repetitions && !(only_new && seen))
      positions.push_back(i);
  }
  return positions;
}

std::vector<std::size_t> SweepDecision::runs() const { return positions(false); }

std::vector<std::size_t> SweepDecision::new_runs() const { return positions(true); }

std::size_t SweepDecision::distinct_runs() const {
  std::unordered_set<std::string> keys;
  for (const auto i : runs()) keys.insert(plan_.runs()[i].key);
  return keys.size();
}

void SweepDecision::look(const RunStore& store) {
  const bool first = read_.empty();
  for (const auto i : new_runs()) {
    const auto& key = plan_.runs()[i].key;
    if (read_.contains(key) || !store.has(key)) continue;
    read_[key] = stored_finals(store.folder(key));
  }
  if (!measure_) {
    const auto has = [&](std::size_t q) {
      return std::any_of(read_.begin(), read_.end(), [q](const auto& run) {
        return run.second && (*run.second)[q];
      });
    };
    for (const auto name : kMainMeasures)
      if (const auto q = *quantity_named(name); !measure_ && has(q)) measure_ = q;
    if (!measure_) measure_ = 0;
  }
  if (const auto instead = per_evaluation(*measure_); first && instead && work_differs())
    replaced_ = std::exchange(measure_, instead);
  for (auto& [race, of, values] : verdicts_) {
    if (race.state() != RaceState::racing) continue;
    for (std::size_t c = 0; c < of.size(); ++c)
      for (auto r = values[c].size(); r < race.candidates()[c].repetitions; ++r) {
        const Finals* run = finals(of[c], r);
        const auto value = run != nullptr ? (*run)[*measure_] : std::nullopt;
        values[c].push_back(value && std::isfinite(*value)
                                ? std::optional(quantity_at(*measure_).as_cost(*value))
                                : std::nullopt);
      }
    race.look(values);
  }
}

const Finals* SweepDecision::finals(const Cell& cell, std::size_t repetition) const {
  const auto& run = plan_.run(cell.setting, cell.algorithm, repetition);
  const auto it = read_.find(run.key);
  return it != read_.end() && it->second ? &*it->second : nullptr;
}

bool SweepDecision::work_differs() const {
  const auto evaluations = *quantity_named("evaluations_per_client");
  for (const auto& [race, of, values] : verdicts_) {
    std::vector<double> means;
    for (std::size_t c = 0; c < of.size(); ++c) {
      std::vector<double> made;
      for (std::uint32_t r = 0; r < race.candidates()[c].repetitions; ++r)
        if (const Finals* run = finals(of[c], r); run != nullptr && (*run)[evaluations])
          made.push_back(*(*run)[evaluations]);
      if (!made.empty()) means.push_back(statistics(made).mean);
    }
    if (means.empty()) continue;
    const auto [least, most] = std::minmax_element(means.begin(), means.end());
    if (posse::work_differs(*least, *most)) return true;
  }
  return false;
}

bool SweepDecision::done() const { return repetitions() == 0; }

std::size_t SweepDecision::decided() const {
  return static_cast<std::size_t>(
      std::count_if(verdicts_.begin(), verdicts_.end(), [](const Verdict& verdict) {
        return verdict.race.state() == RaceState::decided;
      }));
}

std::uint32_t SweepDecision::repetitions() const {
  std::uint32_t most = 0;
  for (const auto& verdict : verdicts_)
    if (verdict.race.state() == RaceState::racing)
      for (const auto& candidate : verdict.race.candidates())
        most = std::max(most, candidate.repetitions);
  return most;
}

std::size_t SweepDecision::without_value() const {
  std::size_t count = 0;
  for (const auto& verdict : verdicts_)
    for (const auto& values : verdict.values)
      count += static_cast<std::size_t>(std::count(values.begin(), values.end(), std::nullopt));
  return count;
}

std::vector<ComparedCandidate> compared_candidates(const SweepDecision::Verdict& verdict) {
  const Race& race = verdict.race;
  const auto leader = race.leader(verdict.values);
  std::vector<ComparedCandidate> all;
  for (std::size_t c = 0; c < verdict.cells.size(); ++c) {
    ComparedCandidate& one = all.emplace_back();
    one.cell = verdict.cells[c];
    one.repetitions = race.candidates()[c].repetitions;
    one.result = result_of(race, c);
    if (leader && c != *leader) one.above_leader = race.difference(verdict.values, c, *leader).mean;
    one.other = race.candidates()[c].beaten_by;
    if (!one.other && leader && c != *leader) one.other = leader;
    if (!one.other) continue;
    one.to_other = race.difference(verdict.values, c, *one.other);
    one.interval = race.interval(*one.to_other);
  }
  return all;
}

DataTable decisions_table(const SweepDecision& decision) {
  struct Row {
    const SweepDecision::Verdict& verdict;
    const ComparedCandidate& one;
    const TableRow& setting;
  };
  const auto settings = std::make_shared<SettingColumns>(setting_columns(decision.plan()));
  const auto& algorithms = decision.plan().algorithms();
  ColumnsOf<Row> columns;
  columns.add("setting", [](const Row& row) { return row.one.cell.setting + 1; });
  for (std::size_t i = 0; i < settings->columns.size(); ++i)
    columns.add(settings->columns[i].name, settings->columns[i].type, [i](const Row& row) {
      return row.setting[i];
    });
  columns.add("algorithm", [&](const Row& row) { return algorithms[row.one.cell.algorithm]; })
      .add("repetitions", [](const Row& row) { return row.one.repetitions; })
      .add("result", [](const Row& row) { return row.one.result; })
      .add("to",
           [&](const Row& row) -> std::string {
             if (!row.one.other) return "";
             const auto& other = row.verdict.cells[*row.one.other];
             return decision.between_settings() ? fmt::format("{}", other.setting + 1)
                                                : algorithms[other.algorithm];
           })
      .add("pairs",
           [](const Row& row) {
             return row.one.to_other && row.one.to_other->n > 0 ? std::optional(row.one.to_other->n)
                                                                : std::nullopt;
           })
      .add("difference",
           [](const Row& row) {
             return row.one.to_other && row.one.to_other->n > 0
                        ? std::optional(row.one.to_other->mean)
                        : std::nullopt;
           })
      .add("low",
           [](const Row& row) {
             return row.one.interval ? std::optional(row.one.interval->low) : std::nullopt;
           })
      .add("high",
           [](const Row& row) {
             return row.one.interval ? std::optional(row.one.interval->high) : std::nullopt;
           })
      .add("measure", [&](const Row&) { return quantity_at(decision.measure()).name; })
      .add("error", [&](const Row&) { return decision.error(); });
  return columns.table([&decision, settings](const auto& use) {
    for (const auto& verdict : decision.verdicts())
      for (const auto& one : compared_candidates(verdict))
        use({verdict, one, settings->rows[one.cell.setting]});
  });
}

}  // namespace posse
