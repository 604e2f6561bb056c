// SPDX-License-Identifier: Apache-2.0
// A small fully connected network for classification, trained by Adam.
//
// Layers of ReLU units, then a softmax; the loss is the mean cross-entropy. Without hidden layers
// it is softmax regression. Weights start as N(0, 2/fan-in) (He et al. 2015), biases at 0. Adam
// (Kingma, Ba 2015): beta1 = 0.9, beta2 = 0.999, eps = 1e-8, with bias correction.
// Streams: the caller's key, draw j for layer j's weights. Cost per example: O(parameters).
#pragma once

#include <span>
#include <vector>

#include "core/function/convex_function.hpp"
#include "core/random/stream.hpp"

namespace posse {

class NeuralNetwork {
 public:
  /// widths: inputs, hidden layers, classes.
  NeuralNetwork(std::vector<Eigen::Index> widths, StreamKey key);

  Eigen::Index parameters() const { return weights_.size(); }
  Vector& weights() { return weights_; }

  /// Mean loss on a batch: a column per example, its label.
  double loss(const Eigen::MatrixXd& inputs, std::span<const std::uint16_t> labels);
  /// Mean loss on a batch, and its gradient by the weights.
  double loss_and_gradient(const Eigen::MatrixXd& inputs,
                           std::span<const std::uint16_t> labels,
                           Vector& gradient);
  /// Share of examples whose class has the largest output (the first one on a tie).
  double accuracy(const Eigen::MatrixXd& inputs, std::span<const std::uint16_t> labels);

 private:
  using Weights = Eigen::Map<const Eigen::MatrixXd>;
  Weights layer(std::size_t j) const;
  Eigen::Map<const Vector> bias(std::size_t j) const;
  void forward(const Eigen::MatrixXd& inputs);
  /// Turns the last layer's outputs into probabilities; returns the mean loss.
  double softmax(std::span<const std::uint16_t> labels);

  std::vector<Eigen::Index> widths_, offsets_;  // a layer's weights, then its biases
  Vector weights_;
  std::vector<Eigen::MatrixXd> outputs_;  // by layer
  Eigen::MatrixXd delta_, below_;
};

class Adam {
 public:
  Adam(Eigen::Index parameters, double learning_rate);
  void step(const Vector& gradient, Vector& weights);

 private:
  double learning_rate_;
  double decay1_ = 1, decay2_ = 1;  // beta^t
  Vector mean_, square_;
};

}  // namespace posse
