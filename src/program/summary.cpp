#include "program/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "program/units.hpp"

namespace posse {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::string_view kAcknowledgement = "Ack";  // its type's name in the accounts

bool exceeded(const Figure& figure) {
  if (!figure.bound || figure.bound->kind == BoundKind::does_not_apply) return false;
  if (figure.bound->is_exact) return !(figure.measured == figure.bound->value);
  return figure.bound->is_lower ? figure.measured < figure.bound->value
                                : figure.measured > figure.bound->value;
}

/// What every run has, whatever its algorithm; names that the algorithm reports itself are left
/// to it.
std::vector<Figure> totals_of(const RunRecord& run) {
  const RunOutcome& o = run.result.outcome;
  const auto count = [](std::uint64_t n) { return static_cast<double>(n); };
  const auto own = [&](std::string_view part) {
    return std::any_of(run.figures.begin(), run.figures.end(), [&](const Figure& figure) {
      return figure.name.find(part) != std::string::npos;
    });
  };
  std::vector<Figure> all;
  const auto add = [&](std::string name, std::string unit, double value) {
    if (!std::any_of(run.figures.begin(), run.figures.end(), [&](const Figure& figure) {
          return figure.name == name;
        }))
      all.push_back({std::move(name), std::move(unit), value, std::nullopt});
  };
  if (o.regret.evaluations > 0) {
    add("evaluations", "", count(o.regret.evaluations));
    if (!own("regret per")) add("regret per client", "", o.regret.cumulative_global);
    if (o.regret.simple_global && !own("loss")) add("simple regret", "", *o.regret.simple_global);
  }
  const auto acknowledgements = o.total(&TypeAccount::sent, kAcknowledgement);
  const auto acknowledgement_bytes = o.total(&TypeAccount::bytes, kAcknowledgement);
  add("rounds", "", count(o.rounds.size()));
  add("messages", "", count(o.total(&TypeAccount::sent) - acknowledgements));
  add("acknowledgements", "", count(acknowledgements));
  add("retransmitted", "", count(o.total(&TypeAccount::repeated)));
  add("lost on the way",
      "",
      count(o.total(&TypeAccount::dropped_loss) + o.total(&TypeAccount::dropped_queue)));
  if (!own("payload"))
    add("bytes", "bytes", count(o.total(&TypeAccount::bytes) - acknowledgement_bytes));
  add("bytes on the wire, all copies", "bytes", count(o.total(&TypeAccount::wire_bytes)));
  add("virtual time", "s", o.finished_at.to_seconds());
  return all;
}

/// Figures of the same name over the runs, in the order of first appearance.
std::vector<FigureSummary> over_runs(const std::vector<std::vector<Figure>>& runs) {
  std::vector<std::string> names;
  for (const auto& figures : runs)
    for (const auto& figure : figures)
      if (std::find(names.begin(), names.end(), figure.name) == names.end())
        names.push_back(figure.name);
  std::vector<FigureSummary> out;
  for (const auto& name : names) {
    FigureSummary summary;
    summary.name = name;
    std::vector<double> measured, bounds;
    for (const auto& figures : runs) {
      for (const auto& figure : figures) {
        if (figure.name != name) continue;
        summary.unit = figure.unit;
        measured.push_back(figure.measured);
        if (!figure.bound) continue;
        // A bound that fails to apply in one run is shown so for all.
        if (!summary.bound || figure.bound->kind == BoundKind::does_not_apply)
          summary.bound = figure.bound;
        bounds.push_back(figure.bound->value);
        if (exceeded(figure)) ++summary.exceeded;
      }
    }
    summary.measured = statistics(measured);
    summary.bound_values = statistics(bounds);
    if (summary.bound) summary.bound->value = summary.bound_values.mean;
    out.push_back(std::move(summary));
  }
  return out;
}

std::string shown(double value, const std::string& unit) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (unit == "s") return pretty_seconds(value);
  if (unit == "bytes" || unit == "B") return pretty_bytes(value);
  return unit.empty() ? pretty_number(value) : fmt::format("{} {}", pretty_number(value), unit);
}

double two_digits(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10.0, 1 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

std::string measured_text(const FigureSummary& f) {
  auto text = shown(f.measured.mean, f.unit);
  // Two digits of a standard deviation are all that a handful of runs can tell.
  if (f.measured.n > 1 && f.measured.sd > 0)
    text += " ± " + shown(two_digits(f.measured.sd), f.unit);
  return text;
}

std::string bound_text(const FigureSummary& f) {
  if (!f.bound) return "";
  const auto text = (f.bound->is_exact   ? "= "
                     : f.bound->is_lower ? "≥ "
                                         : "≤ ") +
                    shown(f.bound->value, f.unit);
  if (f.bound->kind != BoundKind::does_not_apply) return text;
  return std::isfinite(f.bound->value) && f.bound->value > 0 ? "(" + text + ")" : "–";
}

std::string kind_text(const FigureSummary& f) {
  if (!f.bound) return "";
  if (f.bound->kind == BoundKind::does_not_apply) return "does not apply";
  const auto strength = f.bound->strength == BoundStrength::always             ? "always"
                        : f.bound->strength == BoundStrength::with_probability ? "w.p. 1-δ"
                                                                               : "order only";
  auto text = fmt::format("{}, {}", to_string(f.bound->kind), strength);
  if (f.exceeded > 0)
    text += fmt::format(", {} {} of {}",
                        f.bound->strength == BoundStrength::always ? "VIOLATED" : "exceeded",
                        f.exceeded,
                        f.measured.n);
  return text;
}

/// Characters, not bytes: every UTF-8 byte but continuation bytes begins one.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}
std::string padded(std::string text, std::size_t columns) {
  const std::size_t w = width(text);
  return w < columns ? text + std::string(columns - w, ' ') : text;
}

/// Words wrapped at `kColumns`, every line indented.
std::string wrapped(const std::string& text, const std::string& indent) {
  std::string out, current;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    if (!current.empty() && width(indent) + width(current) + 1 + width(word) > kColumns) {
      out += indent + current + "\n";
      current.clear();
    }
    current += (current.empty() ? "" : " ") + word;
  }
  return current.empty() ? out : out + indent + current + "\n";
}

void print_rows(std::string& out,
                const std::vector<FigureSummary>& figures,
                std::size_t names,
                std::size_t values,
                std::size_t bounds) {
  for (const auto& f : figures) {
    std::string line = "  " + padded(f.name, names) + "  " + padded(measured_text(f), values);
    if (f.bound) line += "  " + padded(bound_text(f), bounds) + "  " + kind_text(f);
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
}

}  // namespace

Statistics statistics(const std::vector<double>& values) {
  Statistics s;
  s.n = values.size();
  if (values.empty()) return s;
  s.min = *std::min_element(values.begin(), values.end());
  s.max = *std::max_element(values.begin(), values.end());
  s.mean = s.min;
  if (s.min == s.max) return s;  // exactly, without the rounding of a sum
  double sum = 0;
  for (const double x : values) sum += x;
  s.mean = sum / static_cast<double>(s.n);
  double squares = 0;
  for (const double x : values) squares += (x - s.mean) * (x - s.mean);
  s.sd = std::sqrt(squares / static_cast<double>(s.n - 1));
  return s;
}

std::string_view verdict(const Figure& figure) {
  if (!figure.bound || figure.bound->kind == BoundKind::does_not_apply) return "not judged";
  if (violated(figure)) return "violated";
  return exceeded(figure) ? "exceeded" : "held";
}

Summary summarise(const Scenario& scenario, const ScenarioResult& result) {
  Summary summary;
  for (std::size_t a = 0; a < scenario.algorithms.size(); ++a) {
    AlgorithmSummary s;
    s.label = scenario.algorithms[a].label;
    std::vector<std::vector<Figure>> figures, totals;
    for (const auto& run : result.runs) {
      if (run.algorithm != a) continue;
      if (!run.started || run.result.outcome.status != RunStatus::finished) {
        ++s.others;
        continue;
      }
      ++s.finished;
      figures.push_back(run.figures);
      totals.push_back(totals_of(run));
    }
    s.figures = over_runs(figures);
    s.totals = over_runs(totals);
    // A perfect network's zeros tell nothing.
    std::erase_if(s.totals, [](const FigureSummary& f) {
      return f.measured.max == 0 && (f.name == "acknowledgements" || f.name == "retransmitted" ||
                                     f.name == "lost on the way");
    });
    summary.algorithms.push_back(std::move(s));
  }
  const auto metrics = {
      std::pair{
          "cumulative regret per client",
          +[](const RunOutcome& o) { return std::optional<double>(o.regret.cumulative_global); }},
      std::pair{"simple regret", +[](const RunOutcome& o) { return o.regret.simple_global; }}};
  for (std::size_t a = 0; a < scenario.algorithms.size(); ++a) {
    for (std::size_t b = a + 1; b < scenario.algorithms.size(); ++b) {
      for (const auto& [metric, value_of] : metrics) {
        Comparison c{scenario.algorithms[a].label, scenario.algorithms[b].label, metric, {}, 0, 0};
        std::vector<double> differences;
        for (std::size_t i = 0; i + 1 <= result.runs.size(); i += scenario.algorithms.size()) {
          const auto& first = result.runs[i + a];
          const auto& second = result.runs[i + b];
          const auto usable = [](const RunRecord& run) {
            return run.started && run.result.outcome.status == RunStatus::finished &&
                   run.result.outcome.regret.evaluations > 0;
          };
          if (!usable(first) || !usable(second)) continue;
          const auto x = value_of(first.result.outcome), y = value_of(second.result.outcome);
          if (!x || !y) continue;
          differences.push_back(*x - *y);
          c.first_smaller += *x < *y;
          c.second_smaller += *y < *x;
        }
        c.difference = statistics(differences);
        if (c.difference.n > 0) summary.comparisons.push_back(std::move(c));
      }
    }
  }
  return summary;
}

std::string to_text(const Summary& summary,
                    const Scenario& scenario,
                    const ScenarioResult& result) {
  std::string out;
  for (std::size_t a = 0; a < summary.algorithms.size(); ++a) {
    const auto& s = summary.algorithms[a];
    const auto& entry = scenario.algorithms[a];
    out += fmt::format(
        "{}  ({} {}, {})\n",
        s.label,
        entry.clients,
        entry.clients == 1 ? "client" : "clients",
        s.others == 0 ? fmt::format("{} {}", s.finished, s.finished == 1 ? "run" : "runs")
                      : fmt::format("{} of {} runs finished", s.finished, s.finished + s.others));
    std::size_t names = 8, values = 8, bounds = 5;
    for (const auto* list : {&s.figures, &s.totals}) {
      for (const auto& f : *list) {
        names = std::max(names, width(f.name));
        values = std::max(values, width(measured_text(f)));
        bounds = std::max(bounds, width(bound_text(f)));
      }
    }
    if (s.finished > 0)
      out += fmt::format("  {}  {}  {}  {}\n",
                         padded("", names),
                         padded(s.finished > 1 ? "mean ± sd" : "measured", values),
                         padded("bound", bounds),
                         "kind of bound");
    print_rows(out, s.figures, names, values, bounds);
    print_rows(out, s.totals, names, values, bounds);
    std::string notes;
    for (const auto& f : s.figures)
      if (f.bound && !f.bound->note.empty())
        notes += wrapped(f.name + ": " + f.bound->note, "    ");
    if (!notes.empty()) out += "  bounds:\n" + notes;
    out += "\n";
  }
  if (!summary.comparisons.empty()) {
    out += "paired by seed (first minus second):\n";
    for (const auto& c : summary.comparisons)
      out += fmt::format(
          "  {} − {}: {} {}{}  (smaller: {} {}, {} {})\n",
          c.first,
          c.second,
          c.metric,
          pretty_number(c.difference.mean),
          c.difference.n > 1 ? fmt::format(" ± {}", pretty_number(c.difference.sd)) : "",
          c.first,
          c.first_smaller,
          c.second,
          c.second_smaller);
    out += "\n";
  }
  out += fmt::format("fingerprint {:016x}\n", result.fingerprint);
  return out;
}

}  // namespace posse
