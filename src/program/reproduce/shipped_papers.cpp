// SPDX-License-Identifier: Apache-2.0
#include "program/reproduce/shipped_papers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "program/base/data_folder.hpp"
#include "program/base/files.hpp"
#include "program/reproduce/claims_file.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

std::vector<Paper> read_shipped_papers() {
  const auto scenarios = scenarios_folder();
  const auto folder = scenarios / "papers" / "claims";
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  if (files.empty()) throw FileError(folder, "with the papers' claims does not exist or is empty");
  std::sort(files.begin(), files.end());
  Diagnostics diagnostics;
  std::vector<Paper> papers;
  for (const auto& file : files) {
    papers.push_back(load_claims(file.string(), diagnostics));
    for (auto& figure : papers.back().figures) {
      figure.shipped = true;
      figure.scenario = fs::path(figure.file).lexically_relative(scenarios).string();
    }
  }
  if (!diagnostics.empty())
    throw FileError(folder, fmt::format("has mistakes:\n{}", diagnostics.text()));
  return papers;
}

}  // namespace

fs::path scenarios_folder() {
  if (const char* given = std::getenv("POSSE_SCENARIOS")) {
    if (!fs::is_directory(given)) throw FileError(given, "(POSSE_SCENARIOS) is not a directory");
    return given;
  }
  auto scenarios = data_folder() / "scenarios";
  std::error_code error;
  if (!fs::is_directory(scenarios, error))
    throw FileError(
        scenarios,
        "with the shipped scenarios does not exist; set POSSE_SCENARIOS to their directory");
  return scenarios;
}

const std::vector<Paper>& shipped_papers() {
  static const std::vector<Paper> all = read_shipped_papers();
  return all;
}

const std::vector<Paper>& shipped_papers_or_none() {
  static const std::vector<Paper> none;
  try {
    return shipped_papers();
  } catch (const FileError&) {
    return none;
  }
}

}  // namespace posse
