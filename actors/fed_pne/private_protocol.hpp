// SPDX-License-Identifier: Apache-2.0
// DP-Fed-PNE: Fed-PNE with differential privacy. Every client adds noise to each mean that it
// sends.
//
// The paper (Li, Song, Honorio and Lin, "Federated X-armed bandit", AAAI 2024, Remark 8) announces
// a private version in an appendix that the proceedings do not contain. The mechanism is Posse's
// own (see PAPERS.md, fed-pne-7); its formulas are in private_bounds.hpp.
//   epsilon                privacy parameter, > 0; smaller is more private
//   mechanism, delta_p     laplace: epsilon-DP; gaussian: (epsilon, delta_p)-DP for epsilon <= 1;
//                          none: no noise, results bit for bit those of Fed-PNE
//   radius                 practical: c sqrt(Lambda) standard deviations of the noise. Fed-PNE's
//                          radius has as many of a reward with standard deviation 1; rewards vary
//                          less, so that c = 0.1 is enough for them, but noise needs c near 1.
//                          theory: a tail bound, valid for c >= 2
//   b', tau'_h, t'_h       replace Fed-PNE's b, tau_h and t_h, also in the expansion criterion
//
// What is protected is each single reward of a client (event level). Every reward enters exactly
// one released mean, so that all messages of a run together are as private as one of them; a cut
// phase releases nothing. The server is not trusted, it receives noisy means only. The set of all
// rewards of a client (user level) is not protected.
//
// Rewards are clipped to [0, 1] before they are averaged, because the sensitivity 1/t requires it.
// With noise models that stay inside [0, 1] clipping has no effect. With others (uniform) it biases
// means near 0 and 1, and the measurements say so.
//
// Nodes, messages, server policies, recommendation, cut phase and depth limit are those of Fed-PNE
// (protocol.hpp). Its guarantees hold with b' for b, on the event that rewards and noise stay
// within b'. Cost: one random draw per mean. Streams: those of Fed-PNE and `privacy/client-m`
// (private_release.hpp).
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: epsilon (default 1), mechanism (laplace), delta_p (1e-5), radius (practical), and
/// those of Fed-PNE.
const AlgorithmSpec& dp_fed_pne_algorithm();

}  // namespace posse
