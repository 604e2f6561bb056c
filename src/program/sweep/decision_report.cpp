// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/decision_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "program/base/units.hpp"
#include "program/sweep/sequential_test.hpp"

namespace posse {
namespace {

using Verdict = SweepDecision::Verdict;

std::string name_of(const SweepDecision& decision,
                    const std::vector<std::string>& settings,
                    const SweepDecision::Cell& cell) {
  return decision.between_settings() ? settings[cell.setting]
                                     : decision.plan().algorithms()[cell.algorithm];
}

std::string setting_of(const std::vector<std::string>& settings, std::size_t setting) {
  return settings[setting].empty() ? fmt::format("setting {}", setting + 1) : settings[setting];
}

std::string joined(const std::vector<std::string>& words, std::string_view last) {
  if (words.size() < 2) return words.empty() ? "" : words.front();
  const std::vector<std::string> first(words.begin(), words.end() - 1);
  return fmt::format("{} {} {}", fmt::join(first, ", "), last, words.back());
}

/// "18.2 (15.1 to 21.3)"
std::string amount_text(const ComparedCandidate& one, std::string_view unit) {
  if (!one.to_other || one.to_other->n == 0) return "";
  const double mean = one.to_other->mean;
  if (!one.interval) return pretty(rounded(mean, 3), unit) + " (no interval yet)";
  if (one.interval->low == one.interval->high) return pretty(rounded(mean, 5), unit);
  const auto shown = shown_interval(mean, *one.interval, unit);
  return fmt::format("{} ({} to {})", shown.mean, shown.low, shown.high);
}

/// Candidates of a verdict as it stands.
struct CandidateStanding {
  std::vector<ComparedCandidate> all;
  std::vector<std::size_t> best;       // with those that equal it; empty if undecided
  std::vector<std::size_t> open;       // if undecided
  std::optional<std::size_t> next;     // the one closest to the leader, by its mean
  std::uint32_t fewest = 0, most = 0;  // repetitions
};

CandidateStanding standing_of(const Verdict& verdict) {
  CandidateStanding now;
  now.all = compared_candidates(verdict);
  now.fewest = now.all.front().repetitions;
  for (std::size_t c = 0; c < now.all.size(); ++c) {
    const ComparedCandidate& one = now.all[c];
    now.fewest = std::min(now.fewest, one.repetitions);
    now.most = std::max(now.most, one.repetitions);
    if (one.result == "best" || one.result == "equal") now.best.push_back(c);
    if (one.result == "open") now.open.push_back(c);
    if (one.result == "equal" || !one.to_other || one.to_other->n == 0) continue;
    if (!now.next || one.above_leader < now.all[*now.next].above_leader) now.next = c;
  }
  return now;
}

/// Repetitions that would decide if differences stay as they look now.
std::string needed_text(const Verdict& verdict, const CandidateStanding& now) {
  std::size_t needed = 0;
  for (const auto c : now.open) {
    const auto& one = now.all[c];
    if (!one.to_other) continue;
    const Statistics& s = *one.to_other;
    if (s.n < 2 || s.sd == 0 || s.mean <= 0) return "";
    const auto n = anytime_values_for(s.sd, s.mean, verdict.race.pair_error());
    if (!n) return "over a million";
    needed = std::max(needed, *n);
  }
  return needed == 0
             ? ""
             : fmt::format("about {}", pretty_number(rounded(static_cast<double>(needed), 2)));
}

std::string range_of(std::uint32_t low, std::uint32_t high) {
  return low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high);
}

class Report {
 public:
  Report(const SweepDecision& decision, const std::vector<std::string>& settings)
      : decision_(decision), settings_(settings), quantity_(quantity_at(decision.measure())) {
    for (const auto& verdict : decision.verdicts()) standings_.push_back(standing_of(verdict));
  }

  DecisionReport made() const {
    return {title(),
            headline(),
            decision_.between_settings() ? settings_table() : verdicts_table(),
            notes(),
            warnings()};
  }

 private:
  std::string title() const {
    std::uint32_t fewest = standings_.front().fewest, most = 0;
    for (const auto& now : standings_) {
      fewest = std::min(fewest, now.fewest);
      most = std::max(most, now.most);
    }
    const SweepPlan& plan = decision_.plan();
    return fmt::format("{}: {}{} algorithm{}, {} of {} repetitions, paired by seed",
                       plan.name(),
                       plan.settings() > 1 ? fmt::format("{} settings × ", plan.settings()) : "",
                       plan.algorithms().size(),
                       plan.algorithms().size() == 1 ? "" : "s",
                       range_of(fewest, most),
                       plan.repeat());
  }

  std::string names(const Verdict& verdict,
                    const std::vector<std::size_t>& candidates,
                    std::string_view last) const {
    constexpr std::size_t kMostNames = 4;
    if (candidates.size() > kMostNames)
      return fmt::format("{} of {}", candidates.size(), verdict.cells.size());
    std::vector<std::string> words;
    words.reserve(candidates.size());
    for (const auto c : candidates)
      words.push_back(name_of(decision_, settings_, verdict.cells[c]));
    return joined(words, last);
  }

  /// " in 3 of 12 settings", " at 20 ms; 200 ms"
  std::string where(const std::vector<std::size_t>& verdicts) const {
    constexpr std::size_t kMostNames = 4;
    const auto all = decision_.verdicts().size();
    if (all == 1) return "";
    if (verdicts.size() == all) return fmt::format(" in all {} settings", all);
    if (verdicts.size() > kMostNames)
      return fmt::format(" in {} of {} settings", verdicts.size(), all);
    std::vector<std::string> names;
    names.reserve(verdicts.size());
    for (const auto v : verdicts) names.push_back(setting_of(settings_, v));
    return fmt::format(" at {}", fmt::join(names, "; "));
  }

  std::vector<std::string> headline() const {
    std::map<std::vector<std::size_t>, std::vector<std::size_t>> won;  // verdicts by the best ones
    std::vector<std::size_t> open;
    for (std::size_t v = 0; v < standings_.size(); ++v)
      (standings_[v].best.empty() ? open : won[standings_[v].best]).push_back(v);
    std::vector<std::string> out;
    for (const auto& [best, verdicts] : won) {
      const auto who = names(decision_.verdicts()[verdicts.front()], best, "and");
      out.push_back(best.size() == 1
                        ? fmt::format("{} is best on {}{}.", who, quantity_.label, where(verdicts))
                        : fmt::format("{} had the same {} in every repetition, the {}{}: "
                                      "what is rare would not show.",
                                      who,
                                      quantity_.label,
                                      quantity_.best_place(),
                                      where(verdicts)));
    }
    if (!open.empty()) {
      const auto given_up = std::count_if(open.begin(), open.end(), [&](std::size_t v) {
        return decision_.verdicts()[v].race.state() == RaceState::hopeless;
      });
      const auto& repeat = decision_.plan().repeat();
      out.push_back(fmt::format(
          "Undecided which {} is best on {}{}{}.",
          decision_.between_settings() ? "setting" : "algorithm",
          quantity_.label,
          where(open),
          given_up == 0 ? fmt::format(" with {} repetitions", repeat)
          : static_cast<std::size_t>(given_up) == open.size()
              ? fmt::format("; {} repetitions are unlikely to tell", repeat)
              : fmt::format(
                    "; in {} of them {} repetitions are unlikely to tell", given_up, repeat)));
    }
    return out;
  }

  TextTable verdicts_table() const {
    const bool needs = std::any_of(
        standings_.begin(), standings_.end(), [](const auto& now) { return now.best.empty(); });
    std::vector<std::string> header{"", "best", "next", worse_by(), "repetitions"};
    if (needs) header.emplace_back("would decide");
    TextTable table(header);
    for (std::size_t v = 0; v < standings_.size(); ++v) {
      const CandidateStanding& now = standings_[v];
      const Verdict& verdict = decision_.verdicts()[v];
      std::vector<std::string> row{
          standings_.size() > 1 ? setting_of(settings_, v) : "",
          now.best.empty() ? names(verdict, now.open, "or") + " ?" : names(verdict, now.best, "="),
          now.next ? name_of(decision_, settings_, verdict.cells[*now.next]) : "",
          now.next ? amount_of_next(verdict, now) : "",
          range_of(now.fewest, now.most)};
      if (needs) row.push_back(now.best.empty() ? needed_text(verdict, now) : "");
      table.add(std::move(row));
    }
    return table;
  }

  std::string worse_by() const {
    return fmt::format("{} {} by", quantity_.worse(), quantity_.label);
  }

  /// Above the best; above another where that one showed that it is not.
  std::string amount_of_next(const Verdict& verdict, const CandidateStanding& now) const {
    const auto& one = now.all[*now.next];
    const bool above_best =
        now.best.empty() ||
        std::find(now.best.begin(), now.best.end(), *one.other) != now.best.end();
    return amount_text(one, quantity_.unit) +
           (above_best ? "" : " than " + name_of(decision_, settings_, verdict.cells[*one.other]));
  }

  TextTable settings_table() const {
    const Verdict& verdict = decision_.verdicts().front();
    const CandidateStanding& now = standings_.front();
    TextTable table({"", "", worse_by(), "repetitions"});
    for (std::size_t c = 0; c < now.all.size(); ++c) {
      const auto& one = now.all[c];
      table.add({setting_of(settings_, verdict.cells[c].setting),
                 one.result == "beaten"
                     ? "beaten by " + setting_of(settings_, verdict.cells[*one.other].setting)
                 : one.result == "open"
                     ? one.other
                           ? "? beside " + setting_of(settings_, verdict.cells[*one.other].setting)
                           : fmt::format("? {} mean", quantity_.best_place())
                     : std::string(one.result),
                 amount_text(one, quantity_.unit),
                 fmt::format("{}", one.repetitions)});
    }
    return table;
  }

  std::vector<std::string> notes() const {
    const auto made = decision_.distinct_runs(), planned = decision_.plan().distinct_runs();
    const auto held = decision_.decided(), all = decision_.verdicts().size();
    const auto others = decision_.verdicts().front().cells.size() - 1;
    const auto share = 100.0 * static_cast<double>(made) / static_cast<double>(planned);
    std::vector<std::string> out{fmt::format(
        "{} of {} verdicts hold. The probability that any of them is wrong is at most {} %, for "
        "differences that are roughly normal: each comparison of two has the error {} / {} = {}, "
        "and "
        "an interval that holds at any number of repetitions.",
        held,
        all,
        rounded(decision_.error() * 100, 6),
        rounded(decision_.error(), 6),
        all * others,
        rounded(decision_.verdicts().front().race.pair_error(), 2))};
    if (some_are_constant())
      out.emplace_back(
          "A difference without an interval was the same in every repetition, often enough to be "
          "taken for that of more than half of all.");
    out.push_back(fmt::format("{} of {} runs ({} %)", made, planned, rounded(share, 2)));
    return out;
  }

  bool some_are_constant() const {
    return std::any_of(standings_.begin(), standings_.end(), [](const CandidateStanding& now) {
      return std::any_of(now.all.begin(), now.all.end(), [](const ComparedCandidate& one) {
        return one.interval && one.interval->low == one.interval->high;
      });
    });
  }

  std::vector<std::string> warnings() const {
    std::vector<std::string> out;
    if (decision_.replaced())
      out.push_back(fmt::format(
          "evaluations per client differ: the verdicts are on {}, since fewer make {} smaller",
          quantity_.label,
          quantity_at(*decision_.replaced()).label));
    else if (const auto other = per_evaluation(decision_.measure());
             other && decision_.work_differs())
      out.push_back(fmt::format(
          "evaluations per client differ, but did not in the first repetitions: fewer make {} "
          "smaller; --measure {} compares what can be compared",
          quantity_.label,
          quantity_at(*other).name));
    const auto without = decision_.without_value();
    if (without == 0) return out;
    out.push_back(
        fmt::format("{} of the runs that were asked for ha{} no {}, and {} left out; if these are "
                    "the difficult ones, the verdicts are too good",
                    without,
                    without == 1 ? "s" : "ve",
                    quantity_.label,
                    without == 1 ? "is" : "are"));
    return out;
  }

  const SweepDecision& decision_;
  const std::vector<std::string>& settings_;
  const Quantity& quantity_;
  std::vector<CandidateStanding> standings_;
};

std::string_view state_text(RaceState state) {
  switch (state) {
    case RaceState::decided:
      return "decided";
    case RaceState::hopeless:
      return "given up";
    case RaceState::racing:
    case RaceState::undecided:
      break;
  }
  return "undecided";
}

}  // namespace

DecisionReport decision_report(const SweepDecision& decision,
                               const std::vector<std::string>& settings) {
  return Report(decision, settings).made();
}

std::string to_text(const DecisionReport& report) {
  auto out = report.title + "\n\n";
  for (const auto& sentence : report.headline) out += wrapped(sentence, "");
  for (const auto& warning : report.warnings) out += wrapped("warning: " + warning, "");
  out += "\n" + report.table.text() + "\n";
  for (const auto& note : report.notes) out += wrapped(note, "");
  return out;
}

Json decision_json(const SweepDecision& decision, const std::vector<std::string>& settings) {
  const DecisionReport report = decision_report(decision, settings);
  Json json{{"name", decision.plan().name()},
            {"title", report.title},
            {"headline", report.headline},
            {"warnings", report.warnings},
            {"tables", {report.table.lines()}},
            {"legend", fmt::format("{}", fmt::join(report.notes, " "))},
            {"measure", quantity_at(decision.measure()).name},
            {"error", decision.error()},
            {"pair_error", decision.verdicts().front().race.pair_error()},
            {"runs", decision.distinct_runs()},
            {"runs_planned", decision.plan().distinct_runs()},
            {"decided", decision.decided()},
            {"verdicts", Json::array()}};
  for (const auto& verdict : decision.verdicts()) {
    Json candidates = Json::array();
    for (const auto& one : compared_candidates(verdict)) {
      Json row{{"setting", settings[one.cell.setting]},
               {"algorithm", decision.plan().algorithms()[one.cell.algorithm]},
               {"repetitions", one.repetitions},
               {"result", one.result},
               {"to", nullptr},
               {"pairs", nullptr},
               {"difference", nullptr},
               {"interval", nullptr}};
      if (one.other)
        row["to"] = {
            {"setting", settings[verdict.cells[*one.other].setting]},
            {"algorithm", decision.plan().algorithms()[verdict.cells[*one.other].algorithm]}};
      if (one.to_other && one.to_other->n > 0) {
        row["pairs"] = one.to_other->n;
        row["difference"] = number_json(one.to_other->mean);
      }
      if (one.interval)
        row["interval"] = {number_json(one.interval->low), number_json(one.interval->high)};
      candidates.push_back(std::move(row));
    }
    json["verdicts"].push_back(
        {{"state", state_text(verdict.race.state())}, {"candidates", std::move(candidates)}});
  }
  return json;
}

}  // namespace posse
