// SPDX-License-Identifier: Apache-2.0
#include "program/plot/plot_runs.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "program/base/json.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/plot/picture_style.hpp"
#include "program/plot/sweep_charts.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

/// Checks the flags before any run is read.
void check_flags(const PlotRequest& request) {
  check_request(request.drawing);
  const auto& kind = request.drawing.kind;
  if (kind.empty()) return;
  const auto only = [&](bool given, std::string_view flag) {
    if (given && !has_style(kind))
      throw std::invalid_argument(fmt::format("{} does not apply to '{}'", flag, kind));
  };
  only(!request.width.empty(), "--width");
  only(!request.font_size.empty(), "--font-size");
  only(request.no_title, "--no-title");
  if (kind == "sequence" && request.sources.size() > 1)
    throw std::invalid_argument("the plot 'sequence' takes one run");
  if (const auto end = fs::path(request.out).extension();
      !request.out.empty() && end != ".svg" && end != ".pdf")
    throw std::invalid_argument("--out names the picture, .svg or .pdf; its CSV goes beside it");
}

/// The default directory of pictures.
fs::path usual_folder(const DrawnRuns& runs) {
  return runs.folder().empty() ? fs::path("plots") : runs.folder() / "plots";
}

struct WrittenPicture {
  std::string plot;
  std::vector<fs::path> files;  // the picture and its data
};

/// The data of a single picture are named; those of many lie beside them.
void print_written(const std::vector<WrittenPicture>& written, bool json) {
  if (json) {
    auto plots = Json::array();
    for (const auto& [plot, files] : written)
      plots.push_back(
          {{"plot", plot}, {"picture", files[0].string()}, {"data", files[1].string()}});
    print_out("{}\n", pretty_json({{"plots", plots}}));
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

namespace {

/// What pictures don't show of runs that ended early.
void warn_of_unfinished(const Study& study) {
  std::size_t finished = 0, unfinished = 0;
  for (const auto& [place, cell] : study.cells) {
    finished += cell.finished.size();
    unfinished += cell.unfinished;
  }
  if (unfinished > 0)
    print_err(
        "warning: {} of {} runs did not finish: their curves end early, and {}\n",
        unfinished,
        finished + unfinished,
        finished == 0 ? "there are no final numbers" : "final numbers are those of the others");
}

}  // namespace

ExitCode plot_runs(const PlotRequest& request) try {
  check_flags(request);
  const auto style = picture_style(request.width, request.font_size, !request.no_title);
  DrawnRuns runs(request.sources, request.where);
  const std::string extension = request.pdf ? ".pdf" : ".svg";
  std::vector<WrittenPicture> written;
  if (!request.drawing.kind.empty()) {
    const auto picture = picture_of(draw(request.drawing, runs), style);
    if (const int signal = pending_signal()) return static_cast<ExitCode>(128 + signal);
    fs::path file = request.out;
    if (file.empty()) file = usual_folder(runs) / (picture.id + extension);
    if (request.pdf) file.replace_extension(".pdf");
    written.push_back({picture.id, write_picture(picture, file)});
  } else {
    const auto folder = request.out.empty() ? usual_folder(runs) : fs::path(request.out);
    const auto all = draw_all(request.drawing, runs);
    if (all.too_many_lines)
      print_err(
          "some kinds are left out: they would have more than {} lines or bars; "
          "--where and --algorithm choose among them\n",
          kMostLines);
    for (const auto& drawing : all.drawings) {
      const auto picture = picture_of(drawing, style);
      written.push_back({picture.id, write_picture(picture, folder / (picture.id + extension))});
    }
  }
  print_written(written, request.json);
  warn_of_unfinished(runs.study());
  return ExitCode::ok;
} catch (const std::invalid_argument& problem) {
  std::string_view text = problem.what();
  while (text.ends_with('\n')) text.remove_suffix(1);
  print_err("{} (exit code 2)\n", text);
  return ExitCode::usage;
}

}  // namespace posse
