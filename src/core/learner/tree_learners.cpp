// SPDX-License-Identifier: Apache-2.0
#include "core/learner/tree_learners.hpp"

#include <fmt/format.h>

#include "core/base/check.hpp"
#include "core/learner/hct.hpp"
#include "core/learner/hoo.hpp"
#include "core/learner/t_hoo.hpp"

namespace posse {

std::unique_ptr<Learner> make_tree_learner(TreeKind kind,
                                           const Partition& partition,
                                           const TreeLearnerOptions& o) {
  const theory::HctParameters constants{.nu = o.nu, .rho = o.rho, .c = o.c, .delta = o.delta};
  switch (kind) {
    case TreeKind::hoo:
      return std::make_unique<Hoo>(partition,
                                   HooOptions{.nu = o.nu, .rho = o.rho, .choices = o.choices});
    case TreeKind::t_hoo:
      return std::make_unique<THoo>(partition,
                                    THooOptions{.nu = o.nu,
                                                .rho = o.rho,
                                                .horizon = o.horizon,
                                                .depth_slack = o.depth_slack,
                                                .choices = o.choices});
    case TreeKind::hct:
      return std::make_unique<Hct>(
          partition,
          HctOptions{.constants = constants, .range = std::nullopt, .choices = o.choices});
    case TreeKind::vhct:
      return std::make_unique<Hct>(
          partition, HctOptions{.constants = constants, .range = o.range, .choices = o.choices});
  }
  POSSE_CHECK(false, "unknown tree learner {}", static_cast<int>(kind));
  return nullptr;
}

InstanceFactory tree_instances(TreeKind kind,
                               const Partition& partition,
                               const TreeLearnerOptions& options) {
  return [kind, &partition, options](const InstanceRequest& request) {
    TreeLearnerOptions own = options;
    own.nu = request.nu;
    own.rho = request.rho;
    own.horizon = request.horizon;
    own.choices.name = fmt::format("{}-{}", options.choices.name, request.number);
    return make_tree_learner(kind, partition, own);
  };
}

}  // namespace posse
