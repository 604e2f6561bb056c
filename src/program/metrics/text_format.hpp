// SPDX-License-Identifier: Apache-2.0
// Prometheus' text format 0.0.4: labels, numbers, families.
//
// prometheus-cpp's TextSerializer writes 16 significant digits, so that a scraped value can
// differ from the value in results.json, and does not escape help texts. This one writes the
// shortest digits that read back as the same double, and valid output only.
#pragma once

#include <prometheus/metric_family.h>
#include <prometheus/serializer.h>

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace posse {

inline constexpr std::string_view kTextFormatContentType =
    "text/plain; version=0.0.4; charset=utf-8";

/// Shortest digits that read back as the same number; NaN, +Inf, -Inf.
std::string metric_number(double value);
/// le="0.25", le="1.0": the same in both formats, so that a series doesn't depend on which of them
/// was asked for. OpenMetrics requires the point.
std::string bound_label(double bound_s);
/// With \\, \n and, in label values, \" escaped.
std::string escaped_help(std::string_view text);
std::string escaped_label(std::string_view value);

class ExactTextSerializer final : public prometheus::Serializer {
 public:
  using Serializer::Serialize;
  void Serialize(std::ostream& out,
                 const std::vector<prometheus::MetricFamily>& families) const override;
};

}  // namespace posse
