// SPDX-License-Identifier: Apache-2.0
// Stores of sweeps and their tables, as `compare`, `plot`, `serve` and `store verify` read them.
// The first byte selects the reader, a letter from `a`; the rest is a list of files (sandbox.hpp)
// that replace those of a small store (samples.hpp).
#include <map>
#include <stdexcept>
#include <string>

#include "program/base/files.hpp"
#include "program/compare/study_report.hpp"
#include "program/sweep/collect.hpp"
#include "program/sweep/setting_runs.hpp"
#include "program/sweep/study_reader.hpp"
#include "tests/fuzz/samples.hpp"
#include "tests/fuzz/sandbox.hpp"
#include "tests/fuzz/targets.hpp"

namespace posse::fuzz {
namespace {

void read(char reader, const RunStore& store) {
  switch (reader) {
    case 'a':
      read_plan(store);
      return;
    case 'b':
      for (const auto& entry : store.entries())
        for (const auto& problem : RunStore::damage(entry))
          require(!problem.empty(), "a problem has a text");
      return;
    case 'c':
      require(!to_text(study_report(read_study({store.root()}))).empty(), "a study has a report");
      return;
    case 'd':
      read_settings(read_study({store.root()}));
      return;
    case 'e':
      require(collect({store}, store.root() / "collected").planned > 0, "a plan has runs");
      return;
    default:
      return;
  }
}

}  // namespace

void fuzz_store(std::string_view input) {
  static Sandbox sandbox;
  if (input.empty()) return;
  auto files = files_of(input.substr(1), sample_store());
  for (const auto& [name, content] : files)
    if (name.ends_with("scenario.toml")) {
      Diagnostics ignored;
      if (names_outside_files(parse_toml(content, name, ignored))) return;
    }
  for (const auto& [name, content] : sample_store()) files.try_emplace(name, content);
  std::map<std::string, std::string> in_store;
  for (auto& [name, content] : files) in_store[name_in_store(name)] = std::move(content);
  sandbox.hold(in_store);
  try {
    read(input.front(), RunStore(sandbox.path()));
  } catch (const FileError& error) {
    require(*error.what() != '\0', "an error has a text");
  } catch (const std::invalid_argument&) {  // the same run is there twice
  }
}

}  // namespace posse::fuzz
