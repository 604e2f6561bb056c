// SPDX-License-Identifier: Apache-2.0
#include "actors/fn_ucb/server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "actors/common/star.hpp"
#include "core/domain/cell.hpp"
#include "core/learner/symmetric_matrix.hpp"

namespace posse {
namespace {

void add(std::vector<double>& to, const std::vector<double>& numbers) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += numbers[i];
}

}  // namespace

FnUcbServer::FnUcbServer(const FnUcbSetup& setup)
    : setup_(&setup), reports_(setup.clients), updates_(setup.clients) {
  const std::size_t p = setup.features.size();
  model_.gram.resize(p * p);
  model_.responses.resize(p);
  model_.net.resize(p);
  model_.inverse.resize(p * p);
}

void FnUcbServer::on_start(Reaction& reaction) { recommend(reaction); }

void FnUcbServer::on_message(const Message& message, Reaction& reaction) {
  // Agents are never ahead of the server, so a message of another step is a duplicate.
  if (message.round != round()) return;
  const std::uint32_t client = message.from.value - kFirstClient.value;
  Report& report = reports_[client];
  if (message.get<StepDone>() != nullptr) {
    if (report != Report::none) return;
    report = Report::done;
    ++reported_;
  } else if (message.get<AgentUpdate>() != nullptr) {
    if (report == Report::update) return;
    if (report == Report::none) ++reported_;
    report = Report::update;
    updates_[client] = message.payload;
    if (arrived_.answers() == 0) reaction.observe(RoundBegan{round()});
    arrived_.add(message.from, reaction.now());
  } else {
    return;
  }
  if (reported_ == setup_->clients) on_all_reports(reaction);
}

void FnUcbServer::on_all_reports(Reaction& reaction) {
  const auto step = static_cast<std::uint32_t>(step_);
  if (arrived_.answers() == setup_->clients) {
    synchronise(reaction);
  } else if (arrived_.answers() > 0) {
    // Asked once. Any further update is an answer.
    if (asked_) return;
    asked_ = true;
    const auto ask = Payload::make(SendUpdate{step});
    for (std::uint32_t client = 0; client < reports_.size(); ++client)
      if (reports_[client] == Report::done)
        reaction.send_payload(NodeId{kFirstClient.value + client}, 1, round(), ask);
  } else if (is_last()) {
    reaction.finish();
    ended_ = true;
  } else {
    reaction.broadcast(kFirstClient, setup_->clients, round(), NextStep{step});
    next_step();
  }
}

void FnUcbServer::synchronise(Reaction& reaction) {
  merge();
  RoundEnded ended;
  ended.round = round();
  ended.steps = step_ + 1;
  ended.active_cells = ended.kept_cells = setup_->arms.size();
  ended.arrived = ended.expected = setup_->clients;
  ended.first_asked = kFirstClient;
  ended.waited = arrived_.until(reaction.now());
  ended.came_last = arrived_.came_last();
  const std::uint32_t before = best_;
  best_ = best_arm();
  ended.best = Cell{0, best_};
  reaction.observe(std::move(ended));
  if (best_ != before) recommend(reaction);
  if (is_last()) {
    reaction.finish();
    ended_ = true;
    return;
  }
  reaction.broadcast(kFirstClient, setup_->clients, round(), model_);
  next_step();
}

void FnUcbServer::next_step() {
  ++step_;
  std::fill(reports_.begin(), reports_.end(), Report::none);
  reported_ = 0;
  asked_ = false;
  arrived_ = {};
}

void FnUcbServer::merge() {
  std::fill(model_.net.begin(), model_.net.end(), 0.0);
  std::fill(model_.inverse.begin(), model_.inverse.end(), 0.0);
  for (auto& upload : updates_) {  // in client order, which results depend on
    const auto& theirs = *upload.get<AgentUpdate>();
    add(model_.gram, theirs.gram);
    add(model_.responses, theirs.responses);
    add(model_.net, theirs.net);
    add(model_.inverse, theirs.inverse);
    upload = Payload{};
  }
  for (auto& weight : model_.net) weight /= setup_->clients;
  for (auto& number : model_.inverse) number /= setup_->clients;
}

std::uint32_t FnUcbServer::best_arm() const {
  const ReluFeatures& features = setup_->features;
  const double alpha = setup_->options.alpha(step_ + 1);
  std::vector<double> scores(features.arms());
  if (alpha > 0) features.values(model_.net, scores);
  if (alpha < 1) {
    SymmetricMatrix inverse(features.size(), 0);
    inverse.assign(model_.gram);
    inverse.add_to_diagonal(setup_->options.lambda);
    inverse.invert();
    std::vector<double> theta(features.size());
    inverse.multiply(model_.responses, theta);
    std::vector<double> linear(features.arms());
    multiply_rows(features.gradients(), theta, linear);
    for (std::size_t k = 0; k < scores.size(); ++k)
      scores[k] = alpha * scores[k] + (1 - alpha) * linear[k];
  }
  const auto best = std::max_element(scores.begin(), scores.end());  // the first of equals
  return static_cast<std::uint32_t>(best - scores.begin()) + 1;
}

void FnUcbServer::recommend(Reaction& reaction) const {
  reaction.observe(RecommendationObserved{setup_->arms.point(best_)});
}

std::optional<Waiting> FnUcbServer::waiting() const {
  if (ended_) return std::nullopt;
  Waiting waiting{fmt::format("{} of step {}", asked_ ? "AgentUpdate" : "StepDone", step_),
                  asked_ ? AgentUpdate::kName : StepDone::kName,
                  round(),
                  {}};
  for (std::uint32_t client = 0; client < reports_.size(); ++client)
    if (reports_[client] == Report::none || (asked_ && reports_[client] == Report::done))
      waiting.from.push_back(NodeId{kFirstClient.value + client});
  return waiting;
}

}  // namespace posse
