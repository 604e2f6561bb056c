// SPDX-License-Identifier: Apache-2.0
// A strict reader of Prometheus' text formats, 0.0.4 and OpenMetrics 1.0, written from their
// specifications: unknown input throws.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace posse::test {

struct ExposedPoint {
  double value = 0;
  std::optional<double> time_s;
};
using ExposedLabels = std::map<std::string, std::string>;
struct ExposedFamily {
  std::string type, help, unit;
  /// By sample name and labels, in the order in which they came.
  std::map<std::pair<std::string, ExposedLabels>, std::vector<ExposedPoint>> series;
};

class Exposition {
 public:
  Exposition(const std::string& text, bool open_metrics) : open_metrics_(open_metrics) {
    if (text.empty() || text.back() != '\n') fail("doesn't end with a line break");
    std::size_t at = 0;
    while (at < text.size()) {
      const auto end = text.find('\n', at);
      line_ = text.substr(at, end - at);
      at = end + 1;
      position_ = 0;
      if (ended_) fail("comes after # EOF");
      read_line();
    }
    if (open_metrics_ && !ended_) fail("has no # EOF");
    for (const auto& [name, family] : families)
      if (family.type == "histogram") check_histogram(name, family);
  }

  std::map<std::string, ExposedFamily> families;

  /// All points of one series; empty if there is none.
  std::vector<ExposedPoint> points(const std::string& sample, const ExposedLabels& labels) const {
    for (const auto& [name, family] : families)
      if (const auto it = family.series.find({sample, labels}); it != family.series.end())
        return it->second;
    return {};
  }
  /// The only value of a series; NaN if it isn't there.
  double value(const std::string& sample, const ExposedLabels& labels) const {
    const auto found = points(sample, labels);
    return found.size() == 1 ? found.front().value : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw std::runtime_error("'" + line_ + "' " + problem);
  }

  void read_line() {
    if (line_ == "# EOF" && open_metrics_) {
      ended_ = true;
    } else if (line_.starts_with("# ")) {
      read_comment();
    } else if (line_.empty() || line_[0] == '#') {
      fail("is neither sample nor comment");
    } else {
      read_sample();
    }
  }

  void read_comment() {
    position_ = 2;
    const auto keyword = word();
    const auto name = word();
    if (!is_name(name)) fail("names no metric");
    const auto rest = line_.substr(std::min(position_, line_.size()));
    if (name != current_) {
      if (!families.emplace(name, ExposedFamily{}).second) fail("comes back to a family");
      current_ = name;
    }
    auto& family = families[name];
    if (!family.series.empty()) fail("comes after samples of its family");
    if (keyword == "TYPE") {
      static const std::set<std::string> known{"counter", "gauge", "histogram", "info"};
      if (!known.contains(rest) || (rest == "info" && !open_metrics_)) fail("has an unknown type");
      family.type = rest;
    } else if (keyword == "HELP") {
      family.help = unescaped(rest, open_metrics_);
    } else if (keyword == "UNIT" && open_metrics_) {
      if (!name.ends_with("_" + rest)) fail("isn't the end of its family's name");
      family.unit = rest;
    } else {
      fail("is an unknown comment");
    }
  }

  void read_sample() {
    const auto name_end = line_.find_first_of("{ ");
    const std::string name = line_.substr(0, name_end);
    if (!is_name(name)) fail("names no metric");
    position_ = std::min(name_end, line_.size());
    ExposedLabels labels;
    if (position_ < line_.size() && line_[position_] == '{') read_labels(labels);
    if (position_ >= line_.size() || line_[position_++] != ' ') fail("has no value");
    ExposedPoint point;
    point.value = number(word());
    if (position_ < line_.size()) {
      if (!open_metrics_) fail("has a time stamp");
      point.time_s = number(word());
    }
    if (position_ < line_.size()) fail("goes on after its end");
    auto& family = families[current_];
    if (family.type.empty() || family.help.empty()) fail("comes before # TYPE and # HELP");
    check_name(name, family.type);
    auto& series = family.series[{name, labels}];
    if (!series.empty()) {
      if (!point.time_s || !series.back().time_s || *point.time_s <= *series.back().time_s)
        fail("is there twice, or its time doesn't increase");
      if (family.type == "counter" && point.value < series.back().value) fail("steps back");
    }
    series.push_back(point);
  }

  void check_name(const std::string& name, const std::string& type) const {
    std::set<std::string> suffixes{""};
    if (type == "histogram") suffixes = {"_bucket", "_sum", "_count"};
    if (type == "info") suffixes = {"_info"};
    if (type == "counter" && open_metrics_) suffixes = {"_total"};
    for (const auto& suffix : suffixes)
      if (name == current_ + suffix) return;
    fail("doesn't belong to the family " + current_);
  }

  void read_labels(ExposedLabels& labels) {
    ++position_;
    for (;;) {
      const auto equals = line_.find('=', position_);
      if (equals == std::string::npos) fail("has a label without value");
      const auto name = line_.substr(position_, equals - position_);
      if (!is_name(name) || name.find(':') != std::string::npos) fail("has an invalid label name");
      position_ = equals + 1;
      if (line_[position_] != '"') fail("has an unquoted label value");
      const auto begin = ++position_;
      for (; position_ < line_.size() && line_[position_] != '"'; ++position_)
        if (line_[position_] == '\\') ++position_;
      if (position_ >= line_.size()) fail("has a label value without end");
      if (!labels.emplace(name, unescaped(line_.substr(begin, position_ - begin), true)).second)
        fail("has a label twice");
      ++position_;
      const char next = line_[position_++];
      if (next == '}') return;
      if (next != ',') fail("has no comma between labels");
    }
  }

  std::string unescaped(const std::string& text, bool quotes) const {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '"' && quotes) fail("has a quote that isn't escaped");
      if (text[i] != '\\') {
        out += text[i];
        continue;
      }
      const char c = ++i < text.size() ? text[i] : ' ';
      if (c != '\\' && c != 'n' && (c != '"' || !quotes)) fail("has an unknown escape");
      out += c == 'n' ? '\n' : c;
    }
    return out;
  }

  std::string word() {
    const auto end = std::min(line_.find(' ', position_), line_.size());
    auto found = line_.substr(position_, end - position_);
    position_ = std::min(end + 1, line_.size());
    return found;
  }

  double number(const std::string& text) const {
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (text == "+Inf") return HUGE_VAL;
    if (text == "-Inf") return -HUGE_VAL;
    if (text.empty() || text.find_first_not_of("0123456789+-.e") != std::string::npos)
      fail("has no number '" + text + "'");
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (*end != '\0') fail("has no number '" + text + "'");
    return value;
  }

  static bool is_name(const std::string& name) {
    return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
           std::all_of(name.begin(), name.end(), [](unsigned char c) {
             return std::isalnum(c) != 0 || c == '_' || c == ':';
           });
  }

  /// Buckets are cumulative and end with +Inf, which is the count.
  void check_histogram(const std::string& name, const ExposedFamily& family) const {
    std::map<std::pair<ExposedLabels, double>, std::map<double, double>> buckets;
    for (const auto& [key, points] : family.series) {
      if (key.first != name + "_bucket") continue;
      auto labels = key.second;
      const auto le = labels.extract("le");
      if (le.empty()) throw std::runtime_error(name + " has a bucket without le");
      for (const auto& point : points)
        buckets[{labels, point.time_s.value_or(0)}][number(le.mapped())] = point.value;
    }
    for (const auto& [key, counts] : buckets) {
      double before = 0;
      for (const auto& [bound, count] : counts) {
        if (count < before) throw std::runtime_error(name + " has buckets that aren't cumulative");
        before = count;
      }
      if (!std::isinf(counts.rbegin()->first)) throw std::runtime_error(name + " lacks +Inf");
      const auto total = points(name + "_count", key.first);
      const bool agrees = std::any_of(total.begin(), total.end(), [&](const ExposedPoint& point) {
        return point.time_s.value_or(0) == key.second && point.value == before;
      });
      if (!agrees) throw std::runtime_error(name + "_count isn't the bucket +Inf");
    }
  }

  bool open_metrics_;
  bool ended_ = false;
  std::string line_, current_;
  std::size_t position_ = 0;
};

}  // namespace posse::test
