// SPDX-License-Identifier: Apache-2.0
#include "actors/pf_pne/server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "actors/common/average_uploads.hpp"
#include "actors/common/star.hpp"
#include "actors/fed_pne/bounds.hpp"
#include "actors/pf_pne/messages.hpp"

namespace posse {

PfPneServer::PfPneServer(const PfPneSetup& setup)
    : GatheringServer(setup.clients, setup.policy, "level"), setup_(&setup) {}

void PfPneServer::on_start(Reaction& reaction) {
  if (setup_->shared_depth)
    begin_level(reaction);
  else
    reaction.finish();
}

void PfPneServer::begin_level(Reaction& reaction) {
  pulls_per_cell_ = theory::fed_pne_pulls(setup_->theory.federation, depth_);
  if (pulls_per_cell_ > (setup_->budget - steps_) / active_.size()) {
    reaction.finish();  // the level is cut, no client uploads
    return;
  }
  const Round round{depth_ + 1};
  reaction.observe(RoundBegan{round});
  open(round, reaction);
}

void PfPneServer::on_uploads(Reaction& reaction) {
  eliminate(reaction);
  if (depth_ == *setup_->shared_depth || steps_ == setup_->budget) {
    reaction.finish();
    return;
  }
  active_ = setup_->children(depth_, active_, setup_->budget - steps_, 0);
  ++depth_;
  begin_level(reaction);
}

void PfPneServer::eliminate(Reaction& reaction) {
  const auto means = average_uploads<LocalMeans>(uploads(), active_.size(), setup_->policy);
  const double b = theory::fed_pne_radius(setup_->theory.federation, pulls_per_cell_, arrived());
  const auto best = std::max_element(means.begin(), means.end());  // the first of equals
  Survivors survivors{depth_, b, {}};
  RoundEnded ended;
  std::vector<std::uint64_t> kept;
  for (std::size_t i = 0; i < means.size(); ++i) {
    const bool keep = !(means[i] + b + setup_->smoothness(depth_) < *best - b);
    ended.cells.push_back({{depth_, active_[i]}, means[i], keep});
    if (!keep) continue;
    survivors.cells.push_back({active_[i], means[i]});
    kept.push_back(active_[i]);
  }

  steps_ += pulls_per_cell_ * active_.size();
  ended.threshold = *best - 2 * b - setup_->smoothness(depth_);
  ended.best = Cell{depth_, active_[static_cast<std::size_t>(best - means.begin())]};
  ended.active_cells = active_.size();
  ended.pulls_per_cell = pulls_per_cell_;
  ended.kept_cells = kept.size();
  ended.steps = steps_;
  close(std::move(ended), reaction);
  reaction.broadcast(kFirstClient, setup_->clients, round(), std::move(survivors));
  active_ = std::move(kept);
}

std::optional<Waiting> PfPneServer::waiting() const {
  auto waiting = GatheringServer::waiting();
  if (waiting) waiting->for_what = fmt::format("LocalMeans of depth {}", depth_);
  return waiting;
}

}  // namespace posse
