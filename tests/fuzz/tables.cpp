// SPDX-License-Identifier: Apache-2.0
// Readers of CSV files and images. The first byte selects the reader, a letter from `a`.
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/arm/curve_arms.hpp"
#include "core/arm/piecewise_linear_arms.hpp"
#include "core/arm/smooth_arms.hpp"
#include "core/base/csv.hpp"
#include "core/function/empirical_risk.hpp"
#include "core/function/image_data.hpp"
#include "core/network/rate_trace.hpp"
#include "core/objective/factories.hpp"
#include "core/objective/heterogeneity_families.hpp"
#include "core/objective/landmine.hpp"
#include "core/objective/table.hpp"
#include "program/base/csv.hpp"
#include "program/scenario/availability_file.hpp"
#include "program/scenario/latency_files.hpp"
#include "tests/fuzz/targets.hpp"

namespace posse::fuzz {
namespace {

constexpr Duration kHour{3'600'000'000'000};

/// The table, read and written; the line number of every row is above that of the row before.
std::string written_again(std::string_view text) {
  CsvReader csv(text);
  std::string copy;
  const auto write = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) copy += (i == 0 ? "" : ",") + csv_cell(cells[i]);
    copy += '\n';
  };
  write(csv.columns());
  for (std::size_t line = 0; csv.next(); line = csv.line()) {
    require(csv.line() > line, "lines ascend");
    write(csv.cells());
  }
  return copy;
}

void read_cells(std::string_view text) {
  const auto copy = written_again(text);
  // A lone empty cell is a blank line; a byte order mark in the first name is one of the file.
  if (CsvReader(text).columns().size() == 1 || copy.starts_with("\xEF\xBB\xBF")) return;
  require(written_again(copy) == copy, "a table, written again, is the same");
}

void read_matrix(std::string_view text) {
  const LatencyMatrix matrix = parse_latency_matrix(text);
  std::string copy = "moment,from,to,latency_ns\n";
  for (const auto& [pair, latencies] : matrix)
    for (std::size_t moment = 0; moment < latencies.size(); ++moment) {
      require(latencies[moment].ns >= 0, "latencies are not negative");
      copy += std::to_string(moment) + "," + csv_cell(pair.first) + "," + csv_cell(pair.second) +
              "," + std::to_string(latencies[moment].ns) + "\n";
    }
  const LatencyMatrix again = parse_latency_matrix(copy);
  require(again.size() == matrix.size(), "a matrix, written again, has the same pairs");
  for (const auto& [pair, latencies] : again) {
    const auto before = matrix.find(pair);
    require(before != matrix.end() && before->second.size() == latencies.size(),
            "a matrix, written again, has the same moments");
    for (std::size_t moment = 0; moment < latencies.size(); ++moment) {
      // Numbers of nanoseconds above 2^53 are rounded.
      const auto was = static_cast<double>(before->second[moment].ns);
      require(std::abs(static_cast<double>(latencies[moment].ns) - was) <= 1e-15 * was,
              "a matrix, written again, is the same");
    }
  }
}

template <class Value>
void use_trace(const StepTrace<Value>& trace) {
  for (const std::int64_t ns : {std::int64_t{0}, kHour.ns / 2, 3 * kHour.ns, Time::max().ns})
    trace.at(Time{ns});
}

void use_rates(const RateTrace::Steps& steps) {
  const RateTrace rates(steps);
  Time before;
  for (const std::uint64_t bytes : {0, 1, 1000, 1'000'000}) {
    const Time end = rates.end_of_transfer(Time{}, bytes);
    require(end >= before, "more bytes take no less time");
    before = end;
    rates.passes_more_than(bytes, Time{}, Time{kHour.ns});
  }
}

void read_down_times(std::string_view text) {
  for (const auto& [node, intervals] : parse_down_times(text)) {
    Time free;
    for (const auto& interval : intervals) {
      require(interval.begin >= free && interval.begin < interval.end, "intervals are in order");
      free = interval.end;
    }
  }
}

void read_table(std::string_view text) {
  const TableData data = parse_table(text);
  Box box = extent(data);
  for (std::size_t j = 0; j < data.dimension; ++j) {
    if (box.low[j] == box.high[j]) box.high[j] = box.low[j] + 1 + std::abs(box.low[j]);
    if (!std::isfinite(box.width(j))) return;
  }
  for (const auto interpolation : {Interpolation::nearest, Interpolation::linear}) {
    if (interpolation == Interpolation::linear && data.dimension > 1) continue;
    const Table table(data, box, interpolation);
    std::vector<double> middle;
    for (std::size_t j = 0; j < data.dimension; ++j)
      middle.push_back(box.low[j] + box.width(j) / 2);
    for (const auto& x : {box.low, middle, box.high}) {
      const double value = table.value(x);
      require(value >= table.value_range().low && value <= table.value_range().high,
              "values are in their range");
    }
    for (const auto& x : table.maximisers())
      require(table.value(x) == *table.maximum(), "a maximiser attains the maximum");
  }
}

void read_shifts(std::string_view text) {
  static const std::shared_ptr<const Objective> base = [] {
    const auto* spec = find_objective("himmelblau");
    return spec->make(default_parameters(spec->parameters));
  }();
  const ShiftTable table(base, text, Boundary::reflect);
  try {
    const Repetition repetition{Seed{0}, 0};
    table.check(2, repetition);
    for (const auto& client : table.clients(2, repetition)) client->value(std::array{0.25, 1.0});
  } catch (const InputError&) {  // a client is missing
  }
}

void read_images(const ImageData& data) {
  require(data.size() > 0 && data.bytes.size() == data.size() * data.pixels, "images are whole");
  Vector image(static_cast<Eigen::Index>(data.pixels));
  data.read(data.size() - 1, image);
  require(image.minCoeff() >= 0 && image.maxCoeff() <= 1, "pixels are in [0, 1]");
  for (const auto label : data.labels) require(label < data.classes, "labels are below `classes`");
}

void read_regression(std::string_view text) {
  const RegressionData data = parse_regression_data(text, "");
  require(data.rows.rows() == data.targets.size(), "a target for each row");
  if (data.rows.size() > 2000) return;
  const Spectrum spectrum = spectrum_of(data);
  require(spectrum.smallest >= 0 && spectrum.smallest <= spectrum.largest,
          "eigenvalues are in order");
}

void read_planes(std::string_view text) {
  for (const auto& planes : parse_planes(text))
    require(planes.slopes.rows() == planes.offsets.size(), "an offset for each plane");
}

void read_curves(std::string_view text) {
  const LearningCurves curves = parse_learning_curves(text, "");
  for (const auto& run : curves.runs) {
    require(run.losses.size() == curves.arms.size(), "a curve for each arm");
    for (const auto& losses : run.losses) require(!losses.empty(), "no curve is empty");
  }
}

const std::array<std::function<void(std::string_view)>, 19> kReaders{
    read_cells,                                                                  // a
    [](std::string_view text) { parse_latency_samples(text); },                  // b
    read_matrix,                                                                 // c
    [](std::string_view text) { use_trace(parse_latency_trace(text, {})); },     // d
    [](std::string_view text) { use_trace(parse_latency_trace(text, kHour)); },  // e
    [](std::string_view text) { use_trace(parse_factor_trace(text, {})); },      // f
    [](std::string_view text) { use_rates(parse_rate_trace(text, {})); },        // g
    [](std::string_view text) { use_rates(parse_rate_trace(text, kHour)); },     // h
    read_down_times,                                                             // i
    read_table,                                                                  // j
    read_shifts,                                                                 // k
    [](std::string_view text) { parse_landmine(text); },                         // l
    [](std::string_view text) { read_images(parse_digits(text)); },              // m
    [](std::string_view bytes) { read_images(parse_cifar10(bytes)); },           // n
    [](std::string_view bytes) { read_images(parse_cifar100(bytes)); },          // o
    read_regression,                                                             // p
    read_planes,                                                                 // q
    [](std::string_view text) { parse_smooth_instances(text); },                 // r
    read_curves,                                                                 // s
};

}  // namespace

void fuzz_tables(std::string_view input) {
  if (input.empty()) return;
  const auto reader = static_cast<std::size_t>(input.front() - 'a');
  if (reader >= kReaders.size()) return;
  try {
    kReaders[reader](input.substr(1));
  } catch (const InputError& error) {
    require(*error.what() != '\0', "an error has a text");
  }
}

}  // namespace posse::fuzz
