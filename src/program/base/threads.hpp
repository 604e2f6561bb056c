// SPDX-License-Identifier: Apache-2.0
// Threads of the program. Where the system has no more of them, less is done at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <thread>

namespace posse {

/// Calls work(0) on this thread and work(1), …, work(count - 1) on others, as far as there are
/// threads: with fewer it says so on standard error, and leaves half of them out, so that
/// there is memory for the work. Returns when all have; then the first exception of any of them is
/// thrown.
void work_together(std::size_t count, const std::function<void(std::size_t)>& work);

/// A thread that helps, which the program can do without: nothing if the system has no more.
/// Exceptions of `body` end it, not the program.
std::optional<std::jthread> helping_thread(std::function<void()> body);

}  // namespace posse
