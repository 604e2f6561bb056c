// SPDX-License-Identifier: Apache-2.0
// A chart: lines with bands, points with error bars, dashed reference lines; as SVG and as CSV.
//
// The colours are Okabe and Ito's (2008), distinguishable with any colour vision; every series also
// has its own marker, for print without colour. The legend is beside the data. The background is
// white, so that the picture is readable on dark pages, too.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "program/base/json.hpp"
#include "program/plot/svg.hpp"

namespace posse {

enum class Scale { linear, log };

struct AxisSpec {
  std::string label;  // "evaluations per client"
  std::string unit;   // "bytes" and "s" are shown with the prefix that fits; "" for none
  std::string name;   // of its column in the CSV
  Scale scale = Scale::linear;
  /// Of a logarithmic x axis: values of 0 have a position of their own instead of being left out,
  /// as they always have on a y axis.
  bool zero_has_a_place = false;
  std::vector<std::string> categories = {};  // names of the values 0, 1, …, instead of numbers
};

/// How far a band or an error bar goes from a value.
struct Around {
  double below = 0, above = 0;
  Around(double half_width = 0) : below(half_width), above(half_width) {}
  Around(double down, double up) : below(down), above(up) {}
  bool empty() const { return !(below > 0 || above > 0); }
};

struct ChartPoint {
  double x = 0, y = 0;
  std::optional<Around> around_x = Around(), around_y = Around();  // nothing: unknown
  std::string name = {};  // what a point of several stands for, in the CSV
  double low_x() const { return x - around_x.value_or(Around()).below; }
  double high_x() const { return x + around_x.value_or(Around()).above; }
  double low_y() const { return y - around_y.value_or(Around()).below; }
  double high_y() const { return y + around_y.value_or(Around()).above; }
};

struct Series {
  /// guide: a dashed line without markers, not measured.
  enum class Kind { line, steps, points, front, guide };
  std::string label;
  std::vector<ChartPoint> points;  // increasing x, except for points
  Kind kind = Kind::line;
  std::size_t style = 0;  // colour and marker
  std::size_t repetitions = 0;
  bool coloured = false;  // a guide that belongs to the series of its style
  /// Of a single run that has not finished: dashes in the colour of its style, in no mean.
  bool alone = false;
  /// What it is named by: an algorithm, and a setting where there are several. Crowded charts say
  /// the one by colours and the other by markers.
  std::string algorithm = {}, setting = {};
  std::optional<std::size_t> marker = {};  // where it isn't that of the style
  bool background = false;                 // grey and without a name: it is one of too many
};

/// A dashed horizontal line.
struct Reference {
  std::string label;
  double y = 0;
  std::size_t style = 0;
};

/// A part of an x axis of time in which a fault lasted.
struct FaultBand {
  std::string label;  // its kind, then its nodes
  double from = 0, to = 0;
};

struct Chart {
  std::string id;  // a plain word, unique on a page with several charts
  std::string title, subtitle;
  AxisSpec x, y;
  std::vector<Series> series;
  std::vector<Reference> references;
  std::vector<FaultBand> faults;  // by their beginning; drawn grey, behind the data
  std::string band;               // what the bands or error bars are; empty without them
  std::string note;               // what isn't drawn; empty if nothing is missing
};
/// Or why there is none: "needs …".
using MaybeChart = std::variant<Chart, std::string>;

/// A logarithmic axis with values below 0, or none above it, becomes linear, and the subtitle says
/// so: these values would be left out, and the frame might be empty.
Chart with_drawable_scales(Chart chart);

/// Where lines have too many names, colours are algorithms and markers are settings.
void fold_legend(Chart& chart);

/// Leaves names to the lines or points that end lowest, as many as there are colours; the others
/// become grey, and the note says so.
void fade_all_but_lowest(Chart& chart);

/// With drawable scales, and the legend beside the data, or below it in a picture that is narrow
/// for its letters.
std::string to_svg(const Chart& chart, const PictureStyle& style = {});

/// For programs that draw: id, title, subtitle, band, note; x, y: {label, unit, name, log,
/// categories}; series: [{label, kind, style, marker, repetitions, alone, coloured, x, y, low,
/// high, x_low, x_high, background}], lists of numbers: points, and the ends of the band or the
/// bars around them, empty without any; references: [{label, y, style}]; faults: [{label, from,
/// to}]. `style` is the position of a colour and a marker.
Json chart_json(const Chart& chart);

/// The drawn numbers: series, part (line, point, front, bound), x, y, y_low, y_high,
/// repetitions; for points x_low and x_high as well, and what they stand for.
std::string to_csv(const Chart& chart);

}  // namespace posse
