// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/quantities.hpp"
#include "program/base/signals.hpp"
#include "program/base/terminal.hpp"
#include "program/base/text.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/compare/study_words.hpp"
#include "program/replay/explanation.hpp"
#include "program/replay/replay.hpp"
#include "program/replay/stored_scenario.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/sweep/collect.hpp"
#include "program/sweep/setting_runs.hpp"
#include "program/sweep/study_reader.hpp"

namespace posse {
namespace {

struct ExplainFlags {
  std::vector<std::string> sources, where, algorithms;
  std::vector<std::uint32_t> repetitions;
  ThreadFlags threads;
  bool json = false, details = false, quiet = false;

  void add_to(CLI::App& verb) {
    add_external_flag(verb);
    verb.add_option("RUN", sources, "one or two run folders, or a store of a sweep")->required();
    verb.add_option("--algorithm",
                    algorithms,
                    "one or two algorithms (labels), separated by a comma (default: of one setting "
                    "the first two, of several all)")
        ->delimiter(',')
        ->allow_extra_args(false);
    verb.add_option("--where",
                    where,
                    "only settings with this value or name: loss=0.05, clients=10,100, '5 % loss'; "
                    "repeatable")
        ->allow_extra_args(false);
    verb.add_option("--repetition",
                    repetitions,
                    "one repetition or two, counted from 0 (default: the one whose difference in "
                    "virtual time is nearest to the mean)")
        ->delimiter(',')
        ->allow_extra_args(false);
    threads.add_to(verb);
    verb.add_flag("--details", details, "print every round, and every type of messages");
    verb.add_flag("--json", json, "print the parts as JSON");
    verb.add_flag("--quiet", quiet, "print no progress");
  }
};

/// A cell of a study, and one of its repetitions.
struct Side {
  std::size_t setting = 0, algorithm = 0;
  std::uint32_t repetition = 0;
};

/// What is compared, by the study's settings and algorithms.
struct Pair {
  Side first, second;
  std::string why_repetition;  // it was chosen, if it was
  std::string why_pair;        // these two, if there are others
};

const std::size_t kTime = *quantity_named("virtual_s");

/// The positions of the algorithms asked for, or of all.
std::vector<std::size_t> chosen_algorithms(const Study& study, const ExplainFlags& flags) {
  std::vector<std::size_t> chosen;
  for (const auto& label : flags.algorithms) {
    const auto at = std::ranges::find(study.algorithms, label);
    if (at == study.algorithms.end())
      throw std::invalid_argument(fmt::format(
          "--algorithm: there is no '{}'{}", label, allowed_names(label, study.algorithms)));
    chosen.push_back(static_cast<std::size_t>(at - study.algorithms.begin()));
  }
  if (chosen.empty())
    for (std::size_t a = 0; a < study.algorithms.size(); ++a) chosen.push_back(a);
  return chosen;
}

const StudyCell& cell_of(const Study& study, const Side& side) {
  const auto* cell = study.find(side.setting, side.algorithm);
  if (cell == nullptr || cell->places.empty())
    throw std::invalid_argument(
        fmt::format("{}{}{} has no finished run to explain",
                    study.algorithms[side.algorithm],
                    study.settings.size() > 1 ? ", " : "",
                    study.settings.size() > 1 ? setting_text(study, side.setting) : ""));
  return *cell;
}

/// Chooses the repetition of both, if none was asked for.
void choose_repetition(const Study& study, const ExplainFlags& flags, Pair& pair) {
  const auto& first = cell_of(study, pair.first);
  const auto& second = cell_of(study, pair.second);
  if (!flags.repetitions.empty()) {
    pair.first.repetition = flags.repetitions.front();
    pair.second.repetition = flags.repetitions.back();
    return;
  }
  const auto times_a = first.values(kTime), times_b = second.values(kTime);
  std::vector<std::pair<std::uint32_t, double>> differences;
  double sum = 0;
  for (const auto& [repetition, value] : times_a)
    if (const auto other = times_b.find(repetition); other != times_b.end() &&
                                                     first.places.contains(repetition) &&
                                                     second.places.contains(repetition)) {
      differences.emplace_back(repetition, other->second - value);
      sum += differences.back().second;
    }
  if (differences.empty())
    throw std::invalid_argument(
        "the two have no finished repetition in common; --repetition I,J "
        "chooses one of each");
  const double mean = sum / static_cast<double>(differences.size());
  const auto typical = std::ranges::min_element(
      differences, {}, [&](const auto& each) { return std::abs(each.second - mean); });
  pair.first.repetition = pair.second.repetition = typical->first;
  if (differences.size() > 1)
    pair.why_repetition = fmt::format(
        "repetition {} of {}: its difference in virtual time, {}, is nearest to the "
        "mean, {}",
        typical->first,
        differences.size(),
        pretty(typical->second, "s"),
        pretty(rounded(mean, 3), "s"));
}

/// The slowest and the fastest repetition of the only algorithm in the only setting.
Pair repetitions_of(const Study& study, const ExplainFlags& flags, std::size_t algorithm) {
  Pair pair{{0, algorithm, 0}, {0, algorithm, 0}, {}, {}};
  if (!flags.repetitions.empty()) {
    choose_repetition(study, flags, pair);
    return pair;
  }
  const auto times = cell_of(study, pair.first).values(kTime);
  const auto [least, most] =
      std::ranges::minmax_element(times, {}, [](const auto& each) { return each.second; });
  pair.first.repetition = least->first;
  pair.second.repetition = most->first;
  if (times.size() > 1)
    pair.why_repetition =
        fmt::format("the fastest and the slowest of {} repetitions", times.size());
  return pair;
}

std::vector<Pair> pairs_to_explain(const Study& study, const ExplainFlags& flags) {
  const auto algorithms = chosen_algorithms(study, flags);
  std::vector<Pair> pairs;
  if (study.settings.size() > 1) {
    // From an algorithm's first setting to its last one, as the headlines of comparisons.
    for (const auto a : algorithms) {
      std::vector<std::size_t> own;
      for (std::size_t s = 0; s < study.settings.size(); ++s)
        if (study.find(s, a) != nullptr) own.push_back(s);
      if (own.size() < 2) continue;
      auto& pair = pairs.emplace_back(Pair{{own.front(), a, 0}, {own.back(), a, 0}, {}, {}});
      if (own.size() > 2)
        pair.why_pair = fmt::format("the first and the last of {} settings: --where chooses others",
                                    own.size());
    }
    if (pairs.empty())
      throw std::invalid_argument(
          "none of these algorithms has runs in two settings: --where chooses one setting");
  } else if (algorithms.size() > 1) {
    pairs.push_back({{0, algorithms[0], 0}, {0, algorithms[1], 0}, {}, {}});
  } else {
    return {repetitions_of(study, flags, algorithms.front())};
  }
  if (study.settings.size() == 1 && algorithms.size() > 2)
    pairs.front().why_pair = fmt::format(
        "the first two of {} algorithms: --algorithm chooses others", algorithms.size());
  for (auto& pair : pairs) choose_repetition(study, flags, pair);
  return pairs;
}

/// A run, made again.
struct Again {
  Scenario scenario;  // with its algorithm only
  RunRecord record;
  std::string unproven;   // what differs from the record; empty: nothing
  bool is_named = false;  // its scenario has another name than the other one's
};

Again run_again(const Study& study, const Side& side, const ExecutionOptions& options) {
  const auto& cell = cell_of(study, side);
  const auto place = cell.places.find(side.repetition);
  if (place == cell.places.end())
    throw std::invalid_argument(fmt::format("there is no finished repetition {}", side.repetition));
  const StoredRun stored(place->second.folder);
  const auto& label = study.algorithms[side.algorithm];
  auto run = stored.find_run(label, place->second.repetition);
  if (!run && stored.algorithms().size() == 1)
    run = stored.find_run(stored.algorithms().front().label, place->second.repetition);
  if (!run)
    throw FileError(
        stored.folder(),
        fmt::format("has no details of '{}' in repetition {}", label, place->second.repetition));
  Again again;
  again.scenario = stored_scenario(stored);
  const auto& own = stored.algorithms()[stored.runs()[*run].algorithm].label;
  std::erase_if(again.scenario.algorithms,
                [&](const AlgorithmEntry& entry) { return entry.label != own; });
  again.record = run_again_traced(stored, again.scenario, *run, options);
  const auto replayed = compare_with_record(own, stored.runs()[*run], again.record);
  if (replayed.verdict == ReplayVerdict::differs)
    throw DifferentResults(
        fmt::format("{}, repetition {}, does not repeat its record{}: see `replay`",
                    label,
                    place->second.repetition,
                    again.record.result.outcome.report.empty()
                        ? ""
                        : " (" + again.record.result.outcome.report + ")"));
  if (replayed.verdict == ReplayVerdict::not_provable) again.unproven = replayed.what;
  return again;
}

/// What tells one side from the other: an algorithm, a setting (a run's name, if the two are run
/// folders with different names), a repetition.
std::string name_of(const Study& study, const Pair& pair, const Side& side, const Again& run) {
  std::vector<std::string> parts;
  if (pair.first.algorithm != pair.second.algorithm || study.settings.size() == 1)
    parts.push_back(study.algorithms[side.algorithm]);
  if (pair.first.setting != pair.second.setting)
    parts.push_back(run.is_named ? run.scenario.name : setting_text(study, side.setting));
  if (pair.first.repetition != pair.second.repetition)
    parts.push_back(fmt::format("repetition {}", side.repetition));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string amount_text(const Explanation& split, double amount) {
  const auto& quantity = quantity_at(*quantity_named(split.measure));
  const double size = std::abs(amount / split.per_unit);
  return (amount < 0 ? "−" : "") +
         pretty(quantity.is_regret ? rounded(size, 4) : size, quantity.unit);
}

/// With its sign.
std::string change_text(const Explanation& split, double amount) {
  return (amount > 0 ? "+" : "") + amount_text(split, amount);
}

/// How a quantity is told of: "parallel takes 13.1 s, fed-pne 12.4 s: 700 ms longer".
struct QuantityWords {
  std::string_view verb, more, less;
};
QuantityWords words_for(const Quantity& quantity) {
  if (quantity.is_regret) return {"has", "higher", "lower"};
  if (quantity.unit == "s") return {"takes", "longer", "shorter"};
  return {"sends", "more", "less"};
}

/// "retransmission +900 ms, propagation +20 ms": the largest causes of this sign.
std::string causes_text(const Explanation& split, bool for_it) {
  std::vector<std::string> causes;
  double told = 0;
  const auto add = [&](const ExplainedPart& cause) {
    const double share = cause.difference / split.difference() * (for_it ? 1 : -1);
    if (causes.size() == 3 || share < 0.01 || (for_it && told > 0.95)) return;
    causes.push_back(fmt::format("{} {}", cause.name, change_text(split, cause.difference)));
    told += share;
  };
  if (for_it)
    for (const auto& cause : split.causes) add(cause);
  else
    for (std::size_t i = split.causes.size(); i-- > 0;) add(split.causes[i]);
  return fmt::format("{}", fmt::join(causes, ", "));
}

std::string headline_text(const Explanation& split,
                          const std::string& first,
                          const std::string& second) {
  const auto& quantity = quantity_at(*quantity_named(split.measure));
  const auto label = capitalized(std::string(quantity.label));
  if (split.difference() == 0)
    return fmt::format("{}: {} in both.", label, amount_text(split, split.first));
  const auto words = words_for(quantity);
  auto text = fmt::format("{}: {} {} {}, {} {}: {} {}. Causes: {}",
                          label,
                          second,
                          words.verb,
                          amount_text(split, split.second),
                          first,
                          amount_text(split, split.first),
                          amount_text(split, std::abs(split.difference())),
                          split.difference() > 0 ? words.more : words.less,
                          causes_text(split, true));
  if (const auto against = causes_text(split, false); !against.empty())
    text += "; against it: " + against;
  return text + ".";
}

std::string share_text(const Explanation& split, double difference) {
  if (split.difference() == 0) return "";
  const double share = 100 * difference / split.difference();
  return fmt::format("{}{:.1f} %", share < -0.05 ? "−" : "", std::abs(share));
}

TextTable table_of(const Explanation& split,
                   const std::vector<ExplainedPart>& parts,
                   const std::string& first,
                   const std::string& second) {
  TextTable table({"", first, second, "difference", "share"});
  const auto text = [&](const std::optional<double>& x) {
    return x ? amount_text(split, *x) : std::string();
  };
  for (const auto& part : parts)
    table.add({part.name,
               text(part.first),
               text(part.second),
               part.difference == 0 ? "=" : change_text(split, part.difference),
               share_text(split, part.difference)});
  table.add({"all",
             amount_text(split, split.first),
             amount_text(split, split.second),
             split.difference() == 0 ? "=" : change_text(split, split.difference()),
             ""});
  return table;
}

constexpr std::size_t kMostRows = 7;

/// The parts with the largest differences, in their order; the others as one.
std::vector<ExplainedPart> largest_parts(const std::vector<ExplainedPart>& parts) {
  if (parts.size() <= kMostRows) return parts;
  std::vector<std::size_t> order(parts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(
      order, std::greater<>(), [&](std::size_t i) { return std::abs(parts[i].difference); });
  const std::size_t kept = kMostRows - 1;
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept));
  std::vector<ExplainedPart> shown;
  for (std::size_t i = 0; i < kept; ++i) shown.push_back(parts[order[i]]);
  ExplainedPart others{fmt::format("the {} others", parts.size() - kept), 0, 0.0, 0.0};
  for (std::size_t i = kept; i < order.size(); ++i) {
    const auto& part = parts[order[i]];
    others.difference += part.difference;
    *others.first += part.first.value_or(0);
    *others.second += part.second.value_or(0);
  }
  shown.push_back(std::move(others));
  return shown;
}

/// The part of a key before its last dot, if it is a table that only one of the settings has.
std::string table_with(const std::string& key, const SettingKeys& other) {
  const auto table = key.substr(0, key.rfind('.') + 1);
  if (table.empty() || table.find_first_of("0123456789") == std::string::npos) return "";
  const auto next = other.lower_bound(table);
  return next != other.end() && next->first.starts_with(table) ? "" : table;
}

/// "network.loss: 0 → 0.05; + fault.0 (at 2 s, for 3 s, kind partition)": in which keys two
/// settings differ. A table that only one has is told as a whole.
std::string keys_text(const Study& study, const Pair& pair) {
  const auto& first = study.keys[pair.first.setting];
  const auto& second = study.keys[pair.second.setting];
  std::vector<std::string> keys;
  std::map<std::string, std::vector<std::string>> tables;  // with their sign
  const auto add = [&](const SettingKeys& own, const SettingKeys& other, bool is_second) {
    for (const auto& [key, value] : own) {
      const auto there = other.find(key);
      if (there != other.end() && (is_second || there->second == value)) continue;
      if (const auto table = table_with(key, other); !table.empty())
        tables[(is_second ? "+ " : "− ") + table.substr(0, table.size() - 1)].push_back(
            fmt::format("{} {}", key.substr(table.size()), value));
      else if (there != other.end())
        keys.push_back(fmt::format("{}: {} → {}", key, value, there->second));
      else
        keys.push_back(is_second ? fmt::format("{}: – → {}", key, value)
                                 : fmt::format("{}: {} → –", key, value));
    }
  };
  add(first, second, false);
  add(second, first, true);
  for (const auto& [table, values] : tables)
    keys.push_back(fmt::format("{} ({})", table, fmt::join(values, ", ")));
  return fmt::format("{}", fmt::join(keys, "; "));
}

Json parts_json(const Explanation& split, const std::vector<ExplainedPart>& parts) {
  auto list = Json::array();
  for (const auto& part : parts) {
    Json json{{"name", part.name}, {"difference", part.difference / split.per_unit}};
    if (part.first) json["first"] = *part.first / split.per_unit;
    if (part.second) json["second"] = *part.second / split.per_unit;
    list.push_back(std::move(json));
  }
  return list;
}

Json explanation_json(const Explanation& split, const std::string& average) {
  return {{"measure", split.measure},
          {"first", split.first / split.per_unit},
          {"second", split.second / split.per_unit},
          {"difference", split.difference() / split.per_unit},
          {"causes", parts_json(split, split.causes)},
          {"rounds", parts_json(split, split.rounds)},
          {"types", parts_json(split, split.types)},
          {"on_average", average},
          {"sentences", split.sentences}};
}

/// Whether the difference of this repetition is one on average; empty if it is, and for two
/// repetitions of the same runs.
std::string on_average(const Study& study, const Pair& pair, const Explanation& split) {
  if (split.difference() == 0 ||
      (pair.first.setting == pair.second.setting && pair.first.algorithm == pair.second.algorithm))
    return "";
  const auto quantity = *quantity_named(split.measure);
  const auto effect = effect_of(cell_of(study, pair.second), cell_of(study, pair.first), quantity);
  if (!effect) return "It can't be compared on average: evaluations per client differ.";
  if (effect->difference.n < 2)
    return "With one repetition it isn't known whether that holds on average.";
  const auto& label = quantity_at(quantity).label;
  switch (effect->sign()) {
    case Sign::none:
      return fmt::format("On average there is no difference in {}.", label);
    case Sign::unclear:
      return fmt::format("Over {} repetitions no difference in {} is shown: this may be chance.",
                         effect->difference.n,
                         label);
    case Sign::negative:
    case Sign::positive:
      break;
  }
  if ((effect->difference.mean > 0) == (split.difference() > 0)) return "";
  return fmt::format("Over {} repetitions the difference in {} is the other way round.",
                     effect->difference.n,
                     label);
}

void print_explanation(const Explanation& split,
                       const std::string& first,
                       const std::string& second,
                       const std::string& average,
                       bool details) {
  if (!average.empty()) print_out("{}", warning_text(average));
  print_out("{}", wrapped(toned(Tone::strong, headline_text(split, first, second)), ""));
  if (split.difference() == 0) return print_out("\n");
  for (const auto& sentence : split.sentences) print_out("{}", wrapped(sentence, ""));
  print_out("\n{}\n", table_of(split, split.causes, first, second).text());
  if (details && !split.types.empty())
    print_out("{}\n", table_of(split, split.types, first, second).text());
  if (split.rounds.size() > 1)
    print_out("{}\n",
              table_of(split, details ? split.rounds : largest_parts(split.rounds), first, second)
                  .text());
}

ExitCode explain_runs(const ExplainFlags& flags, const Invocation& invocation) try {
  if (flags.repetitions.size() > 2)
    throw std::invalid_argument("--repetition: one number, or two: I,J");
  catch_signals();
  const auto options = execution_options(flags.threads, flags.quiet || flags.json, invocation);
  const auto filters = parse_filters(flags.where);
  const Study study = select(read_study({flags.sources.begin(), flags.sources.end()}), filters);
  auto json = Json::array();
  for (const auto& pair : pairs_to_explain(study, flags)) {
    auto first = run_again(study, pair.first, options);
    auto second = run_again(study, pair.second, options);
    first.is_named = second.is_named = first.scenario.name != second.scenario.name;
    if (const int signal = pending_signal()) return static_cast<ExitCode>(128 + signal);
    const ExplainedRun a{name_of(study, pair, pair.first, first), &first.scenario, &first.record},
        b{name_of(study, pair, pair.second, second), &second.scenario, &second.record};
    const auto splits = explain(a, b);
    const auto keys = keys_text(study, pair);
    if (flags.json) {
      Json one{{"first", a.name},
               {"second", b.name},
               {"first_repetition", pair.first.repetition},
               {"second_repetition", pair.second.repetition},
               {"differs", keys},
               {"as_recorded", first.unproven.empty() && second.unproven.empty()}};
      one["splits"] = Json::array();
      for (const auto& split : splits)
        one["splits"].push_back(explanation_json(split, on_average(study, pair, split)));
      json.push_back(std::move(one));
      continue;
    }
    const auto algorithm =
        pair.first.algorithm == pair.second.algorithm && study.settings.size() > 1
            ? study.algorithms[pair.first.algorithm] + ": "
            : std::string();
    print_out("{}", wrapped(fmt::format("{}{} against {}", algorithm, b.name, a.name), ""));
    if (!keys.empty()) print_out("{}", wrapped("They differ in " + keys + ".", ""));
    for (const auto& why : {pair.why_pair, pair.why_repetition})
      if (!why.empty()) print_out("{}", wrapped("(" + why + ")", ""));
    for (const auto* again : {&first, &second})
      if (!again->unproven.empty())
        print_out("{}",
                  warning_text(fmt::format("a run can't be proven to repeat its record: {}",
                                           again->unproven)));
    print_out("\n");
    for (const auto& split : splits)
      print_explanation(split, a.name, b.name, on_average(study, pair, split), flags.details);
  }
  if (flags.json) print_json(json);
  return ExitCode::ok;
} catch (const std::invalid_argument& problem) {
  print_err("{} (exit code 2)\n", problem.what());
  return ExitCode::usage;
}

}  // namespace

Command explain_verb(CLI::App& verb) { return command_of(verb, explain_runs); }

}  // namespace posse
