#include "program/plot/plot_verb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "program/base/files.hpp"
#include "program/base/signals.hpp"
#include "program/plot/picture.hpp"
#include "program/plot/rank_table.hpp"
#include "program/plot/scaling.hpp"
#include "program/plot/sequence_of_run.hpp"
#include "program/scenario/diagnostics.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kRankTable = "rank-table", kSequence = "sequence";

/// A kind that accepts several runs.
struct ScalingKind {
  std::string_view name, summary;
  ScalingPlot (*make)(const std::vector<RunData>& runs, std::optional<double> regret);
};
constexpr ScalingKind kScalingKinds[] = {
    {"time-to-regret",
     "time to a regret over mean latency and clients, of one run or several",
     time_to_regret_plot},
    {"speed-up", "speed-up over clients beside the ideal, of one run or several", speed_up_plot},
};

const ScalingKind* scaling_kind(std::string_view name) {
  for (const auto& kind : kScalingKinds)
    if (kind.name == name) return &kind;
  return nullptr;
}

ExitCode usage(std::string_view problem) {
  fmt::print(stderr, "{} (exit code 2)\n", problem);
  return ExitCode::usage;
}

ExitCode unknown(std::string_view what,
                 const std::string& given,
                 const std::vector<std::string>& allowed) {
  fmt::print(stderr,
             "{} '{}'\n    allowed: {}\n{}",
             what,
             given,
             fmt::join(allowed, ", "),
             did_you_mean(given, allowed));
  return ExitCode::usage;
}

ExitCode check_sequence(const PlotRequest& request) {
  const bool selects = !request.from.empty() || !request.until.empty() || !request.rounds.empty() ||
                       request.repetition.has_value();
  if (request.kind != kSequence)
    return selects ? usage("--from, --until, --rounds and --repetition need --kind sequence")
                   : ExitCode::ok;
  if (request.local || request.logarithmic)
    return usage("--local and --log do not apply to 'sequence'");
  const auto selection = parse_selection(request.from, request.until, request.rounds);
  return selection.value ? ExitCode::ok : usage(selection.problem);
}

/// Checks the flags before any run is read; mistakes are printed.
ExitCode check(const PlotRequest& request) {
  if (const auto code = check_sequence(request); code != ExitCode::ok) return code;
  const auto* scaling = scaling_kind(request.kind);
  if (request.kind.empty()) {
    if (request.local || request.logarithmic || !request.algorithm.empty())
      return usage("--local, --log and --algorithm need --kind");
    return ExitCode::ok;
  }
  std::vector<std::string> names;
  for (const auto& kind : picture_kinds()) names.push_back(kind.name);
  if (std::find(names.begin(), names.end(), request.kind) == names.end())
    return unknown("there is no plot", request.kind, names);
  if (scaling == nullptr && request.runs.size() > 1)
    return usage(fmt::format(
        "the plot '{}' takes one run; time-to-regret and speed-up take several", request.kind));
  if (scaling == nullptr && request.regret)
    return usage(
        fmt::format("--regret applies to time-to-regret and speed-up, not to '{}'", request.kind));
  if (scaling != nullptr && (request.local || request.logarithmic || !request.algorithm.empty()))
    return usage(fmt::format("--local, --log and --algorithm do not apply to '{}'", request.kind));
  if (fs::path(request.out).extension() == ".csv")
    return usage("--out names the SVG; its CSV goes beside it");
  return ExitCode::ok;
}

Picture make_one(const PlotRequest& request, const std::vector<RunData>& runs) {
  const RunData& run = runs.front();
  const auto no_data = [&](const std::string& why) {
    return FileError(run.folder, fmt::format("has no data for the plot '{}'{}", request.kind, why));
  };
  if (const auto* kind = scaling_kind(request.kind)) {
    const auto plot = kind->make(runs, request.regret);
    if (const auto* why = std::get_if<std::string>(&plot)) throw no_data(": it " + *why);
    return picture_of(std::get<Chart>(plot));
  }
  if (request.kind == kSequence)
    return sequence_picture(run.folder,
                            {request.algorithm,
                             request.repetition.value_or(0),
                             *parse_selection(request.from, request.until, request.rounds).value,
                             request.execution},
                            problem_text(run));
  const auto scope = request.local ? Scope::local : Scope::global;
  if (request.kind == kRankTable) {
    if (const auto table = rank_table(run, scope)) return picture_of(*table);
    throw no_data(": it needs answers with a known rank, or two algorithms with regrets");
  }
  const auto chart = make_plot(run, {request.kind, scope, request.logarithmic, request.algorithm});
  if (!chart) throw no_data("");
  return picture_of(*chart);
}

std::vector<Picture> make_all(const PlotRequest& request, const std::vector<RunData>& runs) {
  std::vector<Picture> pictures;
  const RunData& run = runs.front();
  if (runs.size() == 1) {
    for (const auto& chart : make_plots(run)) pictures.push_back(picture_of(chart));
    for (const auto scope : {Scope::global, Scope::local})
      if (scope == Scope::global || run.heterogeneous())
        if (const auto table = rank_table(run, scope)) pictures.push_back(picture_of(*table));
  }
  std::string reasons;
  for (const auto& kind : kScalingKinds) {
    const auto plot = kind.make(runs, request.regret);
    if (const auto* chart = std::get_if<Chart>(&plot))
      pictures.push_back(picture_of(*chart));
    else
      reasons += fmt::format(
          "{} {} {}", reasons.empty() ? ":" : ";", kind.name, std::get<std::string>(plot));
  }
  if (pictures.empty())
    throw FileError(run.folder,
                    "has no data for any plot" + (runs.size() == 1 ? std::string() : reasons));
  return pictures;
}

/// The default directory of pictures.
fs::path usual_folder(const std::vector<RunData>& runs) {
  return runs.size() == 1 ? runs.front().folder / "plots" : fs::path("plots");
}

}  // namespace

const std::vector<PlotKind>& picture_kinds() {
  static const std::vector<PlotKind> all = [] {
    auto kinds = plot_kinds();
    kinds.push_back({std::string(kRankTable),
                     "ranks of the answered arms, or of the algorithms by their final regret"});
    kinds.push_back({std::string(kSequence),
                     "messages, work and regret of one run over virtual time; runs it again"});
    for (const auto& kind : kScalingKinds)
      kinds.push_back({std::string(kind.name), std::string(kind.summary)});
    return kinds;
  }();
  return all;
}

ExitCode plot_runs(const PlotRequest& request) try {
  if (const auto code = check(request); code != ExitCode::ok) return code;
  std::vector<RunData> runs;
  for (const auto& folder : request.runs) runs.push_back(read_run(folder));
  if (!request.algorithm.empty() && runs.front().find(request.algorithm) == nullptr) {
    std::vector<std::string> labels;
    for (const auto& algorithm : runs.front().algorithms) labels.push_back(algorithm.label);
    return unknown("the run has no algorithm", request.algorithm, labels);
  }
  const auto write = [](const Picture& picture, const fs::path& svg) {
    for (const auto& path : write_picture(picture, svg)) fmt::print("{}\n", path.string());
  };
  if (!request.kind.empty()) {
    const auto picture = make_one(request, runs);
    if (const int signal = pending_signal()) return static_cast<ExitCode>(128 + signal);
    write(picture,
          request.out.empty() ? usual_folder(runs) / (picture.id + ".svg") : fs::path(request.out));
    return ExitCode::ok;
  }
  const auto folder = request.out.empty() ? usual_folder(runs) : fs::path(request.out);
  for (const auto& picture : make_all(request, runs))
    write(picture, folder / (picture.id + ".svg"));
  return ExitCode::ok;
} catch (const std::invalid_argument& problem) {
  return usage(problem.what());
}

}  // namespace posse
