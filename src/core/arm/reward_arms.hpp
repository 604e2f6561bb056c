// SPDX-License-Identifier: Apache-2.0
// Arms of a stochastic bandit: rewards with symmetric noise around a mean, possibly heavy-tailed.
//
// Source: Dorn et al. 2025, Appendix D: K = 10, means i/10, standard Cauchy noise. Cauchy noise has
// no mean; mu_i is then the centre. Reward = mu_i + scale * noise; noise: cauchy, student-t (with
// `degrees` of freedom; 1 is Cauchy) or normal. Regret counts mu* - mu_i per pull, so an arm's
// `minimum` is -mu_i.
// Streams: `reward/muI` (draw k: the arm's reward number k), I = 1 … K. Cost: O(1) per reward.
#pragma once

#include "core/arm/arm_family.hpp"

namespace posse {

ArmFamilySpec reward_arms_spec();

}  // namespace posse
