// An objective to maximise on a box.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/domain/box.hpp"

namespace posse {

struct ValueRange {
  double low = 0;
  double high = 1;
  /// True if no value is outside [0, 1] by more than rounding.
  bool within_unit_interval() const { return low >= -1e-9 && high <= 1 + 1e-9; }
};

class Objective {
 public:
  virtual ~Objective() = default;
  virtual const Box& domain() const = 0;
  /// The catalogue's name of the unshifted function, by which tables of constants find it; empty
  /// if there is none.
  virtual std::string_view kind() const { return {}; }
  /// f(x) for x in the domain. Pure; called from several threads at once.
  virtual double value(std::span<const double> x) const = 0;

  /// Where values lie or, if nobody knows, have been found to lie: some noise needs [0, 1].
  virtual ValueRange value_range() const { return {}; }

  /// max f where a formula or a 40-digit search gives it; nothing if unknown.
  virtual std::optional<double> maximum() const { return std::nullopt; }
  /// All known global maximisers.
  virtual std::vector<std::vector<double>> maximisers() const { return {}; }
  /// An upper bound of f on the box |x_j - centre_j| <= half_width_j, from f's modulus of
  /// continuity, for certifying maxima by branch and bound; nothing if no modulus is known.
  virtual std::optional<double> upper_bound(std::span<const double> centre,
                                            std::span<const double> half_width) const {
    (void)centre, (void)half_width;
    return std::nullopt;
  }
  /// True if f is a sum of functions of one coordinate each: its maximum, and that of a mean of
  /// such functions, can be found one coordinate at a time.
  virtual bool separable() const { return false; }
  /// True if an evaluation takes as long as a simulation or a training (milliseconds): its maximum,
  /// and that of a mean with it, is then the best known among the candidates and a short search
  /// from the best of them.
  virtual bool expensive() const { return false; }
  /// What regrets are measured against by a convention of the literature, for f and for a mean of
  /// such functions, in place of a maximum that nobody knows; nothing for most.
  virtual std::optional<double> conventional_maximum() const { return std::nullopt; }
  /// Points worth trying as starting points for the maximum of a mean of such functions (cusps,
  /// spikes); may be empty.
  virtual std::vector<std::vector<double>> candidate_maximisers() const { return maximisers(); }
};

}  // namespace posse
