// SPDX-License-Identifier: Apache-2.0
// Input of others as errors and reports show it: without commands for a terminal, and short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace posse {

/// Takes one character off the front of a text that is not empty: its bytes, or none if they aren't
/// UTF-8 (one byte is taken).
std::string_view take_character(std::string_view& rest, std::uint32_t& code);

/// Control characters except line breaks and tabs as \x1b, characters that reorder or hide text as
/// \u202e, bytes that aren't UTF-8 as \xff.
std::string printable(std::string_view text);

/// One line of UTF-8 that is printable as it stands: without tabs, too.
bool is_printable_line(std::string_view text);

/// Printable, on one line, and cut after so many characters, with "…" in place of the rest.
std::string shortened(std::string_view text, std::size_t most = 60);

/// Names in a list, each shortened; of many, the first ones.
std::string names_text(const std::vector<std::string>& names);

/// A whole error: printable, and without its middle if it has more than some thousand bytes.
std::string shown_error(std::string_view text);

}  // namespace posse
