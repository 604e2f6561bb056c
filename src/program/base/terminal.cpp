// SPDX-License-Identifier: Apache-2.0
#include "program/base/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace posse {
namespace {

constexpr std::size_t kColumnsOfFiles = 100, kLeastColumns = 60, kMostColumns = 200;

struct Style {
  std::size_t columns = kColumnsOfFiles;
  bool colored_out = false, colored_err = false;
};
Style g_style;  // set once

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool is_colored(Color color, int file_descriptor) {
  if (color != Color::automatic) return color == Color::always;
  const char* terminal = std::getenv("TERM");
  return isatty(file_descriptor) != 0 && !is_set("NO_COLOR") && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

/// A parameter of the escape sequence SGR.
constexpr std::string_view code_of(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "32";
    case Tone::bad:
      return "1;31";
    case Tone::uncertain:
      return "33";
    case Tone::faint:
      return "2";
    case Tone::strong:
      return "1";
  }
  return "0";
}

std::string colored(Tone tone, std::string_view text) {
  return fmt::format("\033[{}m{}\033[0m", code_of(tone), text);
}

}  // namespace

void use_terminal(Color color) {
  g_style.colored_out = is_colored(color, STDOUT_FILENO);
  g_style.colored_err = is_colored(color, STDERR_FILENO);
  if (const auto columns = terminal_columns(STDOUT_FILENO))
    g_style.columns = std::clamp(*columns, kLeastColumns, kMostColumns);
}

std::size_t text_columns() { return g_style.columns; }

std::optional<std::size_t> terminal_columns(int file_descriptor) {
  winsize size{};
  if (ioctl(file_descriptor, TIOCGWINSZ, &size) != 0) return std::nullopt;
  return size.ws_col > 0 ? size.ws_col : std::size_t{80};  // some terminals don't know
}

bool has_colored_err() { return g_style.colored_err; }

std::string toned(Tone tone, std::string_view text) {
  return g_style.colored_out ? colored(tone, text) : std::string(text);
}

std::string toned_err(Tone tone, std::string_view text) {
  return g_style.colored_err ? colored(tone, text) : std::string(text);
}

}  // namespace posse
