#include "program/base/threads.hpp"

#include <exception>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "program/base/output.hpp"

namespace posse {

void work_together(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::mutex mutex;
  std::exception_ptr first;
  const auto guarded = [&](std::size_t number) {
    try {
      work(number);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      others.reserve(count);
      while (others.size() + 1 < count) others.emplace_back(guarded, others.size() + 1);
    } catch (const std::exception& problem) {
      print_err("note: {} of {} threads can be had ({}); going on with them\n",
                others.size() + 1,
                count,
                problem.what());
    }
    guarded(0);
  }
  if (first) std::rethrow_exception(first);
}

std::optional<std::jthread> helping_thread(std::function<void()> body) {
  try {
    return std::jthread([body = std::move(body)] {
      try {
        body();
      } catch (...) {
        // For example out of memory: the program goes on without this help.
      }
    });
  } catch (const std::system_error&) {
    return std::nullopt;
  }
}

}  // namespace posse
