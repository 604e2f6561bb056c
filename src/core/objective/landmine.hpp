// Tuning a support vector machine on the landmine data: f(C, gamma) = AUC-ROC on a field's test
// half of the machine trained on its training half. A client owns one field.
//
// Source: P1 and P3 (after Dai et al. 2020); the data are those of Liu, Liao and Carin, NIPS 2007:
// 29 fields, nine features from radar images. The papers' "L2 regularisation parameter" is what
// PyXAB passes on as C, an inverse weight.
//   machine   C-SVC with hinge loss, penalty C on slacks, an intercept, no class weights, features
//             as they are, kernel exp(-gamma |x - x'|^2), solved by libsvm
//   score     the decision function; equal scores count one half
//   point     (C, gamma) in [1e-4, 10] x [1e-2, 10]: `linear` as in PyXAB's scripts; with `log` the
//             coordinates are (log10 C, log10 gamma) in [-4, 1] x [-2, 1]
// There is no noise. PyXAB ranks by Platt-scaled probabilities instead, which come from a random
// cross-validation and reverse the order wherever the fitted slope has the wrong sign.
//
// Tolerance. libsvm stops at a gap of `eps` between gradients, whose differences shrink with C: its
// usual 1e-3 leaves the AUC of a field up to 0.5 wrong for C <= 0.01. Here eps = 1e-8 min(1, C). On
// 1218 trainings (42 points by 29 fields) 1e-9 min(1, C), 1e-12, no shrinking and training rows in
// reverse gave the same AUC to the last bit; 1e-7 min(1, C) differed 8 times. What remains is that
// libsvm keeps the kernel matrix in single precision: a solver in double precision ranked some pair
// of rows the other way in 9 of the 1218 (an AUC differs by up to 3.2e-4, a mean over the fields by
// up to 1.1e-5). At gamma = 10 far rows have the same score, the intercept, in double precision:
// ties that infinitely many digits wouldn't show (up to 6e-4 in the mean over the fields).
//
// Maximum: nobody knows it. `best known` is the best on a grid of points even in log C and log
// gamma, refined as maximum.hpp says; points that algorithms happened to evaluate are left out, so
// that it is the same for all of them. A grid of 65 x 65 takes 6 s a field. Against it the default,
// 9 x 9 in 0.15 s, missed 0.002 of a field's maximum on average and 0.02 at worst, 17 x 17 missed
// 0.0008 and 0.007; in means over ten clients 9 x 9 missed up to 0.003. PyXAB's convention is 1.
//
// Streams, for clients: `landmine/client-m`, draw 0: the field, uniformly.
//
// Cost: 1.4 ms per new point of a field on average (even in log C and log gamma), 11 ms at most
// (C = 10, gamma = 0.01); points are remembered. Memory: 1.2 MB for the 29 fields, 0.5 MB more
// while training.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/ids.hpp"
#include "core/objective/family.hpp"
#include "core/objective/memo.hpp"
#include "core/objective/objective.hpp"

namespace posse {

inline constexpr std::size_t kLandmineFeatures = 9;

struct LandmineRow {
  std::array<double, kLandmineFeatures> x{};
  bool mine = false;
};

struct LandmineField {
  std::int64_t number = 0;  // as in the data
  std::vector<LandmineRow> train, test;
};

/// Reads a CSV with the header field,split,row,label,x1,…,x9: split is train or test, row counts
/// from 0 within a half of a field, label is 1 for a mine and 0 for clutter. Both halves of every
/// field hold mines and clutter. The fields come sorted by number. Throws InputError that names
/// every wrong line (the first ten of them).
std::vector<LandmineField> parse_landmine(std::string_view csv);

/// The chance that a random row with label 1 has a higher score than one with label 0, equal scores
/// counting one half. Both labels must occur. O(n log n).
double area_under_roc(std::span<const double> scores, std::span<const LandmineRow> rows);

/// The decision function on field.test after training on field.train; positive for mines.
/// eps: libsvm's stopping gap.
std::vector<double> svm_scores(const LandmineField& field, double c, double gamma, double eps);

enum class LandmineScale { linear, log };
enum class LandmineMaximum { best_known, one };

struct LandmineOptions {
  LandmineScale scale = LandmineScale::linear;
  LandmineMaximum maximum = LandmineMaximum::best_known;
  std::uint32_t grid = 9;  // points per side of the grid for the best known maximum, >= 2
};

/// One field's objective.
class LandmineSvm final : public Objective {
 public:
  LandmineSvm(LandmineField field, const LandmineOptions& options);

  const LandmineField& field() const { return field_; }
  /// Machines trained so far.
  std::size_t trainings() const { return values_.size(); }

  const Box& domain() const override { return domain_; }
  std::string_view kind() const override { return "landmine"; }
  double value(std::span<const double> x) const override;
  bool expensive() const override { return true; }
  std::optional<double> conventional_maximum() const override;
  /// 1: no AUC is higher.
  std::optional<double> upper_bound(std::span<const double>,
                                    std::span<const double>) const override {
    return 1.0;
  }
  /// The grid.
  std::vector<std::vector<double>> candidate_maximisers() const override;

 private:
  LandmineField field_;
  LandmineOptions options_;
  Box domain_;
  mutable Memo values_;
};

/// The box of all landmine objectives.
Box landmine_domain(LandmineScale scale);

/// A field for every client.
class LandmineFamily final : public ObjectiveFamily {
 public:
  LandmineFamily(std::vector<LandmineField> fields, const LandmineOptions& options);

  const std::vector<std::shared_ptr<const LandmineSvm>>& fields() const { return fields_; }
  /// The index in fields() of client m's.
  std::size_t field_of(std::uint32_t client, Seed seed) const;

  const Box& domain() const override { return fields_.front()->domain(); }
  std::vector<std::shared_ptr<const Objective>> clients(
      std::uint32_t clients, const Repetition& repetition) const override;

 private:
  std::vector<std::shared_ptr<const LandmineSvm>> fields_;
};

}  // namespace posse
