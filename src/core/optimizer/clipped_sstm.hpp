// SPDX-License-Identifier: Apache-2.0
// Clipped SSTM (stochastic similar triangles method): accelerated steps along clipped gradients,
// for heavy-tailed noise; and its restarted form for strongly convex functions.
//
// Source: Sadiev et al. 2023; used by Dorn et al. 2025, section 5.3 and Appendix B.3. The noise has
// a finite moment of order alpha in (1, 2].
//   A_0 = 0, y = z = x0; a_{k+1} = (k+2)/(2 a L), A_{k+1} = A_k + a_{k+1}
//   x = (A_k y + a_{k+1} z)/A_{k+1};  G~ = G(x) scaled to norm lambda_k if longer
//   z -= a_{k+1} G~;  y = (A_k y + a_{k+1} z)/A_{k+1};  observed: f(y);  unconstrained
// Modes, K_h the horizon, l = ln(4 K_h/beta):
//   theory     a = max(48600 l^2, 1800 s (K_h+1) K_h^{1/alpha} l^{(alpha-1)/alpha}/(L R)),
//              lambda_k = R/(30 a_{k+1} l), g = 6 a L R^2/(k (k+3)) with probability 1 - beta for
//              k <= K_h: valid, and vacuous in practice
//   practical  a = max(1, c_a s (K_h+1) K_h^{1/alpha}/(L R)), lambda_k = R/a_{k+1}, same form of g
//   shorthand  the practical steps, g = max(L R^2/k^2, s R/k^{1-1/alpha}) ln(1/beta), that of
//              Dorn et al. 2025 (see PAPERS.md, f-lcb-18)
//
// Restarts (R-clipped-SSTM), mu > 0: stage t = 1, 2, … runs K_t steps from the last y, with
// R_{t-1} = R 2^{-(t-1)/2}, eps_t = mu R_{t-1}^2/4 and N = max(1, ceil(log2(mu R^2/(2 eps)))):
//   theory     K_t = ceil max(1080 sqrt(L R_{t-1}^2/eps_t) ln(2160 sqrt(L R_{t-1}^2) N/(sqrt(eps_t)
//              beta)), 2 (10800 s R_{t-1}/eps_t)^p ln((4N/beta) (5400 s R_{t-1}/eps_t)^p)),
//              p = alpha/(alpha-1); a and lambda as above with R_t and l_t = ln(4 K_t N/beta)
//   practical  K_t = ceil(c_K max(sqrt(L R_{t-1}^2/eps_t), (s R_{t-1}/eps_t)^p)), at least 1; a and
//              lambda as above with R_{t-1}
//   shorthand  the practical stages, g = max(exp(-k sqrt(mu/L)), s^2/mu k^{-2 (alpha-1)/alpha})
//              ln(1/beta) after k steps in all, that of Dorn et al. 2025
// The value is the best one seen. In the other modes g is the running minimum of the stages'
// bounds, 6 a L R_{t-1}^2 / (k (k+3)) after k steps of stage t. The paper stops after N stages;
// here further stages follow. Cost per step: one oracle call, one value, O(d).
#pragma once

#include <cstdint>

#include "core/optimizer/gradient_noise.hpp"
#include "core/optimizer/optimizer.hpp"

namespace posse {

enum class SstmMode { theory, practical, shorthand };

struct ClippedSstmOptions {
  SstmMode mode = SstmMode::practical;
  double smoothness = 1;         // L > 0
  double radius = 1;             // R >= |x0 - x*|, > 0
  double noise = 0;              // s >= 0: E|noise|^alpha <= s^alpha
  double alpha = 2;              // in (1, 2]
  double beta = 0.05;            // failure probability, in (0, 1)
  std::uint64_t horizon = 1000;  // K_h >= 1
  double practical_a = 0.2;      // c_a: 0.2 for alpha = 2, 0.05 for alpha <= 1.5
};

/// The steps of one run of clipped SSTM from a point.
class SstmSteps {
 public:
  /// l: the logarithm in the mode `theory`; `radius` scales the clipping.
  SstmSteps(const ClippedSstmOptions& options, double log_term, double radius, const Vector& start);

  void step(GradientOracle& oracle);
  const Vector& y() const { return y_; }
  std::uint64_t steps() const { return steps_; }
  /// a, the parameter of the step sizes.
  double a() const { return a_; }

 private:
  double smoothness_, a_, clip_;
  double total_ = 0;  // A_k
  std::uint64_t steps_ = 0;
  Vector y_, z_, x_, gradient_;
};

class ClippedSstm final : public Optimizer {
 public:
  ClippedSstm(GradientOracle oracle, Vector start, const ClippedSstmOptions& options);

 private:
  void advance() override;

  GradientOracle oracle_;
  ClippedSstmOptions options_;
  SstmSteps run_;
};

struct RestartedSstmOptions {
  ClippedSstmOptions run;       // radius: R of the first stage; stages have their own horizons
  double strong_convexity = 1;  // mu > 0
  double accuracy = 1e-3;       // eps > 0
  double practical_k = 0.1;     // c_K
};

class RestartedSstm final : public Optimizer {
 public:
  RestartedSstm(GradientOracle oracle, Vector start, const RestartedSstmOptions& options);

  /// Current stage, from 1.
  std::uint64_t stage() const { return stage_; }

 private:
  void advance() override;
  /// K_t of the stage that starts at this radius.
  double stage_length(double radius) const;
  SstmSteps begin_stage(const Vector& start);

  GradientOracle oracle_;
  RestartedSstmOptions options_;
  double stages_;  // N
  std::uint64_t stage_ = 0;
  std::uint64_t length_ = 0;  // K_t
  double radius_ = 0;         // R_{t-1}
  SstmSteps run_;
};

}  // namespace posse
