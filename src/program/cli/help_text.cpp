// SPDX-License-Identifier: Apache-2.0
#include "program/cli/help_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include "core/base/shown_text.hpp"
#include "program/base/data_folder.hpp"
#include "program/base/terminal.hpp"
#include "program/base/text.hpp"
#include "program/cli/verb.hpp"
#include "program/cli/verb_options.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/scenario/schema.hpp"

namespace posse {
namespace {

constexpr std::size_t kColumnOfVerbs = 15, kColumnOfOptions = 27;

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override {
    const auto text = wrapped(capitalized(app->get_description()) + ".", "");
    return text + "\n";
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string text = "Usage: " + name;
    if (name.empty()) text += app->get_name();
    if (!visible_verbs(*app).empty()) text += " VERB";
    for (const auto* argument : arguments_of(*app)) {
      const auto word = argument->get_name() + (argument->get_items_expected_max() > 1 ? "…" : "");
      text += argument->get_required() ? " " + word : " [" + word + "]";
    }
    return text + " [options]\n";
  }
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    auto name = is_positional ? option->get_name() : names_of(*option);
    if (!is_positional && takes_value(*option)) {
      const auto value = value_of(*option);
      name += (value.starts_with('[') ? "" : " ") + value;
    }
    auto description = option->get_description();
    if (!option->get_envname().empty())
      description += fmt::format(" (environment: {})", option->get_envname());
    return hanging("  " + name, description, kColumnOfOptions);
  }
  std::string make_subcommand(const CLI::App* verb) const override {
    return hanging("  " + verb->get_name(), verb->get_description(), kColumnOfVerbs);
  }
  std::string make_footer(const CLI::App* app) const override {
    std::string text;
    for (auto line : examples_of(*app)) {
      if (width(line) + 2 > text_columns())  // without its comment
        line = without_trailing_spaces(line.substr(0, line.find('#')));
      text += fmt::format("{}  {}\n", text.empty() ? "Examples:\n" : "", line);
    }
    return text;
  }
};

/// The first word that is neither a flag nor the value of one.
std::optional<std::string> verb_given(const std::vector<std::string>& command_line) {
  for (std::size_t i = 1; i < command_line.size(); ++i) {
    const auto& word = command_line[i];
    if (word == "--plugin" || word == "--color")
      ++i;
    else if (!word.starts_with('-'))
      return word;
  }
  return std::nullopt;
}

std::string unknown(std::string_view what,
                    const std::string& word,
                    const std::vector<std::string>& names,
                    std::string_view otherwise) {
  const auto nearest = nearest_name(word, names);
  return fmt::format(
      "there is no {} '{}'; {}",
      what,
      printable(word),
      nearest.empty() ? std::string(otherwise) : fmt::format("did you mean '{}'?", nearest));
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

std::string short_help() {
  const std::filesystem::path here = "scenarios/quickstart.toml";
  const auto quickstart =
      std::filesystem::exists(here) ? here : data_folder() / "scenarios/quickstart.toml";
  std::string text = wrapped(
      "Posse simulates distributed bandit and optimization algorithms on a faulty network, and "
      "accounts for every round, message and byte.",
      "");
  text += "\n";
  text +=
      fmt::format("  posse run {}\n      a first experiment\n", shell_quoted(quickstart.string()));
  text += "  posse new mine\n      writes mine.toml, a scenario with comments, to be changed\n";
  text += "  posse list algorithms\n      what can be studied; posse describe NAME tells more\n";
  text += "\nposse --help lists all verbs, posse VERB --help the flags of one.\n";
  return text;
}

std::string unknown_word(const CLI::App& app, const std::vector<std::string>& command_line) {
  const auto verb_name = verb_given(command_line);
  const CLI::App* verb = nullptr;
  std::vector<std::string> names;
  for (const auto* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!each->get_group().empty()) names.push_back(each->get_name());
    if (verb_name == each->get_name()) verb = each;
  }
  if (verb_name && verb == nullptr)
    return unknown("verb", *verb_name, names, "posse --help lists all verbs");
  std::vector<const CLI::App*> owners{&app};
  if (verb != nullptr) {
    owners.push_back(verb);
    for (const auto* part : visible_verbs(*verb)) owners.push_back(part);
  }
  std::vector<std::string> flags{"--help", "--version"};
  for (const auto* owner : owners)
    for (const auto* flag : flags_of(*owner))
      for (const auto& name : flag->get_lnames()) flags.push_back("--" + name);
  for (const auto& word : command_line) {
    const auto name = word.substr(0, word.find('='));
    if (!name.starts_with("--") || name == "--" || std::ranges::count(flags, name) > 0) continue;
    auto otherwise = verb == nullptr ? std::string("posse --help lists all")
                                     : fmt::format("posse {} --help lists all", verb->get_name());
    if (const auto key = full_key(name.substr(2));
        !key.empty() && std::ranges::count(flags, "--set") > 0)
      otherwise = fmt::format("a key of the scenario is set with --set {}=VALUE", key);
    return unknown("flag", name, flags, otherwise);
  }
  return "";
}

}  // namespace posse
