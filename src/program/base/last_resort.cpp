// SPDX-License-Identifier: Apache-2.0
#include "program/base/last_resort.hpp"

#include <execinfo.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "core/base/memory_reserve.hpp"
#include "program/base/exit_codes.hpp"

namespace posse {
namespace {

std::terminate_handler g_usual_end = nullptr;

bool memory_has_ended() {
  const auto problem = std::current_exception();
  // Functions that let no exception pass end the program without telling which one it was.
  if (problem == nullptr) return !memory_is_held_back();
  try {
    std::rethrow_exception(problem);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

[[noreturn]] void end_without_memory() {
  constexpr std::string_view kText = "out of memory (exit code 7)\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, kText.data(), kText.size());
  _exit(to_int(ExitCode::no_progress));
}

[[noreturn]] void end() {
  if (memory_has_ended()) end_without_memory();
  g_usual_end();
  std::abort();
}

/// Libraries check what they left half done when memory ended, or abort on their own, as the C
/// library does where it can't register a destructor.
void on_abort(int) {
  if (!memory_is_held_back() || errno == ENOMEM) end_without_memory();
}

/// CAF destroys actors of a system that it could not finish after what they need.
struct sigaction g_usual_fault;
void on_fault(int) {
  if (!memory_is_held_back()) end_without_memory();
  sigaction(SIGSEGV, &g_usual_fault, nullptr);  // which the fault, repeated, then meets
}

}  // namespace

void prepare_for_end_of_memory() {
  // The C library loads what exceptions need to pass through its functions when they first do,
  // which takes memory.
  void* frame = nullptr;
  backtrace(&frame, 1);
  use_memory_reserve();
  g_usual_end = std::set_terminate(end);
  std::signal(SIGABRT, on_abort);
  struct sigaction fault {};
  fault.sa_handler = on_fault;
  sigaction(SIGSEGV, &fault, &g_usual_fault);
}

}  // namespace posse
