// Benchmarks: every figure stands beside a reference measured in the same run.
//
//   kernel   deliveries per CPU second through CAF actors, beside the serial kernel and raw CAF
//   threads  one thread and two, on the kernel's workloads
//   memory   bytes per idle client actor, and a million clients over three rounds
//   pulls    evaluations per CPU second of the algorithms, beside a bare loop
//   learners evaluations per CPU second of single tree learners, beside a bare loop, and how their
//            cost grows with the budget
//   functional  optimizer steps per CPU second of a functional bandit's arms, alone, under F-LCB
//            without a network, and through agent and arm actors
//   repeats  parallel efficiency of independent repetitions
//   watching CPU time with metrics scraped and a live page open, beside none of it
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <caf/all.hpp>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "actors/run.hpp"
#include "core/algorithm/echo.hpp"
#include "core/algorithm/fed_pne.hpp"
#include "core/algorithm/functional_bandit.hpp"
#include "core/algorithm/parallel.hpp"
#include "core/functional/arm_family.hpp"
#include "core/functional/f_lcb.hpp"
#include "core/functional/synthetic_functions.hpp"
#include "core/learner/cell_points.hpp"
#include "core/learner/gpo.hpp"
#include "core/learner/poo.hpp"
#include "core/learner/stosoo.hpp"
#include "core/learner/tree_learners.hpp"
#include "core/objective/factories.hpp"
#include "core/sim/simulation.hpp"
#include "program/runner.hpp"
#include "program/scenario/scenario.hpp"
#include "tools/bench_watching.hpp"

namespace {

using namespace posse;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double wall_seconds() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = values.size();
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

struct Sample {
  double deliveries = 0;
  double seconds = 0;
};

/// What `run(rounds)` does per second beyond its set-up: the difference of a long and a short run.
double rate(const std::function<Sample(std::uint32_t)>& run,
            std::uint32_t few,
            std::uint32_t many) {
  const Sample a = run(few), b = run(many);
  return (b.deliveries - a.deliveries) / std::max(1e-9, b.seconds - a.seconds);
}

// --- raw CAF: a server and M clients on CAF's own scheduler with one worker --------------------

class RawClient final : public caf::event_based_actor {
 public:
  explicit RawClient(caf::actor_config& config) : event_based_actor(config) {}
  caf::behavior make_behavior() override {
    return {[](std::uint32_t round) { return round; }};
  }
};

class RawServer final : public caf::event_based_actor {
 public:
  RawServer(caf::actor_config& config, std::vector<caf::actor> clients, std::uint32_t rounds)
      : event_based_actor(config), clients_(std::move(clients)), rounds_(rounds) {}
  caf::behavior make_behavior() override {
    ask();
    return {[this](std::uint32_t) {
      if (++answers_ == clients_.size()) ask();
    }};
  }

 private:
  void ask() {
    answers_ = 0;
    if (round_ == rounds_) {
      clients_.clear();
      quit();
      return;
    }
    ++round_;
    for (const auto& client : clients_) send(client, round_);
  }
  std::vector<caf::actor> clients_;
  std::uint32_t rounds_, round_ = 0;
  std::size_t answers_ = 0;
};

Sample raw_caf(std::uint32_t clients, std::uint32_t rounds) {
  const double start = cpu_seconds();
  {
    caf::actor_system_config config;
    config.set("scheduler.max-threads", 1);
    caf::actor_system system(config);
    std::vector<caf::actor> actors;
    actors.reserve(clients);
    for (std::uint32_t i = 0; i < clients; ++i)
      actors.push_back(system.spawn<RawClient, caf::lazy_init>());
    system.spawn<RawServer>(std::move(actors), rounds);
    system.await_all_actors_done();
  }
  return {2.0 * clients * rounds, cpu_seconds() - start};
}

// --- echo on Posse's kernels -------------------------------------------------------------------

/// Burns CPU before its role handles a message: work that is real, not virtual.
class BusyRole final : public Role {
 public:
  BusyRole(std::unique_ptr<Role> role, double seconds)
      : role_(std::move(role)), seconds_(seconds) {}
  void on_message(const Message& message, Reaction& reaction) override {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    const double start = static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    do {
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    } while (static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec) - start <
             seconds_);
    role_->on_message(message, reaction);
  }

 private:
  std::unique_ptr<Role> role_;
  double seconds_;
};

class BusyProtocol final : public Protocol {
 public:
  BusyProtocol(const Protocol& inner, double seconds) : inner_(inner), seconds_(seconds) {}
  std::vector<NodeGroup> groups() const override { return inner_.groups(); }
  std::unique_ptr<Role> make_role(NodeId node) const override {
    auto role = inner_.make_role(node);
    if (node.value == 0) return role;
    return std::make_unique<BusyRole>(std::move(role), seconds_);
  }
  std::vector<Figure> figures(const RunOutcome&) const override { return {}; }
  Forecast forecast() const override { return {}; }

 private:
  const Protocol& inner_;
  double seconds_;
};

struct EchoWorkload {
  bool lossy = false;  // exponential latency, 1 % loss, reliable; else constant 50 ms datagrams
  double busy_seconds = 0;  // CPU time a client burns per message
  std::size_t threads = 1;
};

SimulationResult echo(Kernel kernel,
                      std::uint32_t clients,
                      std::uint32_t rounds,
                      const EchoWorkload& workload) {
  const AlgorithmSpec& algorithm = echo_algorithm();
  Parameters parameters = default_parameters(algorithm.parameters);
  parameters.set("rounds", std::int64_t{rounds});
  parameters.set("request_bytes", std::int64_t{256});
  parameters.set("reply_bytes", std::int64_t{128});
  ProtocolContext context;
  context.clients = clients;
  context.seed = Seed{1};
  const auto protocol = algorithm.make(parameters, context);
  SimulationSpec spec;
  spec.algorithm = &algorithm;
  const BusyProtocol busy(*protocol, workload.busy_seconds);
  spec.protocol = workload.busy_seconds > 0 ? static_cast<const Protocol*>(&busy) : protocol.get();
  spec.clients = clients;
  spec.seed = Seed{1};
  LinkRule rule;
  if (workload.lossy) {
    rule.latency = ExponentialDuration{Duration::seconds(0.050), Duration::seconds(0.005)};
    rule.loss = BernoulliLoss{0.01};
    spec.network.transport = Transport::reliable;
    spec.network.retransmission.timeout = Duration::seconds(0.5);
  } else {
    rule.latency = ConstantDuration{Duration::seconds(0.050)};
  }
  spec.network.links.push_back(rule);
  switch (kernel) {
    case Kernel::serial:
      return run_serial(spec);
    case Kernel::windows:
      return run_windows(spec, workload.threads);
    case Kernel::actors:
      return run_actors(spec, {.threads = workload.threads});
  }
  return {};
}

Sample echo_sample(Kernel kernel,
                   std::uint32_t clients,
                   std::uint32_t rounds,
                   const EchoWorkload& workload) {
  const double start = cpu_seconds();
  const auto result = echo(kernel, clients, rounds, workload);
  const double seconds = cpu_seconds() - start;
  if (result.outcome.status != RunStatus::finished) {
    fmt::print(stderr, "echo did not finish: {}\n", result.outcome.report);
    std::exit(1);
  }
  return {static_cast<double>(result.outcome.deliveries), seconds};
}

void kernel_bench(int repeats) {
  fmt::print(
      "kernel: echo, 256-byte requests, 128-byte replies; million deliveries per CPU second, one "
      "thread\n"
      "  serial, windows: roles called directly; actors: through CAF mailboxes, one reused mailbox "
      "element;\n  raw CAF: fan-out and fan-in of one integer on CAF's own scheduler, an element a "
      "message\n");
  const std::vector<std::uint32_t> sizes = {10, 1000, 100000, 1000000};
  for (const bool lossy : {false, true}) {
    const EchoWorkload workload{.lossy = lossy};
    fmt::print("\n  {}\n",
               lossy ? "exponential 5 + Exp(50) ms, 1 % loss, reliable"
                     : "constant 50 ms, lossless datagrams");
    fmt::print("  {:>9} {:>8} {:>8} {:>8} {:>8} {:>14} {:>11}\n",
               "clients",
               "serial",
               "windows",
               "actors",
               "raw CAF",
               "actors/serial",
               "actors/raw");
    for (const auto clients : sizes) {
      // Two million deliveries beyond the short run, more where set-up and tear-down are large.
      const std::uint32_t few = 1, many = few + std::max(5u, 1'000'000u / clients);
      std::vector<double> serial, windows, actors, raw;
      for (int i = 0; i < repeats; ++i) {
        const auto measure = [&](Kernel kernel) {
          return rate([&](std::uint32_t r) { return echo_sample(kernel, clients, r, workload); },
                      few,
                      many);
        };
        serial.push_back(measure(Kernel::serial));
        windows.push_back(measure(Kernel::windows));
        actors.push_back(measure(Kernel::actors));
        raw.push_back(rate([&](std::uint32_t r) { return raw_caf(clients, r); }, few, many));
      }
      const auto ratio = [](const std::vector<double>& a, const std::vector<double>& b) {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < a.size(); ++i) ratios.push_back(a[i] / b[i]);
        return median(ratios);
      };
      fmt::print("  {:>9} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>14.2f} {:>11.2f}\n",
                 clients,
                 median(serial) / 1e6,
                 median(windows) / 1e6,
                 median(actors) / 1e6,
                 median(raw) / 1e6,
                 ratio(actors, serial),
                 ratio(actors, raw));
      std::fflush(stdout);
    }
  }
}

void threads_bench() {
  fmt::print(
      "\nthreads: echo on actors, exponential 5 + Exp(50) ms, 1 % loss, reliable; 10 000 clients; "
      "wall time\n");
  fmt::print(
      "  {:>14} {:>12} {:>12} {:>9}\n", "work / message", "1 thread s", "2 threads s", "speed-up");
  for (const double work : {1e-6, 20e-6}) {
    const auto wall = [&](std::size_t threads, std::uint32_t rounds) {
      const EchoWorkload workload{.lossy = true, .busy_seconds = work, .threads = threads};
      const double start = wall_seconds();
      echo(Kernel::actors, 10000, rounds, workload);
      return wall_seconds() - start;
    };
    const std::uint32_t rounds = work > 1e-5 ? 10 : 40;
    std::vector<double> one, two, ratio;
    for (int i = 0; i < 5; ++i) {
      one.push_back(wall(1, 1 + rounds) - wall(1, 1));
      two.push_back(wall(2, 1 + rounds) - wall(2, 1));
      ratio.push_back(one.back() / two.back());
    }
    fmt::print("  {:>11} us {:>12.3f} {:>12.3f} {:>9.2f}\n",
               work * 1e6,
               median(one),
               median(two),
               median(ratio));
  }
}

/// Peak resident memory of echo over three rounds, in a fresh process (a forked one would begin
/// with its parent's memory).
double peak_mebibytes(const char* kernel, std::uint32_t clients) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const auto count = std::to_string(clients);
    execl("/proc/self/exe", "posse_bench", "--memory-of", kernel, count.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (status != 0) {
    fmt::print(stderr, "the memory benchmark's process failed\n");
    std::exit(1);
  }
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void memory_bench() {
  fmt::print("\nmemory: echo over three rounds, one thread; peak resident MiB\n");
  fmt::print(
      "  {:>9} {:>10} {:>10} {:>22}\n", "clients", "serial", "actors", "actors: KiB per client");
  const double base = peak_mebibytes("actors", 1);
  for (const std::uint32_t clients : {100000u, 1000000u}) {
    const double serial = peak_mebibytes("serial", clients);
    const double actors = peak_mebibytes("actors", clients);
    fmt::print("  {:>9} {:>10.0f} {:>10.0f} {:>22.2f}\n",
               clients,
               serial,
               actors,
               (actors - base) * 1024 / clients);
  }
}

// --- evaluations of the algorithms, beside a bare loop ------------------------------------------

constexpr double kHalfWidth = 0.1;

Problem garland_problem(std::uint32_t clients, std::uint64_t budget, double shift) {
  const auto& kind = *find_objective("garland");
  std::shared_ptr<const Objective> base = kind.make(default_parameters(kind.parameters));
  const auto& spread = *find_heterogeneity(shift > 0 ? "shift" : "none");
  auto spread_parameters = default_parameters(spread.parameters);
  if (shift > 0) spread_parameters.set("scale", shift);
  const auto& noise = *find_noise("uniform");
  auto noise_parameters = default_parameters(noise.parameters);
  noise_parameters.set("half_width", kHalfWidth);
  return Problem(spread.make(base, spread_parameters, clients, Seed{1}),
                 noise.make(noise_parameters),
                 budget,
                 Seed{1});
}

/// Draws the same noise and evaluates the same objective, once for every `batch` pulls, and does
/// nothing else.
double bare_loop(const Problem& problem, std::uint64_t pulls_per_client, std::uint64_t batch) {
  const double start = cpu_seconds();
  double sum = 0;
  for (std::size_t m = 0; m < problem.clients(); ++m) {
    UniformStream stream(stream_key(Seed{1}, "reward", std::uint64_t{m}));
    for (std::uint64_t i = 0; i < pulls_per_client; i += batch) {
      const double x = 0.25 + 0.5 * static_cast<double>(i & 1023) / 1024;
      const double value = problem.local(m, {&x, 1});
      stream.for_each(i, batch, [&](double u) { sum += value + 2 * kHalfWidth * (u - 0.5); });
    }
  }
  const double seconds = cpu_seconds() - start;
  if (sum == 0) fmt::print(" ");  // the sum must be computed
  return static_cast<double>(problem.clients() * pulls_per_client) / seconds;
}

void pulls_bench() {
  fmt::print(
      "\npulls: Garland, uniform noise 0.1; million evaluations per CPU second through actors, one "
      "thread\n"
      "  bare: a loop that evaluates f at every pull; batched: one that does so once in 64 pulls, "
      "as "
      "the\n  algorithms do for all pulls of a cell\n");
  fmt::print("  {:<34} {:>8} {:>8} {:>8} {:>10} {:>12}\n",
             "algorithm",
             "run",
             "bare",
             "batched",
             "bare/run",
             "batched/run");
  struct Row {
    const char* name;
    const AlgorithmSpec& algorithm;
    std::uint32_t clients;
    std::uint64_t budget;
    double shift;
  };
  const Row rows[] = {
      {"parallel, m = 16, n = 10 000", parallel_algorithm(), 16, 10000, 0},
      {"parallel, m = 16, n = 1 000 000", parallel_algorithm(), 16, 1000000, 0},
      {"fed-pne, M = 10, T = 10 000", fed_pne_algorithm(), 10, 10000, 0.05},
      {"fed-pne, M = 100, T = 10 000", fed_pne_algorithm(), 100, 10000, 0.05},
      {"fed-pne, M = 10, T = 1 000 000", fed_pne_algorithm(), 10, 1000000, 0.05},
  };
  for (const auto& row : rows) {
    const Problem problem = garland_problem(row.clients, row.budget, row.shift);
    problem.mean_maximum();  // searched once per problem, not part of a run's evaluations
    for (std::size_t m = 0; m < problem.clients(); ++m) problem.local_maximum(m);
    const auto parameters = default_parameters(row.algorithm.parameters);
    ProtocolContext context;
    context.clients = row.clients;
    context.seed = Seed{1};
    context.problem = &problem;
    const auto protocol = row.algorithm.make(parameters, context);
    SimulationSpec spec;
    spec.algorithm = &row.algorithm;
    spec.protocol = protocol.get();
    spec.problem = &problem;
    spec.clients = row.clients;
    spec.seed = Seed{1};
    spec.network.links.push_back({.latency = ConstantDuration{Duration::seconds(0.05)}});
    std::vector<double> run, bare, batched, bare_ratio, batched_ratio;
    for (int i = 0; i < 7; ++i) {
      const double start = cpu_seconds();
      double evaluations = 0;
      const int times = row.budget > 100000 ? 1 : 20;
      for (int k = 0; k < times; ++k)
        evaluations += static_cast<double>(run_actors(spec, {}).outcome.regret.evaluations);
      run.push_back(evaluations / (cpu_seconds() - start));
      const std::uint64_t pulls = row.clients > 50 ? 100000 : 500000;
      bare.push_back(bare_loop(problem, pulls, 1));
      batched.push_back(bare_loop(problem, pulls, 64));
      bare_ratio.push_back(bare.back() / run.back());
      batched_ratio.push_back(batched.back() / run.back());
    }
    fmt::print("  {:<34} {:>8.1f} {:>8.1f} {:>8.1f} {:>10.2f} {:>12.2f}\n",
               row.name,
               median(run) / 1e6,
               median(bare) / 1e6,
               median(batched) / 1e6,
               median(bare_ratio),
               median(batched_ratio));
    std::fflush(stdout);
  }
}

// --- single learners -----------------------------------------------------------------------------

/// A learner of a budget of n evaluations.
using LearnerMaker = std::function<std::unique_ptr<Learner>(const Partition&, std::uint64_t n)>;

LearnerMaker tree_learner(TreeKind kind) {
  return [kind](const Partition& partition, std::uint64_t n) {
    return make_tree_learner(kind, partition, {.horizon = n, .choices = {}});
  };
}

template <class Ensemble>
LearnerMaker ensemble(TreeKind kind) {
  return [kind](const Partition& partition, std::uint64_t n) {
    const PooSmoothness smoothness{.arity = partition.children_per_cell()};
    return std::make_unique<Ensemble>(smoothness, n, tree_instances(kind, partition, {}));
  };
}

/// Evaluations per CPU second of `times` runs with n evaluations each.
double learner_rate(const LearnerMaker& make,
                    const Problem& problem,
                    const CellPoints& points,
                    std::uint64_t n,
                    int times) {
  const double start = cpu_seconds();
  for (int i = 0; i < times; ++i) {
    const auto learner = make(points.partition(), n);
    RewardSource rewards(problem, 0);
    for (std::uint64_t t = 0; t < n; ++t)
      learner->tell(rewards.pull(points.point(learner->next()), 1));
  }
  return static_cast<double>(n) * times / (cpu_seconds() - start);
}

void learners_bench() {
  const Problem problem = garland_problem(1, 1, 0);
  const CellPoints points(Partition(problem.domain(), PartitionKind::cyclic, 2));
  const std::vector<std::pair<const char*, LearnerMaker>> makers = {
      {"hoo", tree_learner(TreeKind::hoo)},
      {"t-hoo", tree_learner(TreeKind::t_hoo)},
      {"hct", tree_learner(TreeKind::hct)},
      {"vhct", tree_learner(TreeKind::vhct)},
      {"poo (t-hoo)", ensemble<Poo>(TreeKind::t_hoo)},
      {"poo (hct)", ensemble<Poo>(TreeKind::hct)},
      {"pct", ensemble<Gpo>(TreeKind::hct)},
      {"stosoo",
       [](const Partition& partition, std::uint64_t n) {
         return std::make_unique<StoSoo>(partition, StoSooOptions{.horizon = n});
       }},
  };
  fmt::print(
      "\nlearners: Garland, uniform noise 0.1, T = 10 000; million evaluations per CPU second, one "
      "thread\n"
      "  run: the learner asks, the point of the cell is computed, evaluated and told; bare: a "
      "loop "
      "that\n  evaluates f and draws the noise\n");
  fmt::print("  {:<12} {:>8} {:>8} {:>10}\n", "learner", "run", "bare", "bare/run");
  for (const auto& [name, make] : makers) {
    std::vector<double> run, bare, ratio;
    for (int i = 0; i < 7; ++i) {
      run.push_back(learner_rate(make, problem, points, 10'000, 20));
      bare.push_back(bare_loop(problem, 500'000, 1));
      ratio.push_back(bare.back() / run.back());
    }
    fmt::print("  {:<12} {:>8.2f} {:>8.1f} {:>10.1f}\n",
               name,
               median(run) / 1e6,
               median(bare) / 1e6,
               median(ratio));
    std::fflush(stdout);
  }
  fmt::print(
      "\n  growth: microseconds per evaluation at T = 10 000 and T = 1 000 000; what the cost of "
      "the "
      "run\n  grew by, over what T log T grows by (theory: at most 1 for t-hoo and hct)\n");
  fmt::print("  {:<12} {:>10} {:>10} {:>16}\n", "learner", "T = 1e4", "T = 1e6", "over T log T");
  for (const auto& [name, make] : makers) {
    std::vector<double> small, large, ratio;
    for (int i = 0; i < 3; ++i) {
      small.push_back(1e6 / learner_rate(make, problem, points, 10'000, 50));
      large.push_back(1e6 / learner_rate(make, problem, points, 1'000'000, 1));
      ratio.push_back(large.back() / small.back() / 1.5);  // ln 1e6 / ln 1e4
    }
    fmt::print("  {:<12} {:>10.3f} {:>10.3f} {:>16.2f}\n",
               name,
               median(small),
               median(large),
               median(ratio));
    std::fflush(stdout);
  }
}

// --- functional bandits --------------------------------------------------------------------------

/// The reference: value and gradient of experiment 5.1's function at a point that moves.
double gradients_per_second(std::uint64_t steps) {
  const SmoothCone f(0, Vector::LinSpaced(20, 0.05, 1), Vector::Zero(20));
  Vector x = Vector::Constant(20, 1), gradient(20);
  double sum = 0;
  const double start = cpu_seconds();
  for (std::uint64_t i = 0; i < steps; ++i) {
    sum += f.value_and_subgradient(x, gradient);
    x[static_cast<Eigen::Index>(i % 20)] = -x[static_cast<Eigen::Index>(i % 20)];
  }
  const double seconds = cpu_seconds() - start;
  if (!(sum > 0)) std::exit(1);  // keeps the loop
  return static_cast<double>(steps) / seconds;
}

std::shared_ptr<const ArmSet> bench_arms(std::string_view kind, std::uint64_t budget) {
  const ArmsSpec& spec = *find_arm_family(kind);
  return spec.make(default_parameters(spec.parameters))->arms({Seed{1}, 1}, budget);
}

double steps_alone(std::string_view kind, std::uint64_t steps) {
  const auto arms = bench_arms(kind, steps);
  const auto optimizer = arms->arms.front().start(0);
  const double start = cpu_seconds();
  for (std::uint64_t i = 0; i < steps; ++i) optimizer->step();
  return static_cast<double>(steps) / (cpu_seconds() - start);
}

double pulls_without_network(std::string_view kind, std::uint64_t budget) {
  const auto arms = bench_arms(kind, budget);
  std::vector<std::unique_ptr<Optimizer>> optimizers;
  for (const auto& arm : arms->arms) optimizers.push_back(arm.start(0));
  FLcb agent(arms->size(), budget, {});
  std::vector<Pull> pulls;
  const double start = cpu_seconds();
  for (;;) {
    pulls.clear();
    agent.start(pulls);
    if (pulls.empty()) break;
    for (const auto& pull : pulls) {
      auto& optimizer = *optimizers[pull.arm];
      optimizer.step();
      agent.take(pull, {optimizer.steps(), optimizer.value(), optimizer.bound()});
    }
  }
  return static_cast<double>(budget) / (cpu_seconds() - start);
}

double pulls_through(Kernel kernel, std::string_view kind, std::uint64_t budget) {
  const auto arms = bench_arms(kind, budget);
  const AlgorithmSpec& algorithm = f_lcb_algorithm();
  ProtocolContext context;
  context.arms = arms.get();
  const auto protocol = algorithm.make(default_parameters(algorithm.parameters), context);
  SimulationSpec spec;
  spec.algorithm = &algorithm;
  spec.protocol = protocol.get();
  spec.arms = arms.get();
  spec.seed = Seed{1};
  spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.050)}}};
  const double start = cpu_seconds();
  const auto result =
      kernel == Kernel::serial ? run_serial(spec) : run_actors(spec, {.threads = 1});
  const double seconds = cpu_seconds() - start;
  if (result.outcome.status != RunStatus::finished) {
    fmt::print(stderr, "f-lcb did not finish: {}\n", result.outcome.report);
    std::exit(1);
  }
  return static_cast<double>(budget) / seconds;
}

void functional_bench() {
  constexpr std::uint64_t kSteps = 1'000'000;
  constexpr std::uint64_t kPulls = 200'000;
  const double reference = gradients_per_second(kSteps);
  fmt::print(
      "\nfunctional: million steps per CPU second, d = 20; in brackets the ratio to {:.2f} "
      "million\n"
      "values and gradients of experiment 5.1 in a bare loop\n"
      "{:<18} {:>16} {:>16} {:>16} {:>16}\n",
      reference / 1e6,
      "arms",
      "optimizer alone",
      "F-LCB, no network",
      "serial kernel",
      "actors");
  for (const std::string_view kind : {"smooth", "piecewise-linear", "noisy"}) {
    if (find_arm_family(kind) == nullptr) continue;
    const auto cell = [&](double rate) {
      return fmt::format("{:.2f} ({:.3f})", rate / 1e6, rate / reference);
    };
    fmt::print("{:<18} {:>16} {:>16} {:>16} {:>16}\n",
               kind,
               cell(steps_alone(kind, kSteps)),
               cell(pulls_without_network(kind, kSteps)),
               cell(pulls_through(Kernel::serial, kind, kPulls)),
               cell(pulls_through(Kernel::actors, kind, kPulls)));
  }
}

// --- repetitions in parallel ---------------------------------------------------------------------

void repeats_bench(const std::string& scenario_file) {
  fmt::print("\nrepeats: 8 repetitions of {}; wall time\n", scenario_file);
  Diagnostics diagnostics;
  Scenario scenario =
      load_scenario(scenario_file,
                    {{"bench", "repeat=8"}, {"bench", "budget.evaluations_per_client=200000"}},
                    diagnostics);
  if (!diagnostics.empty()) {
    fmt::print(stderr, "bench: {} can't be read\n", scenario_file);
    std::exit(3);
  }
  const auto wall = [&](std::size_t threads) {
    RunOptions options;
    options.threads = threads;
    RunMonitor monitor(number_of_runs(scenario, options));
    const double start = wall_seconds();
    run_scenario(scenario, options, monitor);
    return wall_seconds() - start;
  };
  std::vector<double> one, two, efficiency;
  for (int i = 0; i < 5; ++i) {
    one.push_back(wall(1));
    two.push_back(wall(2));
    efficiency.push_back(one.back() / (2 * two.back()));
  }
  fmt::print("  1 thread {:.3f} s, 2 threads {:.3f} s, efficiency {:.2f}\n",
             median(one),
             median(two),
             median(efficiency));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "--memory-of") {  // what peak_mebibytes runs
    const auto kernel = std::string(argv[2]) == "serial" ? Kernel::serial : Kernel::actors;
    echo(kernel, static_cast<std::uint32_t>(std::stoul(argv[3])), 3, {});
    return 0;
  }
  const std::vector<std::pair<std::string, void (*)()>> sections = {
      {"kernel", [] { kernel_bench(3); }},
      {"threads", threads_bench},
      {"memory", memory_bench},
      {"pulls", pulls_bench},
      {"learners", learners_bench},
      {"functional", functional_bench},
      {"repeats",
       [] { repeats_bench(std::string(POSSE_SOURCE_DIR) + "/scenarios/quickstart.toml"); }},
      {"watching", [] { watching_bench(std::string(POSSE_SOURCE_DIR) + "/scenarios"); }},
  };
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  for (const auto& name : wanted) {
    const auto known = [&](const auto& section) { return section.first == name; };
    if (std::none_of(sections.begin(), sections.end(), known)) {
      fmt::print(stderr, "bench: no section '{}'; there are", name);
      for (const auto& section : sections) fmt::print(stderr, " {}", section.first);
      fmt::print(stderr, "\n");
      return 2;
    }
  }
  for (const auto& [name, bench] : sections)
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) bench();
  return 0;
}
