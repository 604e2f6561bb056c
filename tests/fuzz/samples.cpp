// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/samples.hpp"

#include <filesystem>
#include <utility>
#include <vector>

#include "core/base/check.hpp"
#include "program/base/files.hpp"
#include "program/base/gzip_lines.hpp"
#include "program/results/execution.hpp"
#include "program/sweep/collect.hpp"
#include "program/sweep/sweep.hpp"
#include "tests/fuzz/sandbox.hpp"

namespace posse::fuzz {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

constexpr auto kScenario = R"(
name = "sample"
[population]
clients = 2
[objective]
kind = "garland"
[budget]
evaluations_per_client = 6
[network]
latency = "1 ms"
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "random-exchange"
)";
constexpr auto kSweep = R"(
[sweep]
network.latency = ["1 ms", "2 ms"]
)";

std::string unpacked(const fs::path& file) {
  GzipLines lines(file);
  std::string text, line;
  while (lines.next(line)) text += line + "\n";
  return text;
}

Files files_below(const fs::path& folder) {
  Files files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto name = fs::relative(entry.path(), folder).string();
    if (!entry.is_regular_file() || name.ends_with(".sqlite") || name.ends_with(".om") ||
        name.ends_with(".perfetto.json"))
      continue;  // nothing reads them
    files[name] = name.ends_with(".gz") ? unpacked(entry.path()) : read_file(entry.path());
  }
  return files;
}

Files make_run() {
  const Sandbox sandbox;
  const Scenario scenario = sample_scenario();
  ExecutionOptions options;
  options.run.kernel = Kernel::serial;
  options.run.traces = {.messages = true, .all = true};
  options.progress = ProgressStyle::none;
  RunMonitor monitor(number_of_runs(scenario, options.run));
  const Execution execution = execute(scenario, options, monitor);
  RunFolder folder(sandbox.path() / "out", scenario.name);
  folder.write(
      scenario, execution.result, execution.summary, execution.metadata, options.run.traces);
  Files files = files_below(folder.commit());
  files["interventions.csv"] =
      "run,virtual_s,action,amount,unit,groups\nfed-pne-0,0.001,cut,,,server | client-0 client-1\n";
  return files;
}

struct StoredSample {
  Files files;                               // by name here
  std::map<std::string, std::string> names;  // in the store
};

StoredSample make_store() {
  const Sandbox sandbox;
  sandbox.write("sample.toml", std::string(kScenario) + kSweep);
  Diagnostics diagnostics;
  const SweepPlan plan((sandbox.path() / "sample.toml").string(), {}, diagnostics);
  POSSE_CHECK(diagnostics.empty(), "{}", diagnostics.text());
  const RunStore store(sandbox.path() / "store");
  run_sweep(plan, store, {.progress = ProgressStyle::none});
  write_plan(store, plan);
  collect({store}, store.root());
  StoredSample sample;
  const auto entries = store.entries();
  for (auto& [name, content] : files_below(store.root())) {
    std::string here = name;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto folder = fs::relative(entries[i].folder, store.root()).string();
      if (name.starts_with(folder)) here = "run-" + std::to_string(i) + name.substr(folder.size());
    }
    sample.names[here] = name;
    sample.files[here] = std::move(content);
  }
  return sample;
}

const StoredSample& stored_sample() {
  static const StoredSample sample = make_store();
  return sample;
}

}  // namespace

Scenario sample_scenario() {
  Diagnostics diagnostics;
  const Value root = parse_toml(kScenario, "sample.toml", diagnostics);
  Scenario scenario = read_scenario(root, "sample.toml", diagnostics);
  POSSE_CHECK(diagnostics.empty(), "{}", diagnostics.text());
  return scenario;
}

const std::map<std::string, std::string>& sample_run() {
  static const Files files = make_run();
  return files;
}

const std::map<std::string, std::string>& sample_store() { return stored_sample().files; }

std::string name_in_store(const std::string& name) { return stored_sample().names.at(name); }

}  // namespace posse::fuzz
