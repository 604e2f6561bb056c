// SPDX-License-Identifier: Apache-2.0
// sweep, collect, compare, store: many runs, and the stores that keep them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <system_error>

#include "core/base/csv.hpp"
#include "core/base/shown_text.hpp"
#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/cli/verbs.hpp"
#include "program/compare/setting_names.hpp"
#include "program/compare/study_reader.hpp"
#include "program/compare/study_thresholds.hpp"
#include "program/live/watching.hpp"
#include "program/page/serve.hpp"
#include "program/page/sweep_page.hpp"
#include "program/results/study_json.hpp"
#include "program/scenario/line_process.hpp"
#include "program/study/study_report.hpp"
#include "program/sweep/collect.hpp"
#include "program/sweep/decision_report.hpp"
#include "program/sweep/shard.hpp"
#include "program/sweep/sweep.hpp"

namespace posse {
namespace {

namespace fs = std::filesystem;

std::string reproduce_command(const Arguments& arguments,
                              const SweepPlan& plan,
                              const PlannedRun& run) {
  std::string command =
      this_program(arguments) + " run " + shell_quoted(arguments.file) + " --set sweep=";
  for (const auto& assignment : arguments.set) command += " --set " + shell_quoted(assignment);
  for (const auto& assignment : plan.assignments(run.setting))
    command += " --set " + shell_quoted(assignment);
  return command + fmt::format(" --seed {} --repetition {}", plan.seed(), run.repetition);
}

std::string counted(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

/// "160 runs: 120 were there, 40 made in 12.3 s (3.25 runs/s); 2 failed"
std::string outcome_text(const SweepOutcome& outcome) {
  auto text = counted(outcome.planned, "run", "runs");
  text += fmt::format(": {} there before, {} made", outcome.present, outcome.made);
  if (outcome.made > 0)
    text +=
        fmt::format(" in {} ({} runs/s)",
                    pretty_seconds(rounded(outcome.wall_s, 3)),
                    pretty_number(rounded(static_cast<double>(outcome.made) / outcome.wall_s, 3)));
  if (!outcome.failed.empty()) text += fmt::format("; {} failed", outcome.failed.size());
  return text;
}

std::vector<std::string> texts_of(const std::vector<Datum>& values) {
  std::vector<std::string> texts;
  for (const auto& value : values) texts.push_back(datum_text(value));
  return texts;
}

void report_collection(const Collection& collection, const fs::path& out) {
  if (!collection.missing.empty()) {
    const auto& first = collection.missing.front();
    print_err("missing: {} of {} runs; the first is repetition {} of {} in setting {}{}{}\n",
              collection.missing.size(),
              collection.planned,
              first.repetition,
              first.algorithm,
              first.setting,
              first.values.empty() ? "" : ": ",
              fmt::join(texts_of(first.values), ", "));
  }
  if (collection.stale > 0)
    print_err(
        "{} not part of this sweep (of another scenario, seed or version, or further "
        "repetitions) and not in the tables; `posse store remove STORE --stale` removes them\n",
        counted(collection.stale, "stored run is", "stored runs are"));
  print_err("tables: {} and summary.sqlite ({}); wall times: timing.csv\n",
            (out / "summary.csv").string(),
            counted(collection.rows, "row", "rows"));
}

/// Throws std::invalid_argument for a measure that there isn't.
std::optional<std::size_t> measure_of(const Arguments& arguments) {
  if (arguments.measure.empty()) return std::nullopt;
  return parse_measure(arguments.measure);
}

/// Throws std::invalid_argument for a measure or a width that there isn't.
void print_comparison(const Arguments& arguments, const std::vector<fs::path>& sources) {
  const auto measure = measure_of(arguments);
  std::optional<WantedWidth> wanted;
  if (!arguments.until_ci.empty()) wanted = parse_width(arguments.until_ci);
  const StudyReport report = study_report(read_study(sources), measure, wanted);
  if (arguments.json)
    print_out("{}\n", study_json(report).dump(2, ' ', false, Json::error_handler_t::replace));
  else
    print_out("{}", to_text(report));
  flush_out();
}

void show_summary(const Arguments& arguments, const fs::path& out) {
  if (!arguments.quiet || arguments.json) print_comparison(arguments, {out});
}

/// Judges the thresholds of a complete sweep. The exit code, with that of runs that did not finish.
ExitCode judge_sweep(const SweepPlan& plan,
                     const Collection& collection,
                     const fs::path& out,
                     bool failed) {
  const auto verdicts = plan.thresholds().empty()
                            ? std::vector<ThresholdVerdict>()
                            : judge_study(plan.thresholds(), read_study({out}));
  report_thresholds(verdicts);
  const ExitCode judged = exit_code_of(verdicts);
  if (judged == ExitCode::threshold) return judged;
  return failed || collection.unfinished > 0 ? ExitCode::some_failed : judged;
}

/// The tables, the comparison and the thresholds. `made`: ok, or some_failed.
ExitCode show_sweep(const Arguments& arguments,
                    const SweepPlan& plan,
                    const Collection& collection,
                    const fs::path& out,
                    ExitCode made) {
  report_collection(collection, out);
  show_summary(arguments, out);
  return judge_sweep(plan, collection, out, made == ExitCode::some_failed);
}

SweepOptions sweep_options(const Arguments& arguments) {
  SweepOptions options;
  const auto execution = execution_options(arguments);
  options.jobs = execution.run.threads;
  options.progress = execution.progress;
  options.command_line = arguments.command_line;
  options.fail_fast = arguments.fail_fast;
  if (!arguments.shard.empty())
    options.shard =
        parse_shard(arguments.shard, [](const char* name) { return std::getenv(name); });
  return options;
}

/// Makes the missing runs of the plan and reports the failed ones.
SweepOutcome make_runs(const Arguments& arguments,
                       const SweepPlan& plan,
                       const RunStore& store,
                       const SweepOptions& options) {
  SweepOutcome outcome;
  try {
    outcome = run_sweep(plan, store, options);
  } catch (const FileError&) {
    print_err("{}: finished runs are kept; the same command goes on\n", store.root().string());
    throw;
  }
  print_err("{}", failures_text(plan, outcome, [&](const PlannedRun& run) {
              return reproduce_command(arguments, plan, run);
            }));
  for (const auto& conflict : outcome.conflicts)
    print_err("'{}' is another result of a run that the store has\n", conflict.string());
  return outcome;
}

/// The exit code that stops the sweep, or ok or some_failed.
ExitCode code_of(const SweepOutcome& outcome) {
  if (outcome.signal != 0) {
    print_err("stopped by a signal (exit code {}); the same command goes on\n",
              128 + outcome.signal);
    return static_cast<ExitCode>(128 + outcome.signal);
  }
  if (!outcome.conflicts.empty()) return ExitCode::differs;
  return outcome.failed.empty() ? ExitCode::ok : ExitCode::some_failed;
}

/// All runs of the plan, which becomes the store's.
ExitCode make_all_runs(const Arguments& arguments,
                       const SweepPlan& plan,
                       const RunStore& store,
                       const SweepOptions& options) {
  write_plan(store, plan);
  fs::remove(store.root() / kDecisionsFile);  // of another plan
  const SweepOutcome outcome = make_runs(arguments, plan, store, options);
  print_err("{}: {}\n", store.root().string(), outcome_text(outcome));
  return code_of(outcome);
}

bool goes_on(ExitCode code) { return code == ExitCode::ok || code == ExitCode::some_failed; }

/// Passes with more and more repetitions, until the width is reached.
ExitCode sweep_until(Arguments arguments,
                     const SweepOptions& options,
                     const RunStore& store,
                     const WantedWidth& wanted) {
  for (;;) {
    const auto plan = plan_of(arguments);
    if (!plan) return ExitCode::invalid_scenario;
    const ExitCode made = make_all_runs(arguments, *plan, store, options);
    if (!goes_on(made)) return made;
    const Collection collection = collect({store}, store.root());
    const auto next = next_repetitions(read_study({store.root()}), wanted, plan->repeat());
    if (!next || *next > arguments.most_repetitions) {
      const ExitCode shown = show_sweep(arguments, *plan, collection, store.root(), made);
      if (next) report_unreached_width(arguments);
      return next && shown == ExitCode::ok ? ExitCode::undecided : shown;
    }
    if (!arguments.quiet) tell_of_next_pass(arguments, plan->repeat(), *next);
    arguments.repeat = next;
  }
}

/// Batches of repetitions for what is still open, until every verdict holds or can't be had.
ExitCode sweep_deciding(const Arguments& arguments,
                        SweepOptions options,
                        const SweepPlan& plan,
                        const RunStore& store,
                        double error,
                        SweepPage* page) {
  const auto names = names_of_settings(plan);
  SweepDecision decision(plan, error, measure_of(arguments));
  fs::remove(store.root() / kDecisionsFile);
  SweepOutcome all;
  bool failed = false;
  while (!decision.done()) {
    write_plan(store, plan, decision.runs());
    options.only = decision.new_runs();
    options.progress_note =
        fmt::format("{} of {} verdicts hold, ", decision.decided(), decision.verdicts().size());
    const auto repetitions = decision.repetitions();
    const SweepOutcome outcome = make_runs(arguments, plan, store, options);
    const ExitCode made = code_of(outcome);
    all.planned += outcome.planned;
    all.present += outcome.present;
    all.made += outcome.made;
    all.wall_s += outcome.wall_s;
    failed = failed || !outcome.failed.empty();
    if (!goes_on(made) || (failed && options.fail_fast)) return made;
    decision.look(store);
    if (page != nullptr) page->show(decision_json(decision, names));
    store.write(kDecisionsFile,
                csv_text(decisions_table(decision)));  // a sweep that is stopped has it, too
    if (!arguments.quiet)
      print_err("{} repetitions: {} of {} verdicts hold, {}\n",
                repetitions,
                decision.decided(),
                decision.verdicts().size(),
                counted(all.planned, "run", "runs"));
  }
  print_err("{}: {}\n", store.root().string(), outcome_text(all));
  const Collection collection = collect({store}, store.root());
  report_collection(collection, store.root());
  if (arguments.json)
    print_out("{}\n",
              decision_json(decision, names).dump(2, ' ', false, Json::error_handler_t::replace));
  else if (!arguments.quiet)
    print_out("{}", to_text(decision_report(decision, names)));
  flush_out();
  const ExitCode judged = judge_sweep(plan, collection, store.root(), failed);
  const bool open = decision.decided() < decision.verdicts().size();
  return judged == ExitCode::ok && open ? ExitCode::undecided : judged;
}

ExitCode sweep_once(const Arguments& arguments,
                    const SweepOptions& options,
                    const SweepPlan& plan,
                    const RunStore& store) {
  const ExitCode made = make_all_runs(arguments, plan, store, options);
  if (!goes_on(made)) return made;
  if (!options.shard)
    return show_sweep(arguments, plan, collect({store}, store.root()), store.root(), made);
  if (!arguments.quiet)
    print_err("when all parts are done: {} collect {}\n",
              this_program(arguments),
              shell_quoted(store.root().string()));
  return made;
}

/// The page of a sweep with its server, while it runs and a while longer.
struct ServedSweep {
  /// Throws std::system_error if the address can't be bound.
  ServedSweep(const HttpAddress& address, const SweepPlan& plan, std::optional<std::size_t> measure)
      : page(plan, measure), server(address, page.handler()) {
    print_err("page: {}/\n", server.url());
    warn_if_public(address);
  }

  void end(const Arguments& arguments, double linger_s, const RunStore& store) {
    page.end(pending_signal() == 0 ? "finished" : "stopped");
    if (pending_signal() != 0) return;
    if (linger_s > 0) {
      print_err("serving for another {}; press Ctrl-C to stop\n", pretty_seconds(linger_s));
      wait_for_signal(linger_s);
    } else if (!arguments.quiet) {
      print_err(
          "the page ended with the sweep; to look at it: {} serve {}, or --linger 60s next "
          "time\n",
          this_program(arguments),
          shell_quoted(store.root().string()));
    }
  }

  SweepPage page;
  HttpServer server;
};

/// Of --decide. Throws std::invalid_argument for what is not an error.
double parse_error(const std::string& text) {
  const auto number = parse_number<double>(text);
  const auto error = number ? number : parse_share(text).value;
  if (!error || !(*error > 0 && *error < 0.5))
    throw std::invalid_argument(fmt::format(
        "--decide: '{}' is not the probability of an error; allowed: above 0 and below 0.5, "
        "such as 0.05 or 5%",
        text));
  return *error;
}

}  // namespace

ExitCode sweep_verb(const Arguments& arguments) {
  SweepOptions options;
  const auto memory = memory_gate(arguments);
  std::optional<WantedWidth> wanted;
  std::optional<double> error;
  WatchOptions watch;
  try {
    options = sweep_options(arguments);
    options.memory = memory.get();
    measure_of(arguments);
    if (!arguments.until_ci.empty()) wanted = parse_width(arguments.until_ci);
    if (wanted && options.shard)
      throw std::invalid_argument("--until-ci needs all runs: it can't be used with --shard");
    if (arguments.decide) error = parse_error(*arguments.decide);
    if (error && options.shard)
      throw std::invalid_argument("--decide needs all runs: it can't be used with --shard");
    if (arguments.page && options.shard)
      throw std::invalid_argument(
          "--serve shows the whole sweep: it can't be used with --shard; `posse serve STORE` shows "
          "what a store has");
    watch = parse_watch_options(std::nullopt, arguments.page, arguments.linger, "");
    if (error && wanted)
      throw std::invalid_argument(
          "--decide and --until-ci both choose the repetitions: use one of them");
  } catch (const std::invalid_argument& problem) {
    print_err("{} (exit code 2)\n", problem.what());
    return ExitCode::usage;
  }
  const auto plan = plan_of(arguments);
  if (!plan) return ExitCode::invalid_scenario;
  // Runs in the store have the other warnings themselves.
  for (const Warning& warning : plan->warnings())
    if (warning.code.starts_with(kWithoutEffect)) print_err("warning: {}\n", warning.text);
  if (error && plan->settings() * plan->algorithms().size() < 2) {
    print_err(
        "--decide: there is one algorithm in one setting, and nothing to decide; needed: a "
        "second [[algorithm]], or a [sweep] with two settings (exit code 2)\n");
    return ExitCode::usage;
  }
  return with_file_errors([&] {
    const RunStore store(store_of(arguments, *plan));
    before_exit_by_signal(kill_all_line_processes);
    catch_signals();
    const StoreWriter probe(store);  // an unwritable store is found before the first run
    std::optional<ServedSweep> served;
    try {
      if (watch.page) served.emplace(*watch.page, *plan, measure_of(arguments));
    } catch (const std::system_error& problem) {
      print_err("{} (exit code 10)\n", problem.what());
      return ExitCode::port;
    }
    if (served) options.observer = &served->page;
    const ExitCode code =
        error ? sweep_deciding(
                    arguments, options, *plan, store, *error, served ? &served->page : nullptr)
        : wanted ? sweep_until(arguments, options, store, *wanted)
                 : sweep_once(arguments, options, *plan, store);
    if (served) served->end(arguments, watch.linger_s, store);
    return code;
  });
}

ExitCode collect_verb(const Arguments& arguments) {
  return with_file_errors([&] {
    std::vector<RunStore> stores;
    for (const auto& root : arguments.runs) stores.emplace_back(root);
    const fs::path out =
        arguments.page_out.empty() ? stores.front().root() : fs::path(arguments.page_out);
    const Collection collection = collect(stores, out);
    if (collection.twice > 0)
      print_err("{} in several stores, with equal results\n",
                counted(collection.twice, "run is", "runs are"));
    report_collection(collection, out);
    show_summary(arguments, out);
    return collection.unfinished > 0 ? ExitCode::some_failed : ExitCode::ok;
  });
}

ExitCode compare_verb(const Arguments& arguments) {
  return with_file_errors([&] {
    try {
      print_comparison(arguments, {arguments.runs.begin(), arguments.runs.end()});
      return ExitCode::ok;
    } catch (const std::invalid_argument& problem) {
      print_err("{} (exit code 2)\n", problem.what());
      return ExitCode::usage;
    }
  });
}

namespace {

std::uintmax_t bytes_below(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

void print_store_json(const nlohmann::ordered_json& data) {
  print_out("{}\n", data.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

ExitCode list_store(const RunStore& store, bool json) {
  const StoredPlan plan = read_plan(store);
  std::set<std::string> planned, there;
  for (const auto& entry : store.entries())
    if (entry.kind == StoredKind::run) there.insert(entry.key);
  struct ListedSetting {
    std::vector<Datum> values;
    std::size_t planned = 0, there = 0;
  };
  std::map<std::pair<std::size_t, std::string>, ListedSetting> rows;
  for (const auto& run : plan.runs) {
    planned.insert(run.key);
    auto& row = rows[{run.setting, run.algorithm}];
    row.values = run.values;
    ++row.planned;
    row.there += there.contains(run.key);
  }
  const auto stale = std::count_if(
      there.begin(), there.end(), [&](const auto& key) { return !planned.contains(key); });
  const auto bytes = bytes_below(store.root() / "runs");
  if (json) {
    nlohmann::ordered_json data{{"store", store.root().string()},
                                {"runs", there.size()},
                                {"stale", stale},
                                {"bytes", bytes}};
    data["settings"] = nlohmann::ordered_json::array();
    for (const auto& [at, row] : rows) {
      auto values = nlohmann::ordered_json::object();
      for (std::size_t i = 0; i < plan.axes.size(); ++i)
        values[plan.axes[i].name] = json_of(row.values[i]);
      data["settings"].push_back({{"setting", at.first},
                                  {"values", std::move(values)},
                                  {"algorithm", at.second},
                                  {"planned", row.planned},
                                  {"there", row.there}});
    }
    print_store_json(data);
    return ExitCode::ok;
  }
  std::vector<std::string> header{"setting"};
  for (const auto& axis : plan.axes) header.push_back(axis.name);
  header.insert(header.end(), {"algorithm", "planned", "there"});
  TextTable table(header);
  for (const auto& [at, row] : rows) {
    std::vector<std::string> cells{fmt::format("{}", at.first)};
    for (auto& value : texts_of(row.values)) cells.push_back(std::move(value));
    for (const auto& cell :
         {at.second, fmt::format("{}", row.planned), fmt::format("{}", row.there)})
      cells.push_back(cell);
    table.add(cells);
  }
  print_out("{}{}, {} not planned any more (stale), {}\n",
            table.text(),
            counted(there.size(), "run", "runs"),
            stale,
            pretty_bytes(static_cast<double>(bytes)));
  return ExitCode::ok;
}

ExitCode verify_store(const RunStore& store, bool json) {
  std::size_t damaged = 0, runs = 0;
  auto found = nlohmann::ordered_json::array();
  for (const auto& entry : store.entries()) {
    std::vector<std::string> problems;
    switch (entry.kind) {
      case StoredKind::foreign:
        problems = {"does not belong to a store"};
        break;
      case StoredKind::other_result:
        problems = {"is another result of a run that the store has"};
        break;
      case StoredKind::run:
        ++runs;
        problems = RunStore::damage(entry);
        break;
    }
    damaged += !problems.empty();
    for (const auto& problem : problems) {
      if (!json) print_out("{}: {}\n", entry.folder.string(), printable(problem));
      found.push_back(
          {{"folder", entry.folder.string()}, {"key", entry.key}, {"problem", problem}});
    }
  }
  if (json)
    print_store_json({{"store", store.root().string()},
                      {"runs", runs},
                      {"damaged", damaged},
                      {"problems", std::move(found)}});
  else
    print_out("{}, {} with problems\n", counted(runs, "run", "runs"), damaged);
  return damaged == 0 ? ExitCode::ok : ExitCode::files;
}

ExitCode remove_from_store(const Arguments& arguments, const RunStore& store) {
  const auto wants = [&](const StoredEntry& entry, const std::set<std::string>& planned) {
    if (entry.kind == StoredKind::foreign) return false;
    const auto named = [&](const std::string& key) { return entry.key == key; };
    if (std::any_of(arguments.keys.begin(), arguments.keys.end(), named)) return true;
    if (arguments.stale && entry.kind == StoredKind::run && !planned.contains(entry.key))
      return true;
    if (!arguments.damaged) return false;
    return entry.kind == StoredKind::other_result || !RunStore::damage(entry).empty();
  };
  std::set<std::string> planned;
  if (arguments.stale)
    for (const auto& run : read_plan(store).runs) planned.insert(run.key);
  std::size_t removed = 0;
  for (const auto& entry : store.entries())
    if (wants(entry, planned)) {
      store.remove(entry);
      ++removed;
    }
  if (arguments.json)
    print_store_json({{"store", store.root().string()}, {"removed", removed}});
  else
    print_out("removed {}\n", counted(removed, "run", "runs"));
  return ExitCode::ok;
}

}  // namespace

ExitCode store_verb(const Arguments& arguments) {
  return with_file_errors([&] {
    const RunStore store(arguments.store);
    if (arguments.name == "list") return list_store(store, arguments.json);
    if (arguments.name == "verify") return verify_store(store, arguments.json);
    if (!arguments.stale && !arguments.damaged && arguments.keys.empty()) {
      print_err(
          "store remove: nothing is chosen; allowed: --stale, --damaged, or keys (exit "
          "code 2)\n");
      return ExitCode::usage;
    }
    return remove_from_store(arguments, store);
  });
}

}  // namespace posse
