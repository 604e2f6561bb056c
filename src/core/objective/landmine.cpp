// SPDX-License-Identifier: Apache-2.0
#include "core/objective/landmine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "core/base/check.hpp"
#include "core/base/csv.hpp"
#include "core/base/math.hpp"
#include "core/base/module.hpp"
#include "core/base/parameters.hpp"
#include "core/base/shown_text.hpp"
#include "core/objective/svm_module.hpp"
#include "core/random/stream.hpp"

namespace posse {
namespace {

constexpr double kLowC = 1e-4;
constexpr double kHighC = 10;
constexpr double kLowGamma = 1e-2;
constexpr double kHighGamma = 10;
constexpr double kRelativeTolerance = 1e-8;

constexpr std::string_view kHeader = "field,split,row,label,x1,x2,x3,x4,x5,x6,x7,x8,x9";

class LandmineParser {
 public:
  explicit LandmineParser(std::string_view csv) : csv_(csv) {}

  std::vector<LandmineField> parse() {
    const auto header = fmt::format("{}", fmt::join(csv_.columns(), ","));
    if (header != kHeader)
      throw InputError(fmt::format(
          "line 1: the header must be {}, it is '{}'", kHeader, shortened(header, 100)));
    // After a row of another width or an unterminated quote the rest cannot be read reliably.
    try {
      while (csv_.next()) read_row();
    } catch (const InputError& error) {
      wrong(error.what());
    }
    if (count_ == 0 && fields_.empty()) wrong("the file has no rows");
    if (count_ == 0) check_fields();
    if (count_ > 0) refuse();
    std::vector<LandmineField> fields;
    fields.reserve(fields_.size());
    for (auto& [_, field] : fields_) fields.push_back(std::move(field));
    return fields;
  }

 private:
  void wrong(std::string problem) {
    if (++count_ <= kMaxProblems) problems_.push_back(std::move(problem));
  }
  void wrong_line(std::string_view problem) {
    wrong(fmt::format("line {}: {}", csv_.line(), problem));
  }
  void wrong_cell(std::string_view column, const std::string& cell, std::string_view allowed) {
    wrong_line(fmt::format("{} is '{}', not {}", column, shortened(cell), allowed));
  }

  [[noreturn]] void refuse() {
    if (count_ > kMaxProblems)
      problems_.push_back(fmt::format("and {} more", count_ - kMaxProblems));
    throw InputError(fmt::format("{}", fmt::join(problems_, "; ")));
  }

  void read_row() {
    const auto& cells = csv_.cells();
    const auto number = parse_number<std::int64_t>(cells[0]);
    if (!number || *number < 1) return wrong_cell("field", cells[0], "a whole number from 1");
    const bool test = cells[1] == "test";
    if (!test && cells[1] != "train") return wrong_cell("split", cells[1], "train or test");
    const auto position = parse_number<std::int64_t>(cells[2]);
    if (!position || *position < 0) return wrong_cell("row", cells[2], "a whole number from 0");
    if (cells[3] != "0" && cells[3] != "1") return wrong_cell("label", cells[3], "0 or 1");
    LandmineRow row;
    row.mine = cells[3] == "1";
    for (std::size_t j = 0; j < kLandmineFeatures; ++j) {
      const auto x = parse_number<double>(cells[4 + j]);
      if (!x || !std::isfinite(*x))
        return wrong_cell(fmt::format("x{}", j + 1), cells[4 + j], "a finite number");
      row.x[j] = *x;
    }
    LandmineField& field = fields_[*number];
    field.number = *number;
    auto& half = test ? field.test : field.train;
    if (*position != static_cast<std::int64_t>(half.size()))
      wrong_line(fmt::format("row {} of field {}, {}, but row {} must come next",
                             *position,
                             *number,
                             cells[1],
                             half.size()));
    half.push_back(row);
  }

  void check_fields() {
    for (const auto& [number, field] : fields_) {
      for (const bool test : {false, true}) {
        const auto& half = test ? field.test : field.train;
        const auto mines =
            std::count_if(half.begin(), half.end(), [](const auto& r) { return r.mine; });
        const auto name = fmt::format("field {}, {}", number, test ? "test" : "train");
        if (half.empty())
          wrong(name + ": no rows");
        else if (mines == 0 || mines == static_cast<std::ptrdiff_t>(half.size()))
          wrong(fmt::format(
              "{}: all {} rows have the label {}", name, half.size(), mines > 0 ? 1 : 0));
      }
    }
  }

  static constexpr std::size_t kMaxProblems = 10;
  CsvReader csv_;
  std::size_t count_ = 0;
  std::vector<std::string> problems_;
  std::map<std::int64_t, LandmineField> fields_;
};

}  // namespace

std::vector<LandmineField> parse_landmine(std::string_view csv) {
  return LandmineParser(csv).parse();
}

double area_under_roc(std::span<const double> scores, std::span<const LandmineRow> rows) {
  POSSE_CHECK(scores.size() == rows.size(), "{} scores, {} rows", scores.size(), rows.size());
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return scores[a] < scores[b];
  });
  // Twice the number of (mine, clutter) pairs in the right order: whole numbers, hence exact.
  std::uint64_t twice = 0;
  std::uint64_t mines = 0;
  std::uint64_t clutter = 0;
  for (std::size_t i = 0; i < order.size();) {
    std::uint64_t equal_mines = 0;
    std::uint64_t equal_clutter = 0;
    const double score = scores[order[i]];
    for (; i < order.size() && scores[order[i]] == score; ++i)
      ++(rows[order[i]].mine ? equal_mines : equal_clutter);
    twice += equal_mines * (2 * clutter + equal_clutter);
    mines += equal_mines;
    clutter += equal_clutter;
  }
  POSSE_CHECK(mines > 0 && clutter > 0, "{} mines, {} clutter", mines, clutter);
  return static_cast<double>(twice) / (2 * static_cast<double>(mines * clutter));
}

std::vector<double> svm_scores(const LandmineField& field, double c, double gamma, double eps) {
  POSSE_CHECK(c > 0 && gamma > 0 && eps > 0, "C {} gamma {} eps {}", c, gamma, eps);
  return module<SvmModule>().scores(field, c, gamma, eps);
}

Box landmine_domain(LandmineScale scale) {
  if (scale == LandmineScale::log)
    return {{math::log10(kLowC), math::log10(kLowGamma)},
            {math::log10(kHighC), math::log10(kHighGamma)}};
  return {{kLowC, kLowGamma}, {kHighC, kHighGamma}};
}

LandmineSvm::LandmineSvm(LandmineField field, const LandmineOptions& options)
    : field_(std::move(field)), options_(options), domain_(landmine_domain(options.scale)) {
  POSSE_CHECK(options_.grid >= 2, "grid {}", options_.grid);
}

double LandmineSvm::value(std::span<const double> x) const {
  return values_.get(x, [&] {
    const bool log = options_.scale == LandmineScale::log;
    const double c = log ? math::pow(10, x[0]) : x[0];
    const double gamma = log ? math::pow(10, x[1]) : x[1];
    return area_under_roc(svm_scores(field_, c, gamma, kRelativeTolerance * std::min(1.0, c)),
                          field_.test);
  });
}

std::optional<double> LandmineSvm::conventional_maximum() const {
  return options_.maximum == LandmineMaximum::one ? std::optional(1.0) : std::nullopt;
}

std::vector<std::vector<double>> LandmineSvm::candidate_maximisers() const {
  const Box exponents = landmine_domain(LandmineScale::log);
  const auto coordinate = [&](std::size_t j, std::uint32_t i) {
    // The ends are the box's bounds exactly; exponentials would round.
    if (i == 0) return domain_.low[j];
    if (i + 1 == options_.grid) return domain_.high[j];
    const double exponent = exponents.low[j] + exponents.width(j) * i / (options_.grid - 1);
    return options_.scale == LandmineScale::log ? exponent : math::pow(10, exponent);
  };
  std::vector<std::vector<double>> points;
  for (std::uint32_t i = 0; i < options_.grid; ++i)
    for (std::uint32_t j = 0; j < options_.grid; ++j)
      points.push_back({coordinate(0, i), coordinate(1, j)});
  return points;
}

LandmineFamily::LandmineFamily(std::vector<LandmineField> fields, const LandmineOptions& options) {
  POSSE_CHECK(!fields.empty());
  for (auto& field : fields)
    fields_.push_back(std::make_shared<const LandmineSvm>(std::move(field), options));
}

std::size_t LandmineFamily::field_of(std::uint32_t client, Seed seed) const {
  UniformStream stream(stream_key(seed, "landmine", fmt::format("client-{}", client)));
  const auto n = static_cast<double>(fields_.size());
  return std::min(static_cast<std::size_t>(stream.at(0) * n), fields_.size() - 1);
}

std::vector<std::shared_ptr<const Objective>> LandmineFamily::clients(
    std::uint32_t clients, const Repetition& repetition) const {
  std::vector<std::shared_ptr<const Objective>> locals;
  locals.reserve(clients);
  for (std::uint32_t m = 0; m < clients; ++m)
    locals.push_back(fields_[field_of(m, repetition.seed)]);
  return locals;
}

}  // namespace posse
