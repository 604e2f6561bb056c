#include "actors/random_exchange/protocol.hpp"

#include "actors/common/common_measurements.hpp"
#include "actors/random_exchange/player.hpp"

namespace posse {
namespace {

class RandomExchange final : public Protocol {
 public:
  explicit RandomExchange(const ProtocolContext& context)
      : problem_(context.problem), players_(context.clients) {}

  std::vector<NodeGroup> groups() const override { return {{"player", players_}}; }

  std::unique_ptr<Role> make_role(NodeId node) const override {
    return std::make_unique<RandomPlayer>(*problem_, players_, node.value);
  }

  Forecast forecast() const override {
    const double messages = double{1} * players_ * (players_ - 1);
    const double bytes = 12 + 8.0 * static_cast<double>(problem_->domain().dimension());
    return {static_cast<double>(problem_->budget()) * players_, 1, messages, messages * bytes};
  }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    const auto rounds = static_cast<double>(outcome.rounds.size());
    std::vector<Measurement> all{{"rounds", "", rounds, ceiling(1, "a single exchange")}};
    if (const auto regret = outcome.regret.simple)
      all.push_back({"simple regret", "", *regret, std::nullopt});
    return all;
  }

 private:
  const Problem* problem_;
  std::uint32_t players_;
};

}  // namespace

const AlgorithmSpec& random_search_algorithm() {
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
