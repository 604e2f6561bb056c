// SIGINT and SIGTERM: remembered, so that what runs can end in good order.
#pragma once

#include <optional>

namespace posse {

/// SIGINT and SIGTERM are remembered; a second one ends the program at once.
void catch_signals();
/// The signal that asked to stop, or 0.
int pending_signal();
/// Until a signal has come, the time is over (nothing: there is no limit) or the descriptor
/// `readable` is (-1: none). Signals must be caught.
void wait_for_signal(std::optional<double> most_seconds = std::nullopt, int readable = -1);

/// What a second signal does before it ends the program; must be safe in a signal handler.
using BeforeExit = void (*)() noexcept;
void before_exit_by_signal(BeforeExit action);

}  // namespace posse
