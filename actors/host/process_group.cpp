// SPDX-License-Identifier: Apache-2.0
#include "actors/host/process_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <caf/all.hpp>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "actors/host/actor_system.hpp"
#include "actors/host/limit_watch.hpp"
#include "actors/host/line/front.hpp"
#include "actors/host/line_gate.hpp"
#include "actors/host/wall_actors.hpp"
#include "core/base/outside_failure.hpp"

namespace posse {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kTimeToPrepare = 60s;
constexpr auto kTimeForLastReport = 5s;
/// A member in a run reports twice a second.
constexpr auto kLongestSilence = 5s;
constexpr auto kLookEvery = 1s;
constexpr auto kTimeForGuests = 10s;
constexpr int kPings = 8;

std::int64_t ticks(Clock::time_point time) { return time.time_since_epoch().count(); }

std::vector<std::uint32_t> numbers_of(const std::vector<NodeId>& nodes) {
  std::vector<std::uint32_t> numbers(nodes.size());
  std::transform(
      nodes.begin(), nodes.end(), numbers.begin(), [](NodeId node) { return node.value; });
  return numbers;
}

template <class Content>
void tell(Line& line, FrameKind kind, Content content) {
  line.send(kind, encode_frame(std::move(content)));
}

}  // namespace

/// Lines call it on the thread of `io`, the runs on theirs.
struct ProcessGroup::State {
  struct Member {
    std::shared_ptr<Line> line;
    std::shared_ptr<LineGate> gate;
    Clock::time_point heard = Clock::now();
    std::vector<std::string> wanted;
    bool present = true;
    std::optional<std::string> ready;  // why not; empty: it is
    std::string boot;
    std::int64_t clock_offset = 0, best_round_trip = 0;  // its clock less ours; of the best ping
    bool last_report = false;
    std::vector<NodeId> enters_for;  // takes them over in the run under way, when it is ready
  };
  struct Run {
    std::uint64_t number = 0;
    WallWorld* world = nullptr;
    WallActors* actors = nullptr;
    std::vector<std::size_t> process_of_node;
    const Protocol* protocol = nullptr;
    std::string description;
    Clock::time_point start;

    bool takes_part(std::size_t member) const {
      return std::find(process_of_node.begin(), process_of_node.end(), member) !=
             process_of_node.end();
    }
    NodeHolder holder(std::uint32_t node) const {
      const std::size_t process = process_of_node[node];
      return process == 0                       ? NodeHolder::listener
             : process == WallWorld::kNoProcess ? NodeHolder::nobody
                                                : NodeHolder::member;
    }
  };

  explicit State(GroupOptions given)
      : options(std::move(given)),
        keys(options.credentials, true),
        config(options.threads),
        tick(io.io()) {}

  void meets(std::unique_ptr<OpenedLine> opened);
  void hears(const std::shared_ptr<Line>& line, const Frame& frame);
  void hears(Member& member, const Frame& frame);
  void ended(const std::shared_ptr<Line>& line, const std::string& why);
  void joins(const std::shared_ptr<Line>& line, const Frame& frame);
  WelcomeFrame refusal(const JoinFrame& join) const;
  void takes_report(Member& member, const ReportFrame& report);
  void passes_on(Member& member, const MessageFrame& frame);
  void keep_watch();
  void lose(Member& member, const std::string& how);
  void dismiss(Member& member, const std::string& why);
  void tell_moved(const std::vector<NodeId>& nodes, NodeHolder holder);
  void offer_lost_nodes(Member& member);
  void enters(Member& member);
  void begin(const Member& member, std::vector<char> resumed) const;
  void prepare(Member& member, PrepareFrame frame) const;
  std::size_t number_of(const Member& member) const {
    return static_cast<std::size_t>(&member - members.data()) + 1;
  }

  GroupOptions options;
  EntranceKeys keys;
  ThreadsConfig config;
  std::optional<caf::actor_system> system;
  std::mutex mutex;  // of what follows
  std::condition_variable changed;
  IoThread io;
  boost::asio::steady_timer tick;
  Clock::time_point checked = Clock::now();
  std::map<std::shared_ptr<Line>, Clock::time_point> guests;  // have not joined; since when
  std::vector<Member> members;
  std::optional<Run> run;
  std::uint64_t runs = 0;
  bool over = false;  // no run follows
  std::optional<Front> front;
};

// Coming.

void ProcessGroup::State::meets(std::unique_ptr<OpenedLine> opened) {
  const auto line = std::make_shared<Line>(io.io(), std::move(*opened));
  boost::asio::post(io.io(), [this, line] {
    {
      const std::lock_guard lock(mutex);
      guests.emplace(line, Clock::now());
    }
    const std::weak_ptr<Line> self = line;
    line->start({[this, self](Frame frame) { hears(self.lock(), frame); },
                 [this, self](const std::string& why) { ended(self.lock(), why); }});
  });
}

void ProcessGroup::State::hears(const std::shared_ptr<Line>& line, const Frame& frame) {
  const std::lock_guard lock(mutex);
  if (guests.contains(line)) {
    joins(line, frame);
  } else {
    for (Member& member : members)
      if (member.present && member.line == line) {
        member.heard = Clock::now();
        hears(member, frame);
        break;
      }
  }
  changed.notify_all();
}

void ProcessGroup::State::joins(const std::shared_ptr<Line>& line, const Frame& frame) {
  guests.erase(line);
  const auto join =
      frame.kind == FrameKind::join ? decode_frame<JoinFrame>(frame.content) : std::nullopt;
  auto welcome = join ? refusal(*join) : WelcomeFrame{"it can't be understood"};
  const bool refused = !welcome.refusal.empty();
  if (refused) options.tell(fmt::format("refused: {}", welcome.refusal));
  tell(*line, FrameKind::welcome, std::move(welcome));
  if (refused) return line->end();
  Member& member = members.emplace_back();
  member.line = line;
  member.gate = std::make_shared<LineGate>(line);
  member.wanted = join->wanted;
  options.tell(fmt::format(
      "member {} has joined{}",
      members.size(),
      member.wanted.empty() ? "" : ", for " + fmt::format("{}", fmt::join(member.wanted, ", "))));
  offer_lost_nodes(member);
}

WelcomeFrame ProcessGroup::State::refusal(const JoinFrame& join) const {
  const Credentials& own = options.credentials;
  if (join.version != own.version)
    return {fmt::format("this is posse {}, not {}", own.version, join.version)};
  if (join.scenario_hash != 0 && join.scenario_hash != own.scenario_hash)
    return {fmt::format("the scenario here has the hash {:016x}, not {:016x}",
                        own.scenario_hash,
                        join.scenario_hash)};
  std::vector<NodeClaim> others;
  for (const Member& member : members)
    if (member.present) others.push_back({number_of(member), member.wanted});
  if (auto refusal = refuse_claim(options.nodes, join.wanted, others))
    return {std::move(refusal->why), refusal->for_now};
  return {};
}

// What members say.

void ProcessGroup::State::hears(Member& member, const Frame& frame) {
  const auto with = [&]<class Content>(std::optional<Content> content, auto&& act) {
    if (content)
      act(*content);
    else
      dismiss(member, "what it sent can't be read");
  };
  switch (frame.kind) {
    case FrameKind::ready:
      return with(decode_frame<ReadyFrame>(frame.content), [&](ReadyFrame& ready) {
        member.boot = std::move(ready.boot);
        if (runs != ready.run) return;
        member.ready = std::move(ready.problem);
        if (!member.enters_for.empty()) enters(member);
      });
    case FrameKind::pong:
      return with(decode_frame<PongFrame>(frame.content), [&](const PongFrame& pong) {
        const std::int64_t now = ticks(Clock::now());
        if (pong.sent < 0 || pong.sent > now || pong.there < 0)
          return dismiss(member, "its clock can't be read");
        const std::int64_t round_trip = now - pong.sent;
        if (member.best_round_trip != 0 && round_trip >= member.best_round_trip) return;
        member.best_round_trip = round_trip;
        member.clock_offset = pong.there - (pong.sent + round_trip / 2);
      });
    case FrameKind::report:
      return with(decode_frame<ReportFrame>(frame.content),
                  [&](const ReportFrame& report) { takes_report(member, report); });
    case FrameKind::message:
      return with(decode_frame<MessageFrame>(frame.content),
                  [&](const MessageFrame& message) { passes_on(member, message); });
    default:
      dismiss(member, "it sent what members don't send");
  }
}

void ProcessGroup::State::takes_report(Member& member, const ReportFrame& frame) {
  if (!run || run->number != frame.run) return;
  auto report = decode_report(frame.report, run->world->types().size());
  const bool owns_all =
      report && std::all_of(report->nodes.begin(), report->nodes.end(), [&](const auto& node) {
        return node.node.value < run->process_of_node.size() &&
               run->process_of_node[node.node.value] == number_of(member);
      });
  const bool last = report && report->last;
  if (!owns_all || !run->world->adopt(number_of(member), std::move(*report)))
    return dismiss(member, "its report can't be read");
  if (last) member.last_report = true;
}

void ProcessGroup::State::passes_on(Member& member, const MessageFrame& frame) {
  if (!run || run->number != frame.run) return;  // of a run that is over
  const Envelope& message = frame.message;
  const auto& process_of_node = run->process_of_node;
  if (message.from >= process_of_node.size() || process_of_node[message.from] != number_of(member))
    return dismiss(member, "it sent a message in the name of a node that it doesn't have");
  if (message.to >= process_of_node.size())
    return dismiss(member, "it sent a message to a node that doesn't exist");
  const auto copy = from_envelope(message, run->world->types());
  if (!copy || !run->world->is_sound(*copy))
    return dismiss(member, "it sent a message that can't be read");
  const std::size_t process = process_of_node[message.to];
  if (process == 0)
    run->actors->receive(message);
  else if (process != WallWorld::kNoProcess)
    members[process - 1].gate->pass(frame.run, message);
}

// Going.

void ProcessGroup::State::ended(const std::shared_ptr<Line>& line, const std::string& why) {
  const std::lock_guard lock(mutex);
  guests.erase(line);
  for (Member& member : members)
    if (member.present && member.line == line)
      lose(member, why.empty() ? "has left" : fmt::format("is lost: {}", why));
  changed.notify_all();
}

void ProcessGroup::State::dismiss(Member& member, const std::string& why) {
  tell(*member.line, FrameKind::bye, ByeFrame{why});
  lose(member, fmt::format("is sent away: {}", why));
}

/// Once a second: speaks to the members, and sends those away that are silent. A process that
/// stands still, or can't be reached, holds its connection for long.
void ProcessGroup::State::keep_watch() {
  tick.expires_after(kLookEvery);
  tick.async_wait([this](const boost::system::error_code& error) {
    if (!error) keep_watch();
  });
  const std::lock_guard lock(mutex);
  const auto now = Clock::now();
  const bool was_away = now - checked > 3 * kLookEvery;  // or its threads were all at work
  checked = now;
  std::erase_if(guests, [&](const auto& guest) {
    const bool late = now - guest.second > kTimeForGuests;
    if (late) guest.first->end();
    return late;
  });
  for (Member& member : members) {
    if (was_away) member.heard = now;
    if (!member.present) continue;
    tell(*member.line, FrameKind::ping, PingFrame{ticks(now)});
    if (!run || !run->takes_part(number_of(member)) || now - member.heard < kLongestSilence)
      continue;
    tell(*member.line, FrameKind::bye, ByeFrame{"nothing was heard of it"});
    lose(member, "has timed out and is treated as crashed");
  }
  changed.notify_all();
}

void ProcessGroup::State::lose(Member& member, const std::string& how) {
  member.present = false;
  member.line->end();
  member.enters_for.clear();
  if (!over) options.tell(fmt::format("member {} {}", number_of(member), how));
  if (!run) return;
  std::vector<NodeId> nodes;
  for (std::uint32_t i = 0; i < run->process_of_node.size(); ++i)
    if (run->process_of_node[i] == number_of(member)) nodes.push_back(NodeId{i});
  if (nodes.empty()) return;
  for (const NodeId node : nodes) {
    run->process_of_node[node.value] = WallWorld::kNoProcess;
    run->actors->set_gate(node, nullptr);
  }
  run->world->lose(nodes);
  tell_moved(nodes, NodeHolder::nobody);
  for (Member& other : members)
    if (other.present && !run->takes_part(number_of(other))) offer_lost_nodes(other);
}

// Taking over.

void ProcessGroup::State::tell_moved(const std::vector<NodeId>& nodes, NodeHolder holder) {
  const MovedFrame moved{run->number, numbers_of(nodes), static_cast<std::uint8_t>(holder)};
  for (const Member& member : members)
    if (member.present && run->takes_part(number_of(member)))
      tell(*member.line, FrameKind::moved, moved);
}

/// Nodes of the run under way that have no process, and can begin anew.
void ProcessGroup::State::offer_lost_nodes(Member& member) {
  if (!run) return;
  const NodeNames names(run->protocol->groups());
  std::vector<bool> wanted(names.size(), member.wanted.empty());
  for (const auto& name : member.wanted) {
    const auto range = names.select(name);
    for (auto i = range.first; i < range.last; ++i) wanted[i] = true;
  }
  std::vector<NodeId> lost;
  for (std::uint32_t i = 0; i < names.size(); ++i)
    if (wanted[i] && run->process_of_node[i] == WallWorld::kNoProcess) lost.push_back(NodeId{i});
  for (const auto& node : run->world->resumptions(lost)) {
    const bool can = !node.progress.started || run->protocol->can_lose_state(node.node);
    if (can && !node.progress.finished)
      member.enters_for.push_back(node.node);
    else if (!can)
      options.tell(fmt::format("{} can't begin anew in this run", names.name(node.node)));
  }
  if (member.enters_for.empty()) return;
  PrepareFrame frame{run->number, run->description, numbers_of(member.enters_for), {}};
  for (std::uint32_t i = 0; i < names.size(); ++i)
    frame.holders.push_back(static_cast<std::uint8_t>(run->holder(i)));
  prepare(member, std::move(frame));
}

void ProcessGroup::State::enters(Member& member) {
  const auto nodes = std::exchange(member.enters_for, {});
  if (!run) return;
  if (!member.ready->empty())
    return options.tell(
        fmt::format("member {} can't run this: {}", number_of(member), *member.ready));
  for (const NodeId node : nodes)
    if (run->process_of_node[node.value] != WallWorld::kNoProcess) return;  // another was faster
  for (const NodeId node : nodes) {
    run->process_of_node[node.value] = number_of(member);
    run->actors->set_gate(node, member.gate);
  }
  run->world->expect(run->process_of_node);
  run->world->expect_anew(nodes);
  auto resumed = run->world->resumptions(nodes);
  run->world->find(nodes);
  tell_moved(nodes, NodeHolder::member);
  begin(member, encode_resumptions(resumed));
  options.tell(fmt::format("member {} takes part", number_of(member)));
}

void ProcessGroup::State::prepare(Member& member, PrepareFrame frame) const {
  member.ready.reset();
  member.last_report = false;
  tell(*member.line, FrameKind::prepare, std::move(frame));
  for (int i = 0; i < kPings; ++i)
    tell(*member.line, FrameKind::ping, PingFrame{ticks(Clock::now())});
}

void ProcessGroup::State::begin(const Member& member, std::vector<char> resumed) const {
  const std::int64_t offset = member.boot == boot_id() ? 0 : member.clock_offset;
  tell(*member.line,
       FrameKind::begin,
       BeginFrame{run->number, ticks(run->start) + offset, std::move(resumed)});
}

ProcessGroup::ProcessGroup(GroupOptions options)
    : state_(std::make_unique<State>(std::move(options))) {
  State& state = *state_;
  set_up(state.system, state.config);
  state.front.emplace(FrontOptions{.host = state.options.address.host,
                                   .port = state.options.address.port,
                                   .entrance = state.keys.options(),
                                   .tell = state.options.tell},
                      [&state](std::unique_ptr<OpenedLine> line) { state.meets(std::move(line)); });
  boost::asio::post(state.io.io(), [&state] { state.keep_watch(); });
}

ProcessGroup::~ProcessGroup() {
  State& state = *state_;
  state.front.reset();
  {
    std::unique_lock lock(state.mutex);
    state.over = true;
    for (const State::Member& member : state.members)
      if (member.present) tell(*member.line, FrameKind::bye, ByeFrame{});
    // What was sent last gets through before the connections are closed.
    state.changed.wait_for(lock, 2s, [&] {
      return std::none_of(state.members.begin(), state.members.end(), [](const auto& member) {
        return member.present;
      });
    });
  }
  state.io.stop();
  state.guests.clear();
  state.members.clear();
  state.system.reset();
  caf::logger::set_current_actor_system(nullptr);
}

std::uint16_t ProcessGroup::port() const { return state_->front->port(); }

SimulationResult ProcessGroup::run(const SimulationSpec& simulated,
                                   const std::string& description,
                                   WallLimit& limit,
                                   Progress* progress) {
  State& state = *state_;
  SimulationSpec spec = simulated;
  spec.in_wall_time = true;
  const Nodes nodes(spec.protocol->groups());
  const auto cancelled = [&] {
    return limit.reached() || (progress != nullptr && progress->cancel);
  };
  /// Waits while nothing is asked to stop. False if the time was up first.
  const auto wait_for = [&](std::unique_lock<std::mutex>& lock, auto until, auto&& there) {
    while (!there()) {
      if (cancelled()) throw Interrupted();
      if (Clock::now() >= until) return false;
      state.changed.wait_for(lock, 50ms);
    }
    return true;
  };

  std::unique_lock lock(state.mutex);
  const auto patience = state.options.patience;
  wait_for(lock, patience.count() > 0 ? Clock::now() + patience : Clock::time_point::max(), [&] {
    return static_cast<std::size_t>(
               std::count_if(state.members.begin(), state.members.end(), [](const auto& m) {
                 return m.present;
               })) >= state.options.members;
  });
  std::vector<std::vector<std::string>> wanted;
  std::vector<std::size_t> member_of_process{0};  // from 1
  for (std::size_t i = 0; i < state.members.size(); ++i)
    if (state.members[i].present) {
      wanted.push_back(state.members[i].wanted);
      member_of_process.push_back(i + 1);
    }
  auto process_of_node = deal_out(nodes, topology_of(*spec.algorithm, *spec.protocol), wanted);
  for (std::size_t& process : process_of_node)
    if (process != WallWorld::kNoProcess) process = member_of_process[process];

  const std::uint64_t number = ++state.runs;
  std::vector<bool> here;
  std::vector<std::shared_ptr<ProcessGate>> gates;
  std::vector<std::uint8_t> holders;
  std::vector<std::vector<std::uint32_t>> nodes_of(state.members.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const std::size_t process = process_of_node[i];
    here.push_back(process == 0);
    const bool elsewhere = process != 0 && process != WallWorld::kNoProcess;
    gates.push_back(elsewhere ? state.members[process - 1].gate : nullptr);
    holders.push_back(static_cast<std::uint8_t>(elsewhere      ? NodeHolder::member
                                                : process == 0 ? NodeHolder::listener
                                                               : NodeHolder::nobody));
    if (elsewhere) nodes_of[process - 1].push_back(i);
  }
  const auto taking_part = [&](auto&& act) {
    nodes_of.resize(state.members.size());
    for (std::size_t i = 0; i < nodes_of.size(); ++i) {
      const bool has = state.run ? state.run->takes_part(i + 1) : !nodes_of[i].empty();
      if (has && state.members[i].present) act(state.members[i], nodes_of[i]);
    }
  };
  const auto tell_all = [&](FrameKind kind) {
    taking_part(
        [&](State::Member& member, const auto&) { tell(*member.line, kind, RunFrame{number}); });
  };
  const auto all_are = [&](auto&& condition) {
    bool all = true;
    taking_part([&](State::Member& member, const auto&) { all = all && condition(member); });
    return all;
  };
  taking_part([&](State::Member& member, const std::vector<std::uint32_t>& own) {
    state.prepare(member, {number, description, own, holders});
  });
  if (!wait_for(lock, Clock::now() + kTimeToPrepare, [&] {
        return all_are([](const auto& member) { return member.ready.has_value(); });
      }))
    throw OutsideFailure("a member has not prepared the run in a minute");
  for (std::size_t i = 0; i < state.members.size(); ++i)
    if (const auto& ready = state.members[i].ready; ready && !ready->empty())
      throw OutsideFailure(fmt::format("member {} can't run this: {}", i + 1, *ready));

  // Who has gone meanwhile is absent, as are the nodes that nobody has.
  std::vector<NodeId> absent;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    auto& process = process_of_node[i];
    if (process != 0 && process != WallWorld::kNoProcess && !state.members[process - 1].present)
      process = WallWorld::kNoProcess;
    if (process != WallWorld::kNoProcess) continue;
    absent.push_back(NodeId{i});
    gates[i] = nullptr;
  }

  LimitWatch watch(limit);
  std::vector<std::unique_ptr<Role>> roles;
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    roles.push_back(here[i] ? spec.protocol->make_role(NodeId{i}) : nullptr);
  WallWorld world(spec, nodes, std::move(roles), progress, watch, heeded_interruption());
  world.expect(process_of_node);
  WallActors actors(*state.system, world, number, here, gates);
  SimulationResult result;
  try {
    state.run = State::Run{
        number, &world, &actors, process_of_node, spec.protocol, description, Clock::now()};
    auto first = world.begin(state.run->start);
    world.lose(absent);
    taking_part([&](State::Member& member, const auto&) {
      member.heard = Clock::now();
      state.begin(member, {});
    });
    lock.unlock();
    actors.keep(std::move(first));
    world.watch_over([&](auto appointments) { actors.keep(std::move(appointments)); },
                     [&] {
                       const std::lock_guard held(state.mutex);
                       tell_all(FrameKind::answered);
                     },
                     state.options.rejoin);
    lock.lock();
    tell_all(FrameKind::stop);
    const auto until = Clock::now() + kTimeForLastReport;
    while (Clock::now() < until && !all_are([](const auto& member) { return member.last_report; }))
      state.changed.wait_for(lock, 50ms);
    state.run.reset();
    lock.unlock();
    result = world.conclude();
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    tell_all(FrameKind::stop);
    state.run.reset();
    lock.unlock();
    throw;
  }
  return result;
}

}  // namespace posse
