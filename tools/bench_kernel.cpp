// SPDX-License-Identifier: Apache-2.0
// Deliveries per second of the kernels, and memory per idle actor.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <caf/all.hpp>
#include <cstdio>
#include <fstream>
#include <functional>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

#include "actors/echo/protocol.hpp"
#include "actors/host/run.hpp"
#include "core/base/median.hpp"
#include "core/sim/simulation.hpp"
#include "program/run/runner.hpp"
#include "tools/bench_clocks.hpp"
#include "tools/bench_references.hpp"
#include "tools/bench_sections.hpp"

namespace posse {
namespace {

/// Work of `run(rounds)` per second without its set-up: the difference of a long and a short run.
double rate(const std::function<Sample(std::uint32_t)>& run,
            std::uint32_t few,
            std::uint32_t many) {
  const Sample a = run(few), b = run(many);
  return (b.deliveries - a.deliveries) / std::max(1e-9, b.seconds - a.seconds);
}

}  // namespace

Sample bare_heap(std::uint32_t clients, std::uint32_t rounds) {
  struct Bare {
    std::int64_t time;
    std::uint32_t node, source, sequence;
    std::uint64_t rest[3];  // as large as the events of the simulator
  };
  const auto later = [](const Bare& a, const Bare& b) {
    return std::tie(b.time, b.node, b.source, b.sequence) <
           std::tie(a.time, a.node, a.source, a.sequence);
  };
  constexpr std::int64_t kLatency = 50'000'000;
  const double start = cpu_seconds();
  std::priority_queue<Bare, std::vector<Bare>, decltype(later)> heap(later);
  std::uint32_t round = 0, answers = 0;
  const auto ask = [&](std::int64_t now) {
    ++round;
    answers = 0;
    for (std::uint32_t i = 1; i <= clients; ++i) heap.push({now + kLatency, i, 0, round, {}});
  };
  ask(0);
  while (!heap.empty()) {
    const Bare event = heap.top();
    heap.pop();
    if (event.node != 0)
      heap.push({event.time + kLatency, 0, event.node, event.sequence, {}});
    else if (++answers == clients && round < rounds)
      ask(event.time);
  }
  return {2.0 * clients * rounds, cpu_seconds() - start};
}

namespace {

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

/// Uses CPU time before its role handles a message: real work, not virtual.
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
  std::vector<Measurement> measurements(const RunOutcome&) const override { return {}; }
  Forecast forecast() const override { return {}; }
  std::string_view why_order_matters(NodeId node) const override {
    return inner_.why_order_matters(node);
  }

 private:
  const Protocol& inner_;
  double seconds_;
};

struct EchoWorkload {
  bool lossy = false;    // exponential latency, 1 % loss, reliable; else constant 50 ms datagrams
  bool crashes = false;  // of every client, 100 ms every 10 s on average
  double busy_seconds = 0;  // CPU time of a client per message
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
  if (workload.crashes)
    spec.network.node_faults = {{.nodes = {"client"},
                                 .when = {.lasting = Duration::seconds(0.1),
                                          .mean_gap = Duration::seconds(10),
                                          .until = Time{} + Duration::seconds(3600)},
                                 .kind = NodeFaultKind::crash}};
  switch (kernel) {
    case Kernel::serial:
      return run_serial(spec);
    case Kernel::windows:
      return run_windows(spec, workload.threads);
    case Kernel::actors:
      return run_actors(spec, {.threads = workload.threads});
    case Kernel::wall:
      break;  // isn't measured here
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

}  // namespace

void kernel_bench(int repeats) {
  fmt::print(
      "kernel: echo, 256-byte requests, 128-byte replies; million deliveries per CPU second, one "
      "thread\n"
      "  serial, windows: roles called directly; actors: in turns of CAF actors; raw CAF: fan-out "
      "and "
      "fan-in of\n  one integer on CAF's own scheduler; bare heap: a binary heap of the lossless "
      "case's events and nothing else\n");
  for (const EchoWorkload& workload : {EchoWorkload{},
                                       EchoWorkload{.lossy = true},
                                       EchoWorkload{.lossy = true, .crashes = true}}) {
    fmt::print("\n  {}{}\n",
               workload.lossy ? "exponential 5 + Exp(50) ms, 1 % loss, reliable"
                              : "constant 50 ms, lossless datagrams",
               workload.crashes ? "; each client crashes for 100 ms every 10 s on average" : "");
    fmt::print("  {:>9} {:>8} {:>8} {:>8} {:>8} {:>10} {:>15} {:>11} {:>12}\n",
               "clients",
               "serial",
               "windows",
               "actors",
               "raw CAF",
               "bare heap",
               "actors/windows",
               "actors/raw",
               "actors/heap");
    std::vector<std::uint32_t> sizes = {10, 1000, 100000};
    if (!workload.lossy) sizes.push_back(1000000);
    for (const auto clients : sizes) {
      // Two million deliveries beyond the short run, more where set-up and tear-down are large.
      const std::uint32_t few = 1, many = few + std::max(5u, 1'000'000u / clients);
      std::vector<double> serial, windows, actors, raw, heap;
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
        heap.push_back(rate([&](std::uint32_t r) { return bare_heap(clients, r); }, few, many));
      }
      const auto ratio = [](const std::vector<double>& a, const std::vector<double>& b) {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < a.size(); ++i) ratios.push_back(a[i] / b[i]);
        return median(ratios);
      };
      fmt::print(
          "  {:>9} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>10.2f} {:>15.2f} {:>11.2f} {:>12.2f}\n",
          clients,
          median(serial) / 1e6,
          median(windows) / 1e6,
          median(actors) / 1e6,
          median(raw) / 1e6,
          median(heap) / 1e6,
          ratio(actors, windows),
          ratio(actors, raw),
          ratio(actors, heap));
      std::fflush(stdout);
    }
  }
}

void threads_bench() {
  fmt::print(
      "\nthreads: echo on actors, exponential 5 + Exp(50) ms, 1 % loss, reliable; 10 000 clients; "
      "wall time\n");
  fmt::print("  {:>14} {:>12} {:>12} {:>9} {:>13}\n",
             "work / message",
             "1 thread s",
             "2 threads s",
             "speed-up",
             "serial share");
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
    const double speed_up = median(ratio);
    fmt::print("  {:>11} us {:>12.3f} {:>12.3f} {:>9.2f} {:>12.0f}%\n",
               work * 1e6,
               median(one),
               median(two),
               speed_up,
               100 * (2 / speed_up - 1));  // Amdahl 1967
  }
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

void memory_of(const std::string& kernel, std::uint32_t clients) {
  echo(kernel == "serial" ? Kernel::serial : Kernel::actors, clients, 3, {});
}

}  // namespace posse
