// SPDX-License-Identifier: Apache-2.0
// How the clients' objectives f_m differ from the base objective f.
//
//   none          all clients share f
//   shift         f_m(x) = f(R(x - s_m)), s_{m,j} = scale (hi_j - lo_j) z, z standard normal,
//                 redrawn while |z| > 3 (so that a maximiser stays in the box at scale 0.05). The
//                 "randomly perturbed" clients of Fed-PNE and PF-PNE (Li et al. 2024), whose
//                 papers do not state the size (see PAPERS.md, fed-pne-12)
//   common-shift  all clients share one f(R(x - s)) with a shift s per seed: an average over seeds
//                 does not depend on the position of the maximiser in the partition
//   scale         f_m = a_m f + b_m, a_m ~ U(a_min, 1), b_m ~ U(0, 1 - a_m)
//   shifts        as shift, with the shifts given
// Streams: `shift/client-m` (index j, dimensions from 0), `shift/all`, `scale/client-m` (index 0).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/ids.hpp"
#include "core/objective/objective.hpp"
#include "core/objective/shifted.hpp"

namespace posse {

using Clients = std::vector<std::shared_ptr<const Objective>>;

/// scale >= 0: sd of a shift as a share of the box's width.
Clients shifted_clients(const std::shared_ptr<const Objective>& base,
                        std::uint32_t clients,
                        Seed seed,
                        double scale,
                        Boundary boundary);
Clients commonly_shifted_clients(const std::shared_ptr<const Objective>& base,
                                 std::uint32_t clients,
                                 Seed seed,
                                 double scale,
                                 Boundary boundary);
/// 0 < a_min <= 1.
Clients scaled_clients(const std::shared_ptr<const Objective>& base,
                       std::uint32_t clients,
                       Seed seed,
                       double a_min);
/// One number per client and dimension, in client order: s_{1,1} … s_{1,d}, s_{2,1} … .
Clients given_shifts(const std::shared_ptr<const Objective>& base,
                     const std::vector<double>& shifts,
                     Boundary boundary);

/// Numbers separated by commas, semicolons or blanks; nothing if an entry is not a finite number.
std::optional<std::vector<double>> parse_numbers(std::string_view text);

}  // namespace posse
