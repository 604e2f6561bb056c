// SPDX-License-Identifier: Apache-2.0
// Run folders, as `plot`, `report`, `compare` and `serve` read them. The first byte selects the
// reader, a letter from `a`; the rest is a list of files (sandbox.hpp) that replace those of a
// small finished run (samples.hpp).
#include <string>

#include "program/base/files.hpp"
#include "program/compare/study_report.hpp"
#include "program/page/document.hpp"
#include "program/page/run_index.hpp"
#include "program/plot/kinds.hpp"
#include "program/sweep/setting_runs.hpp"
#include "program/sweep/study_reader.hpp"
#include "tests/fuzz/samples.hpp"
#include "tests/fuzz/sandbox.hpp"
#include "tests/fuzz/targets.hpp"

namespace posse::fuzz {
namespace {

void read(char reader, const std::filesystem::path& folder) {
  switch (reader) {
    case 'a': {
      const RunData run = read_run(folder);
      require(!run.algorithms.empty(), "a run has algorithms");
      for (const auto& chart : page_charts(run))
        require(!chart.title.empty(), "a chart has a title");
      return;
    }
    case 'b': {
      const auto text = compact_json(read_document(folder));
      require(!Json::parse(text, nullptr, false).is_discarded(), "a document is JSON");
      return;
    }
    case 'c':
      require(!to_text(study_report(read_study({folder}))).empty(), "a study has a report");
      return;
    case 'd':
      require(RunIndex(folder).runs().size() == 1, "a run is listed, whatever its state");
      return;
    default:
      return;
  }
}

}  // namespace

void fuzz_run_folder(std::string_view input) {
  static Sandbox sandbox;
  if (input.empty()) return;
  auto files = files_of(input.substr(1), sample_run());
  if (const auto scenario = files.find("scenario.toml"); scenario != files.end()) {
    Diagnostics ignored;
    if (names_outside_files(parse_toml(scenario->second, "scenario.toml", ignored))) return;
  }
  for (const auto& [name, content] : sample_run()) files.try_emplace(name, content);
  sandbox.hold(files);
  try {
    read(input.front(), sandbox.path());
  } catch (const FileError& error) {
    require(*error.what() != '\0', "an error has a text");
  }
}

}  // namespace posse::fuzz
