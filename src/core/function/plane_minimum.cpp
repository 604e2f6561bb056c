#include "core/function/plane_minimum.hpp"

#include <glpk.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/check.hpp"

namespace posse {
namespace {

struct DeleteProblem {
  void operator()(glp_prob* problem) const { glp_delete_prob(problem); }
};
using GlpkProblem = std::unique_ptr<glp_prob, DeleteProblem>;

/// Variables 1 … d are x, d + 1 is t; row k says a_k' x - t <= -b_k.
GlpkProblem make_problem(const PiecewiseLinear::Matrix& slopes,
                         const Vector& offsets,
                         double low,
                         double high) {
  const auto planes = static_cast<int>(slopes.rows());
  const auto d = static_cast<int>(slopes.cols());
  GlpkProblem problem(glp_create_prob());
  glp_set_obj_dir(problem.get(), GLP_MIN);
  glp_add_cols(problem.get(), d + 1);
  for (int j = 1; j <= d; ++j) glp_set_col_bnds(problem.get(), j, GLP_DB, low, high);
  glp_set_col_bnds(problem.get(), d + 1, GLP_FR, 0, 0);
  glp_set_obj_coef(problem.get(), d + 1, 1);
  glp_add_rows(problem.get(), planes);
  std::vector<int> index(static_cast<std::size_t>(d) + 2);
  std::vector<double> value(index.size());
  for (std::size_t j = 1; j < index.size(); ++j) index[j] = static_cast<int>(j);
  for (int k = 1; k <= planes; ++k) {
    for (int j = 1; j <= d; ++j) value[static_cast<std::size_t>(j)] = slopes(k - 1, j - 1);
    value.back() = -1;
    glp_set_mat_row(problem.get(), k, d + 1, index.data(), value.data());
    glp_set_row_bnds(problem.get(), k, GLP_UP, 0, -offsets[k - 1]);
  }
  return problem;
}

/// The point and its certificate, from a solved problem.
PlaneMinimum read_solution(glp_prob* problem,
                           const PiecewiseLinear::Matrix& slopes,
                           const Vector& offsets,
                           double low,
                           double high) {
  PlaneMinimum found;
  found.point.resize(slopes.cols());
  for (Eigen::Index j = 0; j < slopes.cols(); ++j)
    found.point[j] = std::clamp(glp_get_col_prim(problem, static_cast<int>(j) + 1), low, high);
  found.value = (slopes * found.point + offsets).maxCoeff();
  Vector multipliers(slopes.rows());
  for (Eigen::Index k = 0; k < slopes.rows(); ++k)
    multipliers[k] = std::max(-glp_get_row_dual(problem, static_cast<int>(k) + 1), 0.0);
  multipliers /= multipliers.sum();
  const Vector slope = slopes.transpose() * multipliers;
  const double bound = multipliers.dot(offsets) + (slope * low).cwiseMin(slope * high).sum();
  found.gap = found.value - bound;
  return found;
}

}  // namespace

PlaneMinimum minimise_planes(const PiecewiseLinear::Matrix& slopes,
                             const Vector& offsets,
                             double low,
                             double high) {
  POSSE_CHECK(slopes.rows() > 0 && slopes.rows() == offsets.size() && low < high,
              "{} planes, {} offsets, box [{}, {}]",
              slopes.rows(),
              offsets.size(),
              low,
              high);
  POSSE_CHECK(slopes.allFinite() && offsets.allFinite(), "a plane is not finite");
  // GLPK has a global environment, per thread only if it was built so; therefore one caller at a
  // time. Results do not depend on the caller.
  static std::mutex one_caller;
  const std::lock_guard lock(one_caller);
  glp_term_out(GLP_OFF);
  PlaneMinimum found;
  {
    const GlpkProblem problem = make_problem(slopes, offsets, low, high);
    glp_smcp options;
    glp_init_smcp(&options);
    options.msg_lev = GLP_MSG_OFF;
    glp_std_basis(problem.get());
    const int failed = glp_simplex(problem.get(), &options);
    const double size = 1 + slopes.cwiseAbs().maxCoeff() * std::max(std::abs(low), std::abs(high)) +
                        offsets.cwiseAbs().maxCoeff();
    if (!failed) found = read_solution(problem.get(), slopes, offsets, low, high);
    if (failed || !(found.gap <= 1e-10 * size)) {
      glp_exact(problem.get(), &options);  // rational arithmetic: slow but exact
      found = read_solution(problem.get(), slopes, offsets, low, high);
    }
    POSSE_CHECK(found.gap <= 1e-8 * size, "the minimum is {} above its lower bound", found.gap);
  }
  glp_free_env();  // otherwise the environment would outlive the thread
  return found;
}

}  // namespace posse
