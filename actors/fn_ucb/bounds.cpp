// SPDX-License-Identifier: Apache-2.0
#include "actors/fn_ucb/bounds.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/math.hpp"
#include "core/theory/integers.hpp"

namespace posse::theory {

std::uint64_t fn_ucb_syncs_ceiling(const FnUcbParameters& p) {
  const std::uint64_t last = p.steps - 1;
  if (!(p.sync_threshold > 0)) return last;
  const auto features = static_cast<double>(p.features);
  const double trace =
      static_cast<double>(p.agents) * static_cast<double>(p.steps) * p.largest_square;
  const double growth = features * math::log1p(trace / (p.lambda * features));
  return std::min(last,
                  floor_to_count(std::sqrt(static_cast<double>(last) * growth / p.sync_threshold)));
}

}  // namespace posse::theory
