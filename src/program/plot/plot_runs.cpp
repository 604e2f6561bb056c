// SPDX-License-Identifier: Apache-2.0
#include "program/plot/plot_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <variant>

#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/compare/setting_runs.hpp"
#include "program/compare/study_reader.hpp"
#include "program/plot/break_even.hpp"
#include "program/plot/heat_map.hpp"
#include "program/plot/picture.hpp"
#include "program/plot/picture_style.hpp"
#include "program/plot/rank_table.hpp"
#include "program/plot/rounds_law.hpp"
#include "program/plot/scaling.hpp"
#include "program/plot/sequence_of_run.hpp"
#include "program/plot/setting_axis.hpp"
#include "program/plot/sweep_charts.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/study/study_report.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

/// Or why there is none: "needs …".
using MaybePicture = std::variant<Picture, std::string>;

/// The runs that are drawn, read when they are needed: tables are read soon, curves are not.
class DrawnRuns {
 public:
  explicit DrawnRuns(const PlotRequest& request) {
    if (request.sources.size() == 1 && !is_store(request.sources.front())) {
      folder_ = request.sources.front();
      settings_.push_back(read_run(folder_));
      folder_ = settings_.front().folder;
      read_ = true;
      study_ = posse::study_of(settings_.front());
    } else {
      if (request.sources.size() == 1) folder_ = request.sources.front();
      study_ = read_study({request.sources.begin(), request.sources.end()});
    }
    std::vector<SettingFilter> filters;
    for (const auto& text : request.where) filters.push_back(parse_filter(text));
    study_ = select(study_, filters);
  }

  const Study& study() const { return study_; }
  const std::vector<RunData>& settings() {
    if (!std::exchange(read_, true)) settings_ = read_settings(study_);
    return settings_;
  }
  /// All as one run.
  const RunData& run() {
    if (settings().size() == 1) return settings_.front();
    if (together_.algorithms.empty()) together_ = together(settings_);
    return together_;
  }
  /// Lines in a picture that has one for each algorithm in each setting.
  std::size_t lines() const { return study_.cells.size(); }
  /// True if local and global regrets differ.
  bool heterogeneous() const {
    const auto global = *quantity_named("cumulative_regret"),
               local = *quantity_named("local_cumulative_regret");
    for (const auto& [at, cell] : study_.cells)
      for (const auto& [seed, finals] : cell.finished)
        if (finals[global] != finals[local]) return true;
    return false;
  }
  /// Of the only source; empty for several.
  const fs::path& folder() const { return folder_; }
  std::string name() const { return folder_.empty() ? study_.name : folder_.string(); }

 private:
  Study study_;
  std::vector<RunData> settings_;
  RunData together_;
  bool read_ = false;
  fs::path folder_;
};

/// What of the flags kinds over settings take, with its defaults.
struct StudyFlags {
  std::size_t measure = 0, cost = 0;  // positions in kQuantities
  std::size_t algorithm = 0;
  std::optional<std::size_t> against;
  std::string x, y;  // keys; empty if settings don't differ
};

std::size_t position_of_quantity(const std::string& name, std::string_view flag) {
  if (const auto q = quantity_named(name)) return *q;
  std::vector<std::string> names;
  names.reserve(kQuantities.size());
  for (const auto& quantity : kQuantities) names.emplace_back(quantity.name);
  throw std::invalid_argument(fmt::format("{}: there is no measure '{}'\n    allowed: {}\n{}",
                                          flag,
                                          name,
                                          fmt::join(names, ", "),
                                          did_you_mean(name, names)));
}

std::size_t position_of_algorithm(const Study& study, const std::string& label) {
  const auto it = std::find(study.algorithms.begin(), study.algorithms.end(), label);
  if (it != study.algorithms.end()) return static_cast<std::size_t>(it - study.algorithms.begin());
  throw std::invalid_argument(fmt::format("the run has no algorithm '{}'\n    allowed: {}\n{}",
                                          label,
                                          fmt::join(study.algorithms, ", "),
                                          did_you_mean(label, study.algorithms)));
}

/// The key with the most values among the settings that agree in `but`.
std::string second_key(const Study& study, const std::string& but) {
  Study others = study;
  for (auto& setting : others.keys) setting.erase(but);
  return main_key(others).value_or("");
}

StudyFlags study_flags(const PlotRequest& request, const Study& study) {
  StudyFlags flags;
  flags.measure = request.measure.empty() ? main_measure(compare_study(study))
                                          : position_of_quantity(request.measure, "--measure");
  flags.cost =
      position_of_quantity(request.cost.empty() ? "payload_bytes" : request.cost, "--cost");
  if (!request.algorithm.empty()) flags.algorithm = position_of_algorithm(study, request.algorithm);
  if (!request.against.empty()) flags.against = position_of_algorithm(study, request.against);
  flags.y = request.y.empty() ? "" : key_named(study, request.y);
  flags.x = request.x.empty()
                ? flags.y.empty() ? main_key(study).value_or("") : second_key(study, flags.y)
                : key_named(study, request.x);
  if (flags.y.empty() && !flags.x.empty()) flags.y = second_key(study, flags.x);
  return flags;
}

template <class Drawing>
MaybePicture drawn(const std::variant<Drawing, std::string>& made, const PictureStyle& style) {
  if (const auto* why = std::get_if<std::string>(&made)) return *why;
  return picture_of(std::get<Drawing>(made), style);
}

// --- the kinds ---

using Make = MaybePicture (*)(const PlotRequest&, DrawnRuns&, const PictureStyle&);

MaybePicture curves(const PlotRequest& request, DrawnRuns& runs, const PictureStyle& style) {
  if (runs.lines() > kMostLines)
    return fmt::format("would have {} lines; --where KEY=VALUE chooses among them", runs.lines());
  if (request.kind.starts_with("arm-") && runs.study().settings.size() > 1)
    return std::string("needs one setting; --where KEY=VALUE chooses it");
  const auto scope = request.local ? Scope::local : Scope::global;
  const auto chart = make_plot(
      runs.run(), {request.kind, scope, request.logarithmic, request.algorithm, request.band});
  if (!chart) return std::string("needs other data than these runs have");
  return picture_of(*chart, style);
}

MaybePicture pareto(const PlotRequest& request, DrawnRuns& runs, const PictureStyle& style) {
  if (runs.study().settings.size() == 1) return curves(request, runs, style);
  const bool simple = request.kind == "pareto-simple-regret";
  const auto measure =
      fmt::format("{}{}_regret", request.local ? "local_" : "", simple ? "simple" : "cumulative");
  auto made = pareto_chart(runs.study(),
                           *quantity_named(measure),
                           study_flags(request, runs.study()).cost,
                           request.band);
  if (auto* chart = std::get_if<Chart>(&made); chart != nullptr && request.logarithmic)
    chart->x.scale = chart->y.scale = Scale::log;
  return drawn(made, style);
}

MaybePicture over_a_key(const PlotRequest& request, DrawnRuns& runs, const PictureStyle& style) {
  const auto flags = study_flags(request, runs.study());
  if (flags.x.empty()) return std::string("needs runs that differ in a key");
  Study study = runs.study();
  if (!request.algorithm.empty())
    std::erase_if(study.cells,
                  [&](const auto& cell) { return cell.first.second != flags.algorithm; });
  auto made = sweep_chart(study, flags.x, flags.measure, request.band);
  if (auto* chart = std::get_if<Chart>(&made); chart != nullptr && request.logarithmic) {
    if (chart->x.categories.empty()) chart->x.scale = Scale::log;
    chart->y.scale = Scale::log;
  }
  return drawn(made, style);
}

MaybePicture over_two_keys(const PlotRequest& request, DrawnRuns& runs, const PictureStyle& style) {
  const auto flags = study_flags(request, runs.study());
  if (flags.y.empty()) return std::string("needs runs that differ in two keys");
  return drawn(
      heat_map(runs.study(), flags.x, flags.y, flags.measure, flags.algorithm, flags.against),
      style);
}

MaybePicture prices(const PlotRequest& request, DrawnRuns& runs, const PictureStyle& style) {
  const auto flags = study_flags(request, runs.study());
  return drawn(break_even_chart(runs.study(), flags.measure, flags.cost), style);
}

MaybePicture rounds(const PlotRequest& request, DrawnRuns& runs, const PictureStyle& style) {
  return drawn(rounds_law_chart(runs.settings(), request.band), style);
}
MaybePicture time_to_regret(const PlotRequest& request,
                            DrawnRuns& runs,
                            const PictureStyle& style) {
  return drawn(time_to_regret_plot(runs.settings(), request.regret), style);
}
MaybePicture speed_up(const PlotRequest& request, DrawnRuns& runs, const PictureStyle& style) {
  return drawn(speed_up_plot(runs.settings(), request.regret), style);
}

MaybePicture ranks_of(const PlotRequest& request, DrawnRuns& runs, const PictureStyle&) {
  const auto table = rank_table(runs.settings(), request.local ? Scope::local : Scope::global);
  if (!table) return std::string("needs answers with a known rank, or two algorithms with regrets");
  return picture_of(*table);
}

MaybePicture sequence(const PlotRequest& request, DrawnRuns& runs, const PictureStyle&) {
  const RunData& run = runs.settings().front();
  return sequence_picture(run.folder,
                          {request.algorithm,
                           request.repetition.value_or(0),
                           *parse_selection(request.from, request.until, request.rounds).value,
                           request.execution},
                          problem_text(run));
}

/// Flags that only some kinds take.
struct Takes {
  bool local = false, logarithmic = false, algorithm = false, regret = false;
  bool keys = false, measure = false, cost = false, style = true, band = false;
};
struct DrawnKind {
  PlotKind kind;
  Make make;
  Takes takes;
  bool without_asking = true;  // drawn if no kind is given
};

const std::vector<DrawnKind>& kinds() {
  static const std::vector<DrawnKind> all = [] {
    std::vector<DrawnKind> list;
    for (const auto& kind : plot_kinds()) {
      const bool regret = kind.name.find("regret") != std::string::npos;
      const bool front = kind.name.starts_with("pareto");
      list.push_back({kind,
                      front ? pareto : curves,
                      {.local = regret || front,
                       .logarithmic = regret || front,
                       .algorithm = kind.name.starts_with("arm-"),
                       .band = true}});
    }
    list.push_back(
        {{"sweep", "a measure over a swept key, of stores or several runs"},
         over_a_key,
         {.logarithmic = true, .algorithm = true, .keys = true, .measure = true, .band = true}});
    list.push_back({{"heat-map", "a measure, or a ratio of two algorithms, over two swept keys"},
                    over_two_keys,
                    {.algorithm = true, .keys = true, .measure = true}});
    list.push_back({{"break-even", "which is best, by the price of a byte, round or evaluation"},
                    prices,
                    {.measure = true, .cost = true}});
    list.push_back({{"rounds", "rounds against evaluations of all clients, with slope and ceiling"},
                    rounds,
                    {.band = true}});
    list.push_back({{"time-to-regret", "time to a regret over mean latency and clients"},
                    time_to_regret,
                    {.regret = true}});
    list.push_back(
        {{"speed-up", "speed-up over clients beside the ideal"}, speed_up, {.regret = true}});
    list.push_back(
        {{"rank-table", "ranks of the answered arms, or of the algorithms by their final regret"},
         ranks_of,
         {.local = true, .style = false}});
    list.push_back(
        {{"sequence", "messages, work and regret of one run over virtual time; runs it again"},
         sequence,
         {.algorithm = true, .style = false},
         false});
    return list;
  }();
  return all;
}

/// Checks the flags before any run is read.
void check_flags(const PlotRequest& request) {
  const auto refuse = [](std::string_view flags, std::string_view kinds) {
    throw std::invalid_argument(fmt::format("{} {}", flags, kinds));
  };
  const bool selects = !request.from.empty() || !request.until.empty() || !request.rounds.empty() ||
                       request.repetition.has_value();
  if (selects && request.kind != "sequence")
    refuse("--from, --until, --rounds and --repetition", "need --kind sequence");
  if (request.kind.empty()) {
    if (request.local || request.logarithmic || !request.algorithm.empty())
      refuse("--local, --log and --algorithm", "need --kind");
    if (request.band != Band::interval) refuse("--band", "needs --kind");
    if (!request.x.empty() || !request.y.empty() || !request.measure.empty() ||
        !request.cost.empty() || !request.against.empty())
      refuse("--x, --y, --measure, --cost and --against", "need --kind");
    return;
  }
  const auto kind = std::find_if(
      kinds().begin(), kinds().end(), [&](const auto& k) { return k.kind.name == request.kind; });
  if (kind == kinds().end()) {
    std::vector<std::string> names;
    for (const auto& k : kinds()) names.push_back(k.kind.name);
    throw std::invalid_argument(fmt::format("there is no plot '{}'\n    allowed: {}\n{}",
                                            request.kind,
                                            fmt::join(names, ", "),
                                            did_you_mean(request.kind, names)));
  }
  const Takes& takes = kind->takes;
  const bool front = request.kind.starts_with("pareto");
  const bool map = request.kind == "heat-map";
  const auto only = [&](bool given, bool taken, std::string_view flag) {
    if (given && !taken) refuse(flag, fmt::format("does not apply to '{}'", request.kind));
  };
  only(request.local, takes.local, "--local");
  only(request.logarithmic, takes.logarithmic, "--log");
  only(request.band != Band::interval, takes.band, "--band");
  only(!request.algorithm.empty(), takes.algorithm, "--algorithm");
  only(request.regret.has_value(), takes.regret, "--regret");
  only(!request.x.empty(), takes.keys, "--x");
  only(!request.y.empty(), map, "--y");
  only(!request.measure.empty(), takes.measure, "--measure");
  only(!request.cost.empty(), takes.cost || front, "--cost");
  only(!request.against.empty(), map, "--against");
  only(!request.width.empty(), takes.style, "--width");
  only(!request.font_size.empty(), takes.style, "--font-size");
  only(request.no_title, takes.style, "--no-title");
  if (request.kind == "sequence") {
    if (request.sources.size() > 1) refuse("the plot 'sequence'", "takes one run");
    const auto selection = parse_selection(request.from, request.until, request.rounds);
    if (!selection.value) throw std::invalid_argument(selection.problem);
  }
  if (const auto end = fs::path(request.out).extension();
      !request.out.empty() && end != ".svg" && end != ".pdf")
    refuse("--out", "names the picture, .svg or .pdf; its CSV goes beside it");
}

/// The default directory of pictures.
fs::path usual_folder(const DrawnRuns& runs) {
  return runs.folder().empty() ? fs::path("plots") : runs.folder() / "plots";
}

Picture make_one(const PlotRequest& request, DrawnRuns& runs, const PictureStyle& style) {
  const auto kind = std::find_if(
      kinds().begin(), kinds().end(), [&](const auto& k) { return k.kind.name == request.kind; });
  auto made = kind->make(request, runs, style);
  if (auto* picture = std::get_if<Picture>(&made)) return std::move(*picture);
  throw FileError(
      runs.name(),
      fmt::format(
          "has no data for the plot '{}': it {}", request.kind, std::get<std::string>(made)));
}

/// One kind with all that it can show without being asked: measures, local regrets, arms.
std::vector<PlotRequest> variants(const DrawnKind& kind, DrawnRuns& runs) {
  PlotRequest request;
  request.kind = kind.kind.name;
  std::vector<PlotRequest> all;
  if (kind.kind.name.starts_with("arm-")) {
    if (runs.lines() <= kMostLines)
      for (const auto& algorithm : runs.run().algorithms) {
        all.push_back(request);
        all.back().algorithm = algorithm.label;
      }
    return all;
  }
  if (kind.kind.name == "sweep") {
    for (const auto& measure : compare_study(runs.study()).measures) {
      const Quantity& quantity = kQuantities[measure.quantity];
      if (!quantity.ranked || (quantity.name.starts_with("local_") && !runs.heterogeneous()))
        continue;
      all.push_back(request);
      all.back().measure = quantity.name;
    }
    return all;
  }
  if (kind.kind.name == "break-even") {
    for (const auto* cost : {"evaluations", "rounds", "payload_bytes", "virtual_s"}) {
      all.push_back(request);
      all.back().cost = cost;
    }
    return all;
  }
  all.push_back(request);
  if (kind.takes.local && runs.heterogeneous()) {
    all.push_back(request);
    all.back().local = true;
  }
  return all;
}

std::vector<Picture> make_all(const PlotRequest& request,
                              DrawnRuns& runs,
                              const PictureStyle& style) {
  std::vector<Picture> pictures;
  std::string reasons;
  bool too_many = false;
  for (const auto& kind : kinds()) {
    if (!kind.without_asking) continue;
    std::string why;
    for (auto& variant : variants(kind, runs)) {
      variant.regret = request.regret;
      auto made = kind.make(variant, runs, style);
      if (auto* picture = std::get_if<Picture>(&made)) {
        pictures.push_back(std::move(*picture));
        why.clear();
        continue;
      }
      why = std::get<std::string>(made);
      too_many = too_many || why.starts_with("would have");
    }
    if (!why.empty() && kind.make != curves)
      reasons += fmt::format("\n    {} {}", kind.kind.name, why);
  }
  if (pictures.empty()) throw FileError(runs.name(), "has no data for any plot:" + reasons);
  if (too_many)
    print_err(
        "some plots would have more than {} lines; --where KEY=VALUE chooses among the {} "
        "settings\n",
        kMostLines,
        runs.study().settings.size());
  return pictures;
}

struct WrittenPicture {
  std::string plot;
  std::vector<fs::path> files;  // the picture and its data
};

/// The data of a single picture are named; those of many lie beside them.
void print_written(const std::vector<WrittenPicture>& written, bool json) {
  if (json) {
    auto plots = nlohmann::ordered_json::array();
    for (const auto& [plot, files] : written)
      plots.push_back(
          {{"plot", plot}, {"picture", files[0].string()}, {"data", files[1].string()}});
    print_out("{}\n",
              nlohmann::ordered_json{{"plots", plots}}.dump(
                  2, ' ', false, nlohmann::json::error_handler_t::replace));
    return;
  }
  for (const auto& [plot, files] : written) {
    print_out("{}\n", files[0].string());
    if (written.size() == 1) print_out("{}\n", files[1].string());
  }
  flush_out();
  if (written.size() > 1)
    print_err("{} plots; each has its data beside it, as .csv\n", written.size());
}

}  // namespace

const std::vector<PlotKind>& picture_kinds() {
  static const std::vector<PlotKind> all = [] {
    std::vector<PlotKind> list;
    for (const auto& kind : kinds()) list.push_back(kind.kind);
    return list;
  }();
  return all;
}

ExitCode plot_runs(const PlotRequest& request) try {
  check_flags(request);
  const auto style = picture_style(request.width, request.font_size, !request.no_title);
  DrawnRuns runs(request);
  const std::string extension = request.pdf ? ".pdf" : ".svg";
  std::vector<WrittenPicture> written;
  if (!request.kind.empty()) {
    if (!request.algorithm.empty()) position_of_algorithm(runs.study(), request.algorithm);
    const auto picture = make_one(request, runs, style);
    if (const int signal = pending_signal()) return static_cast<ExitCode>(128 + signal);
    fs::path file = request.out;
    if (file.empty()) file = usual_folder(runs) / (picture.id + extension);
    if (request.pdf) file.replace_extension(".pdf");
    written.push_back({picture.id, write_picture(picture, file)});
  } else {
    const auto folder = request.out.empty() ? usual_folder(runs) : fs::path(request.out);
    for (const auto& picture : make_all(request, runs, style))
      written.push_back({picture.id, write_picture(picture, folder / (picture.id + extension))});
  }
  print_written(written, request.json);
  return ExitCode::ok;
} catch (const std::invalid_argument& problem) {
  std::string_view text = problem.what();
  while (text.ends_with('\n')) text.remove_suffix(1);
  print_err("{} (exit code 2)\n", text);
  return ExitCode::usage;
}

}  // namespace posse
