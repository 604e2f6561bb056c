// SPDX-License-Identifier: Apache-2.0
// posse with algorithms in which mistakes are planted, for the tests of `fates --random`.
//
// The server asks every client once; each evaluates a point, and the server recommends the mean of
// the rewards along the diagonal of the domain.
//   planted-none    is correct
//   planted-twice   counts an answer again that arrives twice
//   planted-shared  has a number that all nodes and runs of the process share
#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "program/library/program.hpp"
#include "program/library/role.hpp"

namespace posse {
namespace {

enum class PlantedMistake { none, twice, shared };

struct PlantedAsk {
  static constexpr std::string_view kName = "PlantedAsk";
  std::uint32_t pulls = 1;
  std::uint64_t values() const { return 1; }
  POSSE_FIELDS(pulls)
};
struct PlantedAnswer {
  static constexpr std::string_view kName = "PlantedAnswer";
  double mean = 0;
  std::uint64_t values() const { return 1; }
  POSSE_FIELDS(mean)
};

constexpr Round kOnlyRound{1};
constexpr std::uint32_t kPulls = 2;

struct PlantedSetup {
  const Problem* problem;
  std::uint32_t clients;
  PlantedMistake mistake;
};

std::vector<double> on_diagonal(const PlantedSetup& setup, double share) {
  const Box& domain = setup.problem->domain();
  std::vector<double> point;
  for (std::size_t j = 0; j < domain.dimension(); ++j)
    point.push_back(domain.low[j] + std::clamp(share, 0.0, 1.0) * domain.width(j));
  return point;
}

class PlantedServer final : public Role {
 public:
  explicit PlantedServer(const PlantedSetup& setup) : setup_(&setup) {
    for (std::uint32_t i = 0; i < setup.clients; ++i)
      missing_.insert(NodeId{kFirstClient.value + i});
  }

  void on_start(Reaction& reaction) override {
    reaction.broadcast(kFirstClient, setup_->clients, kOnlyRound, PlantedAsk{kPulls});
  }

  void on_message(const Message& message, Reaction& reaction) override {
    const auto* answer = message.get<PlantedAnswer>();
    if (answer == nullptr || missing_.empty()) return;
    const bool first = missing_.erase(message.from) > 0;
    if (!first && setup_->mistake != PlantedMistake::twice) return;
    answers_.emplace_back(message.from, answer->mean);
    if (!missing_.empty()) return;
    std::sort(answers_.begin(), answers_.end());
    double sum = 0;
    for (const auto& [from, mean] : answers_) sum += mean;
    const double mean = sum / static_cast<double>(answers_.size());
    reaction.observe(RecommendationObserved{on_diagonal(*setup_, mean)});
    reaction.finish();
  }

  std::optional<Waiting> waiting() const override {
    if (missing_.empty()) return std::nullopt;
    return Waiting{"answers", PlantedAnswer::kName, kOnlyRound, {missing_.begin(), missing_.end()}};
  }

 private:
  const PlantedSetup* setup_;
  std::set<NodeId> missing_;
  std::vector<std::pair<NodeId, double>> answers_;
};

std::atomic<std::uint64_t> g_answers{0};

class PlantedClient final : public Role {
 public:
  PlantedClient(const PlantedSetup& setup, std::uint32_t client)
      : setup_(&setup), rewards_(*setup.problem, client) {}

  void on_message(const Message& message, Reaction& reaction) override {
    if (message.get<PlantedAsk>() == nullptr || rewards_.pulls() > 0) return;
    const auto point = on_diagonal(*setup_, 0.5);
    reaction.evaluate(kPulls);
    double mean = rewards_.pull(point, kPulls) / kPulls;
    reaction.observe(PullsObserved{static_cast<std::uint32_t>(rewards_.client()), point, kPulls});
    if (setup_->mistake == PlantedMistake::shared) mean += 1e-6 * static_cast<double>(++g_answers);
    reaction.send(kServer, kOnlyRound, PlantedAnswer{mean});
    reaction.finish();
  }

  std::optional<Waiting> waiting() const override {
    if (rewards_.pulls() > 0) return std::nullopt;
    return Waiting{"the question", PlantedAsk::kName, kOnlyRound, {kServer}};
  }

 private:
  const PlantedSetup* setup_;
  RewardSource rewards_;
};

class PlantedProtocol final : public StarProtocol<PlantedSetup, PlantedServer, PlantedClient> {
 public:
  using StarProtocol::StarProtocol;

  std::vector<Measurement> measurements(const RunOutcome& outcome) const override {
    std::vector<Measurement> all;
    add_regrets(*setup_.problem, outcome, std::nullopt, all);
    return all;
  }
  Forecast forecast() const override {
    const double clients = setup_.clients;
    return {.evaluations = kPulls * clients,
            .messages = 2 * clients,
            .bytes = 12 * clients,
            .last_round = 1};
  }
};

AlgorithmSpec planted(std::string_view kind, PlantedMistake mistake) {
  return {.kind = kind,
          .summary = "the server asks every client once",
          .source = "a test",
          .messages = {&kMessageType<PlantedAsk>, &kMessageType<PlantedAnswer>},
          .make = [mistake](const Parameters&, const ProtocolContext& context) {
            return std::make_unique<PlantedProtocol>(PlantedSetup{
                .problem = context.problem, .clients = context.clients, .mistake = mistake});
          }};
}

}  // namespace
}  // namespace posse

int main(int argc, char** argv) {
  using posse::PlantedMistake;
  static const auto none = posse::planted("planted-none", PlantedMistake::none);
  static const auto twice = posse::planted("planted-twice", PlantedMistake::twice);
  static const auto shared = posse::planted("planted-shared", PlantedMistake::shared);
  for (const auto* algorithm : {&none, &twice, &shared}) posse::add_algorithm(*algorithm);
  return posse::run_command_line(argc, argv);
}
