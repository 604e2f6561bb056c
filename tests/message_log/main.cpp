// SPDX-License-Identifier: Apache-2.0
// message_log_checker RUN_FOLDER…: checks the message logs of finished runs (`run --trace
// messages`) against the documents. It shares no code with the simulator, so that it also finds
// errors on which all kernels agree. Exit codes: 0 nothing is wrong, 1 violations, 2 a folder can't
// be read.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "rules.hpp"

namespace {

void print(const message_log::Report& report) {
  for (const auto& v : report.violations)
    fmt::print("{}, {}: {}: {}\n",
               v.run,
               v.row == 0 ? "all rows" : fmt::format("row {}", v.row),
               v.rule,
               v.what);
  fmt::print("{} logs, {} runs, {} rows, {} violations\n",
             report.logs,
             report.runs,
             report.rows,
             report.violations.size());
  for (const auto& [rule, n] : report.checked) fmt::print("  {}: {} checked\n", rule, n);
  for (const auto& [key, n] : report.skipped)
    fmt::print("  {}: {} skipped ({})\n", key.first, n, key.second);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: {} RUN_FOLDER…\n", argv[0]);
    return 2;
  }
  message_log::Report report;
  bool unreadable = false;
  for (int i = 1; i < argc; ++i) {
    try {
      check(message_log::read_run_folder(argv[i]), report);
    } catch (const std::exception& problem) {
      fmt::print(stderr, "{}: {}\n", argv[i], problem.what());
      unreadable = true;
    }
  }
  print(report);
  return unreadable ? 2 : report.violations.empty() ? 0 : 1;
}
