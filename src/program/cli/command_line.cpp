// SPDX-License-Identifier: Apache-2.0
#include "program/cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "program/base/version.hpp"
#include "program/cli/help_text.hpp"

namespace posse {
namespace {

std::string version_text() {
  return fmt::format("posse {}\ncommit {}\ncompiler {}\nlibraries {}",
                     version(),
                     commit(),
                     compiler(),
                     fmt::join(libraries(), ", "));
}

struct Verb {
  const char* name;
  const char* group;  // "": not listed
  const char* help;
  Command (*add)(CLI::App& verb);  // adds its flags
  const char* examples;            // a command line with a comment in each line
};

constexpr const char* kWriteAndRun = "Write and run scenarios";
constexpr const char* kLook = "Look at results";
constexpr const char* kCompare = "Compare";
constexpr const char* kAskWhy = "Ask why";
constexpr const char* kForReal = "Run over a real network";
constexpr const char* kMaintain = "Maintain";
constexpr const char* kUnlisted = "";

}  // namespace

/// Declares the function of a verb's file, so that a verb needs no header.
#define POSSE_VERB(function)     \
  [](CLI::App& verb) {           \
    Command function(CLI::App&); \
    return function(verb);       \
  }

constexpr Verb kVerbs[] = {
    {"new",
     kWriteAndRun,
     "write a new scenario with comments",
     POSSE_VERB(new_verb),
     "posse new mine                     # writes mine.toml"},
    {"list",
     kWriteAndRun,
     "list algorithms, objectives and everything else that a scenario can use",
     POSSE_VERB(list_verb),
     "posse list                         # everything\n"
     "posse list algorithms"},
    {"describe",
     kWriteAndRun,
     "show parameters, defaults, units and paper of a component, or the keys of a section",
     POSSE_VERB(describe_verb),
     "posse describe fed-pne             # an algorithm\n"
     "posse describe network             # a section of a scenario\n"
     "posse describe network.loss        # one key"},
    {"check",
     kWriteAndRun,
     "validate a scenario without running it",
     POSSE_VERB(check_verb),
     "posse check mine.toml\n"
     "posse check mine.toml -v            # with all defaults filled in\n"
     "generate | posse check -            # from standard input"},
    {"plan",
     kWriteAndRun,
     "print upper limits of evaluations, rounds, messages and bytes, and the memory and disk "
     "needed",
     POSSE_VERB(plan_verb),
     "posse plan mine.toml\n"
     "posse plan mine.toml --pilot        # times a few runs for the forecast"},
    {"run",
     kWriteAndRun,
     "run a scenario",
     POSSE_VERB(run_verb),
     "posse run mine.toml\n"
     "posse run mine.toml --set network.loss=0.05 --repeat 20\n"
     "posse run mine.toml --serve --pace 10     # watch it in a browser\n"
     "posse run mine.toml --trace messages      # records every message"},
    {"sweep",
     kWriteAndRun,
     "run all settings of a scenario's [sweep] that its store doesn't have yet",
     POSSE_VERB(sweep_verb),
     "posse sweep mine.toml\n"
     "posse sweep mine.toml --jobs 4 --decide   # ends what is decided early"},
    {"reproduce",
     kWriteAndRun,
     "rerun a figure of a paper and judge its claims",
     POSSE_VERB(reproduce_verb),
     "posse reproduce fed-pne-rounds\n"
     "posse reproduce all --quick"},

    {"show",
     kLook,
     "print all measurements of a finished run with their bounds, identities and notes",
     POSSE_VERB(show_verb),
     "posse show runs/mine/latest"},
    {"plot",
     kLook,
     "plot finished runs as SVG, with the data as CSV",
     POSSE_VERB(plot_verb),
     "posse plot runs/mine/latest\n"
     "posse plot runs/mine/latest --kind pareto --cost messages\n"
     "posse plot sweeps/mine --kind sweep --x population.clients"},
    {"report",
     kLook,
     "write a report of one or several runs as a single HTML file",
     POSSE_VERB(report_verb),
     "posse report runs/mine/latest\n"
     "posse report runs/a/latest runs/b/latest --out both.html"},
    {"serve",
     kLook,
     "browse the finished runs in a directory",
     POSSE_VERB(serve_verb),
     "posse serve runs"},

    {"compare",
     kCompare,
     "who is best, by how much and at what cost: runs and sweeps, paired by seed",
     POSSE_VERB(compare_verb),
     "posse compare runs/a/latest runs/b/latest\n"
     "posse compare sweeps/mine --measure payload_bytes"},
    {"table",
     kCompare,
     "a comparison as a table for a paper: LaTeX, Markdown or CSV",
     POSSE_VERB(table_verb),
     "posse table runs/mine/latest --format latex --out table.tex\n"
     "posse table sweeps/mine --measure payload_bytes,virtual_s --where loss=0.05"},
    {"collect",
     kCompare,
     "merge the stores of a sweep into summary.csv and summary.sqlite",
     POSSE_VERB(collect_verb),
     "posse collect sweeps/mine"},

    {"explain",
     kAskWhy,
     "why a run took longer, sent more or had more regret than another: by cause, round and "
     "message",
     POSSE_VERB(explain_verb),
     "posse explain runs/mine/latest                       # its first two algorithms\n"
     "posse explain runs/a/latest runs/b/latest            # two settings\n"
     "posse explain runs/mine/latest --algorithm fed-pne --repetition 0,3\n"
     "posse explain sweeps/mine --where loss=0.05 --algorithm fed-pne,parallel"},
    {"replay",
     kAskWhy,
     "run finished runs again and compare their fingerprints",
     POSSE_VERB(replay_verb),
     "posse replay runs/mine/latest"},
    {"inspect",
     kAskWhy,
     "why a round of a finished run ended as it did: cells, means, and who was missing",
     POSSE_VERB(inspect_verb),
     "posse inspect runs/mine/latest --round 7"},
    {"diff",
     kAskWhy,
     "run two finished runs again and show where they part",
     POSSE_VERB(diff_verb),
     "posse diff runs/a/latest runs/b/latest"},
    {"whatif",
     kAskWhy,
     "what finished runs would have been on another network; exact and without running them again "
     "where every node waits for all messages",
     POSSE_VERB(what_if_verb),
     "posse run mine.toml --trace all\n"
     "posse whatif runs/mine/latest --set network.latency=200ms"},
    {"fates",
     kAskWhy,
     "run a small scenario with every loss, delay and crash, then with every pair of them; or its "
     "algorithms in random faulty networks; or rank its messages by the harm of their loss",
     POSSE_VERB(fates_verb),
     "posse fates small.toml\n"
     "posse fates small.toml --rank             # which message mattered most"},

    {"node",
     kForReal,
     "run a scenario for real over several processes or machines: one listens, the others connect",
     POSSE_VERB(node_verb),
     "posse node mine.toml --listen 127.0.0.1:7000 --members 2\n"
     "posse node --connect 127.0.0.1:7000 --name client-0"},
    {"proxy", kForReal, "a slow and lossy network between nodes", POSSE_VERB(proxy_verb), ""},
    {"validate",
     kForReal,
     "run a scenario for real in several processes of this machine, simulate it with the times "
     "that were measured, and compare",
     POSSE_VERB(validate_verb),
     "posse validate mine.toml"},

    {"store",
     kMaintain,
     "list, verify or remove the runs of a store",
     POSSE_VERB(store_verb),
     "posse store list sweeps/mine\n"
     "posse store verify sweeps/mine"},
    {"schema",
     kMaintain,
     "print the JSON schema of scenario files, for editors",
     POSSE_VERB(schema_verb),
     "posse schema > posse.schema.json"},
    {"completion",
     kMaintain,
     "print completion for a shell: posse completion bash",
     POSSE_VERB(completion_verb),
     "source <(posse completion bash)"},
    {"manual", kUnlisted, "write the manual pages into a directory", POSSE_VERB(manual_verb), ""},
};

#undef POSSE_VERB

std::vector<AddedVerb> add_verbs(CLI::App& app,
                                 Invocation& invocation,
                                 const std::vector<std::string>* words) {
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", version_text(), "print versions of the program and libraries");
  app.require_subcommand(1);
  app.fallthrough();
  app.add_option(
         "--plugin",
         invocation.plugins,
         "load algorithms from a shared library, which may do whatever you may (repeatable; "
         "works with every verb)")
      ->allow_extra_args(false)
      ->type_name("FILE");
  app.add_option("--color", invocation.color, "auto | always | never (works with every verb)")
      ->type_name("WHEN:{auto,always,never}")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Color>{{"auto", Color::automatic},
                                                                       {"always", Color::always},
                                                                       {"never", Color::never}})
                      .description(""));
  app.formatter(help_formatter());
  std::vector<AddedVerb> added;
  for (const auto& verb : kVerbs) {
    CLI::App* part = app.add_subcommand(verb.name, verb.help)->group(verb.group);
    part->footer(verb.examples);
    const bool wanted =
        words == nullptr || std::find(words->begin(), words->end(), verb.name) != words->end();
    added.push_back({part, wanted ? verb.add(*part) : Command()});
  }
  return added;
}

/// The parser expects the words in reverse order, without the program's name.
std::vector<std::string> words_to_parse(const std::vector<std::string>& command_line) {
  std::vector<std::string> words(command_line.rbegin(), command_line.rend() - 1);
  for (auto& word : words) {
    if (word == "--metrics" || word == "--serve") word += "=127.0.0.1";  // and the usual port
    if (word == "--decide" && words.back() == "sweep") word += "=0.05";
  }
  return words;
}

}  // namespace posse
