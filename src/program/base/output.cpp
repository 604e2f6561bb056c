// SPDX-License-Identifier: Apache-2.0
#include "program/base/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/base/shown_text.hpp"
#include "program/base/terminal.hpp"

namespace posse {
namespace {

std::atomic<int> g_output_error{0};  // the first errno

void remember_output_error() {
  int none = 0;
  g_output_error.compare_exchange_strong(none, errno != 0 ? errno : EIO);
}

/// What kind of message it is, and the exit code, in colour.
std::string colored_message(std::string text) {
  constexpr std::pair<std::string_view, Tone> kKinds[] = {
      {"warning:", Tone::uncertain}, {"note:", Tone::faint}, {"threshold failed:", Tone::bad}};
  if (const auto begin = text.rfind("(exit code "); begin != std::string::npos)
    if (const auto end = text.find(')', begin); end != std::string::npos) {
      const auto code = text.substr(begin, end + 1 - begin);
      text.replace(begin, code.size(), toned_err(Tone::bad, code));
    }
  for (const auto& [kind, tone] : kKinds)
    if (text.starts_with(kind)) text.replace(0, kind.size(), toned_err(tone, kind));
  return text;
}

}  // namespace

void prepare_standard_streams() {
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(standard, F_GETFD) < 0 && errno == EBADF)
      (void)open("/dev/null", O_RDWR);  // takes the lowest number that is free
  std::signal(SIGPIPE, SIG_IGN);
}

void detail::write_out(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) remember_output_error();
}

void detail::write_err(std::string_view text) noexcept {
  while (!text.empty()) {
    const auto written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void detail::write_message(std::string_view text) {
  if (has_colored_err()) return write_err(colored_message(printable(text)));
  const auto is_plain = [](char c) { return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t'; };
  if (std::all_of(text.begin(), text.end(), is_plain)) return write_err(text);  // without memory
  write_err(printable(text));
}

void flush_out() {
  errno = 0;
  if (std::fflush(stdout) != 0) remember_output_error();
}

std::string output_failure() {
  flush_out();
  const int error = g_output_error;
  return error == 0 || error == EPIPE ? "" : std::strerror(error);
}

}  // namespace posse
