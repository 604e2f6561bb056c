// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/base/text.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/replay/what_if.hpp"
#include "program/run/run_warnings.hpp"

namespace posse {
namespace {

struct WhatIfFlags {
  std::string run;
  std::vector<std::string> set, each;
  bool keep_derived = false;
  ThreadFlags threads;
  bool json = false, quiet = false;

  void add_to(CLI::App& verb) {
    add_external_flag(verb);
    verb.add_option("RUN", run, "run folder, or a directory that contains `latest`")->required();
    add_set_flag(verb, set);
    verb.add_option(
            "--each",
            each,
            "a.b=[v, w]: the same with each of several values (repeatable: all combinations)")
        ->allow_extra_args(false);
    verb.add_flag("--keep-derived",
                  keep_derived,
                  "keep the time-outs that were derived from the recorded network");
    threads.add_to(verb);
    verb.add_flag("--json", json, "print every run as JSON");
    verb.add_flag("--quiet", quiet, "print no progress");
  }
};

/// Another network, and what it is called in the table.
struct Variant {
  std::string name;
  std::vector<Override> overrides;
};

/// KEY=[a, b] as key and values.
struct EachChoice {
  std::string key;
  std::vector<std::string> values, names;  // names: without quotes
};

std::string toml_text(const toml::node& value) {
  if (const auto number = value.value_exact<double>()) return fmt::format("{}", *number);
  std::ostringstream out;
  value.visit([&](const auto& concrete) { out << concrete; });
  return out.str();
}

/// Throws std::invalid_argument.
EachChoice choice_of(const std::string& text) {
  const auto equals = text.find('=');
  const auto fail = [&]() -> EachChoice {
    throw std::invalid_argument(fmt::format(
        "--each {}: is not KEY=[VALUE, …], e.g. 'network.latency=[\"1 ms\", \"10 ms\"]'", text));
  };
  if (equals == std::string::npos || equals == 0) return fail();
  EachChoice choice{text.substr(0, equals), {}, {}};
  try {
    const toml::table table = toml::parse("values = " + text.substr(equals + 1));
    const toml::array* values = table["values"].as_array();
    if (values == nullptr || values->empty() || table.size() != 1) return fail();
    for (const toml::node& value : *values) {
      choice.values.push_back(toml_text(value));
      choice.names.push_back(value.value<std::string>().value_or(choice.values.back()));
    }
  } catch (const toml::parse_error&) {
    return fail();
  }
  return choice;
}

/// Every combination of the choices, in their order.
std::vector<Variant> variants_of(const std::vector<std::string>& set,
                                 const std::vector<EachChoice>& choices) {
  std::vector<Variant> variants(1);
  for (const auto& assignment : set) variants.front().overrides.push_back({"--set", assignment});
  if (choices.empty()) variants.front().name = fmt::format("{}", fmt::join(set, ", "));
  for (const EachChoice& choice : choices) {
    std::vector<Variant> more;
    for (const Variant& variant : variants)
      for (std::size_t v = 0; v < choice.values.size(); ++v) {
        more.push_back(variant);
        more.back().overrides.push_back(
            {"--each", fmt::format("{}={}", choice.key, choice.values[v])});
        more.back().name += (variant.name.empty() ? "" : ", ") + choice.names[v];
      }
    variants = std::move(more);
  }
  return variants;
}

/// Means over an algorithm's runs.
struct NetworkRow {
  std::string name, status, because;
  double virtual_s = 0, rounds = 0, transmissions = 0, wire_bytes = 0;
  double messages = 0, needless = 0;
  bool derives_timeouts = false;
  std::optional<double> simple_regret;
  std::vector<double> path_s;
};
NetworkRow row_of(std::string name,
                  const std::vector<NetworkFigures>& runs,
                  bool derives_timeouts) {
  NetworkRow row{std::move(name), "finished", {}};
  row.derives_timeouts = derives_timeouts;
  const auto n = static_cast<double>(runs.size());
  bool all_have_paths = true, all_have_regret = true;
  row.path_s.resize(kCriticalPathParts.size());
  row.simple_regret = 0;
  for (const NetworkFigures& figures : runs) {
    if (figures.status != "finished") row.status = figures.status;
    row.virtual_s += figures.virtual_s / n;
    row.rounds += figures.rounds / n;
    row.transmissions += figures.transmissions / n;
    row.wire_bytes += figures.wire_bytes / n;
    row.messages += figures.messages / n;
    row.needless += figures.needless / n;
    all_have_regret = all_have_regret && figures.simple_regret.has_value();
    *row.simple_regret += figures.simple_regret.value_or(0) / n;
    all_have_paths = all_have_paths && !figures.path_s.empty();
    for (std::size_t i = 0; i < figures.path_s.size(); ++i) row.path_s[i] += figures.path_s[i] / n;
  }
  if (!all_have_paths) row.path_s.clear();
  if (!all_have_regret) row.simple_regret.reset();
  return row;
}

std::string rows_text(const std::string& heading, const std::vector<NetworkRow>& rows) {
  std::vector<std::size_t> parts;  // of the critical paths, that any row has
  for (std::size_t i = 0; i < kCriticalPathParts.size(); ++i)
    if (std::any_of(rows.begin(), rows.end(), [&](const NetworkRow& row) {
          return !row.path_s.empty() && row.path_s[i] > 0;
        }))
      parts.push_back(i);
  std::vector<std::string> header{
      heading, "virtual time", "rounds", "transmissions", "bytes", "simple regret"};
  for (const auto i : parts) header.emplace_back(kCriticalPathParts[i].name);
  TextTable table(std::move(header));
  for (const NetworkRow& row : rows) {
    const auto seconds = [](double s) { return pretty(rounded(s, 4), "s"); };
    const bool finished = row.status == "finished";
    std::vector<std::string> cells{
        row.name,
        finished ? seconds(row.virtual_s) : row.status,
        pretty(rounded(row.rounds, 4), ""),
        pretty(rounded(row.transmissions, 4), ""),
        pretty(rounded(row.wire_bytes, 4), "bytes"),
        row.simple_regret ? pretty(rounded(*row.simple_regret, 3), "") : ""};
    for (const auto i : parts) cells.push_back(row.path_s.empty() ? "" : seconds(row.path_s[i]));
    table.add(std::move(cells));
  }
  std::string text = table.text();
  for (const NetworkRow& row : rows)
    if (row.needless > few_needless(!row.derives_timeouts) * row.messages)
      text += wrapped(
          fmt::format(
              "warning: {}: {} retransmissions of {} messages although "
              "nothing was lost: the time-out is shorter than a round trip{}",
              row.name,
              pretty(rounded(row.needless, 4), ""),
              pretty(rounded(row.messages, 4), ""),
              row.derives_timeouts ? "" : "; without network.retransmission.timeout it is derived"),
          "  ");
  return text;
}

Json figures_json(const NetworkFigures& figures) {
  Json json{{"status", figures.status},
            {"virtual_s", figures.virtual_s},
            {"rounds", figures.rounds},
            {"transmissions", figures.transmissions},
            {"wire_bytes", figures.wire_bytes},
            {"needless", figures.needless}};
  json["simple_regret"] = figures.simple_regret ? Json(*figures.simple_regret) : nullptr;
  json["critical_paths"] = nullptr;
  for (std::size_t i = 0; i < figures.path_s.size(); ++i)
    json["critical_paths"][fmt::format("path_{}_virtual_s", kCriticalPathParts[i].name)] =
        figures.path_s[i];
  return json;
}

/// The answers for all networks, as text or JSON.
class RetimedAnswers {
 public:
  RetimedAnswers(const RecordedNetwork& recorded, std::string heading)
      : recorded_(recorded), heading_(std::move(heading)) {}

  void add(const Variant& variant, WhatIf answer) {
    names_.push_back(variant.name);
    answers_.push_back(std::move(answer));
  }

  std::string text() const {
    std::string text;
    const auto& algorithms = recorded_.stored().algorithms();
    for (std::size_t a = 0; a < algorithms.size(); ++a) {
      std::vector<NetworkFigures> figures;
      for (const auto run : runs_of(a)) figures.push_back(recorded_.recorded(run));
      std::vector<NetworkRow> rows{row_of("as recorded", figures, recorded_.derives_timeouts())};
      for (std::size_t v = 0; v < answers_.size(); ++v) {
        figures.clear();
        for (const auto run : runs_of(a)) figures.push_back(answers_[v].runs[run].figures);
        rows.push_back(row_of(names_[v], figures, answers_[v].derives_timeouts));
      }
      text += fmt::format(
          "{}{}{}\n",
          text.empty() ? "" : "\n",
          algorithms[a].label,
          figures.size() > 1 ? fmt::format(", means of {} repetitions", figures.size()) : "");
      text += rows_text(heading_, rows) + how_text(a);
    }
    if (text.find(kCriticalPathParts.front().name) != std::string::npos)
      text +=
          "\ncompute and what follows: on the critical paths of complete rounds, added up; rounds "
          "may overlap\n";
    return text;
  }

  Json json() const {
    auto json = Json::array();
    const auto& runs = recorded_.stored().runs();
    for (std::size_t run = 0; run < runs.size(); ++run) {
      Json entry{{"algorithm", recorded_.stored().algorithms()[runs[run].algorithm].label},
                 {"repetition", runs[run].repetition},
                 {"recorded", figures_json(recorded_.recorded(run))},
                 {"networks", Json::array()}};
      for (std::size_t v = 0; v < answers_.size(); ++v) {
        const WhatIfRun& answer = answers_[v].runs[run];
        auto network = figures_json(answer.figures);
        network["network"] = names_[v];
        network["exact_from_the_record"] = answer.ran_again_because.empty();
        network["ran_again_because"] = answer.ran_again_because;
        entry["networks"].push_back(std::move(network));
      }
      json.push_back(std::move(entry));
    }
    return json;
  }

 private:
  std::vector<std::size_t> runs_of(std::size_t algorithm) const {
    std::vector<std::size_t> runs;
    for (std::size_t run = 0; run < recorded_.stored().runs().size(); ++run)
      if (recorded_.stored().runs()[run].algorithm == algorithm) runs.push_back(run);
    return runs;
  }

  /// Which runs were re-timed, and why others ran again.
  std::string how_text(std::size_t algorithm) const {
    std::size_t retimed = 0, all = 0;
    std::set<std::string> reasons;
    for (const WhatIf& answer : answers_)
      for (const auto run : runs_of(algorithm)) {
        const auto& because = answer.runs[run].ran_again_because;
        ++all;
        retimed += because.empty();
        if (!because.empty()) reasons.insert(because);
      }
    if (retimed == all)
      return "  re-timed from the record, exactly: the decisions are those of the recorded run\n";
    return wrapped(fmt::format("{} of {} runs re-timed from the record, exactly; the others ran "
                               "again, because {}",
                               retimed,
                               all,
                               fmt::join(reasons, "; ")),
                   "  ");
  }

  const RecordedNetwork& recorded_;
  std::string heading_;
  std::vector<std::string> names_;
  std::vector<WhatIf> answers_;
};

ExitCode ask_what_if(const WhatIfFlags& flags, const Invocation& invocation) {
  catch_signals();
  try {
    std::vector<EachChoice> choices;
    std::vector<std::string> keys;
    for (const auto& each : flags.each) keys.push_back(choices.emplace_back(choice_of(each)).key);
    if (choices.empty() && flags.set.empty())
      throw std::invalid_argument(
          "nothing to change: --set network.latency=… or --each 'network.latency=[…]'");
    const RecordedNetwork recorded(flags.run);
    RetimedAnswers answers(recorded, fmt::format("{}", fmt::join(keys, ", ")));
    double retiming_s = 0, running_s = 0;
    bool derives_timeouts = false;
    for (const Variant& variant : variants_of(flags.set, choices)) {
      Diagnostics diagnostics;
      auto answer = recorded.with(variant.overrides,
                                  flags.keep_derived,
                                  execution_options(flags.threads, flags.quiet, invocation),
                                  diagnostics);
      if (const int signal = pending_signal()) return static_cast<ExitCode>(128 + signal);
      if (!report_mistakes(diagnostics)) return ExitCode::invalid_scenario;
      retiming_s += answer->retiming_s;
      running_s += answer->running_s;
      derives_timeouts = derives_timeouts || answer->derives_timeouts;
      answers.add(variant, std::move(*answer));
    }
    if (flags.json)
      print_json(answers.json());
    else
      print_out("{}{}",
                answers.text(),
                !derives_timeouts ? ""
                : flags.keep_derived
                    ? "\ntime-outs that aren't stated: as derived from the recorded network\n"
                    : "\ntime-outs that aren't stated: derived anew from each network\n");
    flush_out();
    if (!flags.quiet)
      print_err("re-timing took {}{}\n",
                pretty(rounded(retiming_s, 2), "s"),
                running_s > 0 ? ", running again " + pretty(rounded(running_s, 2), "s") : "");
    return ExitCode::ok;
  } catch (const std::invalid_argument& problem) {
    print_err("{} (exit code 2)\n", problem.what());
    return ExitCode::usage;
  }
}

}  // namespace

Command what_if_verb(CLI::App& verb) { return command_of(verb, ask_what_if); }

}  // namespace posse
