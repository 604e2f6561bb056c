// Requests of an observer to a run in progress: pause, step, resume, cut and restore links.
//
// Pausing and stepping only hold back virtual time: results do not change, and a limit of wall time
// is suspended. Cutting and restoring change the run in the same way as a [[fault]] of the scenario
// at the same virtual time; `at` is recorded so that the run can be repeated with such a fault.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/time.hpp"
#include "core/network/config.hpp"

namespace posse {

struct Intervention {
  /// step: continue until one more round has ended, then pause. cut, restore: the links between
  /// `groups`.
  enum class Action : std::uint8_t { pause, resume, step, cut, restore } action = Action::pause;
  std::vector<std::vector<NodeSelector>> groups;  // cut, restore: at least two
  Time at;                                        // when it took effect
};

constexpr std::string_view to_string(Intervention::Action action) {
  switch (action) {
    case Intervention::Action::pause:
      return "pause";
    case Intervention::Action::resume:
      return "resume";
    case Intervention::Action::step:
      return "step";
    case Intervention::Action::cut:
      return "cut";
    case Intervention::Action::restore:
      return "restore";
  }
  return "?";
}
inline std::optional<Intervention::Action> parse_action(std::string_view text) {
  using enum Intervention::Action;
  for (const auto action : {pause, resume, step, cut, restore})
    if (to_string(action) == text) return action;
  return std::nullopt;
}

/// Requested by other threads, applied by the run between two windows. Thread-safe.
class InterventionQueue {
 public:
  void ask(Intervention intervention) {
    const std::lock_guard lock(mutex_);
    asked_.push_back(std::move(intervention));
    any_.store(true, std::memory_order_release);
  }
  bool any() const { return any_.load(std::memory_order_acquire); }
  std::vector<Intervention> take() {
    const std::lock_guard lock(mutex_);
    any_.store(false, std::memory_order_relaxed);
    return std::exchange(asked_, {});
  }

 private:
  std::atomic<bool> any_{false};
  std::mutex mutex_;
  std::vector<Intervention> asked_;
};

}  // namespace posse
