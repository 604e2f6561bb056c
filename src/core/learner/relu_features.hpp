// SPDX-License-Identifier: Apache-2.0
// A network with one hidden layer of ReLU units on a set of arms, as in FN-UCB: the gradients at
// the initial weights are the arms' features, and the network is trained on rewards.
//
// Source: Dai et al., "Federated neural bandits" (ICLR 2023), and the code published with it: width
// 20, depth 1, weights drawn from N(0, 1), stochastic gradient descent on all data at once.
//   z(x)        inputs for an arm, q = d + 1: coordinates scaled to [-1/2, 1/2]^d, then 1, which
//               replaces the biases of linear layers (see PAPERS.md, fn-ucb-4)
//   theta       p = w (q + 1) weights: b_1 … b_w of q numbers each, then a_1 … a_w
//   net(x; theta) = sum_k a_k max(0, b_k · z(x))
//   g(x)        gradient of net by theta at theta_0; a unit at exactly 0 counts as off
// Stream `net/theta-0`: draw 0, p normals by Boost.Random.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/ids.hpp"
#include "core/learner/arm_points.hpp"

namespace posse {

/// net(x; theta) and its gradient by theta, written to `gradient` (p numbers). O(p).
double relu_value(std::span<const double> theta, std::span<const double> inputs);
void relu_gradient(std::span<const double> theta,
                   std::span<const double> inputs,
                   std::span<double> gradient);

/// Rewards of one arm.
struct ArmRewards {
  double count = 0;
  double sum = 0;
};

struct ReluTraining {
  std::uint32_t steps = 30;
  double rate = 0.01;
  double decay = 0;  // weight decay: gradient + decay · theta
};

/// Immutable; shared by all nodes of a run. Memory: 8 K p bytes.
class ReluFeatures {
 public:
  ReluFeatures(const ArmPoints& arms, std::uint32_t width, Seed seed);

  std::uint32_t arms() const { return arms_; }
  std::size_t width() const { return width_; }
  /// q.
  std::size_t inputs() const { return inputs_; }
  /// p.
  std::size_t size() const { return theta_.size(); }
  /// theta_0.
  std::span<const double> theta() const { return theta_; }
  /// z and g of arm `arm`, from 1.
  std::span<const double> input(std::uint32_t arm) const {
    return std::span(inputs_of_).subspan((arm - 1) * inputs_, inputs_);
  }
  std::span<const double> gradient(std::uint32_t arm) const {
    return std::span(gradients_).subspan((arm - 1) * size(), size());
  }
  /// All g, arm by arm.
  std::span<const double> gradients() const { return gradients_; }
  /// max |g|^2.
  double largest_square() const;

  /// net(x; theta) of all arms. O(K p).
  void values(std::span<const double> theta, std::span<double> out) const;
  /// g^T Q g of all arms for a symmetric Q, p x p. Arms whose active units are the same share the
  /// sum over those units, of which g is a linear function of z: O(p^2 q + A p^2 / 4 + K q^2) for A
  /// different sets of units (at most w + 1 on a line), not O(K p^2). `work` is resized.
  void quadratic_forms(std::span<const double> matrix,
                       std::span<double> out,
                       std::vector<double>& work) const;

  /// Full-batch gradient steps from theta on the mean squared error over all rewards of all arms.
  /// Only sums of rewards are needed: O(steps · arms with rewards · p). A step to weights above
  /// 10^6 is not made and ends the training: the learning rate was too large for this width.
  void train(std::span<double> theta,
             std::span<const ArmRewards> rewards,
             const ReluTraining& training) const;

 private:
  std::uint32_t arms_;
  std::size_t width_;
  std::size_t inputs_;
  std::vector<double> theta_;
  std::vector<double> inputs_of_;                   // arm by arm
  std::vector<double> gradients_;                   // arm by arm
  std::vector<std::vector<std::uint32_t>> active_;  // different sets of active units
  std::vector<std::uint32_t> pattern_;              // by arm: its position in active_
};

}  // namespace posse
