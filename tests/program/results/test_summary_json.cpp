// SPDX-License-Identifier: Apache-2.0
// The summary of a run folder is the one that was written.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "program/base/files.hpp"
#include "program/results/execution.hpp"
#include "program/results/results.hpp"
#include "program/results/summary_json.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_summary_json {
namespace {

const std::string kOne = "[[algorithm]]\nkind = \"fed-pne\"\n" + test::kThreeClients;

struct Written {
  explicit Written(const Scenario& scenario) {
    ExecutionOptions options;
    options.progress = ProgressStyle::none;
    RunMonitor monitor(number_of_runs(scenario, options.run));
    execution = execute(scenario, options, monitor);
    RunFolder folder(out.path(), scenario.name);
    folder.write(scenario, execution.result, execution.summary, execution.metadata, {});
    path = folder.commit();
  }
  Summary read() const { return read_summary(StoredRun(path)); }
  /// Of reading the folder with results.json changed.
  std::string problem(const std::string& what, const std::string& with) const {
    const auto file = path / "results.json";
    const auto whole = read_file(file);
    auto text = whole;
    REQUIRE(text.find(what) != std::string::npos);
    text.replace(text.find(what), what.size(), with);
    write_file(file, text);
    std::string found;
    try {
      read();
    } catch (const FileError& error) {
      found = error.what();
    }
    write_file(file, whole);
    return found;
  }

  test::Folder out;
  Execution execution;
  std::filesystem::path path;
};

}  // namespace

TEST_CASE("what show prints of a folder is what run prints with --details") {
  for (const auto* name : {"quickstart.toml", "tuning/optimizers.toml"}) {
    INFO(name);
    Diagnostics diagnostics;
    const Written written(load_scenario(
        std::string(POSSE_SOURCE_DIR) + "/scenarios/" + name, {{"", "repeat=2"}}, diagnostics));
    const auto& summary = written.execution.summary;
    CHECK(details_text(written.read()) == details_text(summary));
    CHECK(brief_text(written.read()) == brief_text(summary));
  }
}

TEST_CASE("one run, thresholds, ties and runs that did not finish are read as they were") {
  for (const std::string more : {"[thresholds]\nsimple_regret = [\"max < 1\", \"mean < 0\"]\n",
                                 "[limits]\nevents = 20\n",
                                 "[network]\nlatency = \"1 ms\"\nties = \"reversed\"\n"}) {
    INFO(more);
    const Written written(test::read_valid("name = \"one\"\n" + kOne + more));
    CHECK(details_text(written.read()) == details_text(written.execution.summary));
  }
}

TEST_CASE("a damaged summary is an error that names the file and the key") {
  const Written written(test::read_valid("name = \"one\"\n" + kOne));
  using Catch::Contains;
  CHECK_THAT(written.problem("\"kind\": \"exact\"", "\"kind\": \"guess\""),
             Contains("results.json") && Contains("kind") && Contains("'guess'"));
  CHECK_THAT(written.problem("\"conditions\": ", "\"condition\": "),
             Contains("conditions is missing"));
  CHECK_THAT(written.problem("\"finished\": 1", "\"finished\": -1"),
             Contains("finished is not a count"));
}

}  // namespace posse::test_summary_json
