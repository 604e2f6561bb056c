// SPDX-License-Identifier: Apache-2.0
// A literal reference implementation of PF-PNE (Li, Song & Honorio): maps and vectors, no messages,
// one client after the other. For comparison with the roles, decision by decision.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/base/math.hpp"
#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"

namespace posse::test {

class LiteralPfPne {
 public:
  struct Constants {
    double nu1 = 1;
    double rho = 0.5;
    double c = 0.1;
    double c1 = 1;
    double delta = 1;
    double big_delta = 0.01;
    bool safe = false;
  };
  using Pull = std::pair<std::vector<double>, std::uint64_t>;
  /// Stage 1: h, |K|, t_h, kept, t. Stage 2: h, |K_m|, protected, pulls, kept, t.
  using Table = std::vector<std::vector<std::uint64_t>>;
  struct Client {
    std::vector<Pull> pulls;
    Table stage2;
    std::vector<std::vector<double>> recommendations;
    std::uint32_t depth = 0;                             // of the last complete level
    std::vector<std::uint64_t> kept;                     // its survivors
    std::vector<std::vector<std::uint64_t>> cells;       // K_m^h of stage 2, the cut level included
    std::vector<std::vector<std::uint64_t>> own_counts;  // of the unprotected ones, by level
    // What its pulls may cost on the good event, each at most 1. Stage 1: 12 nu1 rho^{h-1} + Delta.
    // Stage 2, children of unprotected cells: 24 nu1 rho^{h-1}, with `safe` 26. Else 1.
    double certified_regret = 0;
  };

  LiteralPfPne(const Problem& problem, const Partition& partition, const Constants& p)
      : problem_(problem), partition_(partition), p_(p), clients(problem.clients()) {
    const auto M = static_cast<std::uint64_t>(problem.clients());
    for (std::uint64_t m = 0; m < M; ++m) {
      sources_.emplace_back(problem, m);
      clients[m].recommendations.push_back(partition.point({0, 1}));
      clients[m].kept = {1};
    }
    run_stage1(M);
    if (!ended_)
      for (std::uint64_t m = 0; m < M; ++m) run_stage2(m);
  }

  int H0() const {
    if (p_.nu1 < p_.big_delta) return -1;
    int h = 0;
    while (h < static_cast<int>(partition_.max_depth()) &&
           p_.nu1 * math::pow(p_.rho, h + 1) >= p_.big_delta)
      ++h;
    return h;
  }
  double Lambda() const {
    return math::log(p_.c1 * static_cast<double>(problem_.budget()) / p_.delta);
  }
  std::uint64_t tau(std::uint32_t h) const {
    const double x = p_.c * p_.c * Lambda() * math::pow(p_.nu1, -2) * math::pow(p_.rho, -2.0 * h);
    if (x > 0x1p62) return std::uint64_t{1} << 62;
    return static_cast<std::uint64_t>(std::max(1.0, std::ceil(x)));
  }
  std::uint64_t t(std::uint32_t h) const {
    const std::uint64_t M = problem_.clients();
    return (tau(h) + M - 1) / M;
  }

 private:
  double smooth(std::uint32_t h) const { return p_.nu1 * math::pow(p_.rho, h); }
  std::uint64_t left(std::uint64_t m) const { return problem_.budget() - sources_[m].pulls(); }

  double shared_cost(std::uint32_t h) const {
    return h == 0 ? 1 : std::min(1.0, 12 * smooth(h - 1) + p_.big_delta);
  }
  double own_cost(Cell cell) const {
    const Cell parent{cell.depth - 1, (cell.index - 1) / partition_.children_per_cell() + 1};
    if (cell.depth == 0 || global_.count(parent) > 0) return 1;
    return std::min(1.0, (p_.safe ? 26 : 24) * smooth(cell.depth - 1));
  }

  double pull(std::uint64_t m, Cell cell, std::uint64_t count, double cost) {
    clients[m].certified_regret += cost * static_cast<double>(count);
    const auto x = partition_.point(cell);
    clients[m].pulls.emplace_back(x, count);
    return sources_[m].pull(x, count);
  }

  std::vector<std::uint64_t> children(const std::vector<std::uint64_t>& cells) const {
    const std::uint64_t k = partition_.children_per_cell();
    std::vector<std::uint64_t> all;
    for (const auto i : cells)
      for (std::uint64_t j = k * (i - 1) + 1; j <= k * i; ++j) all.push_back(j);
    return all;
  }

  void run_stage1(std::uint64_t M) {
    std::vector<std::uint64_t> K{1};
    std::uint64_t steps = 0;
    for (int h0 = 0; h0 <= H0() && steps < problem_.budget(); ++h0) {
      const auto h = static_cast<std::uint32_t>(h0);
      const std::uint64_t th = t(h);
      if (th * K.size() > problem_.budget() - steps) {
        for (std::uint64_t m = 0; m < M; ++m)
          for (const auto i : K)
            if (left(m) > 0) pull(m, {h, i}, std::min(th, left(m)), shared_cost(h));
        ended_ = true;
        return;
      }
      std::map<std::uint64_t, double> mu;
      for (std::uint64_t m = 0; m < M; ++m)
        for (const auto i : K) {
          const double sum = pull(m, {h, i}, th, shared_cost(h));
          local_sum_[{m, Cell{h, i}}] = sum;
          local_count_[{m, Cell{h, i}}] = th;
          mu[i] += sum / static_cast<double>(th);
        }
      std::uint64_t best = K[0];
      for (auto& [i, mean] : mu) mean /= static_cast<double>(M);
      for (const auto i : K)
        if (mu[i] > mu[best]) best = i;
      const double b = p_.c * std::sqrt(Lambda() / static_cast<double>(M * th));
      radius_[h] = b;
      std::vector<std::uint64_t> kept;
      for (const auto i : K)
        if (!(mu[i] + b + smooth(h) < mu[best] - b)) {
          kept.push_back(i);
          global_[Cell{h, i}] = mu[i];
        }
      steps += th * K.size();
      stage1.push_back({h, K.size(), th, kept.size(), steps});
      shared.push_back(kept);
      for (auto& client : clients) {
        client.recommendations.push_back(partition_.point({h, best}));
        client.depth = h;
        client.kept = kept;
      }
      if (h == partition_.max_depth()) return;
      K = children(kept);
    }
  }

  void run_stage2(std::uint64_t m) {
    Client& client = clients[m];
    std::vector<std::uint64_t> K{1};
    for (std::uint32_t h = 0; left(m) > 0; ++h) {
      client.cells.push_back(K);
      client.own_counts.emplace_back();
      std::uint64_t pulls = 0;
      std::uint64_t protected_cells = 0;
      std::map<std::uint64_t, double> mu;
      std::map<std::uint64_t, double> radius;
      for (const auto i : K) {
        const Cell cell{h, i};
        if (global_.count(cell) > 0) {
          ++protected_cells;
          mu[i] = global_[cell];
          radius[i] = radius_[h];
          continue;
        }
        auto& count = local_count_[{m, cell}];
        auto& sum = local_sum_[{m, cell}];
        if (count < tau(h)) {
          const std::uint64_t more = std::min(tau(h) - count, left(m));
          if (more > 0) sum += pull(m, cell, more, own_cost(cell));
          pulls += more;
          count += more;
          if (count < tau(h)) return;
        }
        client.own_counts.back().push_back(count);
        mu[i] = sum / static_cast<double>(count);
        radius[i] = p_.c * std::sqrt(Lambda() / static_cast<double>(count));
      }
      std::uint64_t best = K[0];
      for (const auto i : K)
        if (mu[i] > mu[best]) best = i;
      const bool allow = p_.safe && global_.count(Cell{h, best}) > 0;
      std::vector<std::uint64_t> kept;
      for (const auto i : K)
        if (global_.count(Cell{h, i}) > 0 ||
            !(mu[i] + radius[i] + smooth(h) + (allow ? p_.big_delta : 0) < mu[best] - radius[best]))
          kept.push_back(i);
      client.stage2.push_back(
          {h, K.size(), protected_cells, pulls, kept.size(), sources_[m].pulls()});
      client.recommendations.push_back(partition_.point({h, best}));
      client.depth = h;
      client.kept = kept;
      if (h == partition_.max_depth()) {
        if (left(m) > 0) pull(m, {h, best}, left(m), 1);
        return;
      }
      K = children(kept);
    }
  }

  const Problem& problem_;
  const Partition& partition_;
  Constants p_;
  std::vector<RewardSource> sources_;
  std::map<std::pair<std::uint64_t, Cell>, double> local_sum_;
  std::map<std::pair<std::uint64_t, Cell>, std::uint64_t> local_count_;
  std::map<Cell, double> global_;
  std::map<std::uint32_t, double> radius_;
  bool ended_ = false;

 public:
  Table stage1;
  std::vector<std::vector<std::uint64_t>> shared;  // K̄^h
  std::vector<Client> clients;
};

}  // namespace posse::test
