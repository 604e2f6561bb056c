// SPDX-License-Identifier: Apache-2.0
#include "program/nodes/run_description.hpp"

#include <fmt/format.h>

#include <vector>

#include "actors/host/archive.hpp"
#include "core/base/hash.hpp"
#include "core/base/outside_failure.hpp"
#include "program/run/workload_cache.hpp"
#include "program/scenario/external_objective.hpp"

namespace posse {

// Found by the types' namespace (archive.hpp).

struct DescribedFile {
  std::string name, content;
};
template <class A>
void exchange(A& archive, DescribedFile& x) {
  archive(x.name, x.content);
}

namespace {

struct Description {
  std::string scenario;
  std::vector<DescribedFile> files;
  RunDescription run;
};
template <class A>
void exchange_description(A& archive, Description& x) {
  auto algorithm = static_cast<std::uint32_t>(x.run.algorithm);
  archive(x.scenario, x.files, algorithm, x.run.repetition, x.run.trace_messages);
  archive(x.run.measures_service);
  x.run.algorithm = algorithm;
}

Description description_of(const Scenario& scenario, const RunDescription& run) {
  Description description{to_toml(scenario), {}, run};
  for (const auto& file : scenario.inputs.files())
    description.files.push_back({file.stored, *file.content});
  return description;
}

Scenario described_scenario(const Description& description) {
  Diagnostics diagnostics;
  Value root = parse_toml(description.scenario, "the listener's scenario", diagnostics);
  Table files;
  for (const auto& file : description.files) {
    Value content;
    content.data = file.content;
    files[file.name] = std::move(content);
  }
  Value inputs;
  inputs.data = std::move(files);
  if (!description.files.empty()) std::get<Table>(root.data)["inputs"] = std::move(inputs);
  Scenario scenario;
  if (diagnostics.empty()) scenario = read_scenario(root, "the listener's scenario", diagnostics);
  if (!diagnostics.empty())
    throw OutsideFailure("the scenario has mistakes here:\n" + diagnostics.text());
  if (scenario.problem && scenario.problem->objective.kind == "external" &&
      !external_programs_allowed())
    throw OutsideFailure(
        "its objective is a program, which isn't started because somebody else says so: give this "
        "node the scenario's file, or --allow-external");
  return scenario;
}

class DescribedRun final : public MemberRun {
 public:
  DescribedRun(std::optional<Scenario> described, const Scenario* own, const RunDescription& run)
      : described_(std::move(described)),
        scenario_(own != nullptr ? *own : *described_),
        entry_(scenario_.algorithms.at(run.algorithm)),
        workload_(make_workload(scenario_, entry_, run.repetition)),
        protocol_(make_protocol(scenario_, entry_, workload_, run.repetition)),
        spec_(make_simulation(scenario_, entry_, workload_, *protocol_, run.repetition)) {
    spec_.trace_messages = run.trace_messages;
    spec_.measures_service = run.measures_service;
  }
  const SimulationSpec& spec() const override { return spec_; }

 private:
  std::optional<Scenario> described_;
  const Scenario& scenario_;
  const AlgorithmEntry& entry_;
  Workload workload_;
  std::unique_ptr<Protocol> protocol_;
  SimulationSpec spec_;
};

}  // namespace

std::uint64_t scenario_hash(const Scenario& scenario) {
  const Description description = description_of(scenario, {});
  std::uint64_t hash = hash_name(description.scenario);
  for (const auto& file : description.files)
    hash = hash_combine(hash_combine(hash, hash_name(file.name)), hash_name(file.content));
  return hash;
}

std::vector<KnownNodes> known_nodes(const Scenario& scenario) {
  std::vector<KnownNodes> known;
  for (const AlgorithmEntry& entry : scenario.algorithms) {
    // As in a forecast of memory: one client's problem says enough.
    AlgorithmEntry one = entry;
    one.clients = 1;
    const Workload workload = make_workload(scenario, one, 0);
    const auto protocol = make_protocol(scenario, entry, workload, 0);
    known.push_back({NodeNames(protocol->groups()), has_hub(topology_of(*entry.spec, *protocol))});
  }
  return known;
}

std::string describe_run(const Scenario& scenario, const RunDescription& run) {
  Description description = description_of(scenario, run);
  ArchiveWriter archive;
  exchange_description(archive, description);
  const auto bytes = archive.take();
  return {bytes.begin(), bytes.end()};
}

std::unique_ptr<MemberRun> make_described_run(const std::string& description, const Scenario* own) {
  Description read;
  ArchiveReader archive(description, [](std::string_view) { return std::string_view(); });
  exchange_description(archive, read);
  if (!archive.finished()) throw OutsideFailure("the description of the run can't be read");
  std::optional<Scenario> described;
  if (own == nullptr) described = described_scenario(read);
  if (read.run.algorithm >= (own != nullptr ? *own : *described).algorithms.size())
    throw OutsideFailure("the scenario has no such algorithm here");
  return std::make_unique<DescribedRun>(std::move(described), own, read.run);
}

}  // namespace posse
