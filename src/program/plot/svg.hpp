// SPDX-License-Identifier: Apache-2.0
// Writes SVG 1.1: elements, attributes, escaped text; and estimates the width of text.
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace posse {

// Shared by charts and tables.
inline constexpr std::string_view kInk = "#222222", kFaint = "#5f5f5f", kGround = "#ffffff";
inline constexpr std::string_view kGrid = "#e4e4e4", kGuide = "#9a9a9a";
// Okabe and Ito's palette without its yellow, which is too light for lines on white.
inline constexpr std::array<std::string_view, 7> kSeriesColours{
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
/// Of types of messages, as on the page: without the reds, which mean drops.
inline constexpr std::array<std::string_view, 6> kMessageColours{
    "#0072B2", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#000000"};
inline constexpr std::string_view kAckColour = "#9a9a9a", kDropColour = "#c00000";
inline constexpr std::string_view kFont = "Helvetica, Arial, 'Liberation Sans', sans-serif";
inline constexpr double kEdge = 16, kTitleSize = 15, kSmallSize = 12;
inline constexpr double kLineHeight = 17;  // from one line of text to the next

/// In pixels of 1/96 inch. All other sizes follow from that of the letters.
struct PictureStyle {
  double width = 760, font_size = kSmallSize;
  bool title = true;  // with subtitle
};

/// For text and attribute values. Characters that XML forbids, and bytes that aren't UTF-8, become
/// U+FFFD.
std::string xml_escaped(std::string_view text);

/// Two decimals at most: a hundredth of a pixel.
std::string svg_number(double value);

/// Pixels in the wider of Helvetica (Arial, Liberation Sans) and DejaVu Sans, which browsers and
/// librsvg take where there is no Helvetica; a guess for characters beyond ASCII.
double text_width(std::string_view text, double font_size);

/// Words wrapped to lines of at most this width in pixels; a longer word has its own line.
std::vector<std::string> text_lines(std::string_view text, double font_size, double most);

class Svg {
 public:
  using Attributes = std::vector<std::pair<std::string_view, std::string>>;

  /// The document's element with its title, what it says to those who can't see it, and its ground.
  /// In pixels.
  void open_picture(double width,
                    double height,
                    double font_size,
                    std::string_view title,
                    std::string_view description);
  void open(std::string_view element, const Attributes& attributes = {});
  void close();
  void empty(std::string_view element, const Attributes& attributes);
  void text(std::string_view element, const Attributes& attributes, std::string_view content);
  /// A line of text in the picture's size. `anchor`: start, middle or end of it lies at x.
  void write(double x,
             double y,
             std::string_view content,
             std::string_view anchor = "start",
             std::string_view fill = kInk);
  /// Adds content that is XML already.
  void markup(std::string_view element, const Attributes& attributes, std::string_view xml);
  /// The document so far; every element must be closed.
  std::string str() const;

 private:
  void begin(std::string_view element, const Attributes& attributes);

  std::string out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  std::vector<std::string> open_;
};

}  // namespace posse
