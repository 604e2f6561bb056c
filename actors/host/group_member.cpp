// SPDX-License-Identifier: Apache-2.0
#include "actors/host/group_member.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "actors/host/actor_system.hpp"
#include "actors/host/limit_watch.hpp"
#include "actors/host/wall_actors.hpp"
#include "core/base/outside_failure.hpp"

namespace posse {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kReportInterval = 50ms;
constexpr auto kTimeToJoin = 10s;

struct Prepare {
  std::uint64_t run = 0;
  std::string description;
  std::vector<std::uint32_t> nodes;
  std::vector<caf::actor> gates;
};

/// What the listener has said, for the thread that does it.
struct Inbox {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Prepare> prepares;
  struct Begin {
    std::int64_t start = 0;
    std::vector<char> resumed;
  };
  std::map<std::uint64_t, Begin> begins;    // by run
  std::uint64_t answered = 0, stopped = 0;  // runs, the latest
  bool welcome = false, bye = false, lost = false;
  std::optional<std::string> refused;
  // Messages for the nodes here.
  std::uint64_t run = 0;
  WallActors* actors = nullptr;
  std::vector<std::pair<std::uint64_t, Envelope>> early;  // of the run that begins
};

class MemberGate final : public caf::event_based_actor {
 public:
  MemberGate(caf::actor_config& config, const MemberOptions& options, Inbox& inbox)
      : caf::event_based_actor(config), options_(options), inbox_(inbox) {
    set_down_handler([this](const caf::down_msg&) { noted([&] { inbox_.lost = true; }); });
  }

  caf::behavior make_behavior() override {
    return {
        // Of the thread that works.
        [this](JoinAtom, const caf::actor& listener) {
          monitor(listener);
          const Credentials& own = options_.credentials;
          request(listener,
                  kTimeToJoin,
                  JoinAtom::value,
                  kProcessProtocol,
                  own.version,
                  own.token,
                  own.scenario_hash,
                  options_.wanted,
                  caf::actor(this))
              .then(
                  [this](WelcomeAtom, const std::string& refusal) {
                    noted([&] {
                      if (refusal.empty())
                        inbox_.welcome = true;
                      else
                        inbox_.refused = refusal;
                    });
                  },
                  [this](const caf::error& problem) {
                    noted([&] { inbox_.refused = home_system().render(problem); });
                  });
        },
        [this](PrepareAtom,
               std::uint64_t run,
               const std::string& description,
               const std::vector<std::uint32_t>& nodes,
               const std::vector<caf::actor>& gates) {
          noted([&] { inbox_.prepares.push_back({run, description, nodes, gates}); });
        },
        [](PingAtom, std::int64_t sent) {
          return caf::make_message(
              PingAtom::value, sent, std::int64_t{Clock::now().time_since_epoch().count()});
        },
        [this](BeginAtom, std::uint64_t run, std::int64_t start, const std::vector<char>& resumed) {
          noted([&] { inbox_.begins[run] = {start, resumed}; });
        },
        [this](MovedAtom,
               std::uint64_t run,
               const std::vector<std::uint32_t>& nodes,
               const caf::actor& gate) {
          const std::lock_guard lock(inbox_.mutex);
          if (inbox_.actors == nullptr || inbox_.run != run) return;
          std::vector<NodeId> moved;
          moved.reserve(nodes.size());
          for (const std::uint32_t node : nodes) moved.push_back(NodeId{node});
          if (gate) inbox_.actors->world().expect_anew(moved);
          for (const NodeId node : moved) inbox_.actors->set_gate(node, gate);
        },
        [this](AnsweredAtom, std::uint64_t run) { noted([&] { inbox_.answered = run; }); },
        [this](StopAtom, std::uint64_t run) { noted([&] { inbox_.stopped = run; }); },
        [this](ByeAtom, const std::string& why) {
          noted([&] { (why.empty() ? inbox_.bye : inbox_.lost) = true; });
          if (!why.empty()) options_.tell("sent away: " + why);
        },
        [this](std::uint64_t run, const Envelope& message) {
          const std::lock_guard lock(inbox_.mutex);
          if (inbox_.actors != nullptr && inbox_.run == run)
            inbox_.actors->receive(message);
          else if (run > inbox_.run || inbox_.actors == nullptr)
            inbox_.early.emplace_back(run, message);
        },
    };
  }

 private:
  template <class Act>
  void noted(Act&& act) {
    const std::lock_guard lock(inbox_.mutex);
    act();
    inbox_.changed.notify_all();
  }
  const MemberOptions& options_;
  Inbox& inbox_;
};

/// One run.
class Part {
 public:
  Part(const Prepare& prepare,
       std::unique_ptr<MemberRun> run,
       caf::actor_system& system,
       const caf::actor& listener,
       Inbox& inbox)
      : number_(prepare.run),
        run_(std::move(run)),
        spec_(run_->spec()),
        limit_(0),
        watch_(limit_),
        nodes_(spec_.protocol->groups()),
        inbox_(inbox) {
    spec_.in_wall_time = true;
    if (prepare.gates.size() != nodes_.size()) throw OutsideFailure("it has other nodes here");
    std::vector<std::unique_ptr<Role>> roles(nodes_.size());
    std::vector<bool> here(nodes_.size()), of_members(nodes_.size());
    for (const std::uint32_t i : prepare.nodes) {
      here.at(i) = true;
      roles[i] = spec_.protocol->make_role(NodeId{i});
    }
    for (std::size_t i = 0; i < here.size(); ++i)
      of_members[i] = !here[i] && prepare.gates[i] != listener;
    world_.emplace(spec_, nodes_, std::move(roles), nullptr, watch_, heeded_interruption());
    world_->report_what_comes_from(std::move(of_members));
    actors_.emplace(system, *world_, number_, std::move(here), prepare.gates);
  }

  /// Until it is over, or this process is to stop. Sends its reports.
  void take_part(const Inbox::Begin& begin,
                 const std::function<bool()>& stopped,
                 const std::function<void(ProcessReport)>& send) {
    const Clock::time_point start{Clock::duration(begin.start)};
    std::vector<Resumption> resumed;
    if (!begin.resumed.empty()) {
      auto read = decode_resumptions(begin.resumed);
      if (!read) throw OutsideFailure("what the listener says of the run can't be read");
      resumed = std::move(*read);
    }
    {
      const std::lock_guard lock(inbox_.mutex);
      inbox_.run = number_;
      inbox_.actors = &*actors_;
      actors_->keep(world_->begin(start, resumed));
      for (const auto& [run, message] : inbox_.early)
        if (run == number_) actors_->receive(message);
      inbox_.early.clear();
    }
    try {
      for (;;) {
        bool answered = false;
        if (stopped()) return leave();
        {
          const std::lock_guard lock(inbox_.mutex);
          if (inbox_.stopped >= number_ || inbox_.lost || inbox_.bye) break;
          answered = inbox_.answered >= number_;
        }
        if (auto report = world_->next_report(answered ? 1ms : kReportInterval, answered))
          send(std::move(*report));
      }
    } catch (...) {
      leave();
      throw;
    }
    leave();
    send(world_->end());
  }

 private:
  void leave() {
    const std::lock_guard lock(inbox_.mutex);
    inbox_.actors = nullptr;
  }

  std::uint64_t number_;
  std::unique_ptr<MemberRun> run_;
  SimulationSpec spec_;
  WallLimit limit_;
  LimitWatch watch_;
  Nodes nodes_;
  Inbox& inbox_;
  std::optional<WallWorld> world_;
  std::optional<WallActors> actors_;
};

}  // namespace

MemberEnd take_part(const MemberOptions& options,
                    const std::function<std::unique_ptr<MemberRun>(const std::string&)>& make_run) {
  ProcessConfig config(options.threads, options.credentials.tls);
  Inbox inbox;
  std::optional<caf::actor_system> system;
  set_up(system, config);
  caf::actor gate, listener;
  const auto go = [&] {
    if (gate) caf::anon_send_exit(gate, caf::exit_reason::user_shutdown);
    gate = listener = nullptr;
    {
      const std::lock_guard lock(inbox.mutex);
      inbox.prepares.clear();
    }
    system.reset();
    caf::logger::set_current_actor_system(nullptr);
  };
  const auto work = [&] {
    listener = connect_to(*system, options.address, options.credentials.tls.any());
    gate = system->spawn<MemberGate>(options, inbox);
    caf::anon_send(gate, JoinAtom::value, listener);
    std::unique_lock lock(inbox.mutex);
    const auto wait_until = [&](auto&& there) {
      while (!there() && !inbox.lost && !inbox.bye && !options.stopped())
        inbox.changed.wait_for(lock, 50ms);
    };
    wait_until([&] { return inbox.welcome || inbox.refused; });
    if (inbox.refused) throw OutsideFailure("refused: " + *inbox.refused);
    if (inbox.lost && !inbox.welcome)
      throw NotReached(fmt::format("{}:{} hung up", options.address.host, options.address.port));
    if (inbox.welcome)
      options.tell(
          fmt::format("joined the node at {}:{}", options.address.host, options.address.port));
    for (;;) {
      wait_until([&] { return !inbox.prepares.empty(); });
      if (inbox.prepares.empty())
        return inbox.bye ? MemberEnd::sent_home : inbox.lost ? MemberEnd::lost : MemberEnd::stopped;
      Prepare prepare = std::move(inbox.prepares.front());
      inbox.prepares.pop_front();
      const std::uint64_t run = prepare.run;
      lock.unlock();
      std::optional<Part> part;
      std::string problem;
      try {
        part.emplace(prepare, make_run(prepare.description), *system, listener, inbox);
      } catch (const std::exception& failure) {
        problem = blame(failure).what;
        if (problem.empty()) problem = "it failed";
      }
      caf::send_as(gate, listener, ReadyAtom::value, run, problem, boot_id());
      lock.lock();
      if (!part) continue;
      wait_until([&] { return inbox.begins.contains(run) || inbox.stopped >= run; });
      const auto begins = inbox.begins.find(run);
      if (begins == inbox.begins.end()) continue;
      const Inbox::Begin begin = std::move(begins->second);
      inbox.begins.erase(begins);
      lock.unlock();
      part->take_part(begin, options.stopped, [&](ProcessReport report) {
        caf::send_as(gate, listener, ReportAtom::value, run, encode_report(report));
      });
      part.reset();
      lock.lock();
    }
  };
  try {
    const MemberEnd end = work();
    go();
    return end;
  } catch (...) {
    go();
    throw;
  }
}

}  // namespace posse
