// SPDX-License-Identifier: Apache-2.0
// Completion for shells, made from the verbs and flags themselves.
#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "program/base/output.hpp"
#include "program/cli/command_line.hpp"
#include "program/cli/verb_options.hpp"

namespace posse {
namespace {

/// The values that an option allows, where they are listed.
std::vector<std::string> choices_of(const CLI::Option& option) {
  const auto type = option.get_type_name();
  const auto begin = type.find('{');
  const auto end = type.find('}');
  std::vector<std::string> choices;
  if (begin == std::string::npos || end == std::string::npos) return choices;
  const auto list = type.substr(begin + 1, end - begin - 1);
  for (std::size_t at = 0; at <= list.size();) {
    const auto comma = std::min(list.find(',', at), list.size());
    choices.push_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  return choices;
}

/// What the argument of a verb may be, where it is no file.
std::vector<std::string> words_of(const AddedVerb& verb) {
  std::vector<std::string> words;
  if (verb.command.words != nullptr) words = verb.command.words();
  for (const auto* verb_of_verb : visible_verbs(*verb.app))
    words.push_back(verb_of_verb->get_name());
  for (const auto* argument : arguments_of(*verb.app))
    for (auto& choice : choices_of(*argument)) words.push_back(std::move(choice));
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::erase(words, "");
  return words;
}

bool takes_files(const AddedVerb& verb) {
  return words_of(verb).empty() && !arguments_of(*verb.app).empty();
}

std::string words_text(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> flag_names(const CLI::App& verb) {
  std::vector<std::string> names{"--help"};
  for (const auto* flag : flags_of(verb)) {
    for (const auto& name : flag->get_snames()) names.push_back("-" + name);
    for (const auto& name : flag->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string bash_completion(const std::vector<AddedVerb>& verbs) {
  std::vector<std::string> names;
  std::string cases, values;
  for (const auto& verb : verbs) {
    const auto& name = verb.app->get_name();
    names.push_back(name);
    cases += fmt::format("    {}) flags=\"{}\"; words=\"{}\" ;;\n",
                         name,
                         words_text(flag_names(*verb.app)),
                         words_text(words_of(verb)));
    for (const auto* flag : flags_of(*verb.app))
      if (const auto choices = choices_of(*flag); !choices.empty())
        values +=
            fmt::format("    {}:{}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return ;;\n",
                        name,
                        "--" + flag->get_lnames().front(),
                        words_text(choices));
  }
  return fmt::format(R"(# Completion of posse for bash: source <(posse completion bash)
_posse() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb="" flags words i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${{COMP_WORDS[i]}} in
      --plugin) ((++i)) ;;
      -*) ;;
      *) verb=${{COMP_WORDS[i]}}; break ;;
    esac
  done
  if [ -z "$verb" ]; then
    COMPREPLY=($(compgen -W "{} --help --version --plugin" -- "$word"))
    return
  fi
  case $verb:$before in
{}  esac
  case $verb in
{}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  elif [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    compopt -o default
    COMPREPLY=()
  fi
}}
complete -F _posse posse
)",
                     words_text(names),
                     values,
                     cases);
}

/// Within apostrophes, where _arguments and _describe take brackets, colons and backslashes for
/// theirs.
std::string zsh_text(const std::string& text) {
  const auto escaped = std::regex_replace(text, std::regex(R"([\[\]:\\])"), "\\$&");
  return std::regex_replace(escaped, std::regex("'"), "'\\''");
}

std::string zsh_value(const CLI::Option& option) {
  if (!takes_value(option)) return "";
  const auto choices = choices_of(option);
  return choices.empty() ? ":value:_files" : ":value:(" + words_text(choices) + ")";
}

std::string zsh_completion(const std::vector<AddedVerb>& verbs) {
  std::string descriptions, cases;
  for (const auto& verb : verbs) {
    const auto& verb_name = verb.app->get_name();
    descriptions += fmt::format("    '{}:{}'\n", verb_name, zsh_text(verb.app->get_description()));
    cases += fmt::format("    {})\n      _arguments \\\n", verb_name);
    for (const auto* flag : flags_of(*verb.app))
      for (const auto& name : flag->get_lnames())
        cases += fmt::format("        '*--{}[{}]{}' \\\n",
                             name,
                             zsh_text(flag->get_description()),
                             zsh_value(*flag));
    const auto words = words_of(verb);
    cases += words.empty() ? "        '*:file:_files'\n"
                           : fmt::format("        '*:word:({})'\n", words_text(words));
    cases += "      ;;\n";
  }
  return fmt::format(R"(#compdef posse
# Completion of posse for zsh: posse completion zsh > DIRECTORY_OF_FPATH/_posse
local -a verbs
verbs=(
{})
if (( CURRENT == 2 )); then
  _describe verb verbs
  return
fi
local verb=$words[2]
shift words
(( CURRENT-- ))
case $verb in
{}esac
)",
                     descriptions,
                     cases);
}

/// Text within single quotes.
std::string fish_text(const std::string& text) {
  return std::regex_replace(text, std::regex(R"(['\\])"), "\\$&");
}

std::string fish_completion(const std::vector<AddedVerb>& verbs) {
  std::string text =
      "# Completion of posse for fish: posse completion fish | source\n"
      "complete -c posse -f\n";
  for (const auto& verb : verbs) {
    const auto& name = verb.app->get_name();
    text += fmt::format("complete -c posse -n __fish_use_subcommand -a {} -d '{}'\n",
                        name,
                        fish_text(verb.app->get_description()));
    const auto here = fmt::format("complete -c posse -n '__fish_seen_subcommand_from {}'", name);
    for (const auto* flag : flags_of(*verb.app)) {
      const auto choices = choices_of(*flag);
      for (const auto& long_name : flag->get_lnames())
        text += fmt::format("{} -l {}{}{} -d '{}'\n",
                            here,
                            long_name,
                            takes_value(*flag) ? " -r" : "",
                            choices.empty() ? "" : " -a '" + words_text(choices) + "'",
                            fish_text(flag->get_description()));
    }
    if (const auto words = words_of(verb); !words.empty())
      text += fmt::format("{} -a '{}'\n", here, words_text(words));
    if (takes_files(verb)) text += here + " -F\n";
  }
  return text;
}

struct CompletionFlags {
  std::string shell;

  void add_to(CLI::App& verb) {
    verb.add_option("SHELL", shell, "bash | zsh | fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  }
};

ExitCode print_completion(const CompletionFlags& flags, const Invocation&) {
  CLI::App app(std::string(kSummary), "posse");
  Invocation unused;
  auto verbs = add_verbs(app, unused);
  std::erase_if(verbs, [](const AddedVerb& verb) { return verb.app->get_group().empty(); });
  print_out("{}",
            flags.shell == "bash"  ? bash_completion(verbs)
            : flags.shell == "zsh" ? zsh_completion(verbs)
                                   : fish_completion(verbs));
  return ExitCode::ok;
}

}  // namespace

Command completion_verb(CLI::App& verb) { return command_of(verb, print_completion); }

}  // namespace posse
