// SPDX-License-Identifier: Apache-2.0
#include "program/summary/comparison_csv.hpp"

#include <fmt/format.h>

#include "program/base/csv.hpp"

namespace posse {
std::string comparison_csv(const std::vector<Comparison>& comparisons,
                           const std::vector<std::string>& labels) {
  std::string out =
      "metric,evaluations,algorithm,repetitions,mean,sd,mean_rank,best,minus_best,minus_best_low,"
      "minus_best_high,reference,minus_reference,minus_reference_low,minus_reference_high\n";
  const auto difference = [](const Difference& d) {
    return d.interval ? fmt::format("{},{},{}", d.values.mean, d.interval->low, d.interval->high)
                      : fmt::format("{},,", d.values.mean);
  };
  for (const auto& c : comparisons)
    for (const auto& s : c.standings)
      out += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n",
                         csv_cell(c.name),
                         c.evaluations ? fmt::format("{}", *c.evaluations) : "",
                         csv_cell(labels[s.algorithm]),
                         c.repetitions,
                         s.measured.mean,
                         s.measured.sd,
                         c.ranked ? fmt::format("{}", s.mean_rank) : "",
                         c.ranked ? (s.algorithm == c.best ? "1" : "0") : "",
                         c.ranked ? difference(s.to_best) : ",,",
                         csv_cell(labels[c.reference]),
                         difference(s.to_reference));
  return out;
}

}  // namespace posse
