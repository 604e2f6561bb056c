#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/check.hpp"
#include "core/algorithm/fed_pne.hpp"
#include "core/algorithm/fed_pne_roles.hpp"

namespace posse {
namespace {

constexpr NodeId kFirstClient{1};
constexpr std::uint64_t kMostPulls = std::numeric_limits<std::uint32_t>::max();

}  // namespace

FedPneServer::FedPneServer(const FedPneSetup& setup)
    : setup_(&setup), gather_(kFirstClient, setup.clients, setup.policy), uploads_(setup.clients) {}

void FedPneServer::on_start(Reaction& reaction) {
  recommend(reaction);
  begin_phase(reaction);
}

void FedPneServer::on_message(const Message& message, Reaction& reaction) {
  if (message.get<LocalMeans>() == nullptr) return;
  if (gather_.take(message, reaction) != Answer::used) return;
  uploads_[message.from.value - kFirstClient.value] = message.payload;
  close_if_ready(reaction);
}

void FedPneServer::on_timer(TimerId timer, Reaction& reaction) {
  if (gather_.on_timer(timer)) close_if_ready(reaction);
}

void FedPneServer::expand() {
  while (depth_ < setup_->partition.max_depth() &&
         theory::fed_pne_expands(setup_->theory, depth_, cells_))
    split(active_);
}

void FedPneServer::split(const std::vector<std::uint64_t>& cells) {
  // A plan of more cells than steps are left is cut, and a trimmed one has at most one cell more.
  const std::uint64_t limit = setup_->trim_last_plan ? setup_->budget - steps_ + 1
                                                     : std::numeric_limits<std::uint64_t>::max();
  // Of a level that was cut already, the first children are those of the first cells.
  cells_ *= setup_->partition.children_per_cell();
  active_ = children_of(setup_->partition, depth_, cells, limit);
  ++depth_;
}

void FedPneServer::begin_phase(Reaction& reaction) {
  if (!at_depth_limit_) {
    expand();
    pulls_per_cell_ = theory::fed_pne_pulls(setup_->theory, depth_);
  }
  const Round phase{gather_.round().value + 1};
  const std::uint64_t left = setup_->budget - steps_;
  const bool cut = pulls_per_cell_ > left / cells_;

  PhasePlan plan{phase.value,
                 depth_,
                 static_cast<std::uint32_t>(std::min(pulls_per_cell_, kMostPulls)),
                 active_};
  if (cut && setup_->trim_last_plan)
    plan.index.resize(std::min<std::uint64_t>(plan.index.size(), left / pulls_per_cell_ + 1));
  if (!cut) reaction.observe(RoundBegan{phase});
  reaction.broadcast(kFirstClient, setup_->clients, phase, std::move(plan));
  if (cut)
    reaction.finish();
  else
    gather_.open(phase, reaction);
}

void FedPneServer::close_if_ready(Reaction& reaction) {
  if (!gather_.ready()) return;
  eliminate(reaction);
  recommend(reaction);
  if (steps_ < setup_->budget)
    begin_phase(reaction);
  else
    reaction.finish();
}

void FedPneServer::eliminate(Reaction& reaction) {
  std::vector<double> means(active_.size(), 0.0);
  for (auto& upload : uploads_) {  // in client order: part of the contract
    if (!upload) continue;
    const auto& theirs = upload.get<LocalMeans>()->means;
    POSSE_CHECK(theirs.size() == means.size(), "{} means of {}", theirs.size(), means.size());
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += theirs[i];
    upload = Payload{};
  }
  for (auto& mean : means) mean /= static_cast<double>(gather_.arrived());

  const double b = theory::fed_pne_radius(setup_->theory, pulls_per_cell_, gather_.arrived());
  const double smoothness = setup_->theory.nu1 * std::pow(setup_->theory.rho, depth_);
  const auto best = std::max_element(means.begin(), means.end());  // the first of equals
  best_ = {depth_, active_[static_cast<std::size_t>(best - means.begin())]};
  std::vector<std::uint64_t> kept;
  for (std::size_t i = 0; i < means.size(); ++i)
    if (!(means[i] + b + smoothness < *best - b)) kept.push_back(active_[i]);

  steps_ += pulls_per_cell_ * active_.size();
  RoundEnded ended;
  ended.round = gather_.round();
  ended.best = best_;
  ended.active_cells = active_.size();
  ended.pulls_per_cell = pulls_per_cell_;
  ended.kept_cells = kept.size();
  ended.steps = steps_;
  gather_.close(reaction, ended);
  reaction.observe(std::move(ended));

  if (depth_ < setup_->partition.max_depth()) {
    cells_ = kept.size();
    split(kept);
  } else {
    at_depth_limit_ = true;
    active_ = {best_.index};
    cells_ = 1;
    pulls_per_cell_ = kMostPulls;
  }
}

void FedPneServer::recommend(Reaction& reaction) const {
  reaction.observe(RecommendationObserved{setup_->partition.point(best_)});
}

std::optional<Waiting> FedPneServer::waiting() const {
  if (!gather_.is_open()) return std::nullopt;
  return Waiting{fmt::format("LocalMeans of phase {}", gather_.round().value),
                 LocalMeans::kName,
                 gather_.round(),
                 gather_.missing()};
}

}  // namespace posse
