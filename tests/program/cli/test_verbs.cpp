// SPDX-License-Identifier: Apache-2.0
// The table of verbs, and what is made from it: help, manual pages, completion.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "program/cli/command_line.hpp"
#include "program/cli/verb_options.hpp"
#include "tests/support/needed_program.hpp"
#include "tests/support/program_folder.hpp"

namespace test_verbs {

using namespace posse;
using Catch::Contains;

namespace {

struct Verbs {
  CLI::App app{"", "posse"};
  Invocation invocation;
  std::vector<AddedVerb> all = add_verbs(app, invocation);
};

std::string name_of(const AddedVerb& verb) { return verb.app->get_name(); }
bool listed(const AddedVerb& verb) { return !verb.app->get_group().empty(); }

/// Read by the shell, without being run.
void check_syntax(const std::string& shell) {
  const auto program = shell == "bash" ? shell : test::needed_program(shell);
  const ProgramFolder folder;
  const auto completion = folder.posse("completion " + shell);
  REQUIRE(completion.code == 0);
  folder.write("completion", completion.out);
  CHECK(std::system((program + " -n " + (folder / "completion").string()).c_str()) == 0);
}

}  // namespace

TEST_CASE("every verb has a name of its own, a description and a command") {
  const Verbs verbs;
  std::set<std::string> names;
  for (const auto& verb : verbs.all) {
    INFO(name_of(verb));
    CHECK(names.insert(name_of(verb)).second);
    CHECK_FALSE(verb.app->get_description().empty());
    CHECK(verb.command.run);
  }
}

TEST_CASE("verbs of a group follow each other") {
  const Verbs verbs;
  std::vector<std::string> groups;
  for (const auto& verb : verbs.all)
    if (groups.empty() || groups.back() != verb.app->get_group())
      groups.push_back(verb.app->get_group());
  CHECK(std::set<std::string>(groups.begin(), groups.end()).size() == groups.size());
}

TEST_CASE("only the verbs among the words of a command line get their flags") {
  CLI::App app("", "posse");
  Invocation invocation;
  const std::vector<std::string> words{"posse", "check", "e.toml"};
  for (const auto& verb : add_verbs(app, invocation, &words)) {
    INFO(name_of(verb));
    CHECK(static_cast<bool>(verb.command.run) == (name_of(verb) == "check"));
  }
}

TEST_CASE("help, manual pages and completion have every verb, in its group") {
  const ProgramFolder folder;
  const auto help = folder.posse("--help").out;
  fs::create_directory(folder / "man");
  REQUIRE(folder.posse("manual man").code == 0);
  const auto manual = content(folder / "man/posse.1");
  std::vector<std::string> completions;
  for (const std::string shell : {"bash", "zsh", "fish"})
    completions.push_back(folder.posse("completion " + shell).out);
  const Verbs verbs;
  std::size_t in_help = 0, in_manual = 0;
  for (const auto& verb : verbs.all) {
    if (!listed(verb)) continue;
    INFO(name_of(verb));
    const auto after = [](const std::string& text, std::size_t& at, const std::string& part) {
      at = text.find(part, at);
      return at != std::string::npos;
    };
    const auto& group = verb.app->get_group();
    CHECK(help.find("\n" + group + ":\n") <= help.find("\n  " + name_of(verb) + " "));
    REQUIRE(after(help, in_help, "\n  " + name_of(verb) + " "));
    CHECK(manual.find("\n.SS " + group + "\n") <= manual.find("\n.BR posse\\-" + name_of(verb)));
    REQUIRE(after(manual, in_manual, "\n.BR posse\\-" + name_of(verb) + " (1)\n"));
    CHECK(fs::exists(folder / "man" / ("posse-" + name_of(verb) + ".1")));
    CHECK_THAT(completions[0], Contains("\n    " + name_of(verb) + ") flags="));
    CHECK_THAT(completions[1], Contains("\n    " + name_of(verb) + ")\n"));
    CHECK_THAT(completions[2], Contains("__fish_use_subcommand -a " + name_of(verb) + " "));
  }
  CHECK_THAT(help, !Contains("manual"));
  CHECK_FALSE(fs::exists(folder / "man/posse-manual.1"));
}

TEST_CASE("help and manual pages end with examples, which parse") {
  const ProgramFolder folder;
  fs::create_directory(folder / "man");
  REQUIRE(folder.posse("manual man").code == 0);
  const Verbs verbs;
  for (const auto& verb : verbs.all) {
    if (!listed(verb) || name_of(verb) == "proxy") continue;
    INFO(name_of(verb));
    const auto examples = examples_of(*verb.app);
    REQUIRE_FALSE(examples.empty());
    CHECK_THAT(verb.app->help(), Contains("\nExamples:\n  " + examples.front() + "\n"));
    CHECK_THAT(content(folder / "man" / ("posse-" + name_of(verb) + ".1")),
               Contains("\n.SH EXAMPLES\n"));
    for (auto line : examples) {
      INFO(line);
      line = line.substr(0, line.find(" #"));
      const auto begin = line.find("posse ");
      REQUIRE(begin != std::string::npos);
      line = line.substr(begin, line.find_first_of(">)", begin) - begin);
      std::istringstream words(line);
      std::vector<std::string> command_line{std::istream_iterator<std::string>(words), {}};
      CLI::App app("", "posse");
      Invocation invocation;
      const auto all = add_verbs(app, invocation);
      CHECK_NOTHROW(app.parse(words_to_parse(command_line)));
    }
  }
}

TEST_CASE("the completion for bash has no mistake of syntax") { check_syntax("bash"); }
TEST_CASE("the completion for zsh has no mistake of syntax") { check_syntax("zsh"); }
TEST_CASE("the completion for fish has no mistake of syntax") { check_syntax("fish"); }

TEST_CASE("arguments that are neither files nor choices are completed with what there is") {
  const Verbs verbs;
  const auto words_of = [&](const std::string& name) {
    const auto verb = std::find_if(
        verbs.all.begin(), verbs.all.end(), [&](const AddedVerb& v) { return name_of(v) == name; });
    REQUIRE(verb->command.words != nullptr);
    return verb->command.words();
  };
  const auto has = [&](const std::string& name, const std::string& word) {
    const auto words = words_of(name);
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  CHECK(has("describe", "fed-pne"));
  CHECK(has("describe", "network.latency"));
  CHECK(has("list", "algorithms"));
  CHECK(has("reproduce", "all"));
  CHECK(has("reproduce", "fed-pne-fig2a-garland"));
}

TEST_CASE("flags of fates --rank need it, and those of the search exclude it") {
  const ProgramFolder folder;
  for (const std::string flag : {"--repeat 1", "--repetition 0", "--limit 5"}) {
    INFO(flag);
    const auto refused = folder.posse("fates e.toml " + flag);
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Contains("requires --rank"));
  }
  for (const std::string flag : {"--seed 1", "--jobs 1"}) {
    INFO(flag);
    const auto refused = folder.posse("fates e.toml " + flag);
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Contains("requires --random or --rank"));
  }
  for (const std::string flag : {"--depth 1", "--most 5", "--property ledger", "--random 3"}) {
    INFO(flag);
    const auto refused = folder.posse("fates e.toml --rank " + flag);
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Contains("excludes --rank"));
  }
}

}  // namespace test_verbs
