// SPDX-License-Identifier: Apache-2.0
#include "program/cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "program/base/version.hpp"

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
    {"new", kWriteAndRun, "write a new scenario with comments", POSSE_VERB(new_verb)},
    {"list",
     kWriteAndRun,
     "list algorithms, objectives and everything else that a scenario can use",
     POSSE_VERB(list_verb)},
    {"describe",
     kWriteAndRun,
     "show parameters, defaults, units and paper of a component, or the keys of a section",
     POSSE_VERB(describe_verb)},
    {"check", kWriteAndRun, "validate a scenario without running it", POSSE_VERB(check_verb)},
    {"plan",
     kWriteAndRun,
     "print upper limits of evaluations, rounds, messages and bytes, and the memory and disk "
     "needed",
     POSSE_VERB(plan_verb)},
    {"run", kWriteAndRun, "run a scenario", POSSE_VERB(run_verb)},
    {"sweep",
     kWriteAndRun,
     "run all settings of a scenario's [sweep] that its store doesn't have yet",
     POSSE_VERB(sweep_verb)},
    {"reproduce",
     kWriteAndRun,
     "rerun a figure of a paper and judge its claims",
     POSSE_VERB(reproduce_verb)},

    {"plot", kLook, "plot finished runs as SVG, with the data as CSV", POSSE_VERB(plot_verb)},
    {"report",
     kLook,
     "write a report of one or several runs as a single HTML file",
     POSSE_VERB(report_verb)},
    {"serve", kLook, "browse the finished runs in a directory", POSSE_VERB(serve_verb)},

    {"compare",
     kCompare,
     "who is best, by how much and at what cost: runs and sweeps, paired by seed",
     POSSE_VERB(compare_verb)},
    {"collect",
     kCompare,
     "merge the stores of a sweep into summary.csv and summary.sqlite",
     POSSE_VERB(collect_verb)},

    {"replay",
     kAskWhy,
     "run finished runs again and compare their fingerprints",
     POSSE_VERB(replay_verb)},
    {"inspect",
     kAskWhy,
     "why a round of a finished run ended as it did: cells, means, and who was missing",
     POSSE_VERB(inspect_verb)},
    {"diff",
     kAskWhy,
     "run two finished runs again and show where they part",
     POSSE_VERB(diff_verb)},
    {"whatif",
     kAskWhy,
     "what finished runs would have been on another network; exact and without running them again "
     "where every node waits for all messages",
     POSSE_VERB(what_if_verb)},
    {"fates",
     kAskWhy,
     "run a small scenario with every loss, delay and crash, then with every pair of them; or its "
     "algorithms in random faulty networks; or rank its messages by the harm of their loss",
     POSSE_VERB(fates_verb)},

    {"node",
     kForReal,
     "run a scenario for real over several processes or machines: one listens, the others connect",
     POSSE_VERB(node_verb)},
    {"proxy", kForReal, "a slow and lossy network between nodes", POSSE_VERB(proxy_verb)},
    {"validate",
     kForReal,
     "run a scenario for real in several processes of this machine, simulate it with the times "
     "that were measured, and compare",
     POSSE_VERB(validate_verb)},

    {"store", kMaintain, "list, verify or remove the runs of a store", POSSE_VERB(store_verb)},
    {"schema",
     kMaintain,
     "print the JSON schema of scenario files, for editors",
     POSSE_VERB(schema_verb)},
    {"completion",
     kMaintain,
     "print completion for a shell: posse completion bash",
     POSSE_VERB(completion_verb)},
    {"manual", kUnlisted, "write the manual pages into a directory", POSSE_VERB(manual_verb)},
};

#undef POSSE_VERB

std::vector<AddedVerb> add_verbs(CLI::App& app,
                                 Invocation& invocation,
                                 const std::vector<std::string>* words) {
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  app.fallthrough();
  app.add_option(
         "--plugin",
         invocation.plugins,
         "load algorithms from a shared library, which may do whatever you may (repeatable; "
         "works with every verb)")
      ->allow_extra_args(false)
      ->type_name("FILE");
  std::vector<AddedVerb> added;
  for (const auto& verb : kVerbs) {
    CLI::App* part = app.add_subcommand(verb.name, verb.help)->group(verb.group);
    const bool wanted =
        words == nullptr || std::find(words->begin(), words->end(), verb.name) != words->end();
    added.push_back({part, wanted ? verb.add(*part) : Command()});
  }
  return added;
}

}  // namespace posse
