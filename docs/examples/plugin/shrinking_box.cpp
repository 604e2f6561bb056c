// SPDX-License-Identifier: Apache-2.0
// An algorithm of one's own, as a plug-in for `posse --plugin`.
//
// shrinking-box: a server sends all clients a box of the domain. Every client draws a point of it,
// evaluates it `pulls` times, and uploads the point with its mean reward. The server centres the
// next box, smaller by `shrink`, at the point with the largest mean.
#include <algorithm>
#include <memory>
#include <posse/role.hpp>
#include <vector>

namespace {

using namespace posse;

// ---- Messages
// -------------------------------------------------------------------------------------

struct BoxToSearch {
  static constexpr std::string_view kName = "BoxToSearch";
  std::vector<double> low, high;
  std::uint64_t values() const { return low.size() + high.size(); }
  POSSE_FIELDS(low, high)
};

struct PointFound {
  static constexpr std::string_view kName = "PointFound";
  double mean = 0;
  std::vector<double> point;
  std::uint64_t values() const { return 1 + point.size(); }
  POSSE_FIELDS(mean, point)
};

// ---- Roles
// ----------------------------------------------------------------------------------------

/// What all nodes of a run share.
struct Setup {
  const Problem* problem;
  std::uint32_t clients;
  std::uint64_t pulls, rounds;
  double shrink;
  Policy policy;
  Seed seed;
};

class Server final : public GatheringServer<PointFound> {
 public:
  explicit Server(const Setup& setup)
      : GatheringServer(setup.clients, setup.policy, "round"),
        setup_(&setup),
        box_(setup.problem->domain()) {}

  void on_start(Reaction& reaction) override { ask(reaction); }

 private:
  void ask(Reaction& reaction) {
    const Round round = next_round();
    reaction.observe(RoundBegan{round});
    reaction.broadcast(kFirstClient, setup_->clients, round, BoxToSearch{box_.low, box_.high});
    open(round, reaction);
  }

  void on_uploads(Reaction& reaction) override {
    const PointFound* best = nullptr;
    for (auto& upload : uploads()) {
      const auto* found = upload.get<PointFound>();
      if (found != nullptr && (best == nullptr || found->mean > best->mean)) best = found;
    }
    if (best != nullptr) {
      reaction.observe(RecommendationObserved{best->point});
      shrink_around(best->point);
    }
    for (auto& upload : uploads()) upload = {};
    RoundEnded ended;
    ended.pulls_per_cell = setup_->pulls;
    ended.steps = round().value * setup_->pulls;
    close(std::move(ended), reaction);
    if (round().value < setup_->rounds)
      ask(reaction);
    else
      reaction.finish();
  }

  void shrink_around(const std::vector<double>& centre) {
    const Box& domain = setup_->problem->domain();
    for (std::size_t j = 0; j < centre.size(); ++j) {
      const double half = setup_->shrink * box_.width(j) / 2;
      box_.low[j] = std::max(domain.low[j], centre[j] - half);
      box_.high[j] = std::min(domain.high[j], centre[j] + half);
    }
  }

  const Setup* setup_;
  Box box_;
};

class Client final : public Role {
 public:
  Client(const Setup& setup, std::uint32_t client)
      : setup_(&setup),
        rewards_(*setup.problem, client),
        draws_(stream_key(setup.seed, "explore", evaluator_name(client, ""))) {}

  void on_message(const Message& message, Reaction& reaction) override {
    const auto* box = message.get<BoxToSearch>();
    if (box == nullptr || seen_.see(message.round) != Sight::newest) return;  // late, or twice
    if (done()) return;
    PointFound found;
    for (std::size_t j = 0; j < box->low.size(); ++j)
      found.point.push_back(box->low[j] + (box->high[j] - box->low[j]) * draws_.at(drawn_++));
    found.mean = rewards_.pull(found.point, setup_->pulls) / static_cast<double>(setup_->pulls);
    reaction.observe(
        PullsObserved{static_cast<std::uint32_t>(rewards_.client()), found.point, setup_->pulls});
    reaction.send(kServer, message.round, std::move(found));
    if (done()) reaction.finish();
  }

  std::optional<Waiting> waiting() const override {
    if (done() || setup_->policy.kind != PolicyKind::all) return std::nullopt;
    const Round next{seen_.newest().value + 1};
    return Waiting{fmt::format("BoxToSearch {}", next.value), BoxToSearch::kName, next, {kServer}};
  }

 private:
  bool done() const { return rewards_.pulls() >= setup_->pulls * setup_->rounds; }

  const Setup* setup_;
  RewardSource rewards_;
  UniformStream draws_;
  std::uint64_t drawn_ = 0;
  RoundsSeen seen_;
};

// ---- Protocol: nodes, what is measured, what it costs
// ----------------------------------------------

class ShrinkingBox final : public StarProtocol<Setup, Server, Client> {
 public:
  using StarProtocol::StarProtocol;

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    std::vector<Measurement> all;
    all.push_back(identity("rounds",
                           "",
                           static_cast<double>(outcome.rounds.size()),
                           static_cast<double>(setup_.rounds),
                           "n / pulls",
                           all_answered(outcome)));
    add_regrets(*setup_.problem, outcome, std::nullopt, all);
    return all;
  }

  Forecast forecast() const override {
    const auto rounds = static_cast<double>(setup_.rounds);
    const double messages = 2 * rounds * setup_.clients;
    const auto d = static_cast<double>(setup_.problem->domain().dimension());
    return {.evaluations = rounds * static_cast<double>(setup_.pulls) * setup_.clients,
            .rounds = rounds,
            .messages = messages,
            .bytes = rounds * setup_.clients * ((8 + 16 * d) + (12 + 8 * d))};
  }
};

std::unique_ptr<Protocol> make(const Parameters& parameters, const ProtocolContext& context) {
  const auto pulls = static_cast<std::uint64_t>(parameters.integer("pulls"));
  return std::make_unique<ShrinkingBox>(Setup{.problem = context.problem,
                                              .clients = context.clients,
                                              .pulls = pulls,
                                              .rounds = context.problem->budget() / pulls,
                                              .shrink = parameters.real("shrink"),
                                              .policy = context.policy,
                                              .seed = context.seed});
}

std::vector<std::string> validate(const Parameters& parameters, const ProtocolContext& context) {
  if (context.problem == nullptr ||
      static_cast<std::uint64_t>(parameters.integer("pulls")) <= context.problem->budget())
    return {};
  return {"shrinking-box: pulls is larger than the budget of a client"};
}

const AlgorithmSpec& shrinking_box() {
  static const AlgorithmSpec spec{
      .kind = "shrinking-box",
      .summary = "clients try random points of a box, which the server shrinks around the best",
      .source = "an example of Posse's documentation",
      .parameters = {{.name = "pulls",
                      .type = ParameterType::integer,
                      .default_value = std::int64_t{10},
                      .help = "evaluations of a point",
                      .min = 1,
                      .max = 1e6},
                     {.name = "shrink",
                      .default_value = 0.8,
                      .help = "the next box's width, in widths of the present one",
                      .min = 0.01,
                      .max = 1}},
      .uses_policy = true,
      .messages = {&kMessageType<BoxToSearch>, &kMessageType<PointFound>},
      .make = &make,
      .validate = &validate};
  return spec;
}

}  // namespace

POSSE_PLUGIN(&shrinking_box())
