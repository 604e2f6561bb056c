// SPDX-License-Identifier: Apache-2.0
#include "program/base/threads.hpp"

#include <condition_variable>
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
  // Threads wait until it is known how many there are.
  std::condition_variable changed;
  std::size_t kept = count;
  bool begun = false;
  const auto change = [&](auto& what, auto value) {
    const std::lock_guard lock(mutex);
    what = value;
    changed.notify_all();
  };
  {
    std::vector<std::jthread> others;
    try {
      others.reserve(count);
      while (others.size() + 1 < count)
        others.emplace_back([&, number = others.size() + 1] {
          {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return begun || number >= kept; });
            if (number >= kept) return;
          }
          guarded(number);
        });
    } catch (const std::exception& problem) {
      // Stacks may have taken the memory that work needs: half of the threads are given back first.
      const std::size_t made = others.size() + 1;
      change(kept, made - made / 2);
      others.resize(kept - 1);
      print_err("note: {} of {} threads can be had ({}); going on with {}\n",
                made,
                count,
                problem.what(),
                kept);
    }
    change(begun, true);
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
