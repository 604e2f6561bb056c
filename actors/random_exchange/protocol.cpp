#include "actors/random_exchange/protocol.hpp"

#include "actors/common/common_measurements.hpp"
#include "actors/random_exchange/player.hpp"

namespace posse {
namespace {

class RandomExchange final : public Protocol {
 public:
  explicit RandomExchange(const ProtocolContext& context) : context_(context) {}

  std::vector<NodeGroup> groups() const override { return {{"player", context_.clients}}; }

  std::unique_ptr<Role> make_role(NodeId node) const override {
    return std::make_unique<RandomPlayer>(*context_.problem, context_.clients, node.value);
  }

  Forecast forecast() const override {
    const double m = context_.clients;
    const auto n = static_cast<double>(context_.problem->budget());
    const auto d = static_cast<double>(context_.problem->domain().dimension());
    return {m * n, 1, m * (m - 1), m * (m - 1) * (12 + 8 * d)};
  }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    const auto rounds = static_cast<double>(outcome.rounds.size());
    std::vector<Measurement> all{{"rounds", "", rounds, ceiling(1, "a single exchange")}};
    if (const auto regret = outcome.regret.simple)
      all.push_back({"simple regret", "", *regret, std::nullopt});
    return all;
  }

 private:
  ProtocolContext context_;
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
        return std::make_unique<RandomExchange>(context);
      }};
  return spec;
}

}  // namespace posse
