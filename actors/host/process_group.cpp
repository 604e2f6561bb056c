// SPDX-License-Identifier: Apache-2.0
#include "actors/host/process_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "actors/host/actor_system.hpp"
#include "actors/host/connections.hpp"
#include "actors/host/limit_watch.hpp"
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
constexpr auto kSilenceCheck = 1s;
constexpr auto kTimeForStrangers = 10s;
constexpr int kPings = 8;

std::int64_t ticks(Clock::time_point time) { return time.time_since_epoch().count(); }

std::vector<std::uint32_t> numbers_of(const std::vector<NodeId>& nodes) {
  std::vector<std::uint32_t> numbers(nodes.size());
  std::transform(
      nodes.begin(), nodes.end(), numbers.begin(), [](NodeId node) { return node.value; });
  return numbers;
}

/// Takes as long for every wrong token of the same length.
bool same_token(const std::string& a, const std::string& b) {
  unsigned differ = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    differ |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return differ == 0;
}

}  // namespace

struct ProcessGroup::State {
  struct Member {
    caf::actor gate;
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
  };

  explicit State(GroupOptions given) : options(std::move(given)) {}

  std::string refusal(std::uint32_t protocol,
                      const std::string& version,
                      const std::string& token,
                      std::uint64_t scenario_hash) const;
  Member* member_of(const caf::strong_actor_ptr& sender);
  void begin(const Member& member, std::vector<char> resumed) const;

  GroupOptions options;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Member> members;
  std::optional<Run> run;
  std::uint64_t runs = 0;
  std::optional<ProcessConfig> config;
  std::optional<caf::actor_system> system;
  caf::actor gate;
  std::uint16_t port = 0;
  std::optional<AcceptedConnections> connections;
  bool over = false;  // no run follows
};

std::string ProcessGroup::State::refusal(std::uint32_t protocol,
                                         const std::string& version,
                                         const std::string& token,
                                         std::uint64_t scenario_hash) const {
  const Credentials& own = options.credentials;
  if (!same_token(token, own.token)) return "the token is not the one of this run";
  if (protocol != kProcessProtocol || version != own.version)
    return fmt::format("this is posse {}, not {}", own.version, version);
  if (scenario_hash != 0 && scenario_hash != own.scenario_hash)
    return fmt::format(
        "the scenario here has the hash {:016x}, not {:016x}", own.scenario_hash, scenario_hash);
  return "";
}

ProcessGroup::State::Member* ProcessGroup::State::member_of(const caf::strong_actor_ptr& sender) {
  if (!sender) return nullptr;
  for (Member& member : members)
    if (member.present && member.gate->node() == sender->node()) return &member;
  return nullptr;
}

void ProcessGroup::State::begin(const Member& member, std::vector<char> resumed) const {
  const std::int64_t offset = member.boot == boot_id() ? 0 : member.clock_offset;
  caf::anon_send(
      member.gate, BeginAtom::value, run->number, ticks(run->start) + offset, std::move(resumed));
}

/// Through which everything comes from the members.
class ProcessGroup::Gate final : public caf::event_based_actor {
 public:
  Gate(caf::actor_config& config, State& state) : caf::event_based_actor(config), state_(state) {
    set_down_handler([this](const caf::down_msg& down) { leaves(down.source); });
  }

  caf::behavior make_behavior() override {
    delayed_send(this, kSilenceCheck, TickAtom::value);
    return {
        [this](TickAtom) {
          delayed_send(this, kSilenceCheck, TickAtom::value);
          send_silent_away();
          end_strange_connections();
        },
        [this](JoinAtom,
               std::uint32_t protocol,
               const std::string& version,
               const std::string& token,
               std::uint64_t scenario_hash,
               const std::vector<std::string>& wanted,
               const caf::actor& gate) {
          return joins(protocol, version, token, scenario_hash, wanted, gate);
        },
        [this](ReadyAtom, std::uint64_t run, const std::string& problem, const std::string& boot) {
          with_member([&](State::Member& member) {
            member.boot = boot;
            if (state_.runs != run) return;
            member.ready = problem;
            if (!member.enters_for.empty()) enters(member);
          });
        },
        [this](PingAtom, std::int64_t sent, std::int64_t there) {
          with_member([&](State::Member& member) {
            const std::int64_t now = ticks(Clock::now()), round_trip = now - sent;
            if (member.best_round_trip != 0 && round_trip >= member.best_round_trip) return;
            member.best_round_trip = round_trip;
            member.clock_offset = there - (sent + round_trip / 2);
          });
        },
        [this](ReportAtom, std::uint64_t run, const std::vector<char>& bytes) {
          with_member([&](State::Member& member) { takes_report(member, run, bytes); });
        },
        [this](std::uint64_t run, const Envelope& message) {
          with_member([&](State::Member& member) { passes_on(member, run, message); });
        },
    };
  }

 private:
  using TickAtom = caf::atom_constant<caf::atom("tick")>;

  template <class Act>
  void with_member(Act&& act) {
    const std::lock_guard lock(state_.mutex);
    if (State::Member* member = state_.member_of(current_sender())) {
      member->heard = Clock::now();
      act(*member);
    }
    state_.changed.notify_all();
  }

  caf::message joins(std::uint32_t protocol,
                     const std::string& version,
                     const std::string& token,
                     std::uint64_t scenario_hash,
                     const std::vector<std::string>& wanted,
                     const caf::actor& gate) {
    const std::lock_guard lock(state_.mutex);
    auto reason = state_.refusal(protocol, version, token, scenario_hash);
    if (reason.empty() && !gate) reason = "it has no gate";
    if (!reason.empty()) {
      state_.options.tell(fmt::format("refused: {}", reason));
      return caf::make_message(WelcomeAtom::value, std::move(reason));
    }
    monitor(gate);
    State::Member& member = state_.members.emplace_back();
    member.gate = gate;
    member.wanted = wanted;
    state_.options.tell(
        fmt::format("member {} has joined{}",
                    state_.members.size(),
                    wanted.empty() ? "" : ", for " + fmt::format("{}", fmt::join(wanted, ", "))));
    offer_lost_nodes(member);
    state_.changed.notify_all();
    return caf::make_message(WelcomeAtom::value, std::string());
  }

  void leaves(const caf::actor_addr& who) {
    const std::lock_guard lock(state_.mutex);
    for (State::Member& member : state_.members)
      if (member.present && member.gate.address() == who) lose(member, "has left");
    state_.changed.notify_all();
  }

  /// A process that stands still, or can't be reached, holds its connection for long.
  void send_silent_away() {
    const std::lock_guard lock(state_.mutex);
    const auto now = Clock::now();
    const bool was_away = now - checked_ > 3 * kSilenceCheck;  // or its threads were all at work
    checked_ = now;
    if (was_away)
      for (State::Member& member : state_.members) member.heard = now;
    if (!state_.run) return;
    for (State::Member& member : state_.members) {
      if (!member.present || !state_.run->takes_part(number_of(member)) ||
          now - member.heard < kLongestSilence)
        continue;
      send(member.gate, ByeAtom::value, std::string("nothing was heard of it"));
      lose(member, "is silent, and counts as lost");
    }
    state_.changed.notify_all();
  }

  /// Only members are spoken to all the time.
  void end_strange_connections() {
    const std::lock_guard lock(state_.mutex);
    for (const State::Member& member : state_.members)
      if (member.present) send(member.gate, PingAtom::value, ticks(Clock::now()));
    if (state_.connections) state_.connections->end_unused(kTimeForStrangers);
  }

  void lose(State::Member& member, const char* how) {
    member.present = false;
    member.gate = nullptr;
    member.enters_for.clear();
    if (!state_.over) state_.options.tell(fmt::format("member {} {}", number_of(member), how));
    auto& run = state_.run;
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
    tell_moved(nodes, nullptr);
    for (State::Member& other : state_.members)
      if (other.present && !run->takes_part(number_of(other))) offer_lost_nodes(other);
  }

  void tell_moved(const std::vector<NodeId>& nodes, const caf::actor& gate) {
    const auto numbers = numbers_of(nodes);
    for (const State::Member& member : state_.members)
      if (member.present && state_.run->takes_part(number_of(member)))
        send(member.gate, MovedAtom::value, state_.run->number, numbers, gate);
  }

  /// Nodes of the run under way that have no process, and can begin anew.
  void offer_lost_nodes(State::Member& member) {
    const auto& run = state_.run;
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
        state_.options.tell(fmt::format("{} can't begin anew in this run", names.name(node.node)));
    }
    if (member.enters_for.empty()) return;
    member.ready.reset();
    std::vector<caf::actor> gates;
    gates.reserve(run->process_of_node.size());
    for (const std::size_t process : run->process_of_node)
      gates.push_back(process == 0                       ? caf::actor(this)
                      : process == WallWorld::kNoProcess ? caf::actor()
                                                         : state_.members[process - 1].gate);
    const auto numbers = numbers_of(member.enters_for);
    send(member.gate, PrepareAtom::value, run->number, run->description, numbers, gates);
    for (int i = 0; i < kPings; ++i) send(member.gate, PingAtom::value, ticks(Clock::now()));
  }

  void enters(State::Member& member) {
    const auto nodes = std::exchange(member.enters_for, {});
    auto& run = state_.run;
    if (!run) return;
    if (!member.ready->empty())
      return state_.options.tell(
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
    tell_moved(nodes, member.gate);
    state_.begin(member, encode_resumptions(resumed));
    state_.options.tell(fmt::format("member {} takes part", number_of(member)));
  }

  std::size_t number_of(const State::Member& member) const {
    return static_cast<std::size_t>(&member - state_.members.data()) + 1;
  }

  void takes_report(State::Member& member, std::uint64_t number, const std::vector<char>& bytes) {
    const auto& run = state_.run;
    if (!run || run->number != number) return;
    auto report = decode_report(bytes, run->world->types().size());
    const bool owns_all =
        report && std::all_of(report->nodes.begin(), report->nodes.end(), [&](const auto& node) {
          return node.node.value < run->process_of_node.size() &&
                 run->process_of_node[node.node.value] == number_of(member);
        });
    if (report && report->last) member.last_report = true;
    if (!owns_all || !run->world->adopt(number_of(member), std::move(*report)))
      run->world->fail(std::make_exception_ptr(OutsideFailure(
          fmt::format("member {} sent a report that can't be read", number_of(member)))));
  }

  void passes_on(const State::Member& member, std::uint64_t number, const Envelope& message) {
    const auto& run = state_.run;
    if (!run || run->number != number) return;  // of a run that is over
    const auto process_of = [&](std::uint32_t node) {
      return node < run->process_of_node.size() ? run->process_of_node[node]
                                                : state_.members.size() + 1;
    };
    if (process_of(message.from) == number_of(member) && process_of(message.to) == 0)
      run->actors->receive(message);
  }

  State& state_;
  Clock::time_point checked_ = Clock::now();
};

ProcessGroup::ProcessGroup(GroupOptions options)
    : state_(std::make_unique<State>(std::move(options))) {
  State& state = *state_;
  state.config.emplace(state.options.threads, state.options.credentials.tls);
  set_up(state.system, *state.config);
  state.gate = state.system->spawn<Gate>(state);
  try {
    state.port = publish_at(state.gate, state.options.address, state.options.credentials.tls.any());
    const std::lock_guard lock(state.mutex);
    state.connections.emplace(state.port);
  } catch (...) {
    caf::anon_send_exit(state.gate, caf::exit_reason::user_shutdown);
    state.gate = nullptr;
    throw;
  }
}

ProcessGroup::~ProcessGroup() {
  State& state = *state_;
  {
    const std::lock_guard lock(state.mutex);
    state.over = true;
    for (State::Member& member : state.members)
      if (member.present) caf::anon_send(member.gate, ByeAtom::value, std::string());
  }
  {
    // What was sent last gets through before the connections are closed.
    std::unique_lock lock(state.mutex);
    state.changed.wait_for(lock, 2s, [&] {
      return std::none_of(state.members.begin(), state.members.end(), [](const auto& member) {
        return member.present;
      });
    });
    state.members.clear();
  }
  caf::anon_send_exit(state.gate, caf::exit_reason::user_shutdown);
  state.gate = nullptr;
  state.connections->end_all();
  state.system.reset();
  caf::logger::set_current_actor_system(nullptr);
}

std::uint16_t ProcessGroup::port() const { return state_->port; }

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
  std::vector<caf::actor> gates;
  std::vector<std::vector<std::uint32_t>> nodes_of(state.members.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const std::size_t process = process_of_node[i];
    here.push_back(process == 0);
    const bool elsewhere = process != 0 && process != WallWorld::kNoProcess;
    gates.push_back(elsewhere      ? state.members[process - 1].gate
                    : process == 0 ? state.gate
                                   : caf::actor());
    if (elsewhere) nodes_of[process - 1].push_back(i);
  }
  const auto taking_part = [&](auto&& act) {
    nodes_of.resize(state.members.size());
    for (std::size_t i = 0; i < nodes_of.size(); ++i) {
      const bool has = state.run ? state.run->takes_part(i + 1) : !nodes_of[i].empty();
      if (has && state.members[i].present) act(state.members[i], nodes_of[i]);
    }
  };
  const auto tell_all = [&](auto... content) {
    taking_part(
        [&](State::Member& member, const auto&) { caf::anon_send(member.gate, content...); });
  };
  const auto all_are = [&](auto&& condition) {
    bool all = true;
    taking_part([&](State::Member& member, const auto&) { all = all && condition(member); });
    return all;
  };
  taking_part([&](State::Member& member, const std::vector<std::uint32_t>& own) {
    member.ready.reset();
    member.last_report = false;
    caf::send_as(state.gate, member.gate, PrepareAtom::value, number, description, own, gates);
    for (int i = 0; i < kPings; ++i)
      caf::send_as(state.gate, member.gate, PingAtom::value, ticks(Clock::now()));
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
                       tell_all(AnsweredAtom::value, number);
                     },
                     state.options.rejoin);
    lock.lock();
    tell_all(StopAtom::value, number);
    const auto until = Clock::now() + kTimeForLastReport;
    while (Clock::now() < until && !all_are([](const auto& member) { return member.last_report; }))
      state.changed.wait_for(lock, 50ms);
    state.run.reset();
    lock.unlock();
    result = world.conclude();
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    tell_all(StopAtom::value, number);
    state.run.reset();
    lock.unlock();
    throw;
  }
  return result;
}

std::vector<std::size_t> deal_out(const NodeNames& names,
                                  Topology topology,
                                  const std::vector<std::vector<std::string>>& wanted) {
  constexpr std::size_t kNobody = WallWorld::kNoProcess;
  std::vector<std::size_t> process_of_node(names.size(), kNobody);
  if (has_hub(topology)) process_of_node.front() = 0;
  std::vector<std::size_t> sharers;
  if (!has_hub(topology)) sharers.push_back(0);
  for (std::size_t member = 0; member < wanted.size(); ++member) {
    bool any = false;
    for (const auto& name : wanted[member]) {
      const auto range = names.select(name);
      for (auto i = range.first; i < range.last; ++i)
        if (process_of_node[i] == kNobody) {
          process_of_node[i] = member + 1;
          any = true;
        }
    }
    if (!any) sharers.push_back(member + 1);
  }
  const auto left =
      static_cast<std::size_t>(std::count(process_of_node.begin(), process_of_node.end(), kNobody));
  std::size_t given = 0;
  for (std::size_t& process : process_of_node)
    if (process == kNobody && !sharers.empty()) process = sharers[given++ * sharers.size() / left];
  return process_of_node;
}

}  // namespace posse
