// SPDX-License-Identifier: Apache-2.0
#include "actors/common/mean_parameters.hpp"

#include <fmt/format.h>

#include "actors/common/bound_conditions.hpp"

namespace posse {
namespace {

constexpr std::string_view kClippedMeans = "clipped means";

}  // namespace

std::vector<ParameterSpec> mean_encoding_parameters() {
  return {{.name = "means",
           .type = ParameterType::text,
           .default_value = std::string("f64"),
           .help = "how means travel: in 8 bytes unchanged, in 4 as the nearest float, or in 2 or "
                   "1 rounded at random, without bias, to a grid from means_low to means_high",
           .choices = {"f64", "f32", "u16", "u8"}},
          {.name = "means_low",
           .default_value = 0.0,
           .help = "lower end of the grid of u16 and u8; means below it are clipped",
           .min = -1e6,
           .max = 1e6},
          {.name = "means_high",
           .default_value = 1.0,
           .help = "upper end of the grid of u16 and u8; means above it are clipped",
           .min = -1e6,
           .max = 1e6}};
}

MeanEncoding mean_encoding_of(const Parameters& parameters) {
  MeanEncoding encoding{.low = parameters.real("means_low"), .high = parameters.real("means_high")};
  for (const MeanFormat format : kMeanFormats)
    if (parameters.text("means") == to_string(format)) encoding.format = format;
  return encoding;
}

std::vector<std::string> mean_encoding_errors(std::string_view kind, const Parameters& parameters) {
  const MeanEncoding encoding = mean_encoding_of(parameters);
  if (!encoding.has_grid()) {
    if (encoding.low == 0 && encoding.high == 1) return {};
    return {fmt::format(
        "{}: means_low and means_high do nothing with means = \"{}\", which has no grid; use "
        "\"u16\" or \"u8\"",
        kind,
        to_string(encoding.format))};
  }
  // Less would leave too few doubles between the ends.
  if (encoding.high - encoding.low >= 0.001) return {};
  return {fmt::format("{}: means_high must be at least means_low + 0.001, given {} and {}",
                      kind,
                      encoding.high,
                      encoding.low)};
}

void report_clipped(const MeanEncoding& encoding,
                    const MeanRounding& rounding,
                    Reaction& reaction) {
  if (encoding.has_grid()) reaction.observe(CountObserved{kClippedMeans, rounding.clipped()});
}

void add_clipped(const MeanEncoding& encoding,
                 const RunOutcome& outcome,
                 std::vector<Measurement>& measurements) {
  if (!encoding.has_grid()) return;
  const auto it = outcome.counts.find(kClippedMeans);
  measurements.push_back({"clipped means, most of one node",
                          "",
                          it == outcome.counts.end() ? 0 : static_cast<double>(it->second),
                          std::nullopt});
}

void require_no_grid(const MeanEncoding& encoding, Bound& bound) {
  if (encoding.has_grid())
    does_not_apply(bound,
                   fmt::format("means are rounded to {} bits, which the radii do not cover",
                               8 * encoding.bytes_per_mean()));
}

}  // namespace posse
