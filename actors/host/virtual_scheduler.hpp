// SPDX-License-Identifier: Apache-2.0
// A CAF scheduler without threads: node actors run on the kernel's workers, in the order of virtual
// time, and their clock shows virtual time.
//
// No message crosses threads inside CAF: the window engine delivers to a node's mailbox and resumes
// the actor at once, on the same worker. All other actors (CAF's utility actors) run on the thread
// that enqueues them.
#pragma once

#include <caf/all.hpp>
#include <caf/scheduler/abstract_coordinator.hpp>
#include <vector>

#include "core/base/time.hpp"

namespace posse {

/// The virtual clock for CAF. The kernel owns the timers of roles, so actors schedule nothing
/// through CAF. An attempt throws instead of being ignored.
class VirtualClock final : public caf::actor_clock {
 public:
  time_point now() const noexcept override;
  void set_ordinary_timeout(time_point, caf::abstract_actor*, caf::atom_value, uint64_t) override;
  void set_multi_timeout(time_point, caf::abstract_actor*, caf::atom_value, uint64_t) override;
  void set_request_timeout(time_point, caf::abstract_actor*, caf::message_id) override;
  void cancel_ordinary_timeout(caf::abstract_actor*, caf::atom_value) override {}
  void cancel_request_timeout(caf::abstract_actor*, caf::message_id) override {}
  void cancel_timeouts(caf::abstract_actor*) override {}
  void schedule_message(time_point, caf::strong_actor_ptr, caf::mailbox_element_ptr) override;
  void schedule_message(time_point, caf::group, caf::strong_actor_ptr, caf::message) override;
  void cancel_all() override {}

  /// Sets the calling worker's virtual time.
  static void set(Time now);
};

class VirtualScheduler final : public caf::scheduler::abstract_coordinator {
 public:
  explicit VirtualScheduler(caf::actor_system& system) : abstract_coordinator(system) {}

  /// For `actor_system_config::load`.
  static caf::actor_system::module* make(caf::actor_system& system, caf::detail::type_list<>);

  bool detaches_utility_actors() const override { return false; }
  void start() override;
  void stop() override {}
  void enqueue(caf::resumable* job) override;
  caf::actor_clock& clock() noexcept override { return clock_; }

 private:
  VirtualClock clock_;
};

/// The execution unit of one worker: runs jobs until none is ready.
class VirtualUnit final : public caf::execution_unit {
 public:
  explicit VirtualUnit(caf::actor_system* system) : execution_unit(system) {}
  void exec_later(caf::resumable* job) override { ready_.push_back(job); }
  void run_ready();

 private:
  std::vector<caf::resumable*> ready_;
};

}  // namespace posse
