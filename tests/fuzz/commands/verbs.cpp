// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <map>
#include <stdexcept>

#include "program/base/files.hpp"
#include "program/cli/command_line.hpp"
#include "tests/fuzz/commands/inputs.hpp"

namespace posse::fuzz {
namespace fs = std::filesystem;
namespace {

constexpr std::array<const char*, 10> kScenarios{"quickstart",
                                                 "communication/loss_and_latency",
                                                 "communication/crashes",
                                                 "communication/hierarchy",
                                                 "communication/gossip",
                                                 "communication/stragglers",
                                                 "papers/parallel_garland",
                                                 "papers/pf_pne_garland",
                                                 "papers/flcb_smooth",
                                                 "tuning/tree_learners"};

/// Values that are wrong for most flags. Each scenario has some of them, all have all.
const std::vector<std::string>& nasty_words() {
  static const std::vector<std::string> all{"",
                                            "0",
                                            "-1",
                                            "1",
                                            "nan",
                                            "inf",
                                            "1e308",
                                            "5e-324",
                                            "18446744073709551616",
                                            "4294967295",
                                            "x",
                                            "*",
                                            "\x1b[2J",
                                            "a\u202Eb",
                                            "\xff",
                                            "/dev/zero",
                                            "/proc/self/mem",
                                            "/dev/null/x",
                                            ".",
                                            "no/such/file",
                                            "1 ns",
                                            "-1 ms",
                                            "1e9 s",
                                            "50%",
                                            "0/0",
                                            "2/1",
                                            "a=b",
                                            "regret=0",
                                            "127.0.0.1:0",
                                            std::string(5'000, 'x')};
  return all;
}
constexpr std::size_t kWordsPerScenario = 3;

struct Flag {
  std::string name;
  bool takes_value = false;
};
struct Verb {
  std::string name;
  std::vector<std::string> positionals;
  std::vector<Flag> flags;
};

std::vector<Verb> all_verbs() {
  Invocation invocation;
  CLI::App app("", "posse");
  std::vector<Verb> verbs;
  for (const auto& added : add_verbs(app, invocation)) {
    Verb verb{added.app->get_name(), {}, {{"--plugin", true}}};
    for (const auto* option : added.app->get_options()) {
      if (!option->get_lnames().empty())
        verb.flags.push_back(
            {"--" + option->get_lnames().front(), option->get_items_expected_max() > 0});
      else if (option->get_positional())
        verb.positionals.push_back(option->get_name(true));
    }
    verbs.push_back(std::move(verb));
  }
  return verbs;
}

/// What a verb works on where it is not a scenario.
std::vector<std::string> object_of(const Verb& verb, const std::string& scenario) {
  static const std::map<std::string, std::vector<std::string>> all{
      {"describe", {"fed-pne"}},
      {"list", {"algorithms"}},
      {"reproduce", {"fed-pne-1"}},
      {"completion", {"bash"}},
      {"manual", {"manual"}},
      {"new", {"fresh"}},
      {"schema", {}},
      {"fates", {scenario + ".toml", "--rank"}},
      {"diff", {scenario + ".runs", scenario + ".runs"}},
      {"collect", {scenario + ".store"}},
      {"store", {"list", scenario + ".store"}}};
  if (const auto it = all.find(verb.name); it != all.end()) return it->second;
  const bool of_file = !verb.positionals.empty() && verb.positionals.front() == "FILE";
  return verb.positionals.empty() ? std::vector<std::string>{}
                                  : std::vector{scenario + (of_file ? ".toml" : ".runs")};
}

}  // namespace

std::vector<VerbInput> verb_inputs(const fs::path& folder) {
  const Limits patience{std::chrono::seconds(60)};
  const auto verbs = all_verbs();
  std::vector<VerbInput> inputs;
  for (std::size_t s = 0; s < kScenarios.size(); ++s) {
    const auto name = fs::path(kScenarios[s]).filename().string();
    const auto scenario = (folder / name).string();
    const auto file = scenario + ".toml";
    const auto text = small_scenario(fs::path(POSSE_SOURCE_DIR) / "scenarios" /
                                     (kScenarios[s] + std::string(".toml")));
    if (text.empty()) throw std::runtime_error(fmt::format("{} is not valid", kScenarios[s]));
    write_file(file, text);
    const auto made = run_program(
        {"run", file, "--quiet", "--trace", "all", "--out", scenario + ".runs"}, folder, patience);
    const auto swept = run_program(
        {"sweep", file, "--store", scenario + ".store", "--progress", "none"}, folder, patience);
    if (made.code != 0 || swept.code != 0)
      throw std::runtime_error(fmt::format("{}: {}{}", file, made.err, swept.err));
    std::size_t number = s * kWordsPerScenario;
    for (const auto& verb : verbs) {
      const auto objects = object_of(verb, scenario);
      const auto add = [&](const std::string& what, std::vector<std::string> words) {
        words.insert(words.begin(), verb.name);
        inputs.push_back({verb.name + " " + what, std::move(words)});
      };
      add("", objects);
      const auto with = [&](std::string word) {
        auto words = objects;
        words.push_back(std::move(word));
        return words;
      };
      for (const auto& flag : verb.flags) {
        add(flag.name, with(flag.name));
        for (std::size_t i = 0; flag.takes_value && i < kWordsPerScenario; ++i, ++number)
          add(flag.name, with(flag.name + "=" + nasty_words()[number % nasty_words().size()]));
      }
      // What the verb works on.
      for (std::size_t at = 0; at < objects.size(); ++at)
        for (std::size_t i = 0; i < kWordsPerScenario; ++i, ++number) {
          auto words = objects;
          words[at] = nasty_words()[number % nasty_words().size()];
          add(words[at].substr(0, 20), words);
        }
    }
  }
  return inputs;
}

void try_verb(const VerbInput& input, const fs::path& folder, const Limits& limits, Tally& tally) {
  ++tally.tried;
  const Ended ended = run_program(input.arguments, folder, limits);
  tally.accepted += ended.code == 0 ? 1 : 0;
  tally.out_of_time += ended.out_of_time ? 1 : 0;
  if (const auto fault = fault_in(ended); !fault.empty())
    tally.findings.push_back(
        fmt::format("{}: {}\n  {}", input.flag, fault, command_text(input.arguments)));
  for (const auto& entry : fs::directory_iterator(folder)) {  // what the command has written
    std::error_code ignored;
    if (entry.path().extension() != ".txt") fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace posse::fuzz
