// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "program/base/terminal.hpp"
#include "program/base/text.hpp"
#include "program/compare/summary.hpp"

namespace posse {
namespace {

bool is_identity(const MeasurementSummary& f) { return f.bound && f.bound->is_identity; }

std::string bound_text(const MeasurementSummary& f) {
  if (!f.bound) return "";
  auto text = (f.bound->is_identity ? "= "
               : f.bound->is_lower  ? "≥ "
                                    : "≤ ") +
              pretty(f.bound->value, f.unit);
  if (f.bound->kind != BoundKind::does_not_apply) return text;
  return std::isfinite(f.bound->value) && f.bound->value > 0 ? "(" + text + ")" : "–";
}

/// " in 2 of 5 runs", or nothing for a single run.
std::string exceeded_in(const MeasurementSummary& f) {
  return f.measured.n > 1 ? fmt::format(" in {} of {} runs", f.exceeded, f.measured.n) : "";
}

std::string kind_text(const MeasurementSummary& f) {
  if (!f.bound) return "";
  if (f.bound->kind == BoundKind::does_not_apply) return "does not apply";
  const bool always = f.bound->strength == BoundStrength::always;
  if (f.bound->is_identity) {
    if (f.exceeded == 0) return "✓";
    return (always ? "violated" : "not equal") + exceeded_in(f);
  }
  auto text =
      fmt::format("{}, {}",
                  to_string(f.bound->kind),
                  always                                                 ? "always"
                  : f.bound->strength == BoundStrength::with_probability ? "w.p. 1-δ"
                                                                         : "unknown constant");
  if (f.vacuous) text += ", vacuous";
  if (f.exceeded > 0) text += (always ? ", violated" : ", exceeded") + exceeded_in(f);
  return text;
}

/// Of an identity the mean as it is, to be compared with the formula's.
std::string value_text(const MeasurementSummary& f) {
  const double half = half_width(f.measured, Band::interval);
  if (!is_identity(f) || !(half > 0)) return mean_and_interval(f.measured, f.unit);
  return fmt::format("{} ± {}", pretty(f.measured.mean, f.unit), pretty(rounded(half, 2), f.unit));
}

std::vector<std::string> row_of(const MeasurementSummary& f, std::string_view indent = "") {
  return {std::string(indent) + f.name, value_text(f), bound_text(f), kind_text(f)};
}

std::vector<std::string> header_of(const AlgorithmSummary& s) {
  return {"", s.finished > 1 ? "mean" : "measured", "bound", "kind of bound"};
}

/// Bounds first, then what every run has, then identities.
std::string table_text(const AlgorithmSummary& s) {
  if (s.finished == 0) return "";
  TextTable table(header_of(s));
  std::vector<std::vector<std::string>> identities;
  for (const auto* list : {&s.measurements, &s.totals})
    for (const auto& f : *list)
      if (is_identity(f))
        identities.push_back(row_of(f, "  "));
      else
        table.add(row_of(f));
  if (!identities.empty()) table.add({"identities", "", "", ""});
  for (auto& row : identities) table.add(std::move(row));
  return table.text();
}

/// "compute 77.7 %, propagation 16.0 %; most often waited for: client-3, in 7 of 9 rounds"
std::string times_text(const RoundTimes& times) {
  const double whole = std::accumulate(times.parts_s.begin(), times.parts_s.end(), 0.0);
  if (whole == 0) return "";
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < times.parts_s.size(); ++i)
    if (times.parts_s[i] > 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return times.parts_s[a] > times.parts_s[b];
  });
  std::vector<std::string> parts;
  for (const auto i : order)
    parts.push_back(
        fmt::format("{} {:.1f} %", kCriticalPathParts[i].name, 100 * times.parts_s[i] / whole));
  auto text = fmt::format("{}", fmt::join(parts, ", "));
  if (!times.waited_for.empty()) {
    auto rounds = fmt::format("{:.1f}", times.waited_rounds);
    if (rounds.ends_with(".0")) rounds.resize(rounds.size() - 2);
    text += fmt::format(
        "; most often waited for: {}, in {} of {} rounds", times.waited_for, rounds, times.rounds);
  }
  return text;
}

std::string ties_text(const AlgorithmSummary& s) {
  if (s.tied_rounds == 0) return "";
  return fmt::format("ties decided who counted in {} of {} rounds", s.tied_rounds, s.rounds);
}

/// "fed-pne  (10 clients, 5 runs)"
std::string title_of(const AlgorithmSummary& s) {
  return fmt::format(
      "{}  ({}, {})",
      s.label,
      count_text(s.size, s.of_arms ? "arm" : "client", s.of_arms ? "arms" : "clients"),
      s.others == 0 ? count_text(s.finished, "run", "runs")
                    : fmt::format("{} of {} runs finished", s.finished, s.finished + s.others));
}

std::string algorithm_text(const AlgorithmSummary& s) {
  std::string out = toned(Tone::strong, title_of(s)) + "\n" + table_text(s);
  if (const auto times = times_text(s.times); !times.empty())
    out += wrapped("time of the rounds, along the path to the end of each: " + times, "  ");
  out += wrapped(ties_text(s), "  ") + arms_text(s.arms);
  std::string notes;
  for (const auto& f : s.measurements)
    if (f.bound && !f.bound->note.empty()) notes += wrapped(f.name + ": " + f.bound->note, "    ");
  return out + (notes.empty() ? "" : "  notes:\n" + notes) + "\n";
}

/// The comparison, or without one the conditions; and the warnings.
std::string head_text(const Summary& summary) {
  std::string out = thresholds_text(summary.thresholds);
  if (summary.study) return out + to_text(*summary.study) + "\n";
  out += wrapped(summary.conditions, "") + "\n";
  for (const auto& warning : summary.warnings) out += warning_text(warning);
  return out + (summary.warnings.empty() ? "" : "\n");
}

std::string fingerprint_line(const Summary& summary) {
  if (summary.fingerprint == kNoFingerprint)
    return "no fingerprint: wall-time runs are not reproducible bit for bit\n";
  return fmt::format("fingerprint {}{}\n",
                     summary.fingerprint,
                     summary.ties.empty() ? "" : fmt::format(" (ties: {})", summary.ties));
}

constexpr std::size_t kMostArmsInBrief = 8, kMostTimesInBrief = 4;

/// The main numbers of the only algorithm: what runs are compared by, and what has a bound.
std::string main_numbers(const AlgorithmSummary& s) {
  if (s.finished == 0) return "";
  const auto is_main = [](const MeasurementSummary& f) {
    return !is_identity(f) || std::ranges::any_of(kQuantities, [&](const Quantity& quantity) {
      return quantity.label == f.name;
    });
  };
  TextTable table(header_of(s));
  for (const auto& f : s.measurements)
    if (is_main(f)) table.add(row_of(f));
  for (const auto& f : s.totals)
    if (f.bound && is_main(f)) table.add(row_of(f));
  return toned(Tone::strong, title_of(s)) + "\n" + table.text() +
         arms_text(s.arms, kMostArmsInBrief);
}

/// What ± is, where no comparison says so.
std::string legend_of(const Summary& summary) {
  const auto repeated = [](const AlgorithmSummary& s) { return s.finished > 1; };
  if (summary.study || !std::ranges::any_of(summary.algorithms, repeated)) return "";
  return fmt::format("{}\n", kIntervalLegend);
}

/// How many bounds and identities hold, and which do not.
std::string bounds_text(const Summary& summary) {
  std::size_t judged = 0, held = 0, vacuous = 0, inapplicable = 0, unknown = 0;
  std::size_t finished = 0, others = 0;
  std::string broken;
  for (const auto& s : summary.algorithms) {
    finished += s.finished;
    others += s.others;
    for (const auto* list : {&s.measurements, &s.totals})
      for (const auto& f : *list) {
        if (!f.bound) continue;
        if (f.bound->kind == BoundKind::does_not_apply) {
          ++inapplicable;
        } else if (f.bound->strength == BoundStrength::order_only) {
          ++unknown;
        } else {
          ++judged;
          vacuous += f.vacuous;
          if (f.exceeded == 0)
            ++held;
          else
            broken += "  " +
                      toned(Tone::bad,
                            fmt::format("{}: {} {}, {} ({})",
                                        s.label,
                                        f.name,
                                        value_text(f),
                                        bound_text(f),
                                        kind_text(f))) +
                      "\n";
        }
      }
  }
  if (finished == 0) return "";
  auto text = fmt::format("{} of {} hold", held, judged);
  text = toned(held == judged ? Tone::good : Tone::bad, text);
  if (vacuous > 0) text += fmt::format(" ({} vacuous)", vacuous);
  if (inapplicable > 0)
    text += fmt::format(", {} {} not apply", inapplicable, inapplicable == 1 ? "does" : "do");
  if (unknown > 0)
    text += fmt::format(", {} {} an unknown constant", unknown, unknown == 1 ? "has" : "have");
  return wrapped(fmt::format("bounds and identities: {}; message ledger balanced in {}",
                             text,
                             others > 0      ? fmt::format("the {} that finished", finished)
                             : finished == 1 ? "the run"
                                             : fmt::format("all {} runs", finished)),
                 "") +
         broken;
}

/// Where the time went, of each algorithm.
std::string all_times_text(const Summary& summary) {
  std::string out;
  std::size_t shown = 0;
  for (const auto& s : summary.algorithms) {
    const auto text = times_text(s.times);
    if (text.empty() || shown++ >= kMostTimesInBrief) continue;
    out += wrapped(fmt::format("time of {}'s rounds: {}", s.label, text), "");
  }
  if (shown > kMostTimesInBrief)
    out += fmt::format("time of {} more: --details\n",
                       count_text(shown - kMostTimesInBrief, "algorithm", "algorithms"));
  return out;
}

}  // namespace

std::string brief_text(const Summary& summary) {
  std::string out = head_text(summary);
  if (!summary.study)
    for (const auto& s : summary.algorithms) out += main_numbers(s) + (s.finished > 0 ? "\n" : "");
  for (const auto& s : summary.algorithms)
    if (s.others > 0) out += toned(Tone::bad, title_of(s)) + "\n";
  out += legend_of(summary) + bounds_text(summary) + all_times_text(summary);
  for (const auto& s : summary.algorithms)
    if (s.tied_rounds > 0) out += wrapped(s.label + ": " + ties_text(s), "");
  return out + fingerprint_line(summary);
}

std::string details_text(const Summary& summary) {
  std::string out = head_text(summary);
  for (const auto& s : summary.algorithms) out += algorithm_text(s);
  out += legend_of(summary);
  if (summary.detailed_repetitions < summary.repetitions)
    out +=
        wrapped(fmt::format("rounds, curves, cells and links are kept of the first {} repetitions; "
                            "tables and runs.csv are of all {}",
                            summary.detailed_repetitions,
                            summary.repetitions),
                "");
  return out + fingerprint_line(summary);
}

}  // namespace posse
