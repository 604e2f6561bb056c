// SPDX-License-Identifier: Apache-2.0
// The module that links libsvm.
#pragma once

#include <span>
#include <vector>

#include "core/objective/landmine.hpp"

namespace posse {

struct SvmModule {
  static constexpr const char* kModule = "svm";
  /// As svm_scores, which see.
  std::vector<double> (*scores)(const LandmineField& field, double c, double gamma, double eps);
};

}  // namespace posse
