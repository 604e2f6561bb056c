// POO over any base learner, in one place: the best of many instances with different rho.
//
// Paper: Grill, Valko, Munos 2015; with HCT as base learner Shang, Kaufmann, Valko 2018 (P2), where
// delta = 1/n. The order of evaluations is the listing's (poo_schedule.hpp), turn by turn. Output:
// the recommendation of the instance with the largest mean reward (equals: the one started first),
// by the theory one of its plays, uniformly drawn; the root before the first reward.
//   budget  the listing needs none: it bounds the schedule, and instances may ask for it as horizon
// Cost: that of the instances. Streams: the instances'.
// Departure from the paper: the guard n >= 3. PyXAB also weights its running means wrongly.
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
  Poo(const PooSmoothness& smoothness, std::uint64_t budget, InstanceFactory factory);

  /// At most `budget` times.
  Cell next() override;
  void tell(double reward) override;
  Cell recommend() const override;

  struct Instance {
    std::unique_ptr<Learner> learner;
    std::uint64_t evaluations = 0;
    double sum = 0;
    double mean() const { return sum / static_cast<double>(evaluations); }
  };
  const std::vector<Instance>& instances() const { return instances_; }
  const PooSchedule& schedule() const { return schedule_; }

 private:
  void begin_pass();
  /// To the pass's next evaluation; false if that was the last.
  bool advance();

  PooSchedule schedule_;
  InstanceFactory factory_;
  std::vector<Instance> instances_;
  PooPass pass_;
  bool in_pass_ = false;
  std::uint64_t at_ = 0;    // position in the pass of the instance whose turn it is
  std::uint64_t done_ = 0;  // evaluations it has made in this pass before
};

}  // namespace posse
