// The parallel X-armed bandit: m players, one objective, one broadcast per level of the tree.
//
// Paper: Chen, Liu, Zhang, Li, "A parallel algorithm for X-armed bandits" (2015/2022), Algorithm 1.
//   m  clients              n  the problem's budget (evaluations per player)
//   nu1, rho                smoothness, nu1 > 0, 0 < rho < 1
//   delta                   failure probability, 0 < delta <= 1; auto: 1/n
//   S_h, T_h                active cells of depth h (ascending), pulls of each
//   (theory/parallel.hpp)
//
// Level h = 0, 1, …: if T_h |S_h| evaluations no longer fit, apply the leftover rule and stop;
// otherwise every player evaluates every cell of S_h T_h times and broadcasts its means, and all
// take the means' mean, summed in player order whatever the order of arrival, so that they agree
// bit for bit on S_{h+1} = children of the cells within 3 nu1 rho^h of the best (ties for the best:
// smallest index). The output is the best cell of the last complete level; x_{0,1} if there is
// none.
//
// leftover: pull — go on through the unfinished level, unsent (the paper); stop — end with t < n;
// exploit — pull the output. At the partition's depth limit the search ends and the best cell is
// pulled until t = n.
//
// Round q = level + 1. Message, to each other player at the end of a level:
//   LevelMeans{depth 4, n 4, mean 8n}    8 + 8 |S_h| bytes, |S_h| values
// A message for a level is buffered when it comes from a faster player (at most one level ahead:
// nobody finishes a level without everybody), ignored when it is a copy. There is no server and no
// policy: a player goes on when all m - 1 others have answered (with a quorum, players could
// disagree on S_{h+1}).
//
// If the players' objectives differ (shifted clients), the same steps maximise their mean f̄, and
// the bounds below hold for f̄: each mean of means is an average of independent bounded rewards
// around f̄(x).
//
// Cost: O(m |S_h|) additions per player and level. Streams: `reward/client-m` through RewardSource.
// Departures from the paper: T_h's ceiling and general formula at h = 0 (errata E1, E3 of our
// specification), q counts completed levels (E2), the loss bound is 3 nu1 rho^h instead of 6.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// Parameters: nu1 (default 1), rho (0.5), delta (auto: 1/n), leftover (pull), and the partition's.
const AlgorithmSpec& parallel_algorithm();

}  // namespace posse
