// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "program/base/output.hpp"
#include "program/cli/verb.hpp"
#include "program/page/report.hpp"

namespace posse {
namespace {

struct ReportFlags {
  std::vector<std::string> runs;
  std::string out;
  bool json = false;

  void add_to(CLI::App& verb) {
    verb.add_option("RUN", runs, "run folders, or directories that contain `latest`; or one store")
        ->required();
    verb.add_option(
        "--out", out, "output file (default: report.html in RUN, for several runs here)");
    verb.add_flag("--json", json, "print the file's name as JSON");
  }
};

ExitCode write_report(const ReportFlags& flags, const Invocation&) {
  const auto path = report_runs(flags.runs, flags.out);
  if (flags.json) {
    const Json data{{"report", path.string()}, {"runs", flags.runs}};
    print_json(data);
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
}

}  // namespace

Command report_verb(CLI::App& verb) { return command_of(verb, write_report); }

}  // namespace posse
