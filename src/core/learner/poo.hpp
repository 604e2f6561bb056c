// SPDX-License-Identifier: Apache-2.0
// POO over any base learner in one process: the best of many instances with different rho.
//
// Paper: Grill, Valko & Munos 2015; with HCT as base learner, Shang, Kaufmann & Valko 2018, with
// delta = 1/n. The order of evaluations is the listing's (poo_schedule.hpp). Output: the
// recommendation of the instance with the largest mean reward (ties: the one started first), which
// is one of its plays, drawn uniformly, in the theory; the root before the first reward.
//   horizon  not needed by the listing, which never ends: that of base learners that need one
// Cost: that of the instances. Streams: the instances'.
// Departure from the paper: doubling needs n >= 3 (see PAPERS.md, poo-1). PyXAB: see pyxab-7.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/learner/learner.hpp"
#include "core/learner/poo_schedule.hpp"
#include "core/learner/tree_learners.hpp"

namespace posse {

class Poo final : public Learner {
 public:
  Poo(const PooSmoothness& smoothness, std::uint64_t horizon, InstanceFactory factory);

  std::unique_ptr<Learner> clone() const override { return std::make_unique<Poo>(*this); }
  Cell next() override;
  void tell(double reward) override;
  Cell recommend() const override;

  struct Instance {
    OwnedLearner learner;
    std::uint64_t evaluations = 0;
    double sum = 0;
    double mean() const { return sum / static_cast<double>(evaluations); }
  };
  const std::vector<Instance>& instances() const { return instances_; }
  const PooSchedule& schedule() const { return schedule_; }

 private:
  void begin_pass();
  /// Advances to the next evaluation of the pass; false if there is none.
  bool advance();

  PooSchedule schedule_;
  std::uint64_t horizon_;
  InstanceFactory factory_;
  std::vector<Instance> instances_;
  PooPass pass_;
  bool in_pass_ = false;
  std::uint64_t at_ = 0;    // position in the pass of the current instance
  std::uint64_t done_ = 0;  // evaluations that it has made in this pass
};

}  // namespace posse
