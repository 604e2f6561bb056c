// SPDX-License-Identifier: Apache-2.0
// What is drawn: well-formed, inside the picture, in the right place.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <set>
#include <sstream>

#include "program/plot/chart.hpp"
#include "program/plot/svg.hpp"
#include "tests/support/xml.hpp"

namespace test_chart {

using namespace posse;

namespace {

Chart two_lines() {
  Chart chart;
  chart.id = "test";
  chart.title = "Regret";
  chart.subtitle = "a subtitle";
  chart.x = {"evaluations", "", "evaluations"};
  chart.y = {"regret", "", "regret"};
  chart.series = {{"first", {{0, 0}, {50, 30, 0, 5}, {100, 40, 0, 10}}, Series::Kind::line, 0, 3},
                  {"second", {{0, 0}, {100, 80, 0, 0}}, Series::Kind::line, 1, 3}};
  chart.band = "band: ± 1 standard deviation over 3 repetitions";
  return chart;
}

struct Box {
  double left = 0, top = 0, width = 0, height = 0;
};

/// The data's area, as the clip path has it, which comes after the ground.
Box area(const std::string& svg) {
  const auto number = [&](const std::string& name) {
    return std::strtod(xml_attributes(svg, "rect", name).at(1).c_str(), nullptr);
  };
  return {number("x"), number("y"), number("width"), number("height")};
}

/// The points of the n-th line's path.
std::vector<std::pair<double, double>> points_of(const std::string& path) {
  std::vector<std::pair<double, double>> points;
  std::istringstream in(path);
  std::string x, y;
  while (in >> x && x != "Z" && in >> y)
    points.emplace_back(std::strtod(x.c_str() + 1, nullptr), std::strtod(y.c_str(), nullptr));
  return points;
}

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

}  // namespace

TEST_CASE("lines with the same points are dashed over the first of them") {
  Chart chart = two_lines();
  CHECK_THAT(to_svg(chart), !has("stroke-dasharray"));
  chart.series.push_back(chart.series[1]);
  chart.series[2].style = 2;
  chart.series.push_back(chart.series[1]);
  chart.series[3].style = 3;
  const auto svg = to_svg(chart);
  CHECK(xml_attributes(svg, "path", "stroke-dasharray") ==
        std::vector<std::string>{"9 18", "9 18"});
  CHECK(xml_attributes(svg, "path", "stroke-dashoffset") == std::vector<std::string>{"-9", "-18"});
}

TEST_CASE("a logarithmic axis with values below 0, or none above, becomes linear and says so") {
  Chart chart = two_lines();
  chart.y.scale = Scale::log;
  CHECK(with_drawable_scales(chart).y.scale == Scale::log);  // 0 has a place
  CHECK(with_drawable_scales(chart).subtitle == "a subtitle");
  chart.series[1].points[1].y = -3;
  const Chart negative = with_drawable_scales(chart);
  CHECK(negative.y.scale == Scale::linear);
  CHECK(negative.subtitle ==
        "a subtitle; the axis of regret is linear: values of 0 or less have no logarithm");
  CHECK(to_svg(chart).find("no logarithm") != std::string::npos);
  for (auto& series : chart.series)
    for (auto& point : series.points) point.y = 0;
  CHECK(with_drawable_scales(chart).y.scale == Scale::linear);
}

TEST_CASE("a chart is well-formed SVG 1.1, and the same every time") {
  const auto svg = to_svg(two_lines());
  CHECK(xml_problem(svg).empty());
  CHECK_THAT(svg, has("xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\""));
  CHECK_THAT(svg, has("<title>Regret</title>"));
  CHECK_THAT(svg, has("second: 80 at 100."));
  CHECK(to_svg(two_lines()) == svg);
  // Self-contained: nothing is fetched.
  CHECK_THAT(svg, !has("href"));
  CHECK_THAT(svg, !has("@import"));
}

TEST_CASE("hostile labels stay text") {
  auto chart = two_lines();
  chart.title = "<script>alert(\"1\")</script> & \x01\xff";
  chart.series[0].label = "a<b>&c\"'";
  chart.x.label = "]]>";
  const auto svg = to_svg(chart);
  CHECK(xml_problem(svg).empty());
  CHECK_THAT(svg, !has("<script>"));
  CHECK_THAT(svg, has("a&lt;b&gt;&amp;c&quot;"));
}

TEST_CASE("XML text keeps what is allowed and replaces what isn't") {
  CHECK(xml_escaped("a < b & c > \"d\"") == "a &lt; b &amp; c &gt; &quot;d&quot;");
  CHECK(xml_escaped("± 10\u2009000 ρ") == "± 10\u2009000 ρ");
  CHECK(xml_escaped(std::string("\x00", 1)) == "\uFFFD");
  CHECK(xml_escaped("\xc3") == "\uFFFD");            // cut off
  CHECK(xml_escaped("\xc0\xaf") == "\uFFFD\uFFFD");  // an overlong slash
  CHECK(xml_escaped("\xed\xa0\x80") == "\uFFFD");    // a surrogate
}

TEST_CASE("values lie where the axes say") {
  const auto svg = to_svg(two_lines());
  const auto box = area(svg);
  // The y axis goes to 100: the largest value with its band is 80 and 50.
  const auto paths = xml_attributes(svg, "path", "d");
  REQUIRE(paths.size() == 3);  // a band, two lines
  const auto band = points_of(paths[0]), first = points_of(paths[1]), second = points_of(paths[2]);
  const auto y = [&](double value) { return box.top + box.height * (1 - value / 80); };
  REQUIRE(second.size() == 2);
  CHECK(second[0].first == Approx(box.left));
  CHECK(second[0].second == Approx(box.top + box.height));
  CHECK(second[1].first == Approx(box.left + box.width).margin(0.02));
  CHECK(second[1].second == Approx(y(80)).margin(0.01));
  REQUIRE(first.size() == 3);
  CHECK(first[1].first == Approx(box.left + box.width / 2).margin(0.02));
  CHECK(first[1].second == Approx(y(30)).margin(0.01));
  REQUIRE(band.size() == 6);  // there above, back below
  CHECK(band[2].second == Approx(y(50)).margin(0.01));
  CHECK(band[3].second == Approx(y(30)).margin(0.01));
}

TEST_CASE("step lines hold their value until the next point") {
  auto chart = two_lines();
  chart.series = {{"steps", {{0, 8}, {40, 4}, {100, 4}}, Series::Kind::steps, 0, 1}};
  const auto svg = to_svg(chart);
  const auto points = points_of(xml_attributes(svg, "path", "d").at(0));
  REQUIRE(points.size() == 5);
  CHECK(points[1].first == points[2].first);    // straight down at 40
  CHECK(points[0].second == points[1].second);  // level before
}

TEST_CASE("the legend stands beside the data, in the order of the lines' ends") {
  const auto svg = to_svg(two_lines());
  const auto box = area(svg);
  const auto first = svg.rfind(">first<"), second = svg.rfind(">second<");
  REQUIRE(first != std::string::npos);
  CHECK(second < first);  // the upper line comes first
  // Every legend text begins right of the data.
  for (const auto* word : {">first<", ">second<", ">band: "}) {
    const auto tag = svg.substr(svg.rfind("<text", svg.rfind(word)));
    CHECK(std::strtod(xml_attributes(tag, "text", "x").front().c_str(), nullptr) >
          box.left + box.width);
  }
}

TEST_CASE("nothing is written outside the picture, however many and long the labels are") {
  auto chart = two_lines();
  chart.series.clear();
  for (std::size_t i = 0; i < 30; ++i)
    chart.series.push_back({"algorithm-with-a-long-name of many words, number " + std::to_string(i),
                            {{1, 1.0 + double(i)}, {2, 5.0 + double(i)}},
                            Series::Kind::line,
                            i,
                            1});
  const auto svg = to_svg(chart);
  CHECK(xml_problem(svg).empty());
  const double height = std::strtod(xml_attributes(svg, "svg", "height").front().c_str(), nullptr);
  for (const auto& y : xml_attributes(svg, "text", "y"))
    CHECK(std::strtod(y.c_str(), nullptr) < height);
}

TEST_CASE("a narrow picture has its legend below the data, and nothing outside") {
  auto chart = two_lines();
  chart.title = "A title that is much too long for a column of a paper with two columns";
  chart.subtitle = "a subtitle that is no shorter than its title, and says what is repeated";
  chart.y.label =
      "a label of an axis that is longer than the axis, which is short in such a picture";
  chart.x.scale = Scale::log;
  chart.series.front().points.front().x = 1;
  const PictureStyle style{3.3 * 96, 8 * 96.0 / 72, true};
  const auto svg = to_svg(chart, style);
  CHECK(xml_problem(svg).empty());
  const auto box = area(svg);
  const double height = std::strtod(xml_attributes(svg, "svg", "height").front().c_str(), nullptr);
  CHECK(box.width > 0.6 * style.width);
  std::size_t seen = 0;
  for (auto at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at + 1)) {
    const auto tag = svg.substr(at, svg.find("</text>", at) - at);
    if (tag.find("rotate") != std::string::npos || tag.find("tspan") != std::string::npos) continue;
    const auto text = tag.substr(tag.find('>') + 1);
    const auto number = [&](const std::string& name, double otherwise) {
      const auto found = xml_attributes(tag, "text", name);
      return found.empty() ? otherwise : std::strtod(found.front().c_str(), nullptr);
    };
    const double size = number("font-size", style.font_size);
    const double wide = text_width(text, size) * (tag.find("bold") == std::string::npos ? 1 : 1.15);
    const double x = number("x", -1), y = number("y", -1);
    const double left = tag.find("\"middle\"") != std::string::npos ? x - wide / 2
                        : tag.find("\"end\"") != std::string::npos  ? x - wide
                                                                    : x;
    CAPTURE(tag);
    CHECK(left >= 0);
    CHECK(left + wide <= style.width);
    CHECK(y <= height);
    ++seen;
  }
  CHECK(seen > 12);
  CHECK(svg.rfind(">first<") != std::string::npos);
  const auto legend = svg.substr(svg.rfind("<text", svg.rfind(">first<")));
  CHECK(std::strtod(xml_attributes(legend, "text", "y").front().c_str(), nullptr) >
        box.top + box.height);
}

TEST_CASE("without a title the data begin at the top, and readers that can't see still have it") {
  const auto with = to_svg(two_lines()), without = to_svg(two_lines(), {760, 12, false});
  CHECK(area(without).top < area(with).top);
  CHECK_THAT(without, has("<title>Regret</title>"));
  CHECK_THAT(without, !has(">a subtitle<"));
}

TEST_CASE("a value of 0 on a logarithmic axis has a place of its own below a break") {
  auto chart = two_lines();
  chart.y.scale = Scale::log;
  chart.series = {{"falls", {{1, 1}, {2, 0.1}, {3, 0}}, Series::Kind::line, 0, 1}};
  const auto svg = to_svg(chart);
  const auto box = area(svg);
  const auto line = points_of(xml_attributes(svg, "path", "d").front());
  REQUIRE(line.size() == 3);
  CHECK(line[2].second == Approx(box.top + box.height).margin(0.01));
  CHECK_THAT(svg, has(">0<"));
}

TEST_CASE("names on an axis stand in the middle of their shares") {
  auto chart = two_lines();
  chart.x.categories = {"star", "a ring of all clients, each with two neighbours", "tree"};
  chart.series = {{"a", {{0, 1}, {2, 3}}, Series::Kind::line, 0, 1}};
  const auto svg = to_svg(chart);
  const auto box = area(svg);
  const auto line = points_of(xml_attributes(svg, "path", "d").front());
  CHECK(line[0].first == Approx(box.left + box.width / 6).margin(0.02));
  CHECK(line[1].first == Approx(box.left + box.width * 5 / 6).margin(0.02));
  CHECK_THAT(svg, has(">star<"));
  CHECK_THAT(svg, !has(">a ring of all clients, each with two neighbours<"));  // in lines
  CHECK_THAT(to_csv(chart), has("a,line,tree,3,"));
}

TEST_CASE("seven series have seven colours and seven markers") {
  auto chart = two_lines();
  chart.series.clear();
  for (std::size_t i = 0; i < 7; ++i)
    chart.series.push_back({"s" + std::to_string(i), {{0, 1}, {1, 2}}, Series::Kind::line, i, 1});
  const auto svg = to_svg(chart);
  std::set<std::string> colours;
  for (const auto& stroke : xml_attributes(svg, "path", "stroke")) colours.insert(stroke);
  CHECK(colours.size() == 7);
}

TEST_CASE("a reference is dashed and named, one that would squeeze the data is only named") {
  auto chart = two_lines();
  chart.references = {{"bound: 100", 100, 0}, {"bound: 16000", 16000, 1}};
  const auto svg = to_svg(chart);
  // The near one in the picture and in the legend, the far one in the legend alone.
  CHECK(xml_attributes(svg, "line", "stroke-dasharray").size() == 3);
  CHECK_THAT(svg, has("bound: 100<"));
  CHECK_THAT(svg, has("(beyond"));
}

TEST_CASE("a band that reaches below 0 stays inside a logarithmic picture") {
  auto chart = two_lines();
  chart.x.scale = chart.y.scale = Scale::log;
  chart.series = {
      {"s", {{0, 0.5, 0, 0.1}, {10, 0.1, 0, 0.3}, {100, 0}}, Series::Kind::steps, 0, 2}};
  const auto svg = to_svg(chart);
  CHECK(xml_problem(svg).empty());
  CHECK_THAT(svg, has("clip-path=\"url(#test-area)\""));
}

TEST_CASE("bytes and seconds are shown with the prefix that fits") {
  auto chart = two_lines();
  chart.x.unit = "s";
  chart.y.unit = "bytes";
  for (auto& series : chart.series)
    for (auto& point : series.points) point.y *= 1e6;
  const auto svg = to_svg(chart);
  CHECK_THAT(svg, has(">regret (MB)<"));
  CHECK_THAT(svg, has(">evaluations (s)<"));
  CHECK_THAT(svg, has(">20<"));
}

TEST_CASE("an empty chart is still a picture") {
  Chart chart;
  chart.id = "nothing";
  CHECK(xml_problem(to_svg(chart)).empty());
}

TEST_CASE("the CSV has what is drawn") {
  auto chart = two_lines();
  chart.references = {{"bound", 100, 0}};
  CHECK(to_csv(chart) ==
        "series,part,evaluations,regret,regret_low,regret_high,repetitions\n"
        "first,line,0,0,0,0,3\n"
        "first,line,50,30,25,35,3\n"
        "first,line,100,40,30,50,3\n"
        "second,line,0,0,0,0,3\n"
        "second,line,100,80,80,80,3\n"
        "bound,bound,,100,,,\n");
}

TEST_CASE("texts have room in Helvetica and in DejaVu Sans") {
  // The larger of 722 + 556 + 222 + 222 + 556 thousandths and of 752 + 615 + 278 + 278 + 612.
  CHECK(text_width("Hello", 10) == Approx(25.35));
  CHECK(text_lines("one two three", 10, text_width("one two", 10)) ==
        std::vector<std::string>{"one two", "three"});
  CHECK(text_lines("", 10, 50).empty());
  // A word that is too wide is cut, and no character is lost.
  const std::string wide(100, 'W');
  std::string joined;
  for (const auto& line : text_lines(wide, 10, 80)) {
    CHECK(text_width(line, 10) <= 80);
    joined += line;
  }
  CHECK(joined == wide);
  CHECK(svg_number(1.005) == "1");
  CHECK(svg_number(-0.001) == "0");
  CHECK(svg_number(12.3456) == "12.35");
}

}  // namespace test_chart
