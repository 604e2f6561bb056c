// Benchmarks: every figure stands beside a reference measured in the same run.
//
//   kernel   deliveries per CPU second through CAF actors, beside the serial kernel and raw CAF
//   threads  one thread and two, on the kernel's workloads
//   memory   bytes per idle client actor, and a million clients over three rounds
//   pulls    evaluations per CPU second of the algorithms, beside a bare loop
//   repeats  parallel efficiency of independent repetitions
#include <fmt/format.h>
#include <sys/resource.h>
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
#include "core/role/echo.hpp"
#include "core/sim/simulation.hpp"

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

enum class Kernel { serial, windows, actors };

struct EchoWorkload {
  bool lossy = false;  // exponential latency, 1 % loss, reliable; else constant 50 ms datagrams
  Duration work{};
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
  spec.protocol = protocol.get();
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
      "thread\n");
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
      // About two million deliveries a sample, at least two rounds.
      const std::uint32_t few = 1, many = few + std::max(2u, 1'000'000u / clients);
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

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  const auto want = [&](const char* name) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  };
  if (want("kernel")) kernel_bench(3);
  return 0;
}
