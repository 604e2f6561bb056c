// SPDX-License-Identifier: Apache-2.0
// Tuning of a support vector machine on the landmine data: f(C, gamma) is the area under the ROC
// curve (AUC) on a field's test half, for a machine trained on the training half. Each client has
// one field.
//
// Source: Li, Song, Honorio & Lin 2024 (Fed-PNE) and Li, Song & Honorio 2024 (PF-PNE), setting of
// Dai, Low & Jaillet 2020; data of Liu, Liao & Carin 2007: 29 fields, nine features from radar
// images. The papers' "L2 regularization parameter" is C, an inverse weight (see PAPERS.md,
// fed-pne-14).
//   machine   C-SVC with hinge loss, penalty C on slacks, an intercept, no class weights, features
//             as they are, kernel exp(-gamma |x - x'|^2), solved by libsvm
//   score     the decision function; equal scores count one half
//   point     (C, gamma) in [1e-4, 10] x [1e-2, 10]: `linear` as in PyXAB's scripts; with `log` the
//             coordinates are (log10 C, log10 gamma) in [-4, 1] x [-2, 1]
// The objective has no noise. PyXAB ranks by Platt-scaled probabilities, which come from a random
// cross-validation and reverse the order where the fitted slope has the wrong sign (see PAPERS.md,
// pyxab-5).
//
// Tolerance. libsvm stops at a gap of `eps` between gradients, whose differences shrink with C. The
// usual 1e-3 leaves errors of up to 0.5 in the AUC of a field for C <= 0.01. Here eps = 1e-8
// min(1, C). On 1218 trainings (42 points, 29 fields) 1e-9 min(1, C), 1e-12, no shrinking, and
// training rows in reverse order gave the same AUC to the last bit; 1e-7 min(1, C) differed 8
// times. A remaining error: libsvm stores the kernel matrix in single precision. A solver in double
// precision ranked some pair of rows differently in 9 of the 1218 (an AUC differs by up to 3.2e-4,
// a mean over the fields by up to 1.1e-5). At gamma = 10 distant rows all have the intercept as
// score in double precision; these ties would not occur in exact arithmetic (up to 6e-4 in the mean
// over the fields).
//
// Maximum: not known. `best known` is the best on a grid of points even in log C and log gamma,
// refined as in maximum.hpp. Points that algorithms evaluated are not used, so that it is the same
// for all algorithms. A grid of 65 x 65 takes 6 s per field. Compared with it, the default 9 x 9
// (0.15 s) is lower by 0.002 on average and 0.02 at worst for a field, 17 x 17 by 0.0008 and 0.007;
// for means over ten clients 9 x 9 is lower by up to 0.003. PyXAB uses 1.
//
// Streams, for clients: `landmine/client-m`, draw 0: the field, uniformly.
//
// Cost: 1.4 ms per new point of a field on average (even in log C and log gamma), 11 ms at most
// (C = 10, gamma = 0.01); values are cached. Memory: 1.2 MB for the 29 fields, 0.5 MB more while
// training.
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

/// Reads a CSV with the header field,split,row,label,x1,…,x9. split is train or test; row counts
/// from 0 within a half of a field; label is 1 for a mine and 0 for clutter. Both halves of every
/// field must contain mines and clutter. The fields are returned sorted by number. Throws
/// InputError that lists the wrong lines (the first ten).
std::vector<LandmineField> parse_landmine(std::string_view csv);

/// The AUC: the probability that a random row with label 1 has a higher score than one with label
/// 0, where equal scores count one half. Both labels must occur. O(n log n).
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
  /// Number of machines trained.
  std::size_t trainings() const { return values_.size(); }

  const Box& domain() const override { return domain_; }
  std::string_view kind() const override { return "landmine"; }
  double value(std::span<const double> x) const override;
  bool expensive() const override { return true; }
  std::optional<double> conventional_maximum() const override;
  /// 1, the largest possible AUC.
  bool upper_model(std::span<const double> centre,
                   std::span<const double>,
                   UpperModel& model) const override {
    model.at_centre = value(centre);
    model.set_constant(1);
    model.peak.clear();
    return true;
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

/// Assigns a field to every client.
class LandmineFamily final : public ObjectiveFamily {
 public:
  LandmineFamily(std::vector<LandmineField> fields, const LandmineOptions& options);

  const std::vector<std::shared_ptr<const LandmineSvm>>& fields() const { return fields_; }
  /// Index in fields() of client m's field.
  std::size_t field_of(std::uint32_t client, Seed seed) const;

  const Box& domain() const override { return fields_.front()->domain(); }
  std::vector<std::shared_ptr<const Objective>> clients(
      std::uint32_t clients, const Repetition& repetition) const override;

 private:
  std::vector<std::shared_ptr<const LandmineSvm>> fields_;
};

}  // namespace posse
