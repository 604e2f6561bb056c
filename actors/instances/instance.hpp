// Many tree learners, one per node, and a hub that tells each what to try and how often, and
// outputs the best: the roles of POO and GPO (poo.hpp).
//
// Nodes: `poo` or `gpo` (0, the hub), `instance-0 …`. Round = pass p = 1, 2, … of the schedule,
// which is known before the run. Messages:
//   Start{nu 8, rho 8, budget 8}   down, to each instance that has evaluations in this pass
//   Found{mean 8, x 8d}            up, when it has made them; d + 1 values
// An instance makes its learner at its first Start, evaluates for client 0 and keeps its learner
// for later passes; nobody else sees its rewards. In a reaction it makes at most 4096 evaluations
// of its learner's and goes on by a timer of no length.
//   POO: `budget` evaluations of the learner; `mean` of all its rewards so far, x what it
//   recommends GPO: budget/2 evaluations of the learner and as many of what it then recommends, x;
//   `mean` of
//        the latter. What is left of the whole budget the hub evaluates itself, at the winner's x.
// Output: x of the largest mean, after every pass (equals: the instance with the lowest number).
//
// Streams, for instance i: `reward/client-0/instance-i`, `point/client-0/instance-i`, and the
// learner's, named `instance-i`; for the hub: `reward/client-0/hub`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "actors/common/cell_rewards.hpp"
#include "core/domain/partition.hpp"
#include "core/exchange/gather.hpp"
#include "core/learner/tree_learners.hpp"
#include "core/objective/problem.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

/// So many evaluations with these constants.
struct Start {
  static constexpr std::string_view kName = "Start";
  double nu = 1;
  double rho = 0.5;
  std::uint64_t budget = 0;
  std::uint64_t values() const { return 3; }
  POSSE_FIELDS(nu, rho, budget)
};

/// What an instance recommends, and how good that is.
struct Found {
  static constexpr std::string_view kName = "Found";
  double mean = 0;
  Tail x;
  std::uint64_t values() const { return 1 + x.numbers.size(); }
  POSSE_FIELDS(mean, x)
};

/// Evaluations of the instances `first`, first + 1, … in one pass.
struct InstancePass {
  std::uint32_t first = 0;
  std::vector<std::uint64_t> evaluations;
};

/// What all nodes of a run share.
struct InstancesSetup {
  const Problem* problem;
  Partition partition;
  TreeKind kind;
  std::vector<TreeLearnerOptions> options;  // by instance; nu and rho travel in Start
  std::vector<InstancePass> passes;
  std::vector<std::uint64_t> totals;  // evaluations of each instance over all passes
  bool check = false;                 // GPO's second half
  std::uint64_t rest = 0;             // evaluations left for the hub
};

class InstancesHub final : public Role {
 public:
  /// `setup` must outlive the role.
  explicit InstancesHub(const InstancesSetup& setup);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  void begin_pass(Reaction& reaction);
  void end_pass(Reaction& reaction);
  void spend_rest(Reaction& reaction) const;
  const Found& best() const;

  const InstancesSetup* setup_;
  Gather gather_;
  std::vector<Payload> found_;  // the latest of every instance
  std::uint64_t evaluations_ = 0;
};

class Instance final : public Role {
 public:
  /// Instance number `number`, from 0. `setup` must outlive the role.
  Instance(const InstancesSetup& setup, std::uint32_t number);

  void on_message(const Message& message, Reaction& reaction) override;
  void on_timer(TimerId timer, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  void search(Reaction& reaction);
  void answer(Reaction& reaction);
  bool finished() const { return started_ && rewards_.pulls() == setup_->totals[number_]; }

  const InstancesSetup* setup_;
  std::uint32_t number_;
  CellRewards rewards_;
  std::unique_ptr<Learner> learner_;
  RoundsSeen starts_;
  bool started_ = false;
  std::uint64_t budget_ = 0;  // of this pass
  std::uint64_t until_ = 0;   // evaluations with the learner at the end of this pass
  double sum_ = 0;            // of the learner's rewards
};

}  // namespace posse
