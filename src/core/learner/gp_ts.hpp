// SPDX-License-Identifier: Apache-2.0
// GP-TS: Thompson sampling with a Gaussian process on a finite set of arms. Li et al. 2024
// (Fed-PNE) call it Kernel TS.
//
// Paper: Chowdhury & Gopalan, "On kernelized multi-armed bandits" (ICML 2017), Algorithm 2.
//   k(x, y) = exp(-|x - y|^2 / (2 l^2)) on the domain scaled to [0, 1]^d; l = 0.2
//   lambda = 1 + 2/T         regularisation
//   v_t                      0.1 (fixed, the practical default), or the theory's
//                            B + R sqrt(2 (gamma_{t-1} + 1 + ln(2/delta))), B = 1, R = 0.5,
//                            delta = 0.1, gamma_t = ln det(I + K_t / lambda) / 2
//   D                        the arms (arm_points.hpp); the paper's discretisation grows
//                            with t (see PAPERS.md, gp-ts-1)
// Step t: draw f̃ ~ N(mu_{t-1}, v_t^2 k_{t-1}) jointly on D and play its argmax; ties: the smallest
// arm. Recommendation: the argmax of the posterior mean on D (not in the paper); arm 1 before any
// reward.
//
// Method. The kernel matrix of D is factored once, K = Phi Phi^T, by Cholesky decomposition with
// diagonal pivoting, up to a remainder of at most 1e-12 on its diagonal. K is numerically singular:
// r = 19 columns suffice for 400 arms on a line, 190 for 400 in the plane. Thus f = Phi w with
// w ~ N(0, I) of dimension r, and the posterior of w has the precision
// A = I + sum phi phi^T / lambda and the information vector b = sum phi y / lambda. A = R^T R and
// c = R^-T b are updated by Givens rotations for every observation: no observation is dropped, and
// no matrix is inverted or downdated. A draw is f̃ = Phi R^-1 (c + v z), z standard normal, which is
// exactly N(mu, v^2 k) for that K.
//
// Cost: O(|D| r^2) once, shared by all learners of a run; O(|D| r + r^2) per step. Memory: 8 |D| r
// bytes shared, 8 r^2 per learner. Stream `explore/name`: normals of draw t (steps from 0), by
// Boost.Random.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/parameters.hpp"
#include "core/learner/arm_points.hpp"
#include "core/learner/learner.hpp"
#include "core/random/stream.hpp"

namespace posse {

/// Phi: one row of r features per arm, with k(x, y) = phi(x) · phi(y).
class KernelFeatures {
 public:
  /// `length_scale` = l > 0.
  KernelFeatures(const ArmPoints& arms, double length_scale);

  std::uint32_t arms() const { return arms_; }
  /// r.
  std::size_t rank() const { return rank_; }
  /// Features of arm `arm`, from 1.
  std::span<const double> row(std::uint32_t arm) const {
    return std::span(rows_).subspan((arm - 1) * rank_, rank_);
  }
  /// All rows, arm by arm.
  std::span<const double> rows() const { return rows_; }

 private:
  std::uint32_t arms_;
  std::size_t rank_ = 0;
  std::vector<double> rows_;
};

struct GpTsOptions {
  double lambda = 1;          // > 0
  double v = 0.1;             // >= 0; used unless `theory_v`
  bool theory_v = false;      // v_t from the three below
  double norm_bound = 1;      // B
  double sub_gaussian = 0.5;  // R
  double delta = 0.1;
  Seed seed;
  std::string name = "learner";  // of its stream
};

class GpTs final : public Learner {
 public:
  /// The features must outlive the learner.
  GpTs(const KernelFeatures& features, const GpTsOptions& options);

  std::unique_ptr<Learner> clone() const override { return std::make_unique<GpTs>(*this); }
  Cell next() override;
  void tell(double reward) override;
  /// O(|D| r + r^2).
  Cell recommend() const override;

  /// Draw number `number` of f̃ on D from the current posterior. next() uses the number of rewards
  /// received as `number`.
  std::vector<double> sample(std::uint64_t number) const;
  /// mu on D.
  std::vector<double> mean() const;
  /// k_t(x, y) of two arms, from 1: without v^2. O(r^2).
  double covariance(std::uint32_t x, std::uint32_t y) const;
  /// gamma_t.
  double information_gain() const;
  /// v for the next step.
  double v() const;

 private:
  const KernelFeatures* features_;
  GpTsOptions options_;
  StreamKey stream_;
  std::uint64_t told_ = 0;
  std::uint32_t asked_ = 0;  // the arm of the pending next(), 0: none
  std::vector<double> r_;    // R, r rows of r numbers, upper triangular
  std::vector<double> c_;
  std::vector<double> row_, rotated_;  // work space
};

/// `length_scale`, `v`, `theory_v`, `norm_bound`, `sub_gaussian`, `delta`, and the parameters of
/// the arms, for the AlgorithmSpec of an algorithm that uses the learner.
std::vector<ParameterSpec> gp_ts_parameters();
/// lambda = 1 + 2/T.
GpTsOptions gp_ts_options(const Parameters& parameters,
                          std::uint64_t horizon,
                          Seed seed,
                          std::string name);
/// Messages about too many arms for the factorisation (4096 take 128 MB and a minute).
std::vector<std::string> validate_gp_ts(const Parameters& parameters, std::size_t dimension);

}  // namespace posse
