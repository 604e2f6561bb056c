// SPDX-License-Identifier: Apache-2.0
// Random networks for property tests: every property that a scenario can set, in random mixture.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/network/config.hpp"
#include "core/random/stream.hpp"

namespace posse::test {

struct NetworkBounds {
  double max_loss = 0.3;
  bool zero_latency = false;  // allow links that can be instantaneous
};

inline DurationDistribution random_latency(DrawEngine& draws, bool zero_floor) {
  const auto ms = [&](double most) { return Duration::seconds(draws.uniform() * most * 1e-3); };
  const Duration floor = zero_floor ? Duration{} : Duration::seconds(0.0005) + ms(5);
  switch (draws() % 6) {
    case 0:
      return ConstantDuration{floor + ms(20)};
    case 1:
      return UniformDuration{floor, floor + ms(50)};
    case 2:
      return NormalDuration{floor + ms(20), ms(10), floor};
    case 3:
      return LognormalDuration{floor + ms(10), draws.uniform(), floor};
    case 4:
      return ExponentialDuration{ms(50), floor};
    default:
      return ParetoDuration{floor + Duration{1000}, 1.0 + 2.0 * draws.uniform()};
  }
}

inline LossModel random_loss(DrawEngine& draws, double most) {
  switch (draws() % 3) {
    case 0:
      return NoLoss{};
    case 1:
      return BernoulliLoss{draws.uniform() * most};
    default:
      return GilbertElliottLoss{
          draws.uniform() * 0.1, 0.2 + 0.8 * draws.uniform(), 0.0, most * draws.uniform()};
  }
}

/// A few pauses and crashes of random nodes in the first 60 ms, all of which end.
inline std::vector<NodeFault> random_node_faults(Seed seed) {
  DrawEngine draws(stream_key(seed, "random-node-faults", std::uint64_t{0}), 0);
  const auto ms = [&](double most) { return Duration::seconds(draws.uniform() * most * 1e-3); };
  std::vector<NodeFault> faults(1 + draws() % 4);
  for (auto& fault : faults) {
    fault.nodes = {draws() % 4 == 0 ? FaultyNodes("*") : FaultyNodes("*", 0.3)};
    fault.kind = draws() % 2 ? NodeFaultKind::pause : NodeFaultKind::crash;
    fault.when.at = draws() % 8 == 0 ? Time{} : Time{} + ms(40);
    fault.when.lasting = ms(15) + Duration{1};
    if (draws() % 3 == 0) fault.when.every = *fault.when.lasting + ms(20) + Duration{1};
    if (draws() % 4 == 0) fault.when.mean_gap = ms(20) + Duration{1};
    if (fault.when.mean_gap) fault.when.every.reset();
    if (fault.when.every || fault.when.mean_gap) fault.when.until = Time{60'000'000};
  }
  return faults;
}

/// Steps over the first 100 ms or over a period of 100 ms.
template <class Value, class Draw>
StepTrace<Value> random_steps(DrawEngine& draws, const Draw& value) {
  std::vector<typename StepTrace<Value>::Step> steps;
  for (std::int64_t ms = 0; ms < 100; ms += 1 + static_cast<std::int64_t>(draws() % 40))
    steps.push_back({Time{ms * 1'000'000}, value()});
  return StepTrace<Value>(steps, draws() % 2 ? std::optional(Duration{100'000'000}) : std::nullopt);
}

/// Latencies, factors and rates that change over time, some of them on some links.
inline LinkRule random_changes(DrawEngine& draws) {
  LinkRule rule;
  rule.from = draws() % 2 ? "*" : "server";
  if (draws() % 2)
    rule.latency = TraceDuration{std::make_shared<const StepTrace<Duration>>(random_steps<Duration>(
        draws, [&] { return Duration::seconds(1e-3 + draws.uniform() * 0.02); }))};
  if (draws() % 2)
    rule.latency_factor = std::make_shared<const LatencyFactor>(
        LatencyFactor{random_steps<double>(draws, [&] { return 0.5 + 2 * draws.uniform(); }), {}});
  auto rates = random_steps<std::uint64_t>(draws, [&] { return (draws() % 4) * 300'000; });
  if (!RateTrace::ends_still(rates))
    rule.rate = Rate{0, 3000 + draws() % 4000, std::make_shared<const RateTrace>(rates)};
  return rule;
}

inline NetworkConfig random_network(Seed seed, const NetworkBounds& bounds = {}) {
  DrawEngine draws(stream_key(seed, "random-network", std::uint64_t{0}), 0);
  NetworkConfig config;
  LinkRule all;
  all.latency = random_latency(draws, bounds.zero_latency && draws() % 4 == 0);
  all.loss = random_loss(draws, bounds.max_loss);
  if (draws() % 2) all.duplication = draws.uniform() * 0.3;
  if (draws() % 3 == 0) all.fifo = true;
  if (draws() % 3 == 0) all.rate = Rate{1e4 + draws.uniform() * 1e6, 2000 + draws() % 4000};
  config.links.push_back(all);
  if (draws() % 2) {
    LinkRule special;
    special.from = draws() % 2 ? "server" : "*";
    special.to = draws() % 2 ? "client-1" : "player-1";
    special.latency = random_latency(draws, false);
    special.fifo = draws() % 2 == 0;
    config.links.push_back(special);
  }
  if (draws() % 3 == 0) {
    NodeRule node;
    node.nodes = "*";
    node.rate_up = Rate{1e5 + draws.uniform() * 1e6, 3000 + draws() % 4000};
    node.rate_down = Rate{1e5 + draws.uniform() * 1e6, 3000 + draws() % 4000};
    config.nodes.push_back(node);
  }
  if (draws() % 3 == 0) {
    NodeRule slow;
    slow.nodes = "client-1";
    slow.straggler = 1 + 9 * draws.uniform();
    config.nodes.push_back(slow);
  }
  config.header_bytes = draws() % 2 ? 40 : 0;
  config.transport = draws() % 2 ? Transport::reliable : Transport::datagram;
  config.retransmission.timeout = Duration::seconds(0.02 + draws.uniform() * 0.2);
  config.retransmission.max_tries = 3 + static_cast<std::uint32_t>(draws() % 50);
  if (draws() % 4 == 0) {
    config.wire = kWires[draws() % 4];
    config.header_bytes = 0;
  }
  if (draws() % 4 == 0) config.links.push_back(random_changes(draws));
  return config;
}

}  // namespace posse::test
