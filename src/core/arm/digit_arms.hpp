// SPDX-License-Identifier: Apache-2.0
// Small networks trained on the CPU as arms: model selection by real training.
//
// Source: Dorn et al. 2025, section 5.4 and Appendix C. A pull is 40 Adam updates with batches of
// 64 images; its value is the loss on the validation images. g(k) = factor · f(x_1)/sqrt k, a
// heuristic; f(x_1) is the arm's loss after its first pull (per-arm, as in the paper) or the
// largest such loss of all arms (common; see PAPERS.md, f-lcb-21). The paper's networks need a GPU.
// These are small: softmax regression and fully connected networks of different width, depth and
// learning rate (see PAPERS.md, f-lcb-20). f_i* is unknown. Images: image_data.hpp.
// A share of the images is the validation part, drawn per repetition and common to its arms. Every
// arm and instance passes through the other images in an order of its own, shuffled for every pass.
// Streams: `image-split/arms` (the split), `network/NAME` (weights), `batches/NAME` (orders), with
// NAME/copy-C for the fresh instances C = 1, 2, …
// Cost of a pull: forward and backward passes of 40 · 64 examples, and a forward pass of the
// validation part.
#pragma once

#include <string>
#include <vector>

#include "core/arm/arm_family.hpp"
#include "core/function/convex_function.hpp"

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

ArmFamilySpec digit_arms_spec();

}  // namespace posse
