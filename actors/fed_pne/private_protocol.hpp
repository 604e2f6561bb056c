// DP-Fed-PNE: Fed-PNE whose clients add noise to the means they send, so that no single reward can
// be read from what leaves a client.
//
// The paper (Li, Song, Honorio, Lin, "Federated X-armed bandit", AAAI 2024) announces a private
// version in a supplement that isn't public; the mechanism is Posse's own, laws and formulas in
// theory/dp_fed_pne.hpp:
//   epsilon                  privacy, > 0
//   mechanism, delta_p       laplace: epsilon-DP; gaussian: (epsilon, delta_p)-DP, epsilon <= 1;
//                            none: epsilon = infinity, which is Fed-PNE to the last bit
//   radius                   practical: c sqrt(Lambda) standard deviations of the noise, as many as
//                            Fed-PNE's radius has of a reward with standard deviation 1 (rewards
//                            vary less, so that c = 0.1 does for them; noise needs c near 1);
//                            theory: a bound for c >= 2
//   b', tau'_h, t'_h         stand for Fed-PNE's b, tau_h, t_h, in the expansion criterion as well
// What is protected is one reward of one client (event level). Every reward enters one released
// mean, so the transcript of a run is as private as one release; nothing of a cut phase leaves.
// The server is not trusted: it sees noisy means only. Rewards of one client as a whole (user
// level) are not protected.
//
// Rewards are clipped to [0, 1] before they are averaged, since the sensitivity 1/t needs that. It
// changes nothing where the noise model stays inside; elsewhere (uniform) the clip moves means
// towards the middle near 0 and 1, and the measurements say so.
//
// Roles, messages, policies, recommendation, cut phase and depth limit are Fed-PNE's (fed_pne.hpp),
// and so are the guarantees, with b' for b and on the event that rewards and noise stay within it.
// Streams: Fed-PNE's, and `privacy/client-m` (private_release.hpp). Cost: one draw per mean.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: epsilon (default 1), mechanism (laplace), delta_p (1e-5), radius (practical), and
/// all of Fed-PNE's.
const AlgorithmSpec& dp_fed_pne_algorithm();

}  // namespace posse
