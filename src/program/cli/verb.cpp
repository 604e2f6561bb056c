// SPDX-License-Identifier: Apache-2.0
#include "program/cli/verb.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "program/base/json.hpp"
#include "program/base/output.hpp"

namespace posse {

bool report_mistakes(const Diagnostics& diagnostics) {
  for (const auto& note : diagnostics.notes()) print_err("note: {}\n", note);
  if (diagnostics.empty()) return true;
  const auto count = diagnostics.all().size();
  print_err("{}{} {} (exit code 3)\n", diagnostics.text(), count, count == 1 ? "error" : "errors");
  return false;
}

void print_json(const Json& data) { print_out("{}\n", pretty_json(data)); }

std::string shell_quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-./=:,%+").find(c) != std::string_view::npos;
  });
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string this_program(const Invocation& invocation) {
  return shell_quoted(invocation.command_line.front());
}

}  // namespace posse
