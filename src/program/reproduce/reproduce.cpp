// SPDX-License-Identifier: Apache-2.0
#include "program/reproduce/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "program/base/files.hpp"
#include "program/base/json.hpp"
#include "program/base/text.hpp"
#include "program/plot/drawing.hpp"
#include "program/plot/rounds_law.hpp"
#include "program/reproduce/figure_check.hpp"
#include "program/reproduce/growth_chart.hpp"
#include "program/results/results_json.hpp"
#include "program/scenario/with_algorithms.hpp"
#include "program/sweep/collect.hpp"
#include "program/sweep/setting_runs.hpp"
#include "program/sweep/study_reader.hpp"
#include "program/sweep/sweep.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kQuickRepetitions = "repeat=3";
constexpr int kReproductionSchema = 1;
constexpr std::size_t kVerdictWidth = 16;

std::string settings_text(const PaperFigure& figure, FigureMode mode) {
  std::vector<std::string> settings = figure.set;
  if (mode.quick) settings.insert(settings.end(), figure.quick.begin(), figure.quick.end());
  if (mode.wrong) settings.insert(settings.end(), figure.wrong.begin(), figure.wrong.end());
  return (settings.empty() ? "" : fmt::format(" with {}", fmt::join(settings, ", "))) +
         (figure.only.empty() ? "" : fmt::format(", only {}", fmt::join(figure.only, ", ")));
}

/// The texts that aren't empty, with `between` between them.
std::string joined_texts(std::string_view first,
                         std::string_view between,
                         std::string_view second) {
  return fmt::format(
      "{}{}{}", first, first.empty() || second.empty() ? std::string_view() : between, second);
}

std::string heading(const PaperFigure& figure) {
  const auto source = joined_texts(figure.number, " of ", figure.paper);
  return joined_texts(figure.name, ": ", figure.summary) + "\n" +
         (source.empty() ? "" : wrapped(source, "  "));
}

/// A word with a wrapped text beside it.
std::string hanging(const std::string& word, std::string_view text) {
  const std::string indent(width(word) + 4, ' ');
  return "    " + word + wrapped(text, indent).substr(indent.size());
}

/// What the paper leaves open, and what differs.
std::string notes_text(const PaperFigure& figure) {
  std::string out = "  differences between paper and measurement, and reasons:\n";
  for (const auto& note : figure.notes) out += hanging("- ", note);
  if (figure.notes.empty()) out.clear();
  return figure.unknown.empty()
             ? out
             : wrapped(fmt::format("setting unknown: {}", figure.unknown), "  ") + out;
}

}  // namespace

bool names_data(const Override& assignment, const PaperFigure& figure) {
  return !figure.data.key.empty() &&
         assignment.assignment.starts_with(fmt::format("{}=", figure.data.key));
}

namespace {

/// Where the figure's data file may be.
fs::path data_beside(const PaperFigure& figure) {
  return fs::path(figure.file).parent_path() / figure.data.file;
}

}  // namespace

bool has_data(const PaperFigure& figure, const std::vector<Override>& overrides) {
  if (figure.data.file.empty()) return true;
  const bool named = std::any_of(
      overrides.begin(), overrides.end(), [&](const Override& o) { return names_data(o, figure); });
  return named || fs::exists(data_beside(figure));
}

std::string missing_data_text(const PaperFigure& figure) {
  const auto& data = figure.data;
  return fmt::format(
      "{} needs {}, which isn't {}{}\n"
      "Give its absolute path with --set {}=PATH, or put it here:\n"
      "  {}\n",
      figure.name,
      data.file,
      figure.shipped ? "shipped" : "there",
      data.kind.empty()
          ? "."
          : fmt::format(": `posse describe {}` names its source and format.", data.kind),
      data.key,
      data_beside(figure).string());
}

std::vector<Override> overrides_of(const PaperFigure& figure,
                                   FigureMode mode,
                                   const std::vector<Override>& overrides) {
  std::vector<Override> all;
  const auto origin = fmt::format("{}: figure {}", figure.source.location.text(), figure.name);
  for (const auto& assignment : figure.set) all.push_back({origin, assignment});
  if (mode.quick) {
    all.push_back({origin + " --quick", std::string(kQuickRepetitions)});
    for (const auto& assignment : figure.quick) all.push_back({origin + " --quick", assignment});
  }
  if (mode.wrong)
    for (const auto& assignment : figure.wrong) all.push_back({origin + " --wrong", assignment});
  all.insert(all.end(), overrides.begin(), overrides.end());
  return all;
}

bool has_sweep(const PaperFigure& figure, FigureMode mode, const std::vector<Override>& overrides) {
  Diagnostics unused;
  Value root = load_toml(figure.file, unused);
  for (const auto& o : overrides_of(figure, mode, overrides))
    apply_override(root, o.assignment, o.origin, unused);
  return root.table() != nullptr && root.table()->contains("sweep");
}

Scenario load_figure(const PaperFigure& figure,
                     FigureMode mode,
                     const std::vector<Override>& overrides,
                     Diagnostics& diagnostics) {
  auto scenario = load_scenario(figure.file, overrides_of(figure, mode, overrides), diagnostics);
  if (diagnostics.empty()) check_only(figure, scenario, diagnostics);
  if (!diagnostics.empty()) return scenario;
  if (!figure.only.empty())
    scenario = with_algorithms(std::move(scenario), {figure.only.begin(), figure.only.end()});
  check_figure(figure, scenario, diagnostics);
  return scenario;
}

SweepPlan load_sweep(const PaperFigure& figure,
                     FigureMode mode,
                     const std::vector<Override>& overrides,
                     Diagnostics& diagnostics) {
  SweepPlan plan(figure.file, overrides_of(figure, mode, overrides), diagnostics);
  if (diagnostics.empty()) check_figure(figure, plan, diagnostics);
  return plan;
}

std::vector<std::string> check_scenarios(const Paper& paper,
                                         const std::vector<Override>& overrides,
                                         Diagnostics& diagnostics) {
  std::vector<std::string> without_data;
  std::set<std::string> known;
  for (const auto& figure : paper.figures) {
    if (!has_data(figure, overrides)) {
      without_data.push_back(figure.name);
      continue;
    }
    Diagnostics mistakes;
    for (const FigureMode mode : {FigureMode{}, {.quick = true}, {.wrong = true}}) {
      if (!mistakes.empty()) break;
      if (has_sweep(figure, mode, overrides))
        load_sweep(figure, mode, overrides, mistakes);
      else
        load_figure(figure, mode, overrides, mistakes);
    }
    for (const auto& mistake : mistakes.all())
      if (known.insert(mistake.location.text() + mistake.key + mistake.problem).second)
        diagnostics.add(mistake);
  }
  return without_data;
}

std::size_t Reproduction::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::count_if(
      claims.begin(), claims.end(), [&](const auto& c) { return c.judgement.verdict == verdict; }));
}

std::optional<std::uint32_t> Reproduction::repetitions_needed() const {
  std::optional<std::uint32_t> most;
  for (const auto& claim : claims) most = std::max(most, claim.judgement.repetitions_needed);
  return most;
}

double Reproduction::seconds_to(std::uint32_t more_repetitions) const {
  const auto made = keeps_runs ? repetitions : 0;
  return wall_s / repetitions * (more_repetitions - made);
}

namespace {

void add_verdict(const Claim& claim,
                 const std::vector<RunData>& settings,
                 Reproduction& reproduction) {
  auto judgement = judge(claim.check, settings);
  if (judgement.verdict == Verdict::not_reproduced && !reproduction.figure->unknown.empty())
    judgement.verdict = Verdict::setting_unknown;
  reproduction.claims.push_back({claim, std::move(judgement)});
}

}  // namespace

Reproduction reproduce(const PaperFigure& figure,
                       const Scenario& scenario,
                       FigureMode mode,
                       const fs::path& out,
                       const ExecutionOptions& options) {
  RunFolder folder(out, scenario.name);
  RunMonitor monitor(number_of_runs(scenario, options.run));
  const auto execution = execute(scenario, options, monitor);
  folder.write(
      scenario, execution.result, execution.summary, execution.metadata, options.run.traces);
  Reproduction reproduction;
  reproduction.figure = &figure;
  reproduction.mode = mode;
  reproduction.repetitions = scenario.repeat;
  reproduction.wall_s = execution.metadata.wall_s;
  reproduction.exit_code = execution.metadata.exit_code;
  reproduction.signal = execution.signal;
  const auto run = read_run(folder.path());
  for (const auto& claim : figure.claims) add_verdict(claim, {run}, reproduction);
  for (const auto& plot : figure.plots)
    if (const auto chart = make_plot(run, plot)) {
      const auto name = fmt::format("plots/{}.svg", chart->id);
      write_picture(picture_of(*chart), folder.path() / name);
      reproduction.plots.push_back(name);
    }
  write_file(folder.path() / "reproduce.json", to_json(reproduction));
  reproduction.folder = folder.commit();
  return reproduction;
}

namespace {

/// What the claims are about, over the settings: a chart for each key and measure, and one of
/// rounds over evaluations.
std::vector<Chart> charts_of(const PaperFigure& figure, const std::vector<RunData>& settings) {
  std::vector<Chart> charts;
  if (settings.empty()) return charts;
  std::vector<std::vector<const Check*>> alike;
  const auto of = [](const Check& check, std::string_view name) {
    return check.parameters.all().contains(name) && !check.parameters.is_auto(name)
               ? check.parameters.text(name)
               : "";
  };
  for (const auto& claim : figure.claims) {
    const auto group = std::ranges::find_if(alike, [&](const auto& checks) {
      return of(*checks.front(), "key") == of(claim.check, "key") &&
             of(*checks.front(), "measure") == of(claim.check, "measure");
    });
    if (group == alike.end())
      alike.push_back({&claim.check});
    else
      group->push_back(&claim.check);
  }
  for (const auto& checks : alike) {
    std::optional<Chart> chart;
    if (!of(*checks.front(), "key").empty()) {
      chart = growth_chart(checks, settings);
    } else if (auto made = rounds_law_chart(settings); auto* drawn = std::get_if<Chart>(&made)) {
      chart = std::move(*drawn);
    }
    if (!chart) continue;
    if (std::ranges::find(charts, chart->id, &Chart::id) != charts.end())
      chart->id += fmt::format("-{}", charts.size() + 1);
    charts.push_back(std::move(*chart));
  }
  return charts;
}

}  // namespace

Reproduction reproduce_sweep(const PaperFigure& figure,
                             const SweepPlan& plan,
                             FigureMode mode,
                             const fs::path& out,
                             const ExecutionOptions& options) {
  const RunStore store(out / (figure.name + (mode.wrong ? "-wrong" : "")));
  write_plan(store, plan);
  SweepOptions how;
  how.jobs = options.run.threads;
  how.progress = options.progress;
  how.command_line = options.command_line;
  const SweepOutcome outcome = run_sweep(plan, store, how);
  Reproduction reproduction;
  reproduction.figure = &figure;
  reproduction.mode = mode;
  reproduction.repetitions = plan.repeat();
  reproduction.keeps_runs = true;
  reproduction.signal = outcome.signal;
  reproduction.folder = store.root();
  if (outcome.signal != 0) {
    reproduction.exit_code = static_cast<ExitCode>(128 + outcome.signal);
    return reproduction;
  }
  if (!outcome.failed.empty()) reproduction.exit_code = ExitCode::some_failed;
  const auto jobs = static_cast<double>(std::clamp<std::size_t>(how.jobs, 1, outcome.planned));
  reproduction.wall_s = collect({store}, store.root()).runs_wall_s / jobs;
  const auto settings = read_settings(read_study({store.root()}));
  for (const auto& claim : figure.claims) add_verdict(claim, settings, reproduction);
  for (const auto& chart : charts_of(figure, settings)) {
    const auto name = fmt::format("plots/{}.svg", chart.id);
    write_picture(picture_of(chart), store.root() / name);
    reproduction.plots.push_back(name);
  }
  write_file(store.root() / "reproduce.json", to_json(reproduction));
  return reproduction;
}

std::string measured_text(const Judgement& judgement) {
  return judgement.measured +
         (judgement.repetitions_needed
              ? fmt::format("; about {} repetitions would decide it", *judgement.repetitions_needed)
              : "");
}

std::string to_text(const Reproduction& r) {
  const auto& figure = *r.figure;
  std::string out = heading(figure);
  out += wrapped(fmt::format("{}{}{}: {} {}, {:.1f} s",
                             figure.shipped ? "scenarios/" : "",
                             figure.scenario,
                             settings_text(figure, r.mode),
                             r.repetitions,
                             r.repetitions == 1 ? "repetition" : "repetitions",
                             r.wall_s),
                 "  ");
  if (r.mode.quick)
    out += "  quick: verdicts from few repetitions or a small budget are unreliable\n";
  if (r.mode.wrong) out += "  with a wrong parameter: some verdict should be another\n";
  out += "\n";
  std::string_view last;
  for (const auto& [claim, judgement] : r.claims) {
    if (claim.text != last) out += wrapped(fmt::format("the paper: {}", claim.text), "  ");
    last = claim.text;
    out += hanging(padded(std::string(to_string(judgement.verdict)), kVerdictWidth),
                   measured_text(judgement));
  }
  out += "\n" + notes_text(figure);
  for (const auto& plot : r.plots) out += fmt::format("  {}\n", (r.folder / plot).string());
  return out;
}

std::string to_json(const Reproduction& r) {
  const auto& figure = *r.figure;
  Json json{{"schema", kReproductionSchema},
            {"figure", figure.name},
            {"paper", figure.paper},
            {"number", figure.number},
            {"scenario", figure.scenario},
            {"set", figure.set},
            {"only", figure.only},
            {"quick", r.mode.quick},
            {"wrong", r.mode.wrong ? Json(figure.wrong) : Json::array()},
            {"repetitions", r.repetitions}};
  json["claims"] = Json::array();
  for (const auto& [claim, judgement] : r.claims)
    json["claims"].push_back(
        {{"claim", claim.text},
         {"measured", judgement.measured},
         {"verdict", to_string(judgement.verdict)},
         {"repetitions_needed",
          judgement.repetitions_needed ? Json(*judgement.repetitions_needed) : Json(nullptr)}});
  json["notes"] = figure.notes;
  json["plots"] = r.plots;
  return pretty_json(json) + "\n";
}

std::string overview(const std::vector<Reproduction>& reproductions) {
  std::size_t names = 0;
  double seconds = 0;
  for (const auto& r : reproductions) names = std::max(names, r.figure->name.size());
  std::string out = padded("", names);
  for (const auto verdict : kVerdicts) out += fmt::format("  {}", to_string(verdict));
  out += "\n";
  for (const auto& r : reproductions) {
    out += padded(r.figure->name, names);
    for (const auto verdict : kVerdicts)
      out += fmt::format("  {:>{}}", r.count(verdict), to_string(verdict).size());
    out += "\n";
    seconds += r.wall_s;
  }
  return out + fmt::format("{} figures, {:.0f} s\n", reproductions.size(), seconds);
}

std::string figures_page(const std::vector<Paper>& papers) {
  std::size_t names = 0;
  for (const auto& paper : papers)
    for (const auto& figure : paper.figures) names = std::max(names, figure.name.size());
  std::string out, without;
  for (const auto& paper : papers) {
    if (!paper.citation.empty()) out += (out.empty() ? "" : "\n") + wrapped(paper.citation, "");
    for (const auto& figure : paper.figures)
      out += hanging(
          "  " + figure.name, joined_texts(figure.number, "; ", figure.summary), 2 + names + 2);
    for (const auto& left : paper.left_out)
      without += wrapped(
          fmt::format("{}: {}", joined_texts(paper.citation, ", ", left.what), left.why), "  ");
  }
  return without.empty() ? out : fmt::format("{}\nwithout a row:\n{}", out, without);
}

std::string figure_page(const PaperFigure& figure) {
  std::string out = heading(figure);
  out += wrapped(fmt::format("scenario: {}{}", figure.scenario, settings_text(figure, {})), "  ");
  std::string_view last;
  out += "  claims:\n";
  for (const auto& claim : figure.claims) {
    if (claim.text == last) continue;
    last = claim.text;
    out += hanging("- ", claim.text);
  }
  return out + notes_text(figure);
}

}  // namespace posse
