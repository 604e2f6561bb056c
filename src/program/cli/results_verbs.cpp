#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "core/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/cli/verbs.hpp"
#include "program/page/report.hpp"
#include "program/page/serve.hpp"
#include "program/plot/plot_verb.hpp"

namespace posse {

namespace {

/// "3", "3..5".
std::optional<std::pair<std::uint32_t, std::uint32_t>> rounds_of(const std::string& text) {
  const auto dots = text.find("..");
  const auto first = parse_number<std::uint32_t>(text.substr(0, dots));
  const auto last =
      dots == std::string::npos ? first : parse_number<std::uint32_t>(text.substr(dots + 2));
  if (!first || !last || *first > *last) return std::nullopt;
  return std::pair(*first, *last);
}

}  // namespace

ExitCode plot_verb(const Arguments& arguments) {
  const auto rounds = rounds_of(arguments.plot_rounds);
  if (!arguments.plot_rounds.empty() && !rounds) {
    fmt::print(stderr,
               "--rounds: '{}' is not a round or a range like 3..5 (exit code 2)\n",
               arguments.plot_rounds);
    return ExitCode::usage;
  }
  try {
    return plot_runs({arguments.runs,
                      arguments.kind,
                      arguments.plot_algorithm,
                      arguments.plot_out,
                      arguments.local,
                      arguments.logarithmic,
                      arguments.plot_regret,
                      rounds,
                      arguments.repetition});
  } catch (const FileError& problem) {
    fmt::print(stderr, "{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
}

ExitCode report_verb(const Arguments& arguments) {
  try {
    const auto path = report_runs(arguments.runs, arguments.page_out);
    fmt::print("{}\n", path.string());
    std::fflush(stdout);
    std::error_code error;
    const auto absolute = std::filesystem::absolute(path, error).lexically_normal();
    fmt::print(stderr,
               "report: {}; open it in a browser: xdg-open {}\n",
               path.string(),
               shell_quoted(error ? path.string() : absolute.string()));
    return ExitCode::ok;
  } catch (const FileError& problem) {
    fmt::print(stderr, "{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
}

ExitCode serve_verb(const Arguments& arguments) {
  try {
    return serve_runs(arguments.file, arguments.page_address);
  } catch (const FileError& problem) {
    fmt::print(stderr, "{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
}

}  // namespace posse
