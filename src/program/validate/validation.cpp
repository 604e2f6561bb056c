// SPDX-License-Identifier: Apache-2.0
#include "program/validate/validation.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "core/base/hash.hpp"
#include "core/role/outcome.hpp"
#include "program/base/csv.hpp"
#include "program/base/text.hpp"

namespace posse {
namespace {

constexpr std::string_view kText = "text";
constexpr double kClose = 0.10, kNear = 0.25;

/// Of all that was decided, to the bit.
std::uint64_t decisions(const RunOutcome& out) {
  std::uint64_t hash = 0;
  const auto add = [&](std::uint64_t x) { hash = hash_combine(hash, x); };
  const auto add_point = [&](const std::vector<double>& point) {
    add(point.size());
    for (const double x : point) add(std::bit_cast<std::uint64_t>(x));
  };
  add_point(out.regret.recommendation);
  for (const auto& point : out.regret.local_recommendations) add_point(point);
  add(out.arms.answer.value_or(~std::uint32_t{0}));
  for (const RoundRecord& round : out.rounds) {
    add(round.best ? round.best->index : ~std::uint64_t{0});
    add(round.kept_cells);
  }
  return hash;
}

class Lines {
 public:
  explicit Lines(bool promised) : promised_(promised) {}
  void exact(std::string quantity, std::string unit, double simulated, double measured) {
    Compared& line = add(std::move(quantity), std::move(unit), simulated, measured);
    judge_equality(line, simulated == measured);
  }
  void words(std::string quantity, std::string simulated, std::string measured) {
    Compared& line = lines_.emplace_back();
    line.quantity = std::move(quantity);
    line.unit = kText;
    judge_equality(line, simulated == measured);
    line.simulated = std::move(simulated);
    line.measured = std::move(measured);
  }
  void time(std::string quantity, double simulated, double measured) {
    judge(add(std::move(quantity), "s", simulated, measured), measured, "");
  }
  /// A part of a round, by which the difference is judged.
  void part(std::string quantity, double simulated, double measured, double round) {
    judge(add(std::move(quantity), "s", simulated, measured), round, " of the round");
  }
  void bytes(std::string quantity, double simulated, double measured) {
    Compared& line = add(std::move(quantity), "B", simulated, measured);
    line.holds = measured >= simulated;
    line.verdict =
        simulated > 0 ? fmt::format("{:.2f} times", measured / simulated) : "not simulated";
  }
  std::vector<Compared> take() { return std::move(lines_); }

 private:
  Compared& add(std::string quantity, std::string unit, double simulated, double measured) {
    Compared& line = lines_.emplace_back();
    line.quantity = std::move(quantity);
    line.simulated = pretty(simulated, unit);
    line.measured = pretty(measured, unit);
    line.unit = std::move(unit);
    line.simulated_value = simulated;
    line.measured_value = measured;
    return line;
  }
  void judge_equality(Compared& line, bool equal) const {
    line.exact = promised_;
    line.holds = equal || !promised_;
    line.verdict = equal ? "equal" : promised_ ? "differs" : "differs, as it may";
  }
  static void judge(Compared& line, double whole, const char* of) {
    const double difference = whole > 0 ? (line.simulated_value - line.measured_value) / whole : 0;
    line.holds = std::abs(difference) <= kNear;
    line.verdict = fmt::format("{:+.1f} %{}{}",
                               difference * 100,
                               of,
                               std::abs(difference) <= kClose  ? ""
                               : std::abs(difference) <= kNear ? ", near"
                                                               : ", off");
  }
  bool promised_;
  std::vector<Compared> lines_;
};

}  // namespace

std::vector<Compared> compare_real(const RunRecord& simulated,
                                   const RunRecord& measured,
                                   const SocketBytes& sockets,
                                   bool promised) {
  const RunOutcome &a = simulated.result.outcome, &b = measured.result.outcome;
  Lines lines(promised);
  lines.words("status", std::string(to_string(a.status)), std::string(to_string(b.status)));
  const auto count = [&](const char* quantity, const char* unit, auto&& of) {
    lines.exact(quantity, unit, static_cast<double>(of(a)), static_cast<double>(of(b)));
  };
  count("rounds", "", [](const RunOutcome& out) { return out.complete_rounds; });
  // Acknowledgements depend on what was repeated, and so on times.
  const auto of_messages = [](const RunOutcome& out, std::uint64_t TypeAccount::*field) {
    return out.total(field) - out.total(field, kAcknowledgement);
  };
  count(
      "messages", "", [&](const RunOutcome& out) { return of_messages(out, &TypeAccount::sent); });
  count(
      "numbers in them", "", [](const RunOutcome& out) { return out.total(&TypeAccount::values); });
  count("payload", "B", [&](const RunOutcome& out) {
    return of_messages(out, &TypeAccount::bytes) - of_messages(out, &TypeAccount::header_bytes);
  });
  lines.words("decisions", hexadecimal(decisions(a)), hexadecimal(decisions(b)));
  lines.bytes("messages' bytes at the sockets",
              static_cast<double>(a.total(&TypeAccount::wire_bytes)),
              static_cast<double>(sockets.messages));
  lines.bytes("other bytes at the sockets", 0, static_cast<double>(sockets.others));
  const auto mean_round = [](const RunOutcome& out) {
    double sum = 0;
    for (const RoundRecord& round : out.rounds) sum += (round.ended - round.began).to_seconds();
    return out.rounds.empty() ? 0 : sum / static_cast<double>(out.rounds.size());
  };
  const double whole = mean_round(b);
  if (whole > 0) lines.time("time of a round", mean_round(a), whole);
  const auto mean_part = [](const RunOutcome& out, Duration CriticalPath::*part) {
    return out.paths.rounds == 0
               ? 0
               : (out.paths.sum.*part).to_seconds() / static_cast<double>(out.paths.rounds);
  };
  for (const auto& part : kCriticalPathParts) {
    const double there = mean_part(a, part.time), here = mean_part(b, part.time);
    if (whole > 0 && (there > 0 || here > 0))
      lines.part(fmt::format("  critical path: {}", part.name), there, here, whole);
  }
  const auto time = [](const RunOutcome& out) { return (out.finished_at - Time{}).to_seconds(); };
  if (a.status == RunStatus::finished && b.status == RunStatus::finished)
    lines.time("time of the run", time(a), time(b));
  return lines.take();
}

std::string validation_text(const std::vector<RunValidation>& runs) {
  std::string text;
  for (const RunValidation& run : runs) {
    TextTable table({run.run, "simulated", "measured", "verdict"});
    for (const Compared& line : run.lines)
      table.add({line.quantity,
                 line.simulated,
                 line.measured,
                 (line.holds ? "✓ " : "✗ ") + line.verdict});
    text += table.text() + "\n";
  }
  return text;
}

std::string validation_csv(const std::vector<RunValidation>& runs) {
  std::string csv = "run,quantity,unit,simulated,measured,verdict,holds\n";
  for (const RunValidation& run : runs)
    for (const Compared& line : run.lines) {
      const bool words = line.unit == kText;
      csv += fmt::format("{},{},{},{},{},{},{}\n",
                         csv_cell(run.run),
                         csv_cell(line.quantity.substr(line.quantity.find_first_not_of(' '))),
                         line.unit,
                         words ? csv_cell(line.simulated) : fmt::format("{}", line.simulated_value),
                         words ? csv_cell(line.measured) : fmt::format("{}", line.measured_value),
                         csv_cell(line.verdict),
                         line.holds ? "yes" : "no");
    }
  return csv;
}

}  // namespace posse
