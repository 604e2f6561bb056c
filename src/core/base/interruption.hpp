// SPDX-License-Identifier: Apache-2.0
// Lets long computations end early: evaluations, searches for maxima, the making of a population.
//
// The one thing in the core that is not passed on explicitly, since these computations lie deep
// inside others. It never changes a result: it can only end a computation, by an exception.
#pragma once

#include <cstdint>
#include <exception>

namespace posse {

/// Asked by computations on the threads that heed it, often and from several threads at once.
class Interruption {
 public:
  virtual ~Interruption() = default;
  virtual bool wanted() const = 0;
  /// Told of a part of the evaluations of one reaction, if these are very many: until it ends,
  /// nothing else tells that the run gets on.
  virtual void evaluated(std::uint64_t /*part*/) const {}
};

class Interrupted final : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

namespace detail {
// One for the program and all libraries, whatever visibility they are compiled with.
[[gnu::visibility("default")]] inline thread_local const Interruption* heeded = nullptr;
inline thread_local unsigned calls = 0;  // of check_interruption_at_times
}  // namespace detail

/// What this thread heeds; may be null.
inline const Interruption* heeded_interruption() { return detail::heeded; }

/// As long as it lives, this thread heeds `interruption`, which may be null.
class Heed {
 public:
  explicit Heed(const Interruption* interruption) : before_(detail::heeded) {
    detail::heeded = interruption;
  }
  ~Heed() { detail::heeded = before_; }
  Heed(const Heed&) = delete;
  Heed& operator=(const Heed&) = delete;

 private:
  const Interruption* before_;
};

/// Throws Interrupted if this thread is to end what it does.
inline void check_interruption() {
  if (detail::heeded != nullptr && detail::heeded->wanted()) throw Interrupted();
}

/// Tells of a part of many evaluations, then throws Interrupted as check_interruption does.
inline void check_interruption_after(std::uint64_t evaluations) {
  if (detail::heeded != nullptr) detail::heeded->evaluated(evaluations);
  check_interruption();
}

/// Throws Interrupted now and then, in computations that are brief and many.
inline void check_interruption_at_times() {
  constexpr unsigned kCalls = 256;
  if (++detail::calls % kCalls == 0) check_interruption();
}

}  // namespace posse
