// SPDX-License-Identifier: Apache-2.0
#include "program/plot/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/base/check.hpp"
#include "core/base/shown_text.hpp"

namespace posse {
namespace {

/// The larger of Helvetica's and DejaVu Sans' advance widths of U+0020 to U+007E, in thousandths of
/// the font size.
constexpr std::array<std::int16_t, 95> kWidths{
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 556, 1015, 684, 686, 722, 770, 667,
    611, 778, 752, 295, 500, 667, 557, 863, 748, 787, 667, 787, 722, 667,  611, 732, 684, 989, 685,
    667, 685, 390, 337, 390, 838, 556, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
constexpr std::int16_t kOtherWidth = 838, kThinSpace = 365;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// XML 1.0's Char.
bool allowed(std::uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code < 0xD800 || (code > 0xDFFF && code < 0xFFFE) || code > 0xFFFF;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::uint32_t code = 0;
    const auto character = take_character(text, code);
    if (character.empty() || !allowed(code))
      out += kReplacement;
    else if (code == '<')
      out += "&lt;";
    else if (code == '>')
      out += "&gt;";
    else if (code == '&')
      out += "&amp;";
    else if (code == '"')
      out += "&quot;";
    else
      out += character;
  }
  return out;
}

std::string svg_number(double value) {
  POSSE_CHECK(std::isfinite(value), "{} in a drawing", value);
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

double text_width(std::string_view text, double font_size) {
  double thousandths = 0;
  while (!text.empty()) {
    std::uint32_t code = 0;
    take_character(text, code);
    if (code >= 0x20 && code - 0x20 < kWidths.size())
      thousandths += kWidths[code - 0x20];
    else
      thousandths += code == 0x2009 ? kThinSpace : kOtherWidth;
  }
  return thousandths * font_size / 1000;
}

std::vector<std::string> text_lines(std::string_view text, double font_size, double most) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    std::string word(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    // A word wider than the line is cut; at least one character stays. UTF-8 is kept whole.
    while (text_width(word, font_size) > most && word.size() > 1) {
      std::size_t cut = word.size();
      while (cut > 1 && text_width(word.substr(0, cut), font_size) > most) do
          --cut;
        while (cut > 1 && (static_cast<unsigned char>(word[cut]) & 0xC0) == 0x80);
      lines.push_back(word.substr(0, cut));
      word.erase(0, cut);
    }
    if (!lines.empty() && text_width(lines.back() + " " + word, font_size) <= most)
      lines.back() += " " + word;
    else
      lines.push_back(word);
  }
  return lines;
}

void Svg::begin(std::string_view element, const Attributes& attributes) {
  out_ += fmt::format("{}<{}", std::string(open_.size(), ' '), element);
  for (const auto& [name, value] : attributes)
    out_ += fmt::format(" {}=\"{}\"", name, xml_escaped(value));
}

void Svg::open_picture(double width,
                       double height,
                       double font_size,
                       std::string_view title,
                       std::string_view description) {
  open("svg",
       {{"xmlns", "http://www.w3.org/2000/svg"},
        {"version", "1.1"},
        {"width", svg_number(width)},
        {"height", svg_number(height)},
        {"viewBox", fmt::format("0 0 {} {}", svg_number(width), svg_number(height))},
        {"font-family", std::string(kFont)},
        {"font-size", svg_number(font_size)},
        {"fill", std::string(kInk)}});
  text("title", {}, title);
  text("desc", {}, description);
  empty("rect",
        {{"x", "0"},
         {"y", "0"},
         {"width", svg_number(width)},
         {"height", svg_number(height)},
         {"fill", std::string(kGround)}});
}

void Svg::open(std::string_view element, const Attributes& attributes) {
  begin(element, attributes);
  out_ += ">\n";
  open_.emplace_back(element);
}

void Svg::close() {
  const auto element = open_.back();
  open_.pop_back();
  out_ += fmt::format("{}</{}>\n", std::string(open_.size(), ' '), element);
}

void Svg::empty(std::string_view element, const Attributes& attributes) {
  begin(element, attributes);
  out_ += "/>\n";
}

void Svg::text(std::string_view element, const Attributes& attributes, std::string_view content) {
  markup(element, attributes, xml_escaped(content));
}

void Svg::write(
    double x, double y, std::string_view content, std::string_view anchor, std::string_view fill) {
  text("text",
       {{"x", svg_number(x)},
        {"y", svg_number(y)},
        {"text-anchor", std::string(anchor)},
        {"fill", std::string(fill)}},
       content);
}

void Svg::markup(std::string_view element, const Attributes& attributes, std::string_view xml) {
  begin(element, attributes);
  out_ += fmt::format(">{}</{}>\n", xml, element);
}

std::string Svg::str() const {
  POSSE_CHECK(open_.empty(), "<{}> isn't closed", open_.back());
  return out_;
}

}  // namespace posse
