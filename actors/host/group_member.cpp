// SPDX-License-Identifier: Apache-2.0
#include "actors/host/group_member.hpp"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <caf/all.hpp>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "actors/host/actor_system.hpp"
#include "actors/host/limit_watch.hpp"
#include "actors/host/line/connect.hpp"
#include "actors/host/line_gate.hpp"
#include "actors/host/wall_actors.hpp"
#include "core/base/outside_failure.hpp"

namespace posse {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kReportInterval = 50ms;
constexpr auto kTimeToJoin = 10s;
/// Of a run that hasn't begun here.
constexpr std::size_t kMostEarlyMessages = 10'000'000;
constexpr std::size_t kMostRunsAhead = 100;
/// What the listener says of its start may differ from the present by this much.
constexpr auto kLongestRun = std::chrono::hours(24 * 365);

/// What the listener has said, for the thread that does it.
struct Inbox {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<PrepareFrame> prepares;
  std::map<std::uint64_t, BeginFrame> begins;  // by run
  std::uint64_t answered = 0, stopped = 0;     // runs, the latest
  bool welcome = false, bye = false, lost = false;
  std::optional<WelcomeFrame> refused;
  // Messages for the nodes here.
  std::uint64_t run = 0;
  WallActors* actors = nullptr;
  std::deque<MessageFrame> early;  // of the run that begins
};

/// Hears what the listener says, on the line's thread.
class Listener {
 public:
  /// `gate`: to the listener, through which all are reached.
  Listener(const MemberOptions& options, Inbox& inbox, std::shared_ptr<ProcessGate> gate)
      : options_(options), inbox_(inbox), gate_(std::move(gate)) {}

  /// The answer to the clock's comparison goes out at once.
  void hears(Line& line, const Frame& frame) {
    if (frame.kind == FrameKind::ping) {
      const auto ping = read<PingFrame>(frame);
      const PongFrame pong{ping.sent, Clock::now().time_since_epoch().count()};
      return line.send(FrameKind::pong, encode_frame(pong));
    }
    const std::lock_guard lock(inbox_.mutex);
    switch (frame.kind) {
      case FrameKind::welcome:
        return hears_welcome(read<WelcomeFrame>(frame));
      case FrameKind::prepare:
        check(inbox_.prepares.size() < kMostRunsAhead);
        inbox_.prepares.push_back(read<PrepareFrame>(frame));
        break;
      case FrameKind::begin: {
        check(inbox_.begins.size() < kMostRunsAhead);
        auto begin = read<BeginFrame>(frame);
        inbox_.begins[begin.run] = std::move(begin);
        break;
      }
      case FrameKind::moved:
        return hears_moved(read<MovedFrame>(frame));
      case FrameKind::message:
        return hears_message(read<MessageFrame>(frame));
      case FrameKind::answered:
        inbox_.answered = read<RunFrame>(frame).run;
        break;
      case FrameKind::stop:
        inbox_.stopped = read<RunFrame>(frame).run;
        break;
      case FrameKind::bye: {
        const auto bye = read<ByeFrame>(frame);
        (bye.why.empty() ? inbox_.bye : inbox_.lost) = true;
        if (!bye.why.empty()) options_.tell("sent away: " + bye.why);
        break;
      }
      default:
        check(false);
    }
    inbox_.changed.notify_all();
  }
  void is_lost(const std::string& why) {
    const std::lock_guard lock(inbox_.mutex);
    if (!why.empty() && !inbox_.bye && !inbox_.lost) options_.tell("the line is broken: " + why);
    inbox_.lost = true;
    inbox_.changed.notify_all();
  }

 private:
  /// Ends the line otherwise.
  static void check(bool makes_sense) {
    if (!makes_sense) throw OutsideFailure("what the listener says makes no sense");
  }
  template <class Content>
  static Content read(const Frame& frame) {
    auto content = decode_frame<Content>(frame.content);
    check(content.has_value());
    return std::move(*content);
  }

  void hears_welcome(WelcomeFrame welcome) {
    if (welcome.refusal.empty())
      inbox_.welcome = true;
    else
      inbox_.refused = std::move(welcome);
    inbox_.changed.notify_all();
  }
  void hears_moved(const MovedFrame& frame) {
    if (inbox_.actors == nullptr || inbox_.run != frame.run) return;
    std::vector<NodeId> moved;
    moved.reserve(frame.nodes.size());
    for (const std::uint32_t node : frame.nodes) {
      check(inbox_.actors->may_move(NodeId{node}));
      moved.push_back(NodeId{node});
    }
    const bool somebody = frame.holder != static_cast<std::uint8_t>(NodeHolder::nobody);
    if (somebody) inbox_.actors->world().expect_anew(moved);
    for (const NodeId node : moved) inbox_.actors->set_gate(node, somebody ? gate_ : nullptr);
  }
  void hears_message(MessageFrame frame) {
    if (frame.run <= inbox_.stopped) return;
    if (inbox_.actors != nullptr && inbox_.run == frame.run) {
      inbox_.actors->receive(frame.message);
    } else if (frame.run > inbox_.run || inbox_.actors == nullptr) {
      check(inbox_.early.size() < kMostEarlyMessages);
      inbox_.early.push_back(std::move(frame));
    }
  }

  const MemberOptions& options_;
  Inbox& inbox_;
  std::shared_ptr<ProcessGate> gate_;
};

/// One run.
class Part {
 public:
  Part(const PrepareFrame& prepare,
       std::unique_ptr<MemberRun> run,
       caf::actor_system& system,
       const std::shared_ptr<ProcessGate>& gate,
       Inbox& inbox)
      : number_(prepare.run),
        run_(std::move(run)),
        spec_(run_->spec()),
        limit_(0),
        watch_(limit_),
        nodes_(spec_.protocol->groups()),
        inbox_(inbox) {
    spec_.in_wall_time = true;
    if (prepare.holders.size() != nodes_.size()) throw OutsideFailure("it has other nodes here");
    std::vector<std::unique_ptr<Role>> roles(nodes_.size());
    std::vector<bool> here(nodes_.size()), of_members(nodes_.size());
    for (const std::uint32_t i : prepare.nodes) {
      if (i >= nodes_.size()) throw OutsideFailure("it has other nodes here");
      here[i] = true;
      roles[i] = spec_.protocol->make_role(NodeId{i});
    }
    std::vector<std::shared_ptr<ProcessGate>> gates(nodes_.size());
    for (std::size_t i = 0; i < here.size(); ++i) {
      const auto holder = static_cast<NodeHolder>(prepare.holders[i]);
      of_members[i] = !here[i] && holder != NodeHolder::listener;
      if (!here[i] && holder != NodeHolder::nobody) gates[i] = gate;
    }
    world_.emplace(spec_, nodes_, std::move(roles), nullptr, watch_, heeded_interruption());
    world_->report_what_comes_from(std::move(of_members));
    actors_.emplace(system, *world_, number_, std::move(here), std::move(gates));
  }

  /// Until it is over, or this process is to stop. Sends its reports.
  void take_part(const BeginFrame& begin,
                 const std::function<bool()>& stopped,
                 const std::function<void(ProcessReport)>& send) {
    const Clock::time_point start{Clock::duration(begin.start)};
    if (begin.start < 0 || start - Clock::now() > kLongestRun)
      throw OutsideFailure("what the listener says of the run's start can't be");
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
      for (const auto& early : inbox_.early)
        if (early.run == number_) actors_->receive(early.message);
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

template <class Act>
class Finally {
 public:
  explicit Finally(Act act) : act_(std::move(act)) {}
  ~Finally() { act_(); }
  Finally(const Finally&) = delete;
  Finally& operator=(const Finally&) = delete;

 private:
  Act act_;
};
template <class Act>
Finally<Act> finally(Act act) {
  return Finally<Act>(std::move(act));
}

}  // namespace

MemberEnd take_part(const MemberOptions& options,
                    const std::function<std::unique_ptr<MemberRun>(const std::string&)>& make_run) {
  const auto& [host, port] = options.address;
  const EntranceKeys keys(options.credentials, false);
  auto opened = connect_to(host, port, keys.options(), options.stopped);
  if (!opened) return MemberEnd::stopped;

  Inbox inbox;
  ThreadsConfig config(options.threads);
  std::optional<caf::actor_system> system;
  set_up(system, config);
  const auto end_of_system = finally([&] {
    system.reset();
    caf::logger::set_current_actor_system(nullptr);
  });
  IoThread thread;
  const auto line = std::make_shared<Line>(thread.io(), std::move(*opened));
  const auto gate = std::make_shared<LineGate>(line);
  Listener listener(options, inbox, gate);
  // No handler is called after that.
  const auto end_of_line = finally([&] { thread.stop(); });
  boost::asio::post(thread.io(), [&] {
    line->start({[&](const Frame& frame) { listener.hears(*line, frame); },
                 [&](const std::string& why) { listener.is_lost(why); }});
  });
  const Credentials& own = options.credentials;
  line->send(FrameKind::join,
             encode_frame(JoinFrame{own.version, own.scenario_hash, options.wanted}));

  std::unique_lock lock(inbox.mutex);
  const auto wait_until = [&](auto&& there) {
    while (!there() && !inbox.lost && !inbox.bye && !options.stopped())
      inbox.changed.wait_for(lock, 50ms);
  };
  const auto give_up = Clock::now() + kTimeToJoin;
  wait_until([&] { return inbox.welcome || inbox.refused || Clock::now() >= give_up; });
  if (inbox.refused) {
    const auto text = "refused: " + inbox.refused->refusal;
    if (inbox.refused->for_now) throw NotReached(text);
    throw OutsideFailure(text);
  }
  if (!inbox.welcome && !options.stopped())
    throw NotReached(fmt::format("{}:{} hung up", host, port));
  if (inbox.welcome) options.tell(fmt::format("joined the node at {}:{}", host, port));
  for (;;) {
    wait_until([&] { return !inbox.prepares.empty(); });
    if (inbox.prepares.empty()) {
      const auto end = inbox.bye    ? MemberEnd::sent_home
                       : inbox.lost ? MemberEnd::lost
                                    : MemberEnd::stopped;
      line->end();
      // What was said last gets through.
      inbox.changed.wait_for(lock, 2s, [&] { return inbox.lost; });
      return end;
    }
    const PrepareFrame prepare = std::move(inbox.prepares.front());
    inbox.prepares.pop_front();
    const std::uint64_t run = prepare.run;
    lock.unlock();
    std::optional<Part> part;
    std::string problem;
    try {
      part.emplace(prepare, make_run(prepare.description), *system, gate, inbox);
    } catch (const std::exception& failure) {
      problem = blame(failure).what;
      if (problem.empty()) problem = "it failed";
    }
    line->send(FrameKind::ready, encode_frame(ReadyFrame{run, problem, boot_id()}));
    lock.lock();
    if (!part) continue;
    wait_until([&] { return inbox.begins.contains(run) || inbox.stopped >= run; });
    const auto begins = inbox.begins.find(run);
    if (begins == inbox.begins.end()) continue;
    const BeginFrame begin = std::move(begins->second);
    inbox.begins.erase(begins);
    lock.unlock();
    part->take_part(begin, options.stopped, [&](ProcessReport report) {
      line->send(FrameKind::report, encode_frame(ReportFrame{run, encode_report(report)}));
    });
    part.reset();
    lock.lock();
  }
}

}  // namespace posse
