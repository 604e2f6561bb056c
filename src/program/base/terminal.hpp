// SPDX-License-Identifier: Apache-2.0
// How wide text is laid out, and whether it has colours. Unless the command line asks for more,
// text is plain and 100 columns wide, as for files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace posse {

enum class Color { automatic, always, never };

/// Lays text out for standard output: for a terminal as wide as it is, 60 to 200 columns. Colours:
/// automatic for terminals, unless NO_COLOR is set or TERM is "dumb". Called before other
/// threads start.
void use_terminal(Color color);

/// The largest width of text.
std::size_t text_columns();
/// What the terminal behind a file descriptor has; nothing if it is no terminal.
std::optional<std::size_t> terminal_columns(int file_descriptor);

/// What a colour says.
enum class Tone { good, bad, uncertain, faint, strong };
/// The text with escape sequences, for standard output (standard error); unchanged without colours.
std::string toned(Tone tone, std::string_view text);
std::string toned_err(Tone tone, std::string_view text);
bool has_colored_err();

}  // namespace posse
