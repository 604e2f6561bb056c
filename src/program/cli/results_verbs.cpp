// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/cli/verbs.hpp"
#include "program/page/report.hpp"
#include "program/page/serve.hpp"
#include "program/plot/plot_verb.hpp"
#include "program/scenario/line_process.hpp"

namespace posse {

ExitCode plot_verb(const Arguments& arguments) {
  before_exit_by_signal(kill_all_line_processes);
  catch_signals();
  try {
    return plot_runs({.sources = arguments.runs,
                      .kind = arguments.kind,
                      .algorithm = arguments.plot_algorithm,
                      .out = arguments.plot_out,
                      .local = arguments.local,
                      .logarithmic = arguments.logarithmic,
                      .band = arguments.plot_band == "sd" ? Band::sd : Band::interval,
                      .regret = arguments.plot_regret,
                      .x = arguments.plot_x,
                      .y = arguments.plot_y,
                      .measure = arguments.measure,
                      .cost = arguments.plot_cost,
                      .against = arguments.plot_against,
                      .where = arguments.plot_where,
                      .repetition = arguments.repetition,
                      .from = arguments.plot_from,
                      .until = arguments.plot_until,
                      .rounds = arguments.plot_rounds,
                      .execution = execution_options(arguments),
                      .width = arguments.plot_width,
                      .font_size = arguments.plot_font_size,
                      .no_title = arguments.plot_no_title,
                      .pdf = arguments.plot_pdf,
                      .json = arguments.json});
  } catch (const FileError& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
}

ExitCode report_verb(const Arguments& arguments) {
  try {
    const auto path = report_runs(arguments.runs, arguments.page_out);
    if (arguments.json) {
      const nlohmann::ordered_json data{{"report", path.string()}, {"runs", arguments.runs}};
      print_out("{}\n", data.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
      return ExitCode::ok;
    }
    print_out("{}\n", path.string());
    flush_out();
    std::error_code error;
    const auto absolute = std::filesystem::absolute(path, error).lexically_normal();
    print_err("report: {}; open it in a browser: xdg-open {}\n",
              path.string(),
              shell_quoted(error ? path.string() : absolute.string()));
    return ExitCode::ok;
  } catch (const FileError& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
}

ExitCode serve_verb(const Arguments& arguments) {
  try {
    return serve_runs(arguments.file, arguments.page_address);
  } catch (const FileError& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
}

}  // namespace posse
