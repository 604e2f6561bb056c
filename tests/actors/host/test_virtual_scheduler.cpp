// SPDX-License-Identifier: Apache-2.0
// CAF without threads and with virtual time: what an actor sees of it.
#include <caf/all.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <iostream>
#include <sstream>
#include <thread>

#include "actors/host/virtual_scheduler.hpp"

namespace posse::test_virtual_scheduler {
namespace {

struct Config : caf::actor_system_config {
  Config() { load<VirtualScheduler>(); }
};

struct Log {
  std::vector<std::string> events;
  std::thread::id thread;
};

/// Writes down what it gets and sends it on; "end" ends it.
class Writer final : public caf::event_based_actor {
 public:
  Writer(caf::actor_config& config, std::string name, Log& log, caf::actor next)
      : event_based_actor(config), name_(std::move(name)), log_(log), next_(std::move(next)) {}
  ~Writer() override { log_.events.push_back(name_ + " is gone"); }
  caf::behavior make_behavior() override {
    return {[this](const std::string& text) {
      log_.events.push_back(name_ + " " + text);
      log_.thread = std::this_thread::get_id();
      if (next_) send(next_, text);
      if (text == "print") caf::aout(this) << name_ << " prints" << std::endl;
      if (text == "end") quit();
    }};
  }

 private:
  std::string name_;
  Log& log_;
  caf::actor next_;
};

}  // namespace

TEST_CASE("CAF's clock shows virtual time, a nanosecond late, and refuses to set timers") {
  Config config;
  caf::actor_system system(config);
  auto& clock = system.clock();
  for (const std::int64_t ns : {std::int64_t{0}, std::int64_t{41}}) {
    VirtualClock::set(Time{ns});
    CHECK(clock.now().time_since_epoch() == std::chrono::nanoseconds{ns + 1});
  }
  const auto at = clock.now();
  CHECK_THROWS_AS(clock.set_ordinary_timeout(at, nullptr, {}, 0), std::logic_error);
  CHECK_THROWS_AS(clock.set_multi_timeout(at, nullptr, {}, 0), std::logic_error);
  CHECK_THROWS_AS(clock.set_request_timeout(at, nullptr, {}), std::logic_error);
  CHECK_THROWS_AS(clock.schedule_message(at, caf::strong_actor_ptr(), nullptr), std::logic_error);
  CHECK_THROWS_AS(clock.schedule_message(at, caf::group(), nullptr, caf::message()),
                  std::logic_error);
}

TEST_CASE("an actor handles a message and all that follows at once, on the sender's thread") {
  Log log;
  Config config;
  caf::actor_system system(config);
  const auto second = system.spawn<Writer>("second", log, caf::actor());
  const auto first = system.spawn<Writer>("first", log, second);
  caf::anon_send(first, std::string("one"));
  CHECK(log.events == std::vector<std::string>{"first one", "second one"});
  CHECK(log.thread == std::this_thread::get_id());
  caf::anon_send(first, std::string("two"));
  CHECK(log.events.size() == 4);
}

TEST_CASE("an actor that has ended, or that nobody holds, is gone") {
  Log log;
  Config config;
  caf::actor_system system(config);
  {
    auto ended = system.spawn<Writer>("ended", log, caf::actor());
    caf::anon_send(ended, std::string("end"));
  }
  CHECK(log.events == std::vector<std::string>{"ended end", "ended is gone"});
  log.events.clear();
  {
    auto dropped = system.spawn<Writer>("dropped", log, caf::actor());
    caf::anon_send(dropped, std::string("hello"));
    CHECK(log.events == std::vector<std::string>{"dropped hello"});
  }
  CHECK(log.events == std::vector<std::string>{"dropped hello", "dropped is gone"});
}

TEST_CASE("what an actor prints is on the standard error output at once") {
  Log log;
  Config config;
  caf::actor_system system(config);
  const auto writer = system.spawn<Writer>("writer", log, caf::actor());
  std::ostringstream out;
  auto* const before = std::cerr.rdbuf(out.rdbuf());
  caf::anon_send(writer, std::string("print"));
  std::cerr.rdbuf(before);
  CHECK(out.str() == "writer prints\n");
}

}  // namespace posse::test_virtual_scheduler
