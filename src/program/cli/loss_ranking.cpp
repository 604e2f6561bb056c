// SPDX-License-Identifier: Apache-2.0
#include "program/cli/loss_ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "core/base/csv.hpp"
#include "program/base/csv.hpp"
#include "program/base/text.hpp"

namespace posse {
namespace {

constexpr std::size_t kLossesShown = 10;

std::string message_text(const MessageLoss& loss) {
  return fmt::format("{} of round {} from {} to {}", loss.type, loss.round, loss.from, loss.to);
}

std::string regret_text(const std::optional<double>& regret) {
  return regret ? pretty(rounded(*regret, 4), "") : "";
}

std::vector<std::string> cells_of(const std::string& what, const RunEnd& end) {
  return {what,
          end.status == RunStatus::finished ? "finished" : std::string(to_string(end.status)),
          end.optimum_lost ? "lost" : "kept",
          regret_text(end.simple_regret),
          regret_text(end.cumulative_regret),
          pretty(rounded(end.virtual_s, 4), "s")};
}

/// What the losses do, in a sentence or two.
std::string verdict_text(const LossSweep& sweep) {
  if (sweep.losses.empty()) return "no message could be lost\n";
  const RunEnd& whole = sweep.without_losses;
  const MessageLoss& worst = sweep.losses.front();
  std::string text;
  if (worst.end.status != whole.status)
    text = fmt::format("without {} the run does not finish ({})",
                       message_text(worst),
                       to_string(worst.end.status));
  else if (worst.end.optimum_lost && !whole.optimum_lost)
    text = fmt::format("without {} the optimum's cell is lost", message_text(worst));
  else if (worst.end.simple_regret > whole.simple_regret)
    text = fmt::format("without {} the simple regret is {} instead of {}",
                       message_text(worst),
                       regret_text(worst.end.simple_regret),
                       regret_text(whole.simple_regret));
  else
    text = "no single message decides the recommendation";
  const auto count = [&](auto&& condition) {
    return std::count_if(sweep.losses.begin(), sweep.losses.end(), [&](const MessageLoss& loss) {
      return condition(loss.end);
    });
  };
  text += fmt::format(
      "; of {} losses {} keep the run from finishing, {} lose the optimum's cell, {} raise the "
      "simple regret",
      sweep.losses.size(),
      count([&](const RunEnd& end) { return end.status != whole.status; }),
      count([&](const RunEnd& end) { return end.optimum_lost && !whole.optimum_lost; }),
      count([&](const RunEnd& end) { return end.simple_regret > whole.simple_regret; }));
  if (sweep.losses.size() < sweep.messages)
    text += fmt::format(" ({} messages were sent)", sweep.messages);
  return wrapped(text, "  ");
}

Json end_json(const RunEnd& end) {
  const auto number = [](const std::optional<double>& x) { return x ? Json(*x) : Json(); };
  return {{"status", to_string(end.status)},
          {"optimum_lost", end.optimum_lost},
          {"simple_regret", number(end.simple_regret)},
          {"cumulative_regret", number(end.cumulative_regret)},
          {"virtual_s", end.virtual_s}};
}

}  // namespace

std::string loss_sweep_text(const std::string& label, const LossSweep& sweep) {
  TextTable table({"lost", "run", "optimum's cell", "simple regret", "cumulative", "virtual time"});
  table.add(cells_of("nothing more", sweep.without_losses));
  for (std::size_t i = 0; i < std::min(kLossesShown, sweep.losses.size()); ++i)
    table.add(cells_of(message_text(sweep.losses[i]), sweep.losses[i].end));
  std::string text = fmt::format("{}\n{}{}", label, verdict_text(sweep), table.text());
  if (sweep.losses.size() > kLossesShown)
    text += fmt::format("  … and {} more\n", sweep.losses.size() - kLossesShown);
  return text;
}

Json loss_sweep_json(const std::string& label, const LossSweep& sweep) {
  auto losses = Json::array();
  for (const auto& loss : sweep.losses)
    losses.push_back({{"type", loss.type},
                      {"round", loss.round},
                      {"from", loss.from},
                      {"to", loss.to},
                      {"transmission", loss.transmission},
                      {"sent_virtual_s", loss.sent_s},
                      {"end", end_json(loss.end)}});
  return {{"algorithm", label},
          {"messages", sweep.messages},
          {"without_losses", end_json(sweep.without_losses)},
          {"losses", std::move(losses)}};
}

std::string loss_sweep_csv(const std::string& label, const LossSweep& sweep) {
  std::string csv;
  const auto number = [](const std::optional<double>& x) {
    return x ? fmt::format("{}", *x) : std::string();
  };
  const auto end = [&](const RunEnd& e) {
    return fmt::format("{},{},{},{},{}\n",
                       to_string(e.status),
                       e.optimum_lost ? 1 : 0,
                       number(e.simple_regret),
                       number(e.cumulative_regret),
                       e.virtual_s);
  };
  csv += fmt::format("{},0,,,,,,,{}", csv_cell(label), end(sweep.without_losses));
  for (std::size_t i = 0; i < sweep.losses.size(); ++i) {
    const MessageLoss& loss = sweep.losses[i];
    csv += fmt::format("{},{},{},{},{},{},{},{},{}",
                       csv_cell(label),
                       i + 1,
                       loss.type,
                       loss.round,
                       loss.from,
                       loss.to,
                       loss.transmission,
                       loss.sent_s,
                       end(loss.end));
  }
  return csv;
}

}  // namespace posse
