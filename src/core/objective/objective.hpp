// SPDX-License-Identifier: Apache-2.0
// An objective to maximise on a box.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/domain/box.hpp"
#include "core/objective/upper_model.hpp"

namespace posse {

struct ValueRange {
  double low = 0;
  double high = 1;
  /// True if all values lie in [0, 1] up to rounding.
  bool within_unit_interval() const { return low >= -1e-9 && high <= 1 + 1e-9; }
};

class Objective {
 public:
  virtual ~Objective() = default;
  virtual const Box& domain() const = 0;
  /// The catalogue's name of the unshifted function, the key for tables of constants; empty if
  /// there is none.
  virtual std::string_view kind() const { return {}; }
  /// f(x) for x in the domain. Pure; called from several threads at once.
  virtual double value(std::span<const double> x) const = 0;

  /// True if f computes the values at several points faster together than one by one.
  virtual bool batched() const { return false; }
  /// The values at these points will be asked for; a batched f may compute them now. Changes no
  /// value. Called from several threads at once.
  virtual void prepare(std::span<const std::vector<double>> /*points*/) const {}

  /// The range of values, known or found on samples. Some noise models need [0, 1].
  virtual ValueRange value_range() const { return {}; }

  /// max f where known from a formula or a search with 40 digits; else nothing.
  virtual std::optional<double> maximum() const { return std::nullopt; }
  /// All known global maximisers.
  virtual std::vector<std::vector<double>> maximisers() const { return {}; }
  /// An upper bound of f on the box |x_j - centre_j| <= half_width_j, for certifying maxima by
  /// branch and bound; `model` has f's dimension. False, with `model` undefined, if none is known.
  virtual bool upper_model(std::span<const double> centre,
                           std::span<const double> half_width,
                           UpperModel& model) const {
    (void)centre, (void)half_width, (void)model;
    return false;
  }
  /// True if f has a formula and upper_model is tight: on small boxes its error shrinks with the
  /// square of the width, or with the width at kinks. It also holds outside the domain. The maximum
  /// of f, and of a mean of such functions, is then certified to a relative 1e-12.
  virtual bool closed_form() const { return false; }
  /// True if f is a sum of functions of one coordinate each. The maximum of f, and of a mean of
  /// such functions, is then searched for one coordinate at a time.
  virtual bool separable() const { return false; }
  /// True if an evaluation takes milliseconds (a simulation, a training). The maximum of f, and of
  /// a mean with f, is then the best known: the best of the candidates and of a short search around
  /// it.
  virtual bool expensive() const { return false; }
  /// The value that regrets refer to by a convention of the literature, where the maximum of f, or
  /// of a mean of such functions, is unknown; nothing for most objectives.
  virtual std::optional<double> conventional_maximum() const { return std::nullopt; }
  /// Starting points for the search of the maximum of a mean of such functions (cusps, spikes); may
  /// be empty.
  virtual std::vector<std::vector<double>> candidate_maximisers() const { return maximisers(); }
};

/// The largest value of f's upper model on a box; nothing if f has none.
inline std::optional<double> upper_bound(const Objective& f,
                                         std::span<const double> centre,
                                         std::span<const double> half_width) {
  UpperModel model(centre.size());
  if (!f.upper_model(centre, half_width, model)) return std::nullopt;
  return model.largest(half_width);
}

}  // namespace posse
