// The tree learners by kind, for those who host them: alone, or many of them as the instances of
// POO and GPO.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "core/domain/partition.hpp"
#include "core/learner/choices.hpp"
#include "core/learner/learner.hpp"

namespace posse {

enum class TreeKind { hoo, t_hoo, hct, vhct };
constexpr std::string_view to_string(TreeKind kind) {
  return kind == TreeKind::hoo     ? "hoo"
         : kind == TreeKind::t_hoo ? "t-hoo"
         : kind == TreeKind::hct   ? "hct"
                                   : "vhct";
}

/// Every kind's options; a kind ignores what it doesn't have.
struct TreeLearnerOptions {
  double nu = 1;
  double rho = 0.5;
  double c = 0.1;                 // HCT, VHCT
  double delta = 0.01;            // HCT, VHCT
  double range = 1;               // VHCT's b
  std::uint64_t horizon = 1;      // T-HOO
  std::uint32_t depth_slack = 0;  // T-HOO
  LearnerChoices choices;
};

/// The partition outlives the learner.
std::unique_ptr<Learner> make_tree_learner(TreeKind kind,
                                           const Partition& partition,
                                           const TreeLearnerOptions& options);

/// An instance that POO or GPO wants: smoothness constants, and the horizon of a learner that needs
/// to know one (POO: the whole budget; GPO: the instance's own).
struct InstanceRequest {
  std::uint64_t number = 0;  // from 0
  double nu = 1;
  double rho = 0.5;
  std::uint64_t horizon = 1;
};
using InstanceFactory = std::function<std::unique_ptr<Learner>(const InstanceRequest&)>;

/// Instances with `options` but for nu, rho and horizon; number i's streams are named `name-i`. The
/// partition outlives the factory and the learners.
InstanceFactory tree_instances(TreeKind kind,
                               const Partition& partition,
                               const TreeLearnerOptions& options);

}  // namespace posse
