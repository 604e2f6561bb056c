// SPDX-License-Identifier: Apache-2.0
#include "core/base/shown_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace posse {
namespace {

struct CodeRange {
  std::uint32_t first = 0, last = 0;
};

/// Characters that reorder or hide text: marks and overrides of the direction, zero width, line and
/// paragraph separators, annotations, tags.
constexpr std::array kUnseen{CodeRange{0x061C, 0x061C},
                             CodeRange{0x200B, 0x200B},
                             CodeRange{0x200E, 0x200F},
                             CodeRange{0x2028, 0x202E},
                             CodeRange{0x2060, 0x206F},
                             CodeRange{0xD800, 0xDFFF},
                             CodeRange{0xFEFF, 0xFEFF},
                             CodeRange{0xFFF9, 0xFFFB},
                             CodeRange{0xE0000, 0xE007F}};

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

bool is_unseen(std::uint32_t code) {
  return std::any_of(kUnseen.begin(), kUnseen.end(), [code](const CodeRange& range) {
    return range.first <= code && code <= range.last;
  });
}

/// Takes one character off the front, and returns it as it is shown.
std::string take_shown(std::string_view& rest, bool lines) {
  const auto byte = static_cast<unsigned char>(rest.front());
  std::uint32_t code = 0;
  const auto character = take_character(rest, code);
  if (character.empty()) return fmt::format("\\x{:02x}", byte);
  if (lines && (code == '\n' || code == '\t')) return std::string(character);
  if (code < 0x80 && is_control(code)) return fmt::format("\\x{:02x}", code);
  if (is_control(code) || is_unseen(code)) return fmt::format("\\u{:04x}", code);
  return std::string(character);
}

/// The position at or before `at` where a character begins.
std::size_t character_start(std::string_view text, std::size_t at) {
  const auto is_inside = [&] { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
  for (int i = 0; i < 3 && at > 0 && is_inside(); ++i) --at;
  return at;
}

}  // namespace

std::string_view take_character(std::string_view& rest, std::uint32_t& code) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  std::size_t length = 1;
  code = byte(0);
  if (code >= 0x80) {
    length = (code & 0xE0) == 0xC0 ? 2 : (code & 0xF0) == 0xE0 ? 3 : (code & 0xF8) == 0xF0 ? 4 : 0;
    code &= length == 2 ? 0x1FU : length == 3 ? 0x0FU : 0x07U;
    bool valid = length > 0 && length <= rest.size();
    for (std::size_t i = 1; valid && i < length; ++i) {
      valid = (byte(i) & 0xC0) == 0x80;
      code = code << 6 | (byte(i) & 0x3FU);
    }
    constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
    if (!valid || code < kSmallest[length] || code > 0x10FFFF) {
      rest.remove_prefix(1);
      return {};
    }
  }
  const auto taken = rest.substr(0, length);
  rest.remove_prefix(length);
  return taken;
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) out += take_shown(text, true);
  return out;
}

bool is_printable_line(std::string_view text) {
  while (!text.empty()) {
    std::uint32_t code = 0;
    if (take_character(text, code).empty() || is_control(code) || is_unseen(code)) return false;
  }
  return true;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::string out;
  for (std::size_t n = 0; !text.empty(); ++n) {
    if (n == most) return out + "…";
    out += take_shown(text, false);
  }
  return out;
}

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 60;
  const std::size_t shown = std::min(names.size(), kShown);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + shortened(names[i]);
  if (names.size() > kShown) text += fmt::format(", … and {} more", names.size() - kShown);
  return text;
}

std::string shown_error(std::string_view text) {
  constexpr std::size_t kMost = 6000, kEnd = 1000;
  if (text.size() <= kMost) return printable(text);
  return printable(text.substr(0, character_start(text, kMost - kEnd))) + " … " +
         printable(text.substr(character_start(text, text.size() - kEnd)));
}

}  // namespace posse
