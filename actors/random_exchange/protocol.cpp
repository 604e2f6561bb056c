// SPDX-License-Identifier: Apache-2.0
#include "actors/random_exchange/protocol.hpp"

#include "actors/common/common_measurements.hpp"
#include "actors/common/mesh_protocol.hpp"
#include "actors/random_exchange/player.hpp"

namespace posse {
namespace {

class RandomExchange final : public MeshProtocol<RandomExchangeSetup, RandomPlayer> {
 public:
  using MeshProtocol::MeshProtocol;

  bool waits_for_all() const override { return true; }

  Forecast forecast() const override {
    const double n = static_cast<double>(setup_.problem->budget());
    const double d = static_cast<double>(setup_.problem->domain().dimension());
    return {setup_.players * n, 1, links(), links() * (12 + 8 * d)};
  }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    std::vector<Measurement> all{rounds_within(outcome, ceiling(1, "a single exchange"))};
    add_simple_regret(outcome, std::nullopt, all);
    return all;
  }
};

}  // namespace

const AlgorithmSpec& random_exchange_algorithm() {
  static const AlgorithmSpec spec{
      .kind = "random-exchange",
      .summary = "uniform random search by all players, one exchange at the end",
      .source = "Posse's own baseline",
      .topology = Topology::full_mesh,
      .messages = {&kMessageType<Best>},
      .make = [](const Parameters&, const ProtocolContext& context) -> std::unique_ptr<Protocol> {
        return std::make_unique<RandomExchange>(
            RandomExchangeSetup{context.problem, context.clients});
      }};
  return spec;
}

}  // namespace posse
