// A chart: lines with bands, points with error bars, dashed reference lines; as SVG and as CSV.
//
// The colours are Okabe and Ito's (2008), distinguishable with any colour vision; every series also
// has its own marker, for print without colour. The legend is beside the data. The background is
// white, so that the picture is readable on dark pages, too.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace posse {

enum class Scale { linear, log };

struct AxisSpec {
  std::string label;  // "evaluations per client"
  std::string unit;   // "bytes" and "s" are shown with the prefix that fits; "" for none
  std::string name;   // of its column in the CSV
  Scale scale = Scale::linear;
  /// On a logarithmic axis: values of 0 have a position of their own instead of being left out.
  bool zero_has_a_place = false;
};

struct ChartPoint {
  double x = 0, y = 0;
  double sd_x = 0, sd_y = 0;  // half width of the band or the error bars
};

struct Series {
  /// guide: a dashed line without markers, not measured.
  enum class Kind { line, steps, points, front, guide };
  std::string label;
  std::vector<ChartPoint> points;  // increasing x, except for points
  Kind kind = Kind::line;
  std::size_t style = 0;  // colour and marker
  std::size_t repetitions = 0;
  bool spread = true;  // the points' sd are known
};

/// A dashed horizontal line.
struct Reference {
  std::string label;
  double y = 0;
  std::size_t style = 0;
};

struct Chart {
  std::string id;  // a plain word, unique on a page with several charts
  std::string title, subtitle;
  AxisSpec x, y;
  std::vector<Series> series;
  std::vector<Reference> references;
  std::string band;  // what the bands or error bars are; empty without them
};

std::string to_svg(const Chart& chart);

/// The drawn numbers: series, part (line, point, front, bound), x, y, y_low, y_high,
/// repetitions; for points x_low and x_high as well.
std::string to_csv(const Chart& chart);

}  // namespace posse
