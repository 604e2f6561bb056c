// SPDX-License-Identifier: Apache-2.0
#include "program/run/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "actors/common/bound_conditions.hpp"
#include "actors/host/run.hpp"
#include "actors/host/wall_clock.hpp"
#include "actors/host/wall_run.hpp"
#include "core/base/hash.hpp"
#include "core/base/interruption.hpp"
#include "core/base/memory_reserve.hpp"
#include "core/base/outside_failure.hpp"
#include "core/network/nodes.hpp"
#include "core/sim/branches.hpp"
#include "core/sim/fingerprint.hpp"
#include "core/sim/node_faults.hpp"
#include "program/base/text.hpp"
#include "program/base/threads.hpp"
#include "program/run/memory.hpp"
#include "program/run/run_warnings.hpp"
#include "program/run/workload_cache.hpp"

namespace posse {
namespace {

/// Ends a run in the middle of something long, a moment after it was cancelled or its time was up:
/// what remains to be done may be short.
class RunInterruption final : public Interruption {
 public:
  RunInterruption(Progress& progress, const WallLimit& limit)
      : progress_(progress), limit_(limit) {}

  void evaluated(std::uint64_t part) const override {
    progress_.evaluations.fetch_add(part, std::memory_order_relaxed);
  }
  bool wanted() const override {
    if (!progress_.cancel.load(std::memory_order_relaxed)) {
      const auto end = limit_.end();
      return end && Clock::now() >= *end + kMoment;
    }
    auto since = cancelled_.load(std::memory_order_relaxed);
    const auto now = Clock::now().time_since_epoch().count();
    if (since == 0) cancelled_.compare_exchange_strong(since, now);
    return since != 0 && Clock::duration(now - since) >= kMoment;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::duration kMoment = std::chrono::milliseconds(300);
  Progress& progress_;
  const WallLimit& limit_;
  mutable std::atomic<Clock::rep> cancelled_{0};
};

ComparisonFacts facts_of(const Protocol& protocol, const AlgorithmEntry& entry) {
  ComparisonFacts facts = protocol.comparison_facts();
  const auto real = [&](std::string_view name) -> std::optional<double> {
    const auto& all = entry.parameters.all();
    const auto it = all.find(name);
    const auto* value = it == all.end() ? nullptr : std::get_if<double>(&it->second);
    return value == nullptr ? std::nullopt : std::optional(*value);
  };
  facts.nu1 = real("nu1");
  facts.rho = real("rho");
  return facts;
}

SimulationResult simulate(const Scenario& scenario,
                          const SimulationSpec& spec,
                          const RunNumber& number,
                          const RunOptions& options,
                          std::size_t threads,
                          WallLimit& wall_limit,
                          Progress* progress) {
  if (options.host != nullptr)
    return options.host->run(scenario, spec, number, wall_limit, progress);
  switch (options.kernel) {
    case Kernel::wall:
      return run_in_wall_time(spec, {threads, &wall_limit}, progress);
    case Kernel::serial:
      return run_serial(spec, progress);
    case Kernel::windows:
      return run_windows(spec, threads, progress);
    case Kernel::actors:
      break;
  }
  HostOptions host;
  host.threads = threads;
  host.pace = options.pace;
  host.pausable = options.watched;
  host.wall_limit = &wall_limit;
  return run_actors(spec, host, progress);
}

/// The virtual time of a finished run and a lower bound on it, if it says something: the
/// evaluations of a node in sequence, plus in every round the smallest latency, once in a mesh,
/// twice in a star. With a policy that closes rounds early only the evaluations remain.
Measurement virtual_time(const SimulationSpec& spec,
                         const SimulationResult& result,
                         PolicyKind policy) {
  const RunOutcome& outcome = result.outcome;
  Duration least;
  const bool stretched =
      std::any_of(spec.network.nodes.begin(), spec.network.nodes.end(), [](const NodeRule& rule) {
        return rule.straggler.value_or(1.0) < 1.0;
      });
  // Evaluations that a crash took away, or before which a node stands still for good.
  const auto& faults = spec.network.node_faults;
  const bool undone = outcome.state_lost || has_reached(result.reached, Branch::settled_down) ||
                      std::any_of(faults.begin(), faults.end(), may_last_for_good);
  if (!stretched && !undone)
    least += smallest(spec.compute.evaluation) * outcome.busiest_evaluations;
  const Topology topology = topology_of(*spec.algorithm, *spec.protocol);
  const bool hub = has_hub(topology);
  const std::uint64_t crossings = topology == Topology::hierarchy ? 4 : hub ? 2 : 1;
  // A client without budget may finish before the hub's message of the last round arrives.
  const std::uint64_t rounds = outcome.complete_rounds;
  // Rounds that a hub has open at the same time overlap.
  const bool overlap = hub && outcome.rounds_overlap;
  if (policy == PolicyKind::all && rounds > 0 && !overlap)
    least += result.smallest_latency * (crossings * rounds - (hub ? 1 : 0));
  Measurement measured{"virtual time", "s", outcome.finished_at.to_seconds(), std::nullopt};
  if (least > Duration{})
    measured.bound =
        Bound{least.to_seconds(),
              BoundKind::derived,
              BoundStrength::always,
              true,
              "the least computing time of the busiest node plus the least latency of every "
              "message that has to wait for another"};
  return measured;
}

/// The maximum that regrets refer to, where it is not exact.
std::optional<Measurement> searched_maximum(const Problem& problem) {
  const CertifiedMaximum& maximum = problem.mean_maximum();
  if (maximum.exact) return std::nullopt;
  if (maximum.conventional)
    return Measurement{"maximum f* (assumed)", "", maximum.value, std::nullopt};
  Bound bound{maximum.upper, BoundKind::derived, BoundStrength::always};
  if (maximum.certified) {
    bound.note =
        "the maximum that regrets refer to; the bound follows from the objectives' formulas, by "
        "branch and bound";
    return Measurement{"maximum f* (certified)", "", maximum.value, std::move(bound)};
  }
  bound.note =
      "the maximum that regrets refer to: the best point found; the bound follows from the "
      "objectives' bounds, by branch and bound where moduli of continuity are known";
  if (std::isinf(maximum.upper)) {
    bound.kind = BoundKind::does_not_apply;
    bound.note =
        "the maximum that regrets refer to: the best point found; not certified, because no "
        "Lipschitz constant is known";
  }
  return Measurement{"maximum f* (best point found)", "", maximum.value, std::move(bound)};
}

std::optional<ArmPlane> plane_of(const AlgorithmEntry& entry, const Problem* problem) {
  if (problem == nullptr || problem->domain().dimension() != 2) return std::nullopt;
  ArmPlane plane{problem->domain(), PartitionKind::dimwise, {}};
  const auto& parameters = entry.parameters.all();
  if (const auto it = parameters.find("partition"); it != parameters.end()) {
    const auto& kind = entry.parameters.text("partition");
    if (kind == to_string(PartitionKind::random_dim) ||
        kind == to_string(PartitionKind::random_cut))
      return std::nullopt;  // drawn cell by cell
    if (kind == to_string(PartitionKind::cyclic)) plane.partition = PartitionKind::cyclic;
  } else if (!parameters.contains("point")) {
    return std::nullopt;  // no cells
  }
  const CertifiedMaximum& maximum = problem->mean_maximum();
  if (maximum.exact && problem->homogeneous())
    plane.optima = problem->local_maximisers(0);
  else if (!maximum.conventional && maximum.point.size() == 2)
    plane.optima = {maximum.point};
  return plane;
}

/// Where clients lie or the server does not average, no bound of theory applies. Counts stay exact.
void disclaim_theory(const SimulationSpec& spec,
                     const Scenario& scenario,
                     std::vector<Measurement>& measurements) {
  const bool lies = !spec.network.corrupt_faults.empty();
  const bool robust = spec.algorithm->averages && scenario.policy &&
                      scenario.policy->rule.aggregate != Aggregate::mean;
  for (Measurement& measurement : measurements) {
    if (!measurement.bound || measurement.bound->is_identity) continue;
    if (lies) does_not_apply(*measurement.bound, "clients send wrong numbers");
    if (robust)
      does_not_apply(
          *measurement.bound,
          fmt::format("the server takes the {}", to_string(scenario.policy->rule.aggregate)));
  }
}

std::string fingerprint_text(bool in_wall_time, std::uint64_t fingerprint) {
  return in_wall_time ? std::string(kNoFingerprint) : hexadecimal(fingerprint);
}

/// The last snapshot of a run whose large parts are in its record, or aren't kept.
std::shared_ptr<const RunSnapshot> last_snapshot(const RunRecord& run, const Progress& progress) {
  const auto latest = progress.snapshots.latest();
  auto last = std::make_shared<RunSnapshot>(latest ? *latest : RunSnapshot{});
  last->over = true;
  last->outcome.status = run.result.outcome.status;
  last->outcome.report = run.result.outcome.report;
  const auto free = [](auto& list) { std::decay_t<decltype(list)>().swap(list); };
  free(last->outcome.rounds);
  free(last->outcome.cells);
  free(last->outcome.links);
  free(last->outcome.own_searches);
  free(last->outcome.regret.local_recommendations);
  return last;
}

/// Shows observers the ended run.
void publish(const RunRecord& run, const RunFigures& figures, RunMonitor::Slot& slot) {
  static const auto without_details = [] {
    auto snapshot = std::make_shared<RunSnapshot>();
    snapshot->over = true;
    return snapshot;
  }();
  // Before the snapshot, so that the snapshot's readers find them.
  if (slot.keeps_details) slot.record = &run;
  slot.figures = &figures;
  slot.progress.snapshots.publish(slot.keeps_details ? last_snapshot(run, slot.progress)
                                                     : without_details);
  slot.done = true;
  slot.running = false;
}

bool keeps_details(const RunOptions& options, std::uint32_t repetition) {
  return options.only_repetition || repetition < options.detailed_repetitions;
}

std::uint64_t fingerprint_of(const std::vector<RunFigures>& runs) {
  std::uint64_t fingerprint = 0;
  for (const auto& run : runs) fingerprint = hash_combine(fingerprint, run.fingerprint);
  return fingerprint;
}

}  // namespace

void run_one(const Scenario& scenario,
             const RunOptions& options,
             std::size_t threads,
             const WorkloadOf& workload_of,
             RunMonitor::Slot& slot,
             RunRecord& run) {
  const AlgorithmEntry& entry = scenario.algorithms[run.algorithm];
  run.started = true;
  hold_memory_back();  // a run before may have needed it
  slot.running = true;
  const auto began = std::chrono::steady_clock::now();
  WallLimit wall_limit(scenario.limits.wall_seconds);
  const RunInterruption interruption(slot.progress, wall_limit);
  const Heed heed(&interruption);
  RunOutcome& outcome = run.result.outcome;
  bool simulated = false;
  std::optional<MemoryForecast> memory;  // that the run has been given
  try {
    if (options.memory != nullptr) {
      auto forecast = forecast_memory(scenario, entry);
      options.memory->enter(forecast);
      memory = std::move(forecast);
    }
    const Workload workload = workload_of(entry, run.repetition);
    const auto protocol = make_protocol(scenario, entry, workload, run.repetition);
    SimulationSpec spec = make_simulation(scenario, entry, workload, *protocol, run.repetition);
    spec.trace_messages = options.traces.messages;
    spec.record = options.traces.all;
    spec.recent_messages = options.watched;
    run.start = {began,
                 protocol->forecast(),
                 NodeNames(protocol->groups()),
                 topology_of(*entry.spec, *protocol),
                 facts_of(*protocol, entry),
                 options.kernel == Kernel::wall,
                 {},
                 plane_of(entry, workload.problem.get())};
    spec.stoppable_nodes = options.watched && run.start.names.size() <= kMostStoppableNodes;
    if (spec.stoppable_nodes)
      for (std::uint32_t i = 0; i < run.start.names.size(); ++i)
        run.start.can_lose_state.push_back(protocol->can_lose_state({i}));
    if (slot.keeps_details) slot.start = &run.start;
    run.result = simulate(scenario,
                          spec,
                          {run.algorithm, run.repetition},
                          options,
                          threads,
                          wall_limit,
                          &slot.progress);
    simulated = true;
    if (run.result.outcome.status != RunStatus::failed)
      run.measurements = protocol->measurements(run.result.outcome);
    run.own_measures = entry.spec->measures;
    disclaim_theory(spec, scenario, run.measurements);
    run.warnings = run_warnings(run.result, workload, scenario.network.retransmission);
    for (auto& more : {fault_warnings(scenario, entry, run.repetition, run.result),
                       loss_warnings(scenario, entry, run.result.outcome),
                       rate_warnings(scenario, entry, run.start.topology, run.result),
                       scenario_warnings(scenario, run.algorithm)})
      run.warnings.insert(run.warnings.end(), more.begin(), more.end());
    if (run.result.outcome.status == RunStatus::finished) {
      run.measurements.push_back(virtual_time(
          spec, run.result, scenario.policy ? scenario.policy->rule.kind : PolicyKind::all));
      if (auto maximum = workload.problem ? searched_maximum(*workload.problem) : std::nullopt)
        run.measurements.push_back(std::move(*maximum));
    }
    thin_rounds(run.result.outcome.rounds);
    run.results_hash = hash_of_results(run.result, run.measurements);
  } catch (const Interrupted&) {
    run.measurements.clear();
    // A run that was stopped keeps what it has.
    if (!simulated || outcome.status == RunStatus::finished) {
      const std::string_view where =
          simulated ? "its results were evaluated" : "it was being prepared";
      outcome.status = slot.progress.cancel ? RunStatus::stopped : RunStatus::limit_reached;
      outcome.report = slot.progress.cancel
                           ? fmt::format("the run was stopped by the user while {}\n", where)
                           : fmt::format("the limit of {} s of wall time was reached while {}\n",
                                         scenario.limits.wall_seconds,
                                         where);
    }
  } catch (const std::exception& problem) {
    const auto [what, outside] = blame(problem);
    outcome.status = RunStatus::failed;
    outcome.report = what;
    outcome.outside = outside;
  }
  if (memory) options.memory->leave(*memory);
  run.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

std::size_t number_of_runs(const Scenario& scenario, const RunOptions& options) {
  return scenario.algorithms.size() *
         (options.only_repetition ? 1 : scenario.repeat - options.first_repetition);
}

RunNumber run_at(const Scenario& scenario, const RunOptions& options, std::size_t index) {
  const std::size_t algorithms = scenario.algorithms.size();
  return {index % algorithms,
          options.only_repetition.value_or(options.first_repetition) +
              static_cast<std::uint32_t>(index / algorithms)};
}

double expected_evaluations(const Scenario& scenario, const AlgorithmEntry& entry) {
  if (entry.spec->needs_problem && scenario.problem)
    return static_cast<double>(scenario.problem->budget) * entry.clients;
  if (entry.spec->needs_arms && scenario.arms) return static_cast<double>(scenario.arms->budget);
  return 0;
}

ScenarioResult run_scenario(const Scenario& scenario,
                            const RunOptions& options,
                            RunMonitor& monitor) {
  ScenarioResult result;
  result.figures.resize(number_of_runs(scenario, options));
  std::size_t detailed = 0;
  for (std::size_t i = 0; i < result.figures.size(); ++i) {
    const auto [algorithm, repetition] = run_at(scenario, options, i);
    result.figures[i].algorithm = algorithm;
    result.figures[i].repetition = repetition;
    monitor.slots[i].keeps_details = keeps_details(options, repetition);
    if (monitor.slots[i].keeps_details) detailed = i + 1;
  }
  result.runs.resize(detailed);
  for (std::size_t i = 0; i < detailed; ++i) {
    result.runs[i].algorithm = result.figures[i].algorithm;
    result.runs[i].repetition = result.figures[i].repetition;
  }
  // With fewer runs than threads each run gets several. In wall time runs would slow each other.
  const std::size_t workers =
      options.kernel == Kernel::wall
          ? 1
          : std::clamp<std::size_t>(options.threads, 1, result.figures.size());
  const std::size_t threads_each = std::max<std::size_t>(1, options.threads / workers);
  WorkloadCache workloads;
  const WorkloadOf workload_of = [&](const AlgorithmEntry& entry, std::uint32_t repetition) {
    return workloads.get("", scenario, entry, repetition);
  };
  FigureMaker maker(scenario);
  std::atomic<std::size_t> next{0};
  const auto work = [&](std::size_t) {
    for (;;) {
      const std::size_t i = next.fetch_add(1);
      if (i >= result.figures.size() || monitor.cancel.load()) return;
      RunRecord passing;
      passing.algorithm = result.figures[i].algorithm;
      passing.repetition = result.figures[i].repetition;
      RunRecord& run = i < detailed ? result.runs[i] : passing;
      run_one(scenario, options, threads_each, workload_of, monitor.slots[i], run);
      result.figures[i] = maker.figures_of(run);
      publish(run, result.figures[i], monitor.slots[i]);
    }
  };
  work_together(workers, work);
  result.fingerprint = fingerprint_of(result.figures);
  return result;
}

ScenarioResult results_so_far(const Scenario& scenario,
                              const RunOptions& options,
                              const RunMonitor& monitor) {
  ScenarioResult result;
  FigureMaker maker(scenario);
  for (std::size_t i = 0; i < monitor.slots.size(); ++i) {
    const auto& slot = monitor.slots[i];
    if (const RunFigures* ended = slot.figures.load()) {
      result.figures.push_back(*ended);
      if (slot.keeps_details) result.runs.push_back(*slot.record.load());
      continue;
    }
    RunRecord run;
    const auto [algorithm, repetition] = run_at(scenario, options, i);
    run.algorithm = algorithm;
    run.repetition = repetition;
    run.started = slot.running;
    run.result.outcome.status = RunStatus::stopped;
    run.result.outcome.report =
        "the run was stopped by the user, in the middle of something that takes long\n";
    result.figures.push_back(maker.figures_of(run));
    if (slot.keeps_details) result.runs.push_back(std::move(run));
  }
  result.fingerprint = fingerprint_of(result.figures);
  return result;
}

ScenarioResult result_of(const Scenario& scenario, std::vector<RunRecord> runs) {
  ScenarioResult result;
  FigureMaker maker(scenario);
  for (const RunRecord& run : runs) result.figures.push_back(maker.figures_of(run));
  result.runs = std::move(runs);
  result.fingerprint = fingerprint_of(result.figures);
  return result;
}

void append(ScenarioResult& result, ScenarioResult&& more) {
  const auto move_to = [](auto& to, auto& from) {
    if (to.empty())
      to = std::move(from);  // observers know where these are
    else
      to.insert(
          to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  move_to(result.figures, more.figures);
  move_to(result.runs, more.runs);
  result.fingerprint = fingerprint_of(result.figures);
}

std::string fingerprint_text(const RunOutcome& run) {
  return fingerprint_text(run.in_wall_time, run.fingerprint);
}

std::string fingerprint_text(const RunFigures& run) {
  return fingerprint_text(run.in_wall_time, run.fingerprint);
}

std::string fingerprint_text(const ScenarioResult& result) {
  const bool in_wall_time = std::any_of(result.figures.begin(),
                                        result.figures.end(),
                                        [](const RunFigures& run) { return run.in_wall_time; });
  return fingerprint_text(in_wall_time, result.fingerprint);
}

std::string_view unrepeatable_end(std::string_view status, std::string_view report) {
  if (status == "stopped" || status == "not_started") return "it was stopped by its user";
  if (status == "limit_reached" && report.find("wall time") != std::string_view::npos)
    return "it was stopped by its limit of wall time";
  return "";
}

ExitCode exit_code_of(const RunRecord& run) {
  if (!run.started) return ExitCode::ok;
  switch (run.result.outcome.status) {
    case RunStatus::failed:
      return run.result.outcome.outside ? ExitCode::no_progress : ExitCode::internal;
    case RunStatus::ledger_violated:
      return ExitCode::violated;
    case RunStatus::stalled:
    case RunStatus::limit_reached:
    case RunStatus::stopped:
      return ExitCode::no_progress;
    case RunStatus::finished:
      break;
  }
  return std::any_of(run.measurements.begin(), run.measurements.end(), violated)
             ? ExitCode::violated
             : ExitCode::ok;
}

ExitCode exit_code_of(const ScenarioResult& result) {
  for (const auto worst : {ExitCode::internal, ExitCode::violated, ExitCode::no_progress})
    for (const auto& run : result.figures)
      if (run.exit_code == worst) return worst;
  return ExitCode::ok;
}

}  // namespace posse
