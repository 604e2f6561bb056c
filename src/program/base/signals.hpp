// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM and SIGHUP: recorded, so that runs can end in an orderly way.
#pragma once

#include <optional>

namespace posse {

/// From now on SIGINT, SIGTERM and, unless it was ignored (nohup), SIGHUP are recorded; a second
/// one ends the program at once.
void catch_signals();
/// Signals end the program at once again: nothing would heed them.
void leave_signals();
/// The signal that asked to stop, or 0.
int pending_signal();
/// Waits for a signal, the end of the time (nothing: no limit) or the descriptor `readable` to have
/// input (-1: none). Signals must be caught.
void wait_for_signal(std::optional<double> most_seconds = std::nullopt, int readable = -1);

/// Called by a second signal before it ends the program; must be safe in a signal handler.
using BeforeExit = void (*)() noexcept;
void before_exit_by_signal(BeforeExit action);

/// Ends the program with the exit code of the pending signal, while other threads may still work:
/// nothing is destroyed.
[[noreturn]] void exit_by_signal();

}  // namespace posse
