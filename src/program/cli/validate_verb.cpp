// SPDX-License-Identifier: Apache-2.0
// A scenario for real in several processes, and simulated with the times that were measured there.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/cli/node_options.hpp"
#include "program/cli/run_verb.hpp"
#include "program/http/address.hpp"
#include "program/nodes/member_processes.hpp"
#include "program/nodes/node_host.hpp"
#include "program/nodes/proxy.hpp"
#include "program/nodes/run_description.hpp"
#include "program/page/page_answer.hpp"
#include "program/run/workload_cache.hpp"
#include "program/scenario/external_objective.hpp"
#include "program/sweep/run_key.hpp"
#include "program/validate/measured_times.hpp"
#include "program/validate/validation.hpp"

namespace posse {
namespace {

namespace fs = std::filesystem;
using Number = std::pair<std::size_t, std::uint32_t>;  // algorithm, repetition

struct ValidateFlags {
  RunFlags run;
  std::size_t processes = 5;
  LineFlags line;
  bool measure_only = false;

  void add_to(CLI::App& verb) {
    run.scenario.add_to(verb);
    run.execution.add_to(verb);
    verb.add_option("--processes", processes, "processes, this one included (default: 5)")
        ->check(CLI::Range(2, 1000));
    line.add_to(verb);
    verb.add_flag(
        "--measure-only",
        measure_only,
        "print the latencies and service times that were measured, and write the scenario "
        "with them, without simulating it");
    verb.add_option("--repetition", run.repetition, "run only this repetition, counted from 0");
    verb.add_flag("-q,--quiet", run.quiet, "print nothing but errors");
  }
};

/// Members on this machine, behind a proxy, for all runs of a scenario.
class RealProcesses final : public RunHost {
 public:
  RealProcesses(const ValidateFlags& flags,
                const Invocation& invocation,
                const Scenario& scenario,
                const ExecutionOptions& execution)
      : token_(random_token()) {
    host_.emplace(group_options(flags, scenario, execution), Traces{}, true);
    ProxyOptions options = proxy_options(flags.line, flags.run.scenario.seed);
    options.to = {"127.0.0.1", host_->port()};
    proxy_.emplace(options);
    std::vector<std::string> words{
        "--connect", host_and_port("127.0.0.1", proxy_->port()), "--threads", "1"};
    for (const auto& plugin : invocation.plugins) words.insert(words.end(), {"--plugin", plugin});
    // The user gave this process the file.
    if (external_programs_allowed() || starts_program(scenario))
      words.emplace_back("--allow-external");
    members_.emplace(flags.processes - 1, words, token_);
  }

  SimulationResult run(const Scenario& scenario,
                       const SimulationSpec& spec,
                       const RunNumber& number,
                       WallLimit& limit,
                       Progress* progress) override {
    const Proxy::Counts before = proxy_->counts();
    auto result = host_->run(scenario, spec, number, limit, progress);
    const Proxy::Counts after = proxy_->counts();
    const std::uint64_t messages = after.message_bytes - before.message_bytes;
    passed_[{number.algorithm, number.repetition}] = {
        messages, after.up + after.down - before.up - before.down - messages};
    return result;
  }
  /// During the run.
  SocketBytes passed(const RunRecord& run) const {
    const auto it = passed_.find({run.algorithm, run.repetition});
    return it == passed_.end() ? SocketBytes{} : it->second;
  }

 private:
  GroupOptions group_options(const ValidateFlags& flags,
                             const Scenario& scenario,
                             const ExecutionOptions& execution) const {
    GroupOptions options;
    options.credentials.version = node_version();
    options.credentials.token = token_;
    options.credentials.scenario_hash = scenario_hash(scenario);
    options.nodes = known_nodes(scenario);
    options.threads = execution.run.threads;
    options.members = flags.processes - 1;
    options.patience = std::chrono::seconds(60);
    return options;
  }
  static bool starts_program(const Scenario& scenario) {
    return scenario.problem && scenario.problem->objective.kind == "external";
  }

  std::string token_;
  std::map<Number, SocketBytes> passed_;
  // In this order: the host sends the members home, through the proxy.
  std::optional<Proxy> proxy_;
  std::optional<MemberProcesses> members_;
  std::optional<NodeHost> host_;
};

class Validation {
 public:
  Validation(const ValidateFlags& flags, const Invocation& invocation)
      : flags_(flags), invocation_(invocation) {}

  ExitCode run() {
    RunExtension extension;
    extension.make_host = [&](const Scenario& scenario, const ExecutionOptions& execution) {
      auto host = std::make_unique<RealProcesses>(flags_, invocation_, scenario, execution);
      host_ = host.get();
      options_ = execution;
      return host;
    };
    extension.add_files = [&](const fs::path& folder, const Scenario& scenario, const auto& real) {
      return add_files(folder, scenario, real);
    };
    const ExitCode code = run_with(flags_.run, invocation_, extension);
    return code == ExitCode::ok && differs_ ? ExitCode::differs : code;
  }

 private:
  std::string add_files(const fs::path& folder, const Scenario& scenario, const Execution& real) {
    std::vector<RunValidation> compared;
    std::string text;
    for (std::size_t a = 0; a < scenario.algorithms.size(); ++a) {
      std::vector<const RunRecord*> runs;
      std::vector<ServiceSample> samples;
      for (const RunRecord& run : real.result.runs) {
        if (run.algorithm != a || !run.started) continue;
        runs.push_back(&run);
        samples.insert(samples.end(), run.result.service.begin(), run.result.service.end());
      }
      if (runs.empty() || samples.empty()) continue;
      const AlgorithmEntry& entry = scenario.algorithms[a];
      const NodeNames& names = runs.front()->start.names;
      const auto measured = [&](std::uint32_t repetition) {
        return with_measured_times(single_run(scenario, entry, repetition), names, samples);
      };
      for (const RunRecord* run : runs) {
        const bool first = run == runs.front();
        if (!first && flags_.measure_only) break;
        const Scenario scenario_of_run = measured(run->repetition);
        if (first) write(folder / "measured" / entry.label, scenario_of_run);
        if (!flags_.measure_only) compared.push_back(compare(scenario_of_run, *run));
      }
      if (flags_.measure_only) text += times_text(entry, names, samples);
    }
    if (flags_.measure_only) return text;
    write_file(folder / "validation.csv", validation_csv(compared));
    return validation_text(compared);
  }

  /// Into a folder of its own. What is there can be run.
  static void write(const fs::path& folder, const Scenario& scenario) {
    fs::create_directories(folder / "inputs");
    write_file(folder / "scenario.toml", to_toml(scenario));
    for (const auto& file : scenario.inputs.files())
      write_file(folder / file.stored, *file.content);
    Diagnostics diagnostics;
    load_scenario((folder / "scenario.toml").string(), {}, diagnostics);
    report_mistakes(diagnostics);
  }

  RunValidation compare(const Scenario& measured, const RunRecord& real) {
    RunRecord simulated;
    simulated.repetition = real.repetition;
    RunOptions options;
    options.threads = options_.run.threads;
    RunMonitor::Slot slot;
    const WorkloadOf workload_of = [&](const AlgorithmEntry& entry, std::uint32_t repetition) {
      return make_workload(measured, entry, repetition);
    };
    run_one(measured, options, options.threads, workload_of, slot, simulated);
    const auto& label = measured.algorithms[0].label;
    RunValidation validation{
        fmt::format("{}/{}", label, real.repetition),
        compare_real(simulated, real, host_->passed(real), promises_equality(measured, real))};
    for (const Compared& line : validation.lines)
      differs_ = differs_ || (line.exact && !line.holds);
    return validation;
  }

  bool promises_equality(const Scenario& scenario, const RunRecord& run) const {
    const AlgorithmEntry& entry = scenario.algorithms.front();
    const Workload workload = make_workload(scenario, entry, run.repetition);
    const bool waits_for_all =
        make_protocol(scenario, entry, workload, run.repetition)->waits_for_all();
    const bool all = !scenario.policy || scenario.policy->rule.kind == PolicyKind::all;
    return waits_for_all && all && flags_.line.loss == 0;
  }

  const ValidateFlags& flags_;
  const Invocation& invocation_;
  bool differs_ = false;
  ExecutionOptions options_;
  const RealProcesses* host_ = nullptr;
};

ExitCode validate_scenario(const ValidateFlags& flags, const Invocation& invocation) {
  return with_node_errors([&] { return Validation(flags, invocation).run(); });
}

}  // namespace

Command validate_verb(CLI::App& verb) { return command_of(verb, validate_scenario); }

}  // namespace posse
