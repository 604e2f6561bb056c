// SPDX-License-Identifier: Apache-2.0
// An algorithm without rounds, in which events decide who talks, as a plug-in: the twin of
// docs/examples/python/event_ucb.py, with the same messages at the same times.
//
// event-ucb: clients share the arms of a bandit, play by upper confidence bounds, and tell the
// server what they have learnt when it has grown by a factor. The server answers with what all have
// told it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <posse/role.hpp>
#include <set>
#include <vector>

namespace {

using namespace posse;

// ---- Messages
// -------------------------------------------------------------------------------------

using Counts = std::vector<std::uint32_t>;

/// Of every arm, since the message before.
struct Learnt {
  static constexpr std::string_view kName = "Learnt";
  Counts counts;
  std::vector<double> sums;
  std::uint64_t left = 0;  // evaluations that this client still makes
  std::uint64_t values() const { return counts.size() + sums.size() + 1; }
  POSSE_FIELDS(counts, sums, left)
};

/// Of every arm, of all clients.
struct Known {
  static constexpr std::string_view kName = "Known";
  Counts counts;
  std::vector<double> sums;
  std::uint64_t values() const { return counts.size() + sums.size(); }
  POSSE_FIELDS(counts, sums)
};

// ---- Roles
// ----------------------------------------------------------------------------------------

constexpr Round kOnlyRound{1};

/// What all nodes of a run share.
struct Setup {
  const Problem* problem;
  std::uint32_t clients, arms;
  double growth;
};

std::vector<double> point_of(const Setup& setup, std::size_t arm) {
  const Box& domain = setup.problem->domain();
  std::vector<double> point;
  for (std::size_t j = 0; j < domain.dimension(); ++j)
    point.push_back(domain.low[j] +
                    (static_cast<double>(arm) + 0.5) / setup.arms * domain.width(j));
  return point;
}

/// What a node knows: evaluations and sums of rewards, by arm.
struct Knowledge {
  explicit Knowledge(std::uint32_t arms) : counts(arms), sums(arms) {}
  void add(const Counts& more, const std::vector<double>& rewards) {
    for (std::size_t k = 0; k < counts.size(); ++k) {
      counts[k] += more[k];
      sums[k] += rewards[k];
    }
  }
  Counts counts;
  std::vector<double> sums;
};

class Server final : public Role {
 public:
  explicit Server(const Setup& setup) : setup_(&setup), known_(setup.arms) {
    for (std::uint32_t i = 0; i < setup.clients; ++i)
      searching_.insert(NodeId{kFirstClient.value + i});
  }

  void on_message(const Message& message, Reaction& reaction) override {
    const auto* learnt = message.get<Learnt>();
    if (learnt == nullptr || searching_.empty()) return;  // late
    known_.add(learnt->counts, learnt->sums);
    const auto most = std::max_element(known_.counts.begin(), known_.counts.end());
    reaction.observe(RecommendationObserved{
        point_of(*setup_, static_cast<std::size_t>(most - known_.counts.begin()))});
    if (learnt->left > 0) {
      reaction.send(message.from, kOnlyRound, Known{known_.counts, known_.sums});
      return;
    }
    searching_.erase(message.from);
    if (searching_.empty()) reaction.finish();
  }

  std::optional<Waiting> waiting() const override {
    if (searching_.empty()) return std::nullopt;
    return Waiting{"what the clients have learnt",
                   Learnt::kName,
                   Round{0},
                   {searching_.begin(), searching_.end()}};
  }

 private:
  const Setup* setup_;
  Knowledge known_;
  std::set<NodeId> searching_;
};

class Client final : public Role {
 public:
  Client(const Setup& setup, std::uint32_t client)
      : setup_(&setup), rewards_(*setup.problem, client), known_(setup.arms), new_(setup.arms) {}

  void on_start(Reaction& reaction) override { play(reaction); }

  void on_timer(TimerId, Reaction& reaction) override { play(reaction); }

  void on_restart(Reaction& reaction) override {
    if (rewards_.pulls() < setup_->problem->budget()) reaction.set_timer_after_work(kPlay);
  }

  void on_message(const Message& message, Reaction&) override {
    const auto* known = message.get<Known>();
    if (known == nullptr) return;
    asking_ = false;
    known_.counts = known->counts;
    known_.sums = known->sums;
    known_.add(new_.counts, new_.sums);
  }

 private:
  void play(Reaction& reaction) {
    const std::size_t arm = most_promising();
    const auto point = point_of(*setup_, arm);
    const double reward = rewards_.pull(point, 1);
    reaction.observe(PullsObserved{static_cast<std::uint32_t>(rewards_.client()), point, 1});
    for (auto* kept : {&known_, &new_}) {
      kept->counts[arm] += 1;
      kept->sums[arm] += reward;
    }
    const std::uint64_t left = setup_->problem->budget() - rewards_.pulls();
    if (left == 0 || (!asking_ && growth() > setup_->growth)) {
      reaction.send(kServer, kOnlyRound, Learnt{new_.counts, new_.sums, left});
      asking_ = true;
      new_ = Knowledge(setup_->arms);
    }
    if (left == 0)
      reaction.finish();
    else
      reaction.set_timer_after_work(kPlay);  // when the evaluation is done
  }

  std::size_t most_promising() const {
    double total = 1;
    for (const auto n : known_.counts) total += n;
    std::size_t best = 0;
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < known_.counts.size(); ++k) {
      const double n = known_.counts[k];
      if (n == 0) return k;
      const double bound = known_.sums[k] / n + 0.5 * std::sqrt(std::log(total) / n);
      if (bound > highest) {
        highest = bound;
        best = k;
      }
    }
    return best;
  }

  /// Of the determinant of the information matrix since the message before.
  double growth() const {
    double product = 1;
    for (std::size_t k = 0; k < known_.counts.size(); ++k) {
      const double n = 1.0 + known_.counts[k];
      product *= n / (n - new_.counts[k]);
    }
    return product;
  }

  static constexpr TimerId kPlay{1};
  const Setup* setup_;
  RewardSource rewards_;
  Knowledge known_, new_;  // of all clients, and this one's since its message before
  bool asking_ = false;    // a message is under way, or the answer to it
};

// ---- Protocol
// -------------------------------------------------------------------------------------

class EventUcb final : public StarProtocol<Setup, Server, Client> {
 public:
  using StarProtocol::StarProtocol;

  bool waits_for_all() const override { return false; }
  std::string_view why_order_matters(NodeId) const override {
    return "the server answers each message when it comes; clients go on when they have evaluated";
  }

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    std::vector<Measurement> all;
    const auto messages =
        outcome.total(&TypeAccount::sent) - outcome.total(&TypeAccount::sent, kAcknowledgement);
    all.push_back({"rounds", "", static_cast<double>(outcome.complete_rounds), {}});
    all.push_back({"messages", "", static_cast<double>(messages), {}});
    add_regrets(*setup_.problem, outcome, std::nullopt, all);
    return all;
  }

  Forecast forecast() const override {
    constexpr double kUnknown = std::numeric_limits<double>::infinity();
    return {.evaluations = static_cast<double>(setup_.problem->budget()) * setup_.clients,
            .rounds = kUnknown,
            .messages = kUnknown,
            .bytes = kUnknown};
  }
};

std::unique_ptr<Protocol> make(const Parameters& parameters, const ProtocolContext& context) {
  return std::make_unique<EventUcb>(
      Setup{.problem = context.problem,
            .clients = context.clients,
            .arms = static_cast<std::uint32_t>(parameters.integer("arms")),
            .growth = parameters.real("growth")});
}

const AlgorithmSpec& event_ucb() {
  static const AlgorithmSpec spec{
      .kind = "event-ucb",
      .summary = "clients tell the server what they have learnt when it has grown by a factor",
      .source = "the event of Wang et al. 2020 and He et al. 2022, for separate arms",
      .parameters =
          {{.name = "arms",
            .type = ParameterType::integer,
            .default_value = std::int64_t{10},
            .help = "on a diagonal of the domain",
            .min = 1,
            .max = 1e6},
           {.name = "growth", .default_value = 4.0, .help = "of the information", .min = 1}},
      .messages = {&kMessageType<Learnt>, &kMessageType<Known>},
      .make = &make};
  return spec;
}

}  // namespace

POSSE_PLUGIN(&event_ucb())
