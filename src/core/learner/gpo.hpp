// SPDX-License-Identifier: Apache-2.0
// GPO over any base learner: runs many instances with different rho, then compares their outputs.
// PCT is GPO over HCT, VPCT over VHCT.
//
// Paper: Shang, Kaufmann & Valko, "General parallel optimization without a metric" (ALT 2019).
//   n       the budget, known; D_max = ln k / ln(1/rho_max)
//   N       ceil(1/2 D_max ln((n/2) / ln(n/2))) instances (theory::gpo_instances; for small n see
//           PAPERS.md, gpo-1)
//   e       floor(n / (2N)) evaluations
// Instance i = 1 … N runs A(nu_max, rho_max^{2N/(2i+1)}) for e evaluations and recommends x_i. Then
// every x_i is evaluated e times, in order. Output: the x_i with the largest mean of these (ties:
// the lowest i). The rest of the budget re-evaluates it (see PAPERS.md, gpo-2). If the run is cut
// short: the best x_i compared until then, or, before any comparison, the recommendation of the
// running instance.
//
// An actor protocol needs only a `GpoPlan`. Here instances are numbered from 0.
// Cost: that of the instances, of which only one exists at a time. Streams: the instances'.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/learner/learner.hpp"
#include "core/learner/poo_schedule.hpp"
#include "core/learner/tree_learners.hpp"

namespace posse {

struct GpoPlan {
  std::uint64_t instances = 1;    // N
  std::uint64_t evaluations = 0;  // e, for every instance and then for every x_i
  std::uint64_t rest = 0;         // evaluations of the winner: n - 2 N e
  double nu = 1;
  std::vector<double> rhos;  // of the instances
};

GpoPlan plan_gpo(const PooSmoothness& smoothness, std::uint64_t budget);

class Gpo final : public Learner {
 public:
  Gpo(const PooSmoothness& smoothness, std::uint64_t budget, InstanceFactory factory);

  std::unique_ptr<Learner> clone() const override { return std::make_unique<Gpo>(*this); }
  /// Evaluations beyond the budget go to the winner.
  Cell next() override;
  void tell(double reward) override;
  Cell recommend() const override;

  struct Candidate {
    Cell cell;  // x_i
    std::uint64_t evaluations = 0;
    double sum = 0;
    double mean() const { return sum / static_cast<double>(evaluations); }
  };
  /// The recommendations of the finished instances.
  const std::vector<Candidate>& candidates() const { return candidates_; }
  const GpoPlan& plan() const { return plan_; }

 private:
  InstanceRequest request(std::uint64_t number) const;
  /// The candidate with the largest mean among those compared; null if there is none.
  const Candidate* best() const;

  GpoPlan plan_;
  InstanceFactory factory_;
  OwnedLearner instance_;  // the running one
  std::vector<Candidate> candidates_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace posse
