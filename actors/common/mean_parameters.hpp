// SPDX-License-Identifier: Apache-2.0
// The parameters that choose how means travel, and what the choice means for results.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/parameters.hpp"
#include "core/exchange/mean_encoding.hpp"
#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"
#include "core/role/role.hpp"

namespace posse {

/// means (default f64), means_low (0) and means_high (1).
std::vector<ParameterSpec> mean_encoding_parameters();
MeanEncoding mean_encoding_of(const Parameters& parameters);
/// Errors in these parameters. `kind` names the algorithm.
std::vector<std::string> mean_encoding_errors(std::string_view kind, const Parameters& parameters);

/// Reports how many means a node has clipped, if it may clip.
void report_clipped(const MeanEncoding& encoding, const MeanRounding& rounding, Reaction& reaction);
/// Adds the largest such count of a node.
void add_clipped(const MeanEncoding& encoding,
                 const RunOutcome& outcome,
                 std::vector<Measurement>& measurements);

/// The radii cover the noise of rewards, not that of rounding to a grid.
void require_no_grid(const MeanEncoding& encoding, Bound& bound);

}  // namespace posse
