// Small networks in training as arms: model selection by real training on the CPU.
//
// Paper 004, section 5.4 and Appendix C: a pull is 40 Adam updates with batches of 64 images, then
// the loss on the validation images; g(k) = factor · f(x_1)/sqrt k, a heuristic, f(x_1) the arm's
// loss after its first pull (per-arm, the paper's) or the largest of all arms' (common). With
// per-arm a fast learner gets the smallest bonus. Images: image_data.hpp; the paper's networks need
// a GPU, these are small: softmax regression and fully connected ones of different width, depth
// and learning rate. f_i* is unknown.
// A share of the images is the validation part, drawn per repetition and common to its arms.
// Every arm and instance goes through the rest in an order of its own, shuffled anew for every
// pass. Streams: `image-split/arms` (the split), `network/NAME` (weights), `batches/NAME` (orders),
// with NAME/copy-C for the fresh instances C = 1, 2, … Cost of a pull: 40 · 64 examples forwards
// and back, and the validation part forwards.
#pragma once

#include <string>
#include <vector>

#include "core/arm/arm_family.hpp"

namespace posse {

/// One model of the list `models`.
struct NetworkModel {
  std::string name;
  std::vector<Eigen::Index> hidden;
  double learning_rate = 1e-3;
};

/// "softmax@0.01, mlp-64-32@0.001": kinds, hidden widths, learning rates (without @: the default).
/// Throws InputError.
std::vector<NetworkModel> parse_models(const std::string& list, double learning_rate);

ArmsSpec digit_arms_spec();

}  // namespace posse
