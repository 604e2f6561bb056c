// SPDX-License-Identifier: Apache-2.0
// Standard output and standard error of the program. Neither ends it: what can't be written to
// standard error is lost, and what can't be written to standard output is known at the end.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace posse {

/// Before anything is opened or printed: opens /dev/null for standard input, output and error where
/// they are closed, so that no other file takes their place; ignores SIGPIPE.
void prepare_standard_streams();

namespace detail {
void write_out(std::string_view text);
void write_err(std::string_view text) noexcept;
/// Printable: texts may quote what the user gave.
void write_message(std::string_view text);
}  // namespace detail

/// Data, on standard output; buffered. Thread-safe.
template <class... Values>
void print_out(fmt::format_string<Values...> format, Values&&... values) {
  detail::write_out(fmt::format(format, std::forward<Values>(values)...));
}
/// Everything else, on standard error; at once and whole. Thread-safe. Without memory a long text
/// is lost.
template <class... Values>
void print_err(fmt::format_string<Values...> format, Values&&... values) noexcept {
  try {
    fmt::memory_buffer text;  // short texts need no memory
    fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
    detail::write_message({text.data(), text.size()});
  } catch (const std::exception&) {
    detail::write_err("out of memory: a message is lost\n");
  }
}

/// Writes what is buffered.
void flush_out();
/// Flushes. Why data could not be written, or "". A reader that closes a pipe early has what it
/// wanted: that is not a failure.
std::string output_failure();

}  // namespace posse
