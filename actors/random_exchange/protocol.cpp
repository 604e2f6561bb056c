#include "actors/random_exchange/protocol.hpp"

#include <memory>

#include "core/exchange/gather.hpp"
#include "core/objective/problem.hpp"
#include "core/random/stream.hpp"
#include "core/role/outcome.hpp"

namespace posse {
namespace {

constexpr Round kOnlyRound{1};

class RandomPlayer final : public Role {
 public:
  RandomPlayer(const Problem& problem, std::uint32_t players, NodeId self)
      : problem_(&problem), self_(self.value), best_(players) {}

  void on_start(Reaction& reaction) override {
    reaction.observe(RoundBegan{kOnlyRound});
    reaction.evaluate(problem_->budget());
    const auto payload = Payload::make(search(reaction));
    const auto players = static_cast<std::uint32_t>(best_.size());
    if (self_ > 0) reaction.send_payload(NodeId{0}, self_, kOnlyRound, payload);
    if (self_ + 1 < players)
      reaction.send_payload(NodeId{self_ + 1}, players - self_ - 1, kOnlyRound, payload);
    take(self_, payload, reaction);
  }

  void on_message(const Message& message, Reaction& reaction) override {
    if (message.get<Best>() != nullptr) take(message.from.value, message.payload, reaction);
  }

  std::optional<Waiting> waiting() const override {
    if (complete()) return std::nullopt;
    Waiting waiting{"the other players' Best", Best::kName, kOnlyRound, {}};
    for (std::uint32_t player = 0; player < best_.size(); ++player)
      if (!best_[player]) waiting.from.push_back(NodeId{player});
    return waiting;
  }

 private:
  bool complete() const { return best_[self_] && others_.answers() + 1 == best_.size(); }

  Best search(Reaction& reaction) const {
    const Box& box = problem_->domain();
    const auto name = fmt::format("player-{}", self_);
    UniformStream explore(stream_key(problem_->seed(), "explore", name));
    RewardSource rewards(*problem_, self_);
    Best best;
    std::uint64_t draw = 0;
    for (std::uint64_t t = 0; t < problem_->budget(); ++t) {
      std::vector<double> x(box.dimension());
      for (std::size_t j = 0; j < x.size(); ++j)
        x[j] = box.low[j] + explore.at(draw++) * box.width(j);
      const double reward = rewards.pull(x, 1);
      if (t == 0 || reward > best.reward) best = {x, reward};
      reaction.observe(PullsObserved{self_, std::move(x), 1});
    }
    return best;
  }

  void take(std::uint32_t player, Payload payload, Reaction& reaction) {
    if (player >= best_.size() || best_[player]) return;  // a copy
    best_[player] = std::move(payload);
    if (player != self_) others_.add(reaction.now());
    if (!complete()) return;
    const Best* winner = best_[0].get<Best>();
    for (const auto& candidate : best_)
      if (candidate.get<Best>()->reward > winner->reward) winner = candidate.get<Best>();
    RoundEnded ended;
    ended.round = kOnlyRound;
    ended.steps = problem_->budget();
    ended.arrived = ended.expected = others_.answers();
    ended.waited = others_.until(reaction.now());
    reaction.observe(std::move(ended));
    if (self_ == 0) reaction.observe(RecommendationObserved{winner->x});
    reaction.finish();
  }

  const Problem* problem_;
  std::uint32_t self_;
  std::vector<Payload> best_;  // by player
  WaitClock others_;
};

class RandomSearch final : public Protocol {
 public:
  explicit RandomSearch(const ProtocolContext& context)
      : problem_(context.problem), players_(context.clients) {}

  std::vector<NodeGroup> groups() const override { return {{"player", players_, true}}; }
  std::unique_ptr<Role> make_role(NodeId node) const override {
    return std::make_unique<RandomPlayer>(*problem_, players_, node);
  }
  Forecast forecast() const override {
    const double messages = double{1} * players_ * (players_ - 1);
    const double bytes = 12 + 8.0 * static_cast<double>(problem_->domain().dimension());
    return {static_cast<double>(problem_->budget()) * players_, 1, messages, messages * bytes};
  }
  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    const Bound one{1, BoundKind::exact, BoundStrength::always, false, "a single exchange"};
    std::vector<Measurement> measurements{
        {"rounds", "", static_cast<double>(outcome.rounds.size()), one}};
    if (outcome.regret.simple)
      measurements.push_back({"simple regret", "", *outcome.regret.simple, std::nullopt});
    return measurements;
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
      .parameters = {},
      .topology = Topology::full_mesh,
      .needs_problem = true,
      .uses_policy = false,
      .messages = {&kMessageType<Best>},
      .make = [](const Parameters&, const ProtocolContext& context) -> std::unique_ptr<Protocol> {
        return std::make_unique<RandomSearch>(context);
      },
      .validate = nullptr};
  return spec;
}

}  // namespace posse
