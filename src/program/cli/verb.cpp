// SPDX-License-Identifier: Apache-2.0
#include "program/cli/verb.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/sweep/collect.hpp"

namespace posse {

bool report_mistakes(const Diagnostics& diagnostics) {
  if (diagnostics.empty()) return true;
  const auto count = diagnostics.all().size();
  print_err("{}{} {} (exit code 3)\n", diagnostics.text(), count, count == 1 ? "error" : "errors");
  return false;
}

ExitCode with_file_errors(const std::function<ExitCode()>& verb) {
  try {
    return verb();
  } catch (const DifferentResults& problem) {
    print_err("{} (exit code 6)\n", problem.what());
    return ExitCode::differs;
  } catch (const FileError& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  } catch (const std::filesystem::filesystem_error& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
}

void print_json(const nlohmann::ordered_json& data) {
  print_out("{}\n", data.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

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
