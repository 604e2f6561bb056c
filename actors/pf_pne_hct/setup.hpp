// SPDX-License-Identifier: Apache-2.0
// What all nodes of a run of PF-PNE with HCT share.
#pragma once

#include <memory>

#include "actors/learners/hct_kind.hpp"
#include "actors/pf_pne/setup.hpp"

namespace posse {

struct PfPneHctSetup : PfPneSetup {
  std::shared_ptr<const HctKind> kind;
};

}  // namespace posse
