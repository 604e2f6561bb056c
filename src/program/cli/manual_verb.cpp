// SPDX-License-Identifier: Apache-2.0
// Manual pages, made from the verbs and flags themselves.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "program/base/files.hpp"
#include "program/base/version.hpp"
#include "program/cli/command_line.hpp"
#include "program/cli/verb_options.hpp"

namespace posse {
namespace {

/// Text for roff: its own characters escaped.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  if (!out.empty() && (out.front() == '.' || out.front() == '\'')) out.insert(0, "\\&");
  return out;
}

std::string option_entry(const CLI::Option& option, const std::string& name) {
  const auto value = takes_value(option) ? value_of(option) : "";
  std::string entry = ".TP\n\\fB" + roff(name) + "\\fR";
  if (!value.empty() && option.nonpositional())
    entry += (value.front() == '[' ? "" : " ") + std::string("\\fI") + roff(value) + "\\fR";
  return entry + "\n" + roff(option.get_description()) + "\n";
}

std::string heading(const std::string& name) {
  return fmt::format(".TH {} 1 \"\" \"posse {}\" \"Posse\"\n", roff(name), version());
}

std::string synopsis(const CLI::App& verb, const std::string& name) {
  std::string text = "\\fB" + roff(name) + "\\fR";
  for (const auto* argument : arguments_of(verb)) {
    const auto word = "\\fI" + roff(argument->get_name()) + "\\fR" +
                      (argument->get_items_expected_max() > 1 ? " …" : "");
    text += argument->get_required() ? " " + word : " [" + word + "]";
  }
  return text + (flags_of(verb).empty() ? "" : " [\\fIoptions\\fR]") + "\n";
}

std::string options_section(const CLI::App& verb) {
  std::string text;
  for (const auto* argument : arguments_of(verb))
    text += option_entry(*argument, argument->get_name());
  for (const auto* flag : flags_of(verb)) text += option_entry(*flag, names_of(*flag));
  return text.empty() ? "" : ".SH OPTIONS\n" + text;
}

std::string exit_codes() {
  std::string text = ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : kExitCodes)
    text += fmt::format(".TP\n.B {}\n{}\n", to_int(code), roff(meaning));
  return text;
}

std::string verb_page(const CLI::App& verb) {
  const auto name = "posse-" + verb.get_name();
  std::string page = heading(name) + ".SH NAME\n" + roff(name) + " \\- " +
                     roff(verb.get_description()) + "\n.SH SYNOPSIS\n";
  const auto parts = visible_verbs(verb);
  if (parts.empty()) page += synopsis(verb, "posse " + verb.get_name());
  for (const auto* part : parts) {
    if (part != parts.front()) page += ".br\n";
    page += synopsis(*part, "posse " + verb.get_name() + " " + part->get_name());
  }
  page += options_section(verb);
  for (const auto* part : parts) {
    page += fmt::format(".SH {}\n{}\n", roff(part->get_name()), roff(part->get_description()));
    for (const auto* argument : arguments_of(*part))
      page += option_entry(*argument, argument->get_name());
    for (const auto* flag : flags_of(*part)) page += option_entry(*flag, names_of(*flag));
  }
  if (!verb.get_footer().empty()) {
    page += ".SH EXAMPLES\n.nf\n";
    for (const auto& line : examples_of(verb)) page += roff(line) + "\n";
    page += ".fi\n";
  }
  return page + ".SH SEE ALSO\n.BR posse (1)\n";
}

std::string program_page(const CLI::App& app) {
  std::string page =
      heading("posse") + ".SH NAME\nposse \\- " + roff(app.get_description()) +
      "\n.SH SYNOPSIS\n\\fBposse\\fR \\fIverb\\fR [\\fIarguments\\fR]\n"
      ".SH DESCRIPTION\nA scenario file says which algorithms run, on which objective, "
      "over which network with which faults. \\fBposse new\\fR writes one with "
      "comments, \\fBposse run\\fR runs it.\n.SH VERBS\n";
  std::string group;
  for (const auto* verb : visible_verbs(app)) {
    if (group != verb->get_group()) page += ".SS " + roff(group = verb->get_group()) + "\n";
    page += fmt::format(
        ".TP\n.BR posse\\-{} (1)\n{}\n", roff(verb->get_name()), roff(verb->get_description()));
  }
  page += options_section(app);
  page +=
      ".SH ENVIRONMENT\nPOSSE_THREADS, POSSE_OUT, POSSE_PROGRESS and POSSE_SEED stand for the "
      "flags of these names; POSSE_SCENARIOS is the directory of the shipped scenarios.\n";
  return page + exit_codes();
}

struct ManualFlags {
  std::filesystem::path folder;

  void add_to(CLI::App& verb) { verb.add_option("DIR", folder, "directory")->required(); }
};

ExitCode write_manual(const ManualFlags& flags, const Invocation&) {
  CLI::App app(std::string(kSummary), "posse");
  Invocation unused;
  const auto verbs = add_verbs(app, unused);  // keeps their flags
  write_file(flags.folder / "posse.1", program_page(app));
  for (const auto* verb : visible_verbs(app))
    write_file(flags.folder / fmt::format("posse-{}.1", verb->get_name()), verb_page(*verb));
  return ExitCode::ok;
}

}  // namespace

Command manual_verb(CLI::App& verb) { return command_of(verb, write_manual); }

}  // namespace posse
