#include "program/plot/sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/base/csv.hpp"
#include "program/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/base/gzip_lines.hpp"
#include "program/base/text.hpp"
#include "program/plot/axis.hpp"
#include "program/plot/svg.hpp"
#include "program/results/run_data.hpp"
#include "program/results/run_rows.hpp"

namespace posse {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLegibleArrows = 300;  // if the user does not choose rounds
constexpr double kSequenceWidth = 1200, kLane = 34, kSequenceRight = 24, kRegretHeight = 130;
constexpr std::array<std::string_view, 6> kTypeColours{
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};
constexpr std::string_view kAckColour = "#b8b8b8", kLostColour = "#c00000", kLaneColour = "#bdbdbd";

constexpr std::string_view kRoundsEnd = "end of round";

/// A message copy, as messages.csv.gz has it.
struct Copy {
  std::string line;  // without the run
  std::string type, from, to, outcome, cause;
  std::uint32_t round = 0, number = 0;
  double sent = 0;
  std::optional<double> arrived;
  bool repeated = false;
};

class CopyReader {
 public:
  CopyReader(const fs::path& folder, const std::string& algorithm, std::uint32_t repetition)
      : path_(folder / "messages.csv.gz"), run_(fmt::format("{},{},", algorithm, repetition)) {}

  std::vector<Copy> read() {
    std::error_code error;
    if (!fs::exists(path_, error))
      throw FileError(path_, "doesn't exist: a sequence needs a run with --trace messages");
    GzipLines lines(path_);
    std::string line;
    if (!lines.next(line) || !line.starts_with("algorithm,repetition,id,"))
      fail(lines, "no header");
    header_ = line.substr(std::string_view("algorithm,repetition,").size());
    std::vector<Copy> copies;
    while (lines.next(line))
      if (line.starts_with(run_)) copies.push_back(copy_of(lines, line.substr(run_.size())));
    // Only a reliable transport numbers messages.
    const auto is_ack = [](const Copy& copy) { return copy.type == "Ack"; };
    if (std::none_of(copies.begin(), copies.end(), is_ack)) return copies;
    std::set<std::tuple<std::string, std::string, std::uint32_t>> seen;
    for (Copy& copy : copies)
      copy.repeated = !is_ack(copy) && !seen.insert({copy.from, copy.to, copy.number}).second;
    return copies;
  }
  const std::string& header() const { return header_; }

 private:
  [[noreturn]] void fail(const GzipLines& lines, std::string_view problem) const {
    throw FileError(path_, fmt::format("line {}: {}", lines.line(), problem));
  }
  Copy copy_of(const GzipLines& lines, const std::string& line) {
    const auto cells = plain_cells(line);
    if (cells.size() != 14) fail(lines, "does not have 16 cells");
    Copy copy{line,
              std::string(cells[1]),
              std::string(cells[3]),
              std::string(cells[4]),
              std::string(cells[8]),
              std::string(cells[9])};
    const auto round = parse_number<std::uint32_t>(cells[2]);
    const auto sent = parse_number<double>(cells[6]), arrived = parse_number<double>(cells[7]);
    if (!round || !sent || !std::isfinite(*sent) || (arrived && !std::isfinite(*arrived)))
      fail(lines, "round, sent_virtual_s or delivered_virtual_s is not a number");
    copy.round = *round;
    copy.sent = *sent;
    copy.arrived = arrived;
    copy.number = parse_number<std::uint32_t>(cells[11]).value_or(0);
    return copy;
  }

  fs::path path_;
  std::string run_, header_;
};

/// When rounds ended, by round.
std::map<std::uint32_t, double> round_ends(const StoredRun& stored,
                                           const std::string& algorithm,
                                           std::uint32_t repetition) {
  RunRows rows(stored, "rounds.csv");
  const auto round = rows.column("round"), ended = rows.column("ended_virtual_s");
  const auto wanted = stored.find_run(algorithm, repetition);
  std::map<std::uint32_t, double> ends;
  while (rows.next())
    if (rows.run() && rows.run() == wanted) ends[rows.count(round)] = rows.real(ended);
  return ends;
}

/// What is drawn.
struct Scene {
  std::string title, subtitle;
  std::vector<std::string> nodes;  // lanes from the top
  std::vector<Copy> copies;
  std::map<std::uint32_t, double> rounds;  // ends
  std::vector<CurvePoint> regret;
  std::string regret_name;
  double from = 0, until = 0;
};

class SequenceDrawing {
 public:
  explicit SequenceDrawing(const Scene& scene)
      : scene_(scene), time_(Axis::linear(scene.from, scene.until, Ends::tight, 8)) {
    for (const auto& node : scene.nodes) left_ = std::max(left_, text_width(node, kSmallSize));
    if (!scene.rounds.empty()) left_ = std::max(left_, text_width(kRoundsEnd, 10));
    left_ += kEdge + 14;
    top_ = kEdge + 78;
    bottom_ = top_ + kLane * static_cast<double>(scene.nodes.size());
    for (const Copy& copy : scene.copies)
      if (copy.type != "Ack") types_.try_emplace(copy.type, types_.size());
    std::vector<double> times;
    for (const Copy& copy : scene.copies)
      if (copy.arrived) times.push_back(*copy.arrived - copy.sent);
    if (!times.empty()) {
      std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
      typical_ = times[times.size() / 2];
    }
  }

  std::string draw() {
    const bool regret = !scene_.regret.empty();
    const double height = bottom_ + (regret ? kRegretHeight + 30 : 0) + 46;
    svg_.open(
        "svg",
        {{"xmlns", "http://www.w3.org/2000/svg"},
         {"version", "1.1"},
         {"width", svg_number(kSequenceWidth)},
         {"height", svg_number(height)},
         {"viewBox", fmt::format("0 0 {} {}", svg_number(kSequenceWidth), svg_number(height))},
         {"font-family", "Helvetica, Arial, 'Liberation Sans', sans-serif"},
         {"font-size", svg_number(kSmallSize)},
         {"fill", std::string(kInk)}});
    svg_.text("title", {}, scene_.title);
    svg_.text("desc", {}, fmt::format("{}. {}", scene_.title, scene_.subtitle));
    svg_.empty("rect",
               {{"width", svg_number(kSequenceWidth)},
                {"height", svg_number(height)},
                {"fill", std::string(kGround)}});
    write(kEdge, kEdge + 13, scene_.title, {{"font-size", "15"}, {"font-weight", "bold"}});
    write(kEdge, kEdge + 32, scene_.subtitle, {{"fill", std::string(kFaint)}});
    draw_legend();
    draw_lanes(regret ? bottom_ + kRegretHeight + 24 : bottom_);
    for (const Copy& copy : scene_.copies) draw_copy(copy);
    if (regret) draw_regret();
    draw_time_axis(regret ? bottom_ + kRegretHeight + 24 : bottom_);
    svg_.close();
    return svg_.str();
  }

 private:
  double x(double seconds) const {
    return left_ + time_.position(seconds) * (kSequenceWidth - kSequenceRight - left_);
  }
  double lane(const std::string& node) const {
    const auto it = std::find(scene_.nodes.begin(), scene_.nodes.end(), node);
    return top_ + kLane * (0.5 + static_cast<double>(it - scene_.nodes.begin()));
  }
  void write(double at_x, double at_y, std::string_view text, Svg::Attributes more = {}) {
    more.insert(more.begin(), {{"x", svg_number(at_x)}, {"y", svg_number(at_y)}});
    svg_.text("text", more, text);
  }
  void line(double x1, double y1, double x2, double y2, Svg::Attributes more) {
    more.insert(more.begin(),
                {{"x1", svg_number(x1)},
                 {"y1", svg_number(y1)},
                 {"x2", svg_number(x2)},
                 {"y2", svg_number(y2)}});
    svg_.empty("line", more);
  }
  std::string colour(const std::string& type) const {
    const auto it = types_.find(type);
    return std::string(it == types_.end() ? kAckColour
                                          : kTypeColours[it->second % kTypeColours.size()]);
  }

  void draw_legend() {
    double at = kEdge;
    const double y = kEdge + 50;
    const auto entry = [&](const std::string& name, const std::string& shade, const char* dashes) {
      Svg::Attributes more{{"stroke", shade}, {"stroke-width", "1.6"}};
      if (dashes != nullptr) more.emplace_back("stroke-dasharray", dashes);
      line(at, y - 4, at + 24, y - 4, more);
      write(at + 30, y, name);
      at += 30 + text_width(name, kSmallSize) + 22;
    };
    std::vector<std::string> names(types_.size());
    for (const auto& [type, number] : types_) names[number] = type;
    for (const auto& name : names) entry(name, colour(name), nullptr);
    const auto any = [&](auto&& condition) {
      return std::any_of(scene_.copies.begin(), scene_.copies.end(), condition);
    };
    if (any([](const Copy& c) { return c.type == "Ack"; }))
      entry("acknowledgement", std::string(kAckColour), nullptr);
    if (any([](const Copy& c) { return c.repeated; }))
      entry("sent again", std::string(kInk), "4 3");
    if (any([](const Copy& c) { return c.outcome == "dropped"; })) {
      cross(at + 8, y - 4);
      write(at + 20, y, "dropped, with its cause");
    }
  }

  void draw_lanes(double lowest) {
    for (const auto& [round, end] : scene_.rounds) {
      if (end < scene_.from || end > scene_.until) continue;
      line(x(end), top_ - 4, x(end), lowest, {{"stroke", "#dddddd"}, {"stroke-dasharray", "2 3"}});
      write(x(end),
            top_ - 7,
            fmt::format("{}", round),
            {{"text-anchor", "middle"}, {"fill", std::string(kFaint)}, {"font-size", "10"}});
    }
    if (!scene_.rounds.empty())
      write(left_ - 10,
            top_ - 7,
            kRoundsEnd,
            {{"text-anchor", "end"}, {"fill", std::string(kFaint)}, {"font-size", "10"}});
    for (const auto& node : scene_.nodes) {
      line(left_,
           lane(node),
           kSequenceWidth - kSequenceRight,
           lane(node),
           {{"stroke", std::string(kLaneColour)}});
      write(left_ - 10, lane(node) + 4, node, {{"text-anchor", "end"}});
    }
  }

  void cross(double at_x, double at_y) {
    svg_.empty(
        "path",
        {{"d", fmt::format("M{} {}l8 8m0 -8l-8 8", svg_number(at_x - 4), svg_number(at_y - 4))},
         {"stroke", std::string(kLostColour)},
         {"stroke-width", "1.8"},
         {"fill", "none"}});
  }

  void draw_copy(const Copy& copy) {
    const double x1 = x(copy.sent), y1 = lane(copy.from);
    // A dropped copy is drawn half-way, at the typical speed.
    const bool dropped = copy.outcome == "dropped";
    const bool on_the_way = !dropped && !copy.arrived;
    double x2 = x(copy.arrived.value_or(copy.sent + typical_)), y2 = lane(copy.to);
    if (dropped) {
      x2 = x1 + (x2 - x1) * 0.55;
      y2 = y1 + (y2 - y1) * 0.55;
    }
    if (const double right = kSequenceWidth - kSequenceRight; on_the_way && x2 > right && x2 > x1) {
      y2 = y1 + (y2 - y1) * (right - x1) / (x2 - x1);
      x2 = right;
    }
    const std::string shade = colour(copy.type);
    Svg::Attributes more{{"stroke", shade},
                         {"stroke-width", copy.type == "Ack" ? "0.8" : "1.2"},
                         {"stroke-opacity", copy.outcome == "discarded" ? "0.4" : "0.9"}};
    if (copy.repeated) more.emplace_back("stroke-dasharray", "4 3");
    if (on_the_way) more.emplace_back("stroke-dasharray", "1 3");
    line(x1, y1, x2, y2, std::move(more));
    if (dropped) {
      cross(x2, y2);
      write(x2 + 7, y2 + 4, copy.cause, {{"fill", std::string(kLostColour)}, {"font-size", "10"}});
    } else if (copy.arrived && copy.type != "Ack") {
      const double length =
          std::max(1e-9, std::sqrt((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1)));
      const double ux = (x2 - x1) / length, uy = (y2 - y1) / length;
      svg_.empty("path",
                 {{"d",
                   fmt::format("M{} {}L{} {}L{} {}z",
                               svg_number(x2),
                               svg_number(y2),
                               svg_number(x2 - 7 * ux - 2.6 * uy),
                               svg_number(y2 - 7 * uy + 2.6 * ux),
                               svg_number(x2 - 7 * ux + 2.6 * uy),
                               svg_number(y2 - 7 * uy - 2.6 * ux))},
                  {"fill", shade}});
    }
  }

  void draw_regret() {
    const double top = bottom_ + 24, low = top + kRegretHeight;
    double most = 0;
    for (const CurvePoint& point : scene_.regret) most = std::max(most, point.value);
    const Axis axis = Axis::linear(0, most, Ends::widened, 4);
    const auto y = [&](double value) { return low - axis.position(value) * kRegretHeight; };
    for (const Tick& tick : axis.ticks()) {
      line(left_,
           y(tick.value),
           kSequenceWidth - kSequenceRight,
           y(tick.value),
           {{"stroke", "#e4e4e4"}});
      write(left_ - 10, y(tick.value) + 4, tick.label, {{"text-anchor", "end"}});
    }
    write(left_, top - 7, scene_.regret_name, {{"fill", std::string(kFaint)}});
    std::string path;
    for (const CurvePoint& point : scene_.regret) {
      const double at = std::clamp(x(point.virtual_s), left_, kSequenceWidth - kSequenceRight);
      path += path.empty() ? fmt::format("M{} {}", svg_number(at), svg_number(y(point.value)))
                           : fmt::format("H{}V{}", svg_number(at), svg_number(y(point.value)));
    }
    path += fmt::format("H{}", svg_number(kSequenceWidth - kSequenceRight));
    svg_.empty("path",
               {{"d", path}, {"fill", "none"}, {"stroke", "#000000"}, {"stroke-width", "1.6"}});
  }

  void draw_time_axis(double y) {
    line(left_, y, kSequenceWidth - kSequenceRight, y, {{"stroke", std::string(kInk)}});
    for (const Tick& tick : time_.ticks()) {
      line(x(tick.value), y, x(tick.value), y + 5, {{"stroke", std::string(kInk)}});
      write(x(tick.value), y + 18, tick.label, {{"text-anchor", "middle"}});
    }
    write((left_ + kSequenceWidth - kSequenceRight) / 2,
          y + 36,
          "virtual time (s)",
          {{"text-anchor", "middle"}});
  }

  const Scene& scene_;
  Axis time_;
  Svg svg_;
  double left_ = 0, top_ = 0, bottom_ = 0;
  double typical_ = 0;                        // time on the way
  std::map<std::string, std::size_t> types_;  // numbered as they appear
};

/// The last of the first rounds whose copies are legible together.
std::uint32_t last_legible(const std::vector<Copy>& copies, std::uint32_t first) {
  std::map<std::uint32_t, std::size_t> per_round;
  for (const Copy& copy : copies)
    if (copy.round >= first) ++per_round[copy.round];
  std::size_t sum = 0;
  std::uint32_t last = first;
  for (const auto& [round, count] : per_round) {
    sum += count;
    if (sum > kLegibleArrows && round > first) break;
    last = round;
  }
  return last;
}

}  // namespace

Picture sequence_picture(const fs::path& folder, const SequenceOptions& options) {
  const StoredRun stored(folder);
  const RunData data = read_run(folder);
  const std::string label =
      options.algorithm.empty() ? stored.algorithms().front().label : options.algorithm;
  if (!stored.find_run(label, options.repetition))
    throw FileError(stored.folder(),
                    fmt::format("has no run of '{}' in repetition {}", label, options.repetition));
  CopyReader reader(stored.folder(), label, options.repetition);
  Scene scene;
  scene.copies = reader.read();
  const std::uint32_t first = options.first_round.value_or(0);
  const std::uint32_t last = options.last_round.value_or(last_legible(scene.copies, first));
  std::erase_if(scene.copies, [&](const Copy& c) { return c.round < first || c.round > last; });
  if (scene.copies.empty())
    throw FileError(stored.folder(), fmt::format("no message of '{}' is of these rounds", label));
  if (scene.copies.size() > kMostArrows)
    throw FileError(
        stored.folder(),
        fmt::format("{} messages are too many for a picture of at most {}: choose fewer "
                    "rounds with --rounds",
                    scene.copies.size(),
                    kMostArrows));
  std::set<std::string> nodes;
  for (const Copy& copy : scene.copies) {
    scene.from = &copy == &scene.copies.front() ? copy.sent : std::min(scene.from, copy.sent);
    scene.until = std::max({scene.until, copy.sent, copy.arrived.value_or(0)});
    nodes.insert({copy.from, copy.to});
  }
  if (nodes.size() > kMostLanes)
    throw FileError(
        stored.folder(),
        fmt::format("{} nodes are too many for a picture of at most {}", nodes.size(), kMostLanes));
  scene.nodes.assign(nodes.begin(), nodes.end());
  // Numbered nodes in the order of their numbers, after those that are not.
  std::stable_sort(scene.nodes.begin(), scene.nodes.end(), [](const auto& a, const auto& b) {
    const auto number = [](const std::string& name) {
      const auto dash = name.rfind('-');
      return std::pair(dash == std::string::npos ? std::string() : name.substr(0, dash),
                       dash == std::string::npos
                           ? 0U
                           : parse_number<std::uint32_t>(name.substr(dash + 1)).value_or(0));
    };
    return number(a) < number(b);
  });
  for (const auto& [round, end] : round_ends(stored, label, options.repetition))
    if (round >= first && round <= last) {
      scene.rounds[round] = end;
      scene.until = std::max(scene.until, end);
    }
  if (const AlgorithmData* algorithm = data.find(label))
    for (const RepetitionData& repetition : algorithm->repetitions)
      for (const char* metric : {"simple_regret", "cumulative_regret"}) {
        const auto curve = repetition.curves.find(metric);
        if (repetition.repetition != options.repetition || curve == repetition.curves.end() ||
            !scene.regret.empty())
          continue;
        scene.regret_name =
            std::string_view(metric) == "simple_regret" ? "simple regret" : "cumulative regret";
        const CurvePoint* before = nullptr;
        for (const CurvePoint& point : curve->second) {
          if (point.virtual_s < scene.from) before = &point;
          if (point.virtual_s >= scene.from && point.virtual_s <= scene.until) {
            if (scene.regret.empty() && before != nullptr) scene.regret.push_back(*before);
            scene.regret.push_back(point);
          }
        }
      }
  const std::uint32_t shown_first = scene.rounds.empty() ? first : scene.rounds.begin()->first;
  scene.title =
      fmt::format("Messages of {}, {}",
                  label,
                  shown_first == last ? fmt::format("round {}", last)
                                      : fmt::format("rounds {} to {}", shown_first, last));
  scene.subtitle = fmt::format(
      "{}, repetition {}: {} message copies", data.name, options.repetition, scene.copies.size());
  std::string csv = reader.header() + "\n";
  for (const Copy& copy : scene.copies) csv += copy.line + "\n";
  return {"sequence", SequenceDrawing(scene).draw(), csv};
}

}  // namespace posse
