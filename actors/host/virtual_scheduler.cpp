// SPDX-License-Identifier: Apache-2.0
#include "actors/host/virtual_scheduler.hpp"

#include <iostream>
#include <stdexcept>

namespace posse {
namespace {

thread_local Time current_time;

/// The printer behind CAF's `aout`, without buffering.
class Printer final : public caf::monitorable_actor {
 public:
  explicit Printer(caf::actor_config& config) : monitorable_actor(config) {
    handler_.assign(
        [](caf::add_atom, caf::actor_id, const std::string& text) { std::cerr << text; });
  }
  void enqueue(caf::mailbox_element_ptr element, caf::execution_unit*) override {
    handler_(element->content());
  }

 private:
  caf::message_handler handler_;
};

[[noreturn]] void no_timers() {
  throw std::logic_error(
      "a node actor requested a CAF timer; roles set timers through their Reaction");
}

}  // namespace

void VirtualClock::set(Time now) { current_time = now; }

// Time point 0 means "no timeout" in CAF, so all times are shifted by a nanosecond.
VirtualClock::time_point VirtualClock::now() const noexcept {
  return time_point{std::chrono::nanoseconds{current_time.ns + 1}};
}
void VirtualClock::set_ordinary_timeout(time_point,
                                        caf::abstract_actor*,
                                        caf::atom_value,
                                        uint64_t) {
  no_timers();
}
void VirtualClock::set_multi_timeout(time_point, caf::abstract_actor*, caf::atom_value, uint64_t) {
  no_timers();
}
void VirtualClock::set_request_timeout(time_point, caf::abstract_actor*, caf::message_id) {
  no_timers();
}
void VirtualClock::schedule_message(time_point, caf::strong_actor_ptr, caf::mailbox_element_ptr) {
  no_timers();
}
void VirtualClock::schedule_message(time_point, caf::group, caf::strong_actor_ptr, caf::message) {
  no_timers();
}

caf::actor_system::module* VirtualScheduler::make(caf::actor_system& system,
                                                  caf::detail::type_list<>) {
  return new VirtualScheduler(system);
}

void VirtualScheduler::start() {
  VirtualUnit unit(&system());
  caf::actor_config config(&unit);
  utility_actors_[printer_id] = caf::make_actor<Printer, caf::actor>(
      system().next_actor_id(), system().node(), &system(), config);
}

void VirtualScheduler::enqueue(caf::resumable* job) {
  VirtualUnit unit(&system());
  unit.exec_later(job);
  unit.run_ready();
}

void VirtualUnit::run_ready() {
  while (!ready_.empty()) {
    auto* job = ready_.back();
    ready_.pop_back();
    // Without a limit of messages it returns when its mailbox is empty or when it has ended; in
    // either case the unit's reference goes.
    job->resume(this, ~std::size_t{0});
    caf::intrusive_ptr_release(job);
  }
}

}  // namespace posse
