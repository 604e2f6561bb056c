// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/csv.hpp"
#include "program/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/base/text.hpp"
#include "program/cli/verbs.hpp"
#include "program/replay/loss_sweep.hpp"
#include "program/run/progress.hpp"
#include "program/scenario/line_process.hpp"

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

std::string sweep_text(const std::string& label, const LossSweep& sweep) {
  TextTable table({"lost", "run", "optimum's cell", "simple regret", "cumulative", "virtual time"});
  table.add(cells_of("nothing more", sweep.without_losses));
  for (std::size_t i = 0; i < std::min(kLossesShown, sweep.losses.size()); ++i)
    table.add(cells_of(message_text(sweep.losses[i]), sweep.losses[i].end));
  std::string text = fmt::format("{}\n{}{}", label, verdict_text(sweep), table.text());
  if (sweep.losses.size() > kLossesShown)
    text += fmt::format("  … and {} more\n", sweep.losses.size() - kLossesShown);
  return text;
}

constexpr const char* kSweepHeader =
    "algorithm,rank,type,round,from,to,transmission,sent_virtual_s,status,optimum_lost,"
    "simple_regret,cumulative_regret,virtual_s\n";

/// Rank 0: without losses.
std::string sweep_csv(const std::string& label, const LossSweep& sweep) {
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

nlohmann::ordered_json end_json(const RunEnd& end) {
  const auto number = [](const std::optional<double>& x) {
    return x ? nlohmann::ordered_json(*x) : nlohmann::ordered_json();
  };
  return {{"status", to_string(end.status)},
          {"optimum_lost", end.optimum_lost},
          {"simple_regret", number(end.simple_regret)},
          {"cumulative_regret", number(end.cumulative_regret)},
          {"virtual_s", end.virtual_s}};
}

nlohmann::ordered_json sweep_json(const std::string& label, const LossSweep& sweep) {
  auto losses = nlohmann::ordered_json::array();
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

}  // namespace

ExitCode sweep_loss_verb(const Arguments& arguments) {
  const auto scenario = scenario_of(arguments);
  if (!scenario) return ExitCode::invalid_scenario;
  before_exit_by_signal(kill_all_line_processes);
  catch_signals();
  LossSweepOptions options;
  options.repetition = arguments.repetition.value_or(0);
  options.jobs =
      arguments.threads ? arguments.threads : std::max(1U, std::thread::hardware_concurrency());
  options.most = arguments.sweep_limit;
  std::string csv = kSweepHeader;
  auto json = nlohmann::ordered_json::array();
  for (const AlgorithmEntry& entry : scenario->algorithms) {
    LossSweepProgress progress;
    LossSweep sweep;
    {
      const ProgressLines printer(
          arguments.quiet ? ProgressStyle::none : ProgressStyle::automatic,
          {.line =
               [&] {
                 return fmt::format(
                     "{}: {} of {} runs", entry.label, progress.done.load(), progress.runs.load());
               },
           .stop = [&] { progress.stop = true; },
           .keep_rest = {}});
      sweep = sweep_losses(*scenario, entry, options, progress);
    }
    if (const int signal = pending_signal()) return static_cast<ExitCode>(128 + signal);
    if (arguments.json)
      json.push_back(sweep_json(entry.label, sweep));
    else
      print_out("{}", sweep_text(entry.label, sweep));
    flush_out();
    csv += sweep_csv(entry.label, sweep);
  }
  if (arguments.json) print_out("{}\n", json.dump(2));
  if (arguments.sweep_out.empty()) return ExitCode::ok;
  try {
    write_file(arguments.sweep_out, csv);
  } catch (const FileError& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
  print_err("wrote {}\n", arguments.sweep_out);
  return ExitCode::ok;
}

}  // namespace posse
