// SPDX-License-Identifier: Apache-2.0
#include "core/sim/window_engine.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/fetch.hpp"
#include "core/base/interruption.hpp"
#include "core/base/reference_count.hpp"
#include "core/sim/barrier.hpp"
#include "core/sim/calendar.hpp"
#include "core/sim/event_keys.hpp"

namespace posse {
namespace {

constexpr Duration kSmallestWindow{1000};
constexpr std::int64_t kNoLinksWindow = 1'000'000'000;
constexpr std::size_t kShardsPerThread = 6;
constexpr std::uint32_t kNodesPerShard = 64;  // smaller shards do not pay
/// The leader handles windows with fewer events alone, since waking the others costs more. This
/// does not apply if evaluations take milliseconds: then every node is worth a thread.
constexpr std::size_t kEventsWorthSharing = 64;
constexpr std::uint64_t kEventsBetweenChecks = 1024;
/// From so many nodes on, what will be needed is fetched to the processor's caches while earlier
/// events are handled.
constexpr std::uint32_t kNodesToFetch = 2000;
constexpr std::size_t kSoon = 6;  // events ahead

struct LaterAtNode {
  bool operator()(const Event& a, const Event& b) const { return before_at_nodes(b, a); }
};

struct Later {
  bool operator()(const Event& a, const Event& b) const { return before(b, a); }
};

/// Which events of a window are handled now; the others are held.
enum class Part {
  all,      // nothing is held, except what finished nodes do where there is no hub
  hub,      // the hub's, until the answer is known
  earlier,  // the others', as far as they precede the answer
  none,
  participants,  // those of nodes for which the run waits
  held,          // all that are left
};

struct Shard {
  Shard(Duration width, EventChunks& chunks) : calendar(width, chunks) {}
  Calendar calendar;
  std::int64_t opened = -1;  // the window whose events have been taken from the calendar
  Calendar::Bucket current;
  EventKeys keys;
  KeySorter sorter;
  std::priority_queue<Event, std::vector<Event>, LaterAtNode> own;  // events in the current window
  std::vector<Event> held;       // events of the current window, in the order of `before_at_nodes`
  std::vector<Event> left_over;  // events after a limit or after the end of the run
};

class Engine {
 public:
  Engine(const SimulationSpec& spec,
         World& world,
         const std::vector<RoleHost*>& hosts,
         Progress* progress,
         const WindowOptions& options)
      : spec_(spec),
        world_(world),
        hosts_(hosts),
        options_(options),
        width_(window_width(world)),
        ranks_(world.nodes(), width_),
        fetches_(world.nodes() >= kNodesToFetch),
        state_(spec, world, progress, options.watch),
        barrier_(options.threads),
        has_hub_(world.ending().has_hub()),
        last_time_(spec.limits.virtual_time) {
    const auto nodes = world.nodes() - (has_hub_ ? 1 : 0);  // the hub has a shard of its own
    const bool expensive = spec.problem != nullptr && spec.problem->expensive();
    if (expensive) events_worth_sharing_ = 2;
    const std::size_t most = std::max<std::size_t>(1, expensive ? nodes : nodes / kNodesPerShard);
    const std::size_t wanted = options.threads == 1 ? 1 : options.threads * kShardsPerThread;
    const std::size_t parts = std::min(wanted, most);
    nodes_per_shard_ = std::max(1u, static_cast<std::uint32_t>((nodes + parts - 1) / parts));
    one_part_ = parts == 1;
    const std::size_t shards = parts + (has_hub_ ? 1 : 0);
    for (std::size_t s = 0; s < shards; ++s) {
      if (s == 0 || options.threads > 1) chunks_.push_back(std::make_unique<EventChunks>());
      shards_.push_back(std::make_unique<Shard>(width_, *chunks_.back()));
    }
    for (std::size_t w = 0; w < options.threads; ++w) {
      workers_.push_back(std::make_unique<EngineWorker>(*this, world.types().size()));
      workers_.back()->worker.host = hosts[w];
      workers_.back()->outbox.resize(shards);
      books_.push_back(&workers_.back()->worker);
    }
  }

  SimulationResult run() {
    std::optional<OneThread> one_thread;
    if (options_.threads == 1) one_thread.emplace();
    alone_ = true;  // events go to the calendars directly
    world_.begin(*workers_.front());
    std::vector<std::thread> helpers;
    const std::size_t wanted = std::min(workers_.size(), shards_.size());
    try {
      while (helpers.size() + 1 < wanted)
        helpers.emplace_back([this, w = helpers.size() + 1, heeded = heeded_interruption()] {
          const Heed heed(heeded);
          if (options_.on_helper_start) options_.on_helper_start();
          help(w);
        });
    } catch (const std::system_error&) {
      // The system has no more threads: continue with those that were started.
    }
    helpers_ = helpers.size();
    barrier_.expect(helpers_ + 1);
    lead();
    for (auto& helper : helpers) helper.join();
    if (error_) std::rethrow_exception(error_);
    book_in_flight();
    return state_.conclude(books_, *hosts_.front(), stopped_);
  }

 private:
  struct EngineWorker final : EventSink {
    EngineWorker(Engine& e, std::size_t types) : worker(types), engine(e) { worker.sink = this; }
    void emit(Event&& event) override { engine.route(*this, std::move(event)); }
    void emit_copy(Event&& copy, Duration) override { engine.route(*this, std::move(copy)); }
    Worker worker;
    Engine& engine;
    Shard* shard = nullptr;                  // the shard that this worker is handling
    std::vector<std::vector<Event>> outbox;  // by receiving shard
    std::mutex busy;  // held, except by a worker that waits: others may read its ledger then
    std::exception_ptr error;
    std::uint64_t handled = 0;
    StopReason stopped = StopReason::none;
  };

  static Duration window_width(const World& world) {
    return world.network().lookahead().value_or(Duration{kNoLinksWindow});
  }

  std::size_t shard_of(NodeId node) const {
    if (!has_hub_) return one_part_ ? 0 : node.value / nodes_per_shard_;
    if (node == Ending::kHub) return 0;
    return one_part_ ? 1 : 1 + (node.value - 1) / nodes_per_shard_;
  }

  void route(EngineWorker& from, Event&& event) {
    if (follows_one_) {
      if (!std::exchange(has_one_, true)) {
        *one_ = std::move(event);
        return;
      }
      stop_following();
    }
    const std::size_t to = shard_of(event.node);
    Shard& target = *shards_[to];
    const std::int64_t bucket = target.calendar.bucket_of(event.time);
    if (merging_ && bucket <= window_) {
      merged_.push(std::move(event));
    } else if (&target == from.shard && bucket <= window_) {
      target.own.push(std::move(event));
    } else if (&target == from.shard || alone_) {
      target.calendar.push(bucket, std::move(event));
    } else {
      from.outbox[to].push_back(std::move(event));
    }
  }

  /// Handles a shard's events of the current window, or those that it held.
  void handle_part(EngineWorker& worker, Shard& shard) {
    if (shard.opened == window_ && shard.held.empty()) return;
    worker.shard = &shard;
    if (shard.opened == window_) {
      auto held = std::exchange(shard.held, {});
      handle_all(worker, shard, held.size(), [&](std::size_t i) -> Event& { return held[i]; });
    } else {
      handle_window(worker, shard);
    }
    worker.shard = nullptr;
  }
  void handle_window(EngineWorker& worker, Shard& shard) {
    shard.opened = window_;
    shard.calendar.open(window_, shard.current);
    if (shard.current.in_order()) {
      handle_all(worker, shard, shard.current.size(), [&](std::size_t i) -> Event& {
        return shard.current[i];
      });
    } else {
      const Time start{window_ * width_.ns};
      auto& keys = shard.keys;
      keys.clear();
      for (std::size_t i = 0; i < shard.current.size(); ++i) {
        if (fetches_ && i + 3 * kSoon < shard.current.size()) {
          fetch_whole(shard.current[i + 3 * kSoon]);
          world_.fetch_for_is_void(shard.current[i + kSoon]);
        }
        Event& event = shard.current[i];
        if (event.time <= last_time_ && world_.is_void(event)) continue;
        keys.push_back({ranks_.of(event, start), &event});
      }
      shard.sorter.sort(keys);
      handle_all(
          worker, shard, keys.size(), [&](std::size_t i) -> Event& { return *keys[i].event; });
    }
    shard.calendar.recycle(shard.current);
  }
  /// Handles `count` events in the order of `before_at_nodes`, and what the nodes cause at
  /// themselves in this window. All of a node's events are one turn.
  template <class At>
  void handle_all(EngineWorker& worker, Shard& shard, std::size_t count, At at) {
    std::size_t next = 0;
    NodeId node;
    const auto is_due = [&] { return next < count && at(next).node == node; };
    const bool ties_matter = world_.ties_matter();
    const auto is_tied = [&](const Event& event) {
      return ties_matter && ((next < count && world_.are_tied(event, at(next))) ||
                             (!shard.own.empty() && world_.are_tied(event, shard.own.top())));
    };
    const auto handle_own = [&] {
      Event event = std::move(const_cast<Event&>(shard.own.top()));  // popped in the next line
      shard.own.pop();
      handle(worker, shard, event, is_tied(event));
    };
    const auto handle_next = [&] {
      if (fetches_ && next + 3 * kSoon < count) {
        const Event& soon = at(next + kSoon);
        world_.fetch_for(soon);
        if (world_.may_react(soon) && soon.node == node)
          worker.worker.host->expect_message(node, soon.source);
        else if (world_.may_react(soon))
          worker.worker.host->fetch_role(soon.node);
        const Event& later = at(next + 2 * kSoon);
        if (world_.may_react(later)) worker.worker.host->fetch_actor(later.node);
        fetch_whole(at(next + 3 * kSoon));
      }
      while (!shard.own.empty() && before_at_nodes(shard.own.top(), at(next))) handle_own();
      Event& event = at(next++);
      handle(worker, shard, event, is_tied(event));
    };
    const auto handle_rest = [&] {
      while (is_due()) handle_next();
      while (!shard.own.empty()) handle_own();
    };
    const std::function<void()> turn = std::ref(handle_rest);
    while (next < count) {
      node = at(next).node;
      while (is_due() && !world_.may_react(at(next))) handle_next();
      if (is_due())
        worker.worker.host->give_turn(node, turn);
      else
        turn();
    }
  }
  /// `tied`: the next event is tied with it (World::are_tied).
  void handle(EngineWorker& worker, Shard& shard, Event& event, bool tied = false) {
    if (++worker.handled % kEventsBetweenChecks == 0) check_control(worker);
    // Tied events stay together.
    if (!worker.worker.tied.open && (is_over(event.time) || (may_hold_ && is_held(event))))
        [[unlikely]]
      return set_aside(shard, event);
    if (tied || worker.worker.tied.open) [[unlikely]]
      return handle_tied(worker, event, tied);
    if (world_.is_void(event)) return;
    if (part_ == Part::hub) decided_at_ = event.time;
    world_.handle(event, worker.worker);
    if (part_ == Part::participants && !world_.is_acknowledgement(event))
      world_.settle_if_done(event.node, event.time, *worker.worker.host);
    state_.take_observations_if_many(worker.worker);
    if (event.payload) event.payload = Payload{};
  }
  void handle_tied(EngineWorker& worker, Event& event, bool more) {
    Worker& books = worker.worker;
    const auto [node, time] = std::pair(event.node, event.time);
    books.tied.begin_or_go_on(more, !world_.is_acknowledgement(event));
    if (!world_.is_void(event)) {
      if (part_ == Part::hub) decided_at_ = time;
      world_.handle(event, books);
      if (event.payload) event.payload = Payload{};
    }
    if (more) return;
    const auto take_observations = [&] { state_.take_observations_if_many(books); };
    if (world_.end_tie(books, take_observations) && (part_ == Part::participants || merging_))
      world_.follow_end_of_tie(node, time, *books.host);
    take_observations();
  }
  bool is_over(Time time) const {
    return time > last_time_ || cut_.load(std::memory_order_relaxed);
  }
  void set_aside(Shard& shard, Event& event) {
    (is_over(event.time) ? shard.left_over : shard.held).push_back(std::move(event));
  }
  bool is_held(const Event& event) const {
    switch (part_) {
      case Part::all:
        // Where there is no hub, what a node does after it has finished may come after the end.
        return world_.state(event.node).finished;
      case Part::hub:
        return world_.ending().answer_known();
      case Part::earlier:
        // At equal times the hub comes first, since its number is the smallest.
        return event.node == Ending::kHub || event.time >= decided_at_;
      case Part::none:
        return true;
      case Part::participants:
        return !world_.ending().waits_for(event.node);
      case Part::held:
        return false;
    }
    return false;
  }
  /// A window may be long: a node's own timers can extend it without end.
  void check_control(EngineWorker& worker) {
    worker.stopped = state_.inside_window(worker.worker);
    if (state_.snapshot_wanted()) answer_observers(worker);
    if (worker.stopped != StopReason::none) cut_.store(true, std::memory_order_relaxed);
  }

  /// Answers observers in the middle of a window: the first worker to arrive waits until all others
  /// pause here, too, or have nothing left to do.
  void answer_observers(EngineWorker& worker) {
    worker.busy.unlock();
    if (!answering_.exchange(true)) {
      // Another worker may just have answered; then there is nothing to do.
      if (state_.snapshot_wanted()) answer(worker);
      answering_.store(false);
      answering_.notify_all();
    } else {
      answering_.wait(true);
    }
    worker.busy.lock();
  }
  void answer(EngineWorker& worker) {
    for (const auto& each : workers_) each->busy.lock();
    try {
      state_.publish_inside_window(books_, queued());
    } catch (...) {
      worker.error = std::current_exception();
    }
    for (const auto& each : workers_) each->busy.unlock();
  }

  std::uint64_t queued() const {
    std::uint64_t events = 0;
    for (const auto& shard : shards_) events += shard->calendar.size();
    return events;
  }

  /// Handles shards until none is left in this window, which workers share.
  void work(EngineWorker& worker) {
    try {
      for (;;) {
        const auto ticket = next_shard_.fetch_add(1, std::memory_order_relaxed);
        if (ticket >= due_.size()) return;
        handle_part(worker, *due_[ticket]);
      }
    } catch (...) {
      worker.error = std::current_exception();
    }
  }

  /// Empties the outboxes of a window that several workers shared.
  void deliver_outboxes() {
    for (auto& worker : workers_) {
      for (std::size_t s = 0; s < shards_.size(); ++s) {
        for (auto& event : worker->outbox[s]) shards_[s]->calendar.push(std::move(event));
        worker->outbox[s].clear();
      }
    }
  }

  /// Chooses the next window; false when there is none or the run has to stop.
  bool next_window() {
    window_ = Calendar::kNoBucket;
    alone_ = true;  // interventions may emit events
    for (const auto& shard : shards_) window_ = std::min(window_, shard->calendar.first());
    std::optional<Time> start;
    if (window_ != Calendar::kNoBucket) start = Time{window_ * width_.ns};
    const auto end = world_.ending().end();
    if (end && start && *start > *end) start.reset();
    const bool go_on = !shared_ && start && state_.may_go_on(*books_.front(), *start);
    if (!go_on) stopped_ = state_.between_windows(books_, start, queued());
    for (const auto& worker : workers_)
      if (worker->stopped != StopReason::none) stopped_ = worker->stopped;
    const auto anything_left = [](const auto& shard) { return !shard->left_over.empty(); };
    if (stopped_ == StopReason::none && !(end && *end <= spec_.limits.virtual_time) &&
        (std::any_of(shards_.begin(), shards_.end(), anything_left) ||
         (!start && world_.waits_beyond_limit(books_))))
      stopped_ = StopReason::virtual_time;
    if (!start || stopped_ != StopReason::none) return false;
    due_.clear();
    std::size_t events = 0;
    for (const auto& shard : shards_) {
      if (shard->calendar.first() != window_) continue;
      due_.push_back(shard.get());
      events += shard->calendar.near_size(window_);
    }
    alone_ = helpers_ == 0 || due_.size() == 1 || events < events_worth_sharing_;
    follows_one_ = events == 1 && queued() == 1 && !world_.ending().answer_known() &&
                   !state_.may_pause_before(end_of_window());
    shared_ = !alone_;
    // Observations of a node stay in order, whichever worker handles it next.
    if (shared_) state_.take(books_.front()->observations());
    return true;
  }

  void lead() {
    const std::lock_guard busy(workers_.front()->busy);
    try {
      while (next_window()) follows_one_ ? follow_one_event() : run_window();
    } catch (...) {
      error_ = std::current_exception();
    }
    over_ = true;
    if (helpers_ > 0) barrier_.arrive_and_wait();  // releases the helpers
  }

  /// While no more than one event is under way, its order is known, and it needs no calendar.
  void follow_one_event() {
    EngineWorker& leader = *workers_.front();
    Shard& shard = *due_.front();
    shard.calendar.open(window_, shard.current);
    Event first = std::move(shard.current[0]), second;
    shard.calendar.recycle(shard.current);
    Event* now = &first;
    one_ = &second;
    begin_part(Part::all);
    may_hold_ = false;
    const auto handle_it = [&] { handle(leader, shard, *now); };
    const std::function<void()> turn = std::ref(handle_it);
    for (;;) {
      has_one_ = false;
      if (world_.may_react(*now))
        leader.worker.host->give_turn(now->node, turn);
      else
        turn();
      if (!follows_one_ || !has_one_) break;
      if (world_.ending().answer_known() || cut_.load(std::memory_order_relaxed) ||
          !state_.may_go_on(leader.worker, one_->time)) {
        stop_following();
        break;
      }
      std::swap(now, one_);
    }
    follows_one_ = false;
    if (world_.ending().answer_known()) world_.begin_ending(*hosts_.front());
    follow_end();
  }
  /// More may be under way from here on.
  void stop_following() {
    follows_one_ = false;
    shards_[shard_of(one_->node)]->calendar.push(std::move(*one_));
  }

  Time end_of_window() const { return Time{window_ * width_.ns} + width_; }

  void run_window() {
    if (state_.may_pause_before(end_of_window())) return run_window_in_order();
    if (has_hub_)
      run_window_of_hub();
    else
      run_part(Part::all);
    if (world_.ending().answer_known() && !world_.ending().begun())
      world_.begin_ending(*hosts_.front());
    follow_end();
    const auto holds = [](const Shard* shard) { return !shard->held.empty(); };
    if (std::any_of(due_.begin(), due_.end(), holds)) run_part(Part::held);
  }

  /// The hub is handled before the others where it may finish, since the others must not go on
  /// after the end. When it has finished, the others catch up to that moment; then those for which
  /// the run still waits come first.
  void run_window_of_hub() {
    const Ending& ending = world_.ending();
    if (!ending.answer_known() && hub_may_finish()) {
      const auto shared = std::exchange(alone_, true);
      begin_part(Part::hub);
      handle_part(*workers_.front(), *shards_.front());
      alone_ = shared;
      if (ending.answer_known()) {
        run_part(Part::earlier);
        world_.begin_ending(*hosts_.front());
      }
    }
    follow_end();
    if (!ending.begun() || (ending.end() && !world_.nodes_may_stop())) {
      run_part(Part::all);
      POSSE_CHECK(ending.begun() || !ending.answer_known(),
                  "the hub finished after fewer messages than it had announced");
      return;
    }
    last_time_ = spec_.limits.virtual_time;  // what comes after the end may have to be held, too
    run_part(Part::none);
    follow_end();
    if (world_.nodes_may_stop() || hub_sends_to_participants())
      merge();
    else
      run_part(Part::participants);
  }

  /// False if the hub will certainly not finish in this window.
  bool hub_may_finish() const {
    const auto& shard = shards_.front();
    if (shard->calendar.first() != window_) return false;
    // When it restarts, the hub also gets messages that reached it in earlier windows.
    return world_.state(Ending::kHub).stops() != nullptr ||
           shard->calendar.most_in(window_) >= hosts_.front()->messages_before_finish(Ending::kHub);
  }

  bool hub_sends_to_participants() const {
    const auto& held = shards_.front()->held;
    return std::any_of(held.begin(), held.end(), [&](const Event& event) {
      if (const auto* check = std::get_if<RetransmitEvent>(&event.kind))
        return world_.ending().waits_for(check->to);
      return std::holds_alternative<DepartureEvent>(event.kind);
    });
  }

  /// Handles all events of the window in their total order; the run may pause between any two.
  void run_window_in_order() {
    for (Shard* shard : due_) {
      shard->opened = window_;
      shard->calendar.open(window_, shard->current);
      for (std::size_t i = 0; i < shard->current.size(); ++i)
        merged_.push(std::move(shard->current[i]));
      shard->calendar.recycle(shard->current);
    }
    handle_merged();
  }

  /// Handles the held events in their total order. Only then is it known what the hub's sends, and
  /// what stops of nodes, mean for the end of the run.
  void merge() {
    for (Shard* shard : due_) {
      for (Event& event : shard->held) merged_.push(std::move(event));
      shard->held.clear();
    }
    handle_merged();
  }
  void handle_merged() {
    EngineWorker& leader = *workers_.front();
    alone_ = true;
    merging_ = true;
    while (!merged_.empty()) {
      if (!leader.worker.tied.open && state_.may_pause_before(end_of_window()) &&
          merged_.top().time <= last_time_ && stops_before_next())
        cut_ = true;
      Event event = std::move(const_cast<Event&>(merged_.top()));  // popped in the next line
      merged_.pop();
      const bool tied = !merged_.empty() && world_.are_tied(event, merged_.top());
      const bool is_void = world_.is_void(event);
      if (is_void && !tied && !leader.worker.tied.open)
        continue;  // nor does the end follow from it
      part_ = Part::held;
      handle(leader, *shards_[shard_of(event.node)], event, tied);
      if (!is_void) world_.follow_end(event, *leader.worker.host, tied);
      follow_end();
    }
    merging_ = false;
  }

  /// May pause before the next merged event. Returns whether to stop the run there.
  bool stops_before_next() {
    auto& stopped = workers_.front()->stopped;
    stopped = state_.between_windows(books_, merged_.top().time, queued() + merged_.size());
    return stopped != StopReason::none;
  }

  /// The end may move while nodes stop, but not to before what has been handled.
  void follow_end() { last_time_ = world_.last_time(); }

  /// Says which events the handling of shards is for.
  void begin_part(Part part) {
    part_ = part;
    may_hold_ = !(part == Part::all && has_hub_);
  }
  void run_part(Part part) {
    begin_part(part);
    EngineWorker& leader = *workers_.front();
    if (alone_) {
      for (Shard* shard : due_) handle_part(leader, *shard);
    } else {
      next_shard_.store(0, std::memory_order_relaxed);
      barrier_.arrive_and_wait();  // the window opens
      work(leader);
      leader.busy.unlock();
      barrier_.arrive_and_wait();  // … and closes
      leader.busy.lock();
      deliver_outboxes();
    }
    for (const auto& worker : workers_)
      if (worker->error) std::rethrow_exception(worker->error);
  }

  void help(std::size_t index) {
    EngineWorker& worker = *workers_[index];
    for (;;) {
      barrier_.arrive_and_wait();
      if (over_) return;
      worker.busy.lock();
      work(worker);
      worker.busy.unlock();
      barrier_.arrive_and_wait();
    }
  }

  void book_in_flight() {
    Worker& books = workers_.front()->worker;
    world_.conclude_stopped_nodes(books);
    Time handled = last_time_;
    if (window_ != Calendar::kNoBucket)
      handled = std::min(handled, Time{window_ * width_.ns} - Duration{1});
    for (const auto& shard : shards_)  // what is left of the window in which the run was stopped
      for (const auto& event : shard->left_over)
        handled = std::min(handled, event.time - Duration{1});
    world_.conclude_foreseen(handled, books_);
    for (auto& shard : shards_) {
      for (auto& event : shard->left_over) world_.book_in_flight(event, books);
      while (shard->calendar.size() > 0) {
        shard->calendar.open(shard->calendar.first(), shard->current);
        for (std::size_t i = 0; i < shard->current.size(); ++i) {
          world_.book_in_flight(shard->current[i], books);
          shard->current[i].payload = Payload{};
        }
        shard->calendar.recycle(shard->current);
      }
    }
  }

  const SimulationSpec& spec_;
  World& world_;
  const std::vector<RoleHost*>& hosts_;
  const WindowOptions& options_;
  Duration width_;
  EventRanks ranks_;
  bool fetches_;
  RunControl state_;
  Barrier barrier_;
  std::uint32_t nodes_per_shard_ = 1;
  bool one_part_ = true;  // all nodes but the hub are in one shard
  std::size_t events_worth_sharing_ = kEventsWorthSharing;
  std::vector<std::unique_ptr<EventChunks>> chunks_;  // one for all shards, or one for each
  std::vector<std::unique_ptr<Shard>> shards_;
  std::vector<std::unique_ptr<EngineWorker>> workers_;
  std::vector<Worker*> books_;
  std::vector<Shard*> due_;  // the shards with events in the current window
  std::atomic<std::size_t> next_shard_{0};
  bool has_hub_;  // its shard is the first
  Part part_ = Part::all;
  bool may_hold_ = true;  // false if all events of the window are handled now
  Time last_time_;        // later events do not take place, as far as is known
  Time decided_at_;       // the time of the hub's event that was handled last in Part::hub
  bool merging_ = false;
  std::priority_queue<Event, std::vector<Event>, Later> merged_;
  std::int64_t window_ = 0;
  bool alone_ = true;         // the leader handles this window alone
  bool shared_ = false;       // others took part in the window before
  bool follows_one_ = false;  // no more than one event is under way
  Event* one_ = nullptr;      // its place while the event before it is handled
  bool has_one_ = false;
  std::size_t helpers_ = 0;  // threads in addition to the leader
  bool over_ = false;
  std::atomic<bool> answering_{false};
  std::atomic<bool> cut_{false};  // no event of this window is handled any more
  StopReason stopped_ = StopReason::none;
  std::exception_ptr error_;
};

}  // namespace

bool windows_possible(const World& world) {
  const auto lookahead = world.network().lookahead();
  return !lookahead || *lookahead >= kSmallestWindow;
}

SimulationResult run_in_windows(const SimulationSpec& spec,
                                World& world,
                                const std::vector<RoleHost*>& hosts,
                                Progress* progress,
                                const WindowOptions& options) {
  POSSE_CHECK(options.threads >= 1 && hosts.size() == options.threads);
  return Engine(spec, world, hosts, progress, options).run();
}

SimulationResult run_windows(const SimulationSpec& spec, std::size_t threads, Progress* progress) {
  const Nodes nodes(spec.protocol->groups());
  World world(spec, nodes);
  DirectHost host(*spec.protocol, nodes.size());
  if (!windows_possible(world)) return run_in_serial_order(spec, world, host, progress, nullptr);
  WindowOptions options;
  options.threads = threads;
  return run_in_windows(spec, world, std::vector<RoleHost*>(threads, &host), progress, options);
}

}  // namespace posse
