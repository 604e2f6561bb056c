// SPDX-License-Identifier: Apache-2.0
// Makes tree learners by kind, either single ones or the instances of POO and GPO.
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

/// The options of all kinds; a kind ignores those that it does not have.
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

/// The partition must outlive the learner.
std::unique_ptr<Learner> make_tree_learner(TreeKind kind,
                                           const Partition& partition,
                                           const TreeLearnerOptions& options);

/// An instance of POO or GPO: smoothness constants, and the horizon for a learner that needs one
/// (POO: the whole budget; GPO: the instance's own).
struct InstanceRequest {
  std::uint64_t number = 0;  // from 0
  double nu = 1;
  double rho = 0.5;
  std::uint64_t horizon = 1;
};
using InstanceFactory = std::function<std::unique_ptr<Learner>(const InstanceRequest&)>;

/// Makes instances with `options` except for nu, rho and horizon. The streams of number i are named
/// `name-i`. The partition must outlive the factory and the learners.
InstanceFactory tree_instances(TreeKind kind,
                               const Partition& partition,
                               const TreeLearnerOptions& options);

}  // namespace posse
