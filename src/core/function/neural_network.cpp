// SPDX-License-Identifier: Apache-2.0
#include "core/function/neural_network.hpp"

#include <cmath>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "core/random/distributions.hpp"

namespace posse {

NeuralNetwork::NeuralNetwork(std::vector<Eigen::Index> widths, StreamKey key)
    : widths_(std::move(widths)) {
  POSSE_CHECK(widths_.size() >= 2, "{} layers", widths_.size());
  Eigen::Index size = 0;
  for (std::size_t j = 0; j + 1 < widths_.size(); ++j) {
    offsets_.push_back(size);
    size += widths_[j + 1] * (widths_[j] + 1);
  }
  weights_ = Vector::Zero(size);
  outputs_.resize(offsets_.size());
  for (std::size_t j = 0; j < offsets_.size(); ++j) {
    DrawEngine draws(key, j);
    const double sd = std::sqrt(2.0 / static_cast<double>(widths_[j]));
    for (auto& w : weights_.segment(offsets_[j], widths_[j + 1] * widths_[j]))
      w = sd * draw_normal(draws);
  }
}

NeuralNetwork::Weights NeuralNetwork::layer(std::size_t j) const {
  return {weights_.data() + offsets_[j], widths_[j + 1], widths_[j]};
}

Eigen::Map<const Vector> NeuralNetwork::bias(std::size_t j) const {
  return {weights_.data() + offsets_[j] + widths_[j + 1] * widths_[j], widths_[j + 1]};
}

void NeuralNetwork::forward(const Eigen::MatrixXd& inputs) {
  for (std::size_t j = 0; j < outputs_.size(); ++j) {
    outputs_[j].noalias() = layer(j) * (j == 0 ? inputs : outputs_[j - 1]);
    outputs_[j].colwise() += bias(j);
    if (j + 1 < outputs_.size()) outputs_[j] = outputs_[j].cwiseMax(0.0);
  }
}

double NeuralNetwork::softmax(std::span<const std::uint16_t> labels) {
  auto& scores = outputs_.back();
  double sum = 0;
  for (Eigen::Index i = 0; i < scores.cols(); ++i) {
    auto column = scores.col(i);
    column.array() -= column.maxCoeff();
    const double right = column[labels[static_cast<std::size_t>(i)]];
    column = column.unaryExpr(&math::exp);
    const double total = column.sum();
    column /= total;
    sum += math::log(total) - right;
  }
  return sum / static_cast<double>(scores.cols());
}

double NeuralNetwork::loss(const Eigen::MatrixXd& inputs, std::span<const std::uint16_t> labels) {
  forward(inputs);
  return softmax(labels);
}

double NeuralNetwork::loss_and_gradient(const Eigen::MatrixXd& inputs,
                                        std::span<const std::uint16_t> labels,
                                        Vector& gradient) {
  forward(inputs);
  const double loss = softmax(labels);
  gradient.resize(parameters());
  delta_ = outputs_.back();
  for (Eigen::Index i = 0; i < delta_.cols(); ++i)
    delta_(labels[static_cast<std::size_t>(i)], i) -= 1;
  delta_ /= static_cast<double>(delta_.cols());
  for (std::size_t j = outputs_.size(); j-- > 0;) {
    Eigen::Map<Eigen::MatrixXd> slope(gradient.data() + offsets_[j], widths_[j + 1], widths_[j]);
    slope.noalias() = delta_ * (j == 0 ? inputs : outputs_[j - 1]).transpose();
    gradient.segment(offsets_[j] + slope.size(), widths_[j + 1]) = delta_.rowwise().sum();
    if (j == 0) break;
    below_.noalias() = layer(j).transpose() * delta_;
    delta_ = (outputs_[j - 1].array() > 0).select(below_, 0.0);
  }
  return loss;
}

double NeuralNetwork::accuracy(const Eigen::MatrixXd& inputs,
                               std::span<const std::uint16_t> labels) {
  forward(inputs);
  Eigen::Index right = 0;
  for (Eigen::Index i = 0; i < inputs.cols(); ++i) {
    Eigen::Index best = 0;
    outputs_.back().col(i).maxCoeff(&best);
    right += best == labels[static_cast<std::size_t>(i)];
  }
  return static_cast<double>(right) / static_cast<double>(inputs.cols());
}

Adam::Adam(Eigen::Index parameters, double learning_rate)
    : learning_rate_(learning_rate),
      mean_(Vector::Zero(parameters)),
      square_(Vector::Zero(parameters)) {}

void Adam::step(const Vector& gradient, Vector& weights) {
  constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEps = 1e-8;
  decay1_ *= kBeta1;
  decay2_ *= kBeta2;
  mean_ = kBeta1 * mean_ + (1 - kBeta1) * gradient;
  square_ = kBeta2 * square_ + (1 - kBeta2) * gradient.cwiseAbs2();
  weights.array() -= learning_rate_ / (1 - decay1_) * mean_.array() /
                     ((square_.array() / (1 - decay2_)).sqrt() + kEps);
}

}  // namespace posse
