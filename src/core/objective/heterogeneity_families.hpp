// SPDX-License-Identifier: Apache-2.0
// Kinds of heterogeneity that are made once for all repetitions.
//
//   mixture   client m has function number m mod n of n: different base functions per client
//   table     f_m(x) = f(R(x - s_m)) with shifts from a CSV file: a row per repetition and client
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/objective/family.hpp"
#include "core/objective/shifted.hpp"

namespace posse {

/// The base and the functions named in a text: kinds that need no parameters (in the base's
/// dimension), or expressions. They are separated by semicolons if the text has any, else by
/// commas. Throws InputError if an entry is neither, or if its box differs from the base's.
std::vector<std::shared_ptr<const Objective>> mixed_functions(std::shared_ptr<const Objective> base,
                                                              std::string_view text);

class Mixture final : public ObjectiveFamily {
 public:
  /// Not empty, all on the same box.
  explicit Mixture(std::vector<std::shared_ptr<const Objective>> functions)
      : functions_(std::move(functions)) {}

  const Box& domain() const override { return functions_.front()->domain(); }
  ValueRange value_range() const override;
  std::vector<std::shared_ptr<const Objective>> clients(
      std::uint32_t clients, const Repetition& repetition) const override;

 private:
  std::vector<std::shared_ptr<const Objective>> functions_;
};

class ShiftTable final : public ObjectiveFamily {
 public:
  /// csv_text: columns seed, client, s1 … sd. Throws InputError with the line.
  ShiftTable(std::shared_ptr<const Objective> base, std::string_view csv_text, Boundary boundary);

  const Box& domain() const override { return base_->domain(); }
  ValueRange value_range() const override { return base_->value_range(); }
  /// Throws InputError if a client has no row; names the client and the repetition's number.
  void check(std::uint32_t clients, const Repetition& repetition) const override;
  std::vector<std::shared_ptr<const Objective>> clients(
      std::uint32_t clients, const Repetition& repetition) const override;

 private:
  const std::vector<double>& shift(std::uint32_t client, const Repetition& repetition) const;

  std::shared_ptr<const Objective> base_;
  Boundary boundary_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<double>> shifts_;  // seed, client
};

}  // namespace posse
