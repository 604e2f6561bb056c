// SPDX-License-Identifier: Apache-2.0
// POSSE_CHECK: assertions for programming errors. Active in release builds, too.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>

namespace posse {

/// A violated invariant. The program reports it with scenario, seed, virtual time and the command
/// that reproduces it, and exits with code 1.
class CheckFailure : public std::logic_error {
  using std::logic_error::logic_error;
};

namespace detail {
[[noreturn]] inline void check_failed(const char* expression,
                                      const char* file,
                                      int line,
                                      const std::string& message) {
  throw CheckFailure(fmt::format(
      "{}:{}: check failed: {}{}{}", file, line, expression, message.empty() ? "" : ": ", message));
}
}  // namespace detail
}  // namespace posse

/// POSSE_CHECK(condition) or POSSE_CHECK(condition, "format {}", value…).
#define POSSE_CHECK(condition, ...)                                       \
  do {                                                                    \
    if (!(condition)) [[unlikely]]                                        \
      ::posse::detail::check_failed(                                      \
          #condition, __FILE__, __LINE__, ::fmt::format("" __VA_ARGS__)); \
  } while (false)
