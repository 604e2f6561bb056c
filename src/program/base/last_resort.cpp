#include "program/base/last_resort.hpp"

#include <execinfo.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "program/base/exit_codes.hpp"

namespace posse {
namespace {

constexpr std::size_t kHeldBack = 1 << 20;
std::atomic<void*> g_held_back{nullptr};
std::terminate_handler g_usual_end = nullptr;

void release_memory() {
  std::free(g_held_back.exchange(nullptr));
  throw std::bad_alloc();
}

bool memory_has_ended() {
  const auto problem = std::current_exception();
  // Functions that let no exception pass end the program without telling which one it was.
  if (problem == nullptr) return g_held_back == nullptr;
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
  if (g_held_back == nullptr || errno == ENOMEM) end_without_memory();
}

}  // namespace

void prepare_for_end_of_memory() {
  // The C library loads what exceptions need to pass through its functions when they first do,
  // which takes memory.
  void* frame = nullptr;
  backtrace(&frame, 1);
  hold_memory_back();
  std::set_new_handler(release_memory);
  g_usual_end = std::set_terminate(end);
  std::signal(SIGABRT, on_abort);
}

void hold_memory_back() {
  if (g_held_back != nullptr) return;
  void* held = std::malloc(kHeldBack);
  void* none = nullptr;
  if (!g_held_back.compare_exchange_strong(none, held)) std::free(held);
}

}  // namespace posse
