// SPDX-License-Identifier: Apache-2.0
#include "core/network/network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "core/random/philox_row.hpp"

namespace posse {
namespace {

double transfer_ns(std::uint64_t bytes, const Rate& rate) {
  return static_cast<double>(bytes) * 8.0 / rate.bits_per_second * 1e9;
}

Duration scaled(Duration latency, double factor) {
  return Duration::seconds(latency.to_seconds() * factor);
}

double smallest_factor(const LatencyFactor& factor) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& step : factor.factors.steps()) least = std::min(least, step.value);
  return least;
}

double largest_factor(const LatencyFactor& factor) {
  double most = 1;
  for (const auto& step : factor.factors.steps()) most = std::max(most, step.value);
  return most;
}

/// The stream of one transmission's draw, as a uniform.
double uniform_draw(StreamKey key, std::uint64_t index) { return DrawEngine(key, index).uniform(); }

}  // namespace

Network::Network(const NetworkConfig& config,
                 const ComputeConfig& compute,
                 const Nodes& nodes,
                 LinkMap links,
                 const std::vector<std::string_view>& type_names,
                 Seed seed)
    : nodes_(nodes),
      links_(links),
      evaluation_(compute.evaluation),
      latency_purpose_(seed_and_purpose(seed, "latency")),
      loss_purpose_(seed_and_purpose(seed, "loss")),
      loss_state_purpose_(seed_and_purpose(seed, "loss-state")),
      duplication_purpose_(seed_and_purpose(seed, "duplication")),
      compute_purpose_(seed_and_purpose(seed, "compute")),
      moment_stream_(stream_key(seed, "latency-moment", 0)),
      matrix_(config.matrix) {
  POSSE_CHECK(links.links() < (std::uint64_t{1} << 32), "too many links: {}", links.links());
  resolve_links(config, type_names);
  resolve_nodes(config, seed);
  for (const auto& listed : config.drops) {
    Drop drop;
    if (listed.type) {
      const auto it = std::find(type_names.begin(), type_names.end(), *listed.type);
      if (it == type_names.end())
        continue;  // a type that belongs to another algorithm of the scenario
      drop.type = static_cast<std::uint16_t>(it - type_names.begin());
    }
    drop.round = listed.round;
    drop.from = nodes.select(listed.from.value_or("*"));
    drop.to = nodes.select(listed.to.value_or("*"));
    drop.transmission = listed.transmission;
    drops_.push_back(drop);
  }
  const bool only_links =
      drops_.empty() && send_lines_.empty() && link_lines_.empty() && matrix_latency_.empty();
  for (Profile& link : profiles_) {
    const auto* loss = std::get_if<BernoulliLoss>(&link.loss);
    if (loss != nullptr) link.loses = loss->p;
    link.is_lost = IsBelow(link.loses);
    const bool loses_at_random = loss != nullptr || std::holds_alternative<NoLoss>(link.loss);
    const bool traced = std::holds_alternative<TraceDuration>(link.latency);
    const auto* constant = std::get_if<ConstantDuration>(&link.latency);
    if (constant != nullptr && link.loses == 0) link.constant = constant->value;
    link.draws_ahead = loses_at_random && !traced && !link.constant;
    link.only_draws = only_links && loses_at_random && !traced && link.duplication == 0 &&
                      !link.latency_factor && !link.fifo;
    if (link.draws_ahead) drawn_.resize(links_.links());
  }
  for (std::size_t i = 0; i < config.link_faults.size(); ++i)
    add(config.link_faults[i],
        stream_key(seed, "fault-share", i),
        stream_key(seed, "fault-times", i));
  std::vector<IntervalIndex::Entry> once;
  for (std::uint32_t i = 0; i < faults_.size(); ++i) {
    const auto first = faults_[i].when.number(0);
    if (faults_[i].when.number(1))
      recurring_.push_back(i);
    else if (first)
      once.push_back({*first, i});
  }
  scheduled_ = faults_.size();
  once_ = IntervalIndex(std::move(once));
}

void Network::add(const LinkFault& fault, StreamKey share, StreamKey times) {
  FaultyLinks added{fault, {}, Occurrences(fault.when, times)};
  for (const auto& group : fault.groups) {
    auto& ranges = added.groups.emplace_back();
    for (const auto& selector : group) {
      const auto members = nodes_.members(selector, share);
      ranges.insert(ranges.end(), members.begin(), members.end());
    }
  }
  faults_.push_back(std::move(added));
}

void Network::cut(const std::vector<std::vector<FaultyNodes>>& groups, Time at) {
  add({.groups = groups, .when = {.at = at}}, {}, {});
}

void Network::restore(const std::vector<std::vector<FaultyNodes>>& groups, Time at) {
  for (std::size_t i = scheduled_; i < faults_.size(); ++i)
    if (faults_[i].fault.groups == groups) faults_[i].when.end_at(at);
}

void Network::record_faults(Time end, std::vector<FaultRecord>& records) const {
  for (std::size_t f = 0; f < scheduled_; ++f)
    record_occurrences(
        faults_[f].when, FaultOf::links, static_cast<std::uint16_t>(f), end, records);
  if (!bursts_.empty()) record_bursts(end, records);
}

void Network::record_bursts(Time end, std::vector<FaultRecord>& records) const {
  std::vector<std::pair<Time, std::uint32_t>> lost;  // with the link
  for (std::uint32_t l = 0; l < bursts_.size(); ++l)
    for (const Time at : bursts_[l].lost)
      if (at <= end) lost.emplace_back(at, l);
  std::optional<Time> complete_until;
  const auto is_complete_until = [&](Time at) {
    complete_until = std::min(at, complete_until.value_or(at));
  };
  for (const BurstMemory& memory : bursts_)
    if (memory.lost.size() == kMostLost) is_complete_until(memory.lost.back());
  std::sort(lost.begin(), lost.end());
  std::uint64_t steps = kMostBurstSteps;
  std::size_t found = 0;
  std::map<std::uint64_t, Time> known_until;  // directions of a pair may share their bursts
  for (const auto& [at, l] : lost) {
    const LinkId link{l};
    const BurstMemory& memory = bursts_[l];
    const auto known = known_until.find(memory.stream->value);
    if (known != known_until.end() && at < known->second) continue;
    const auto burst = profile(link).bursts->burst_around(*memory.stream, at, end, steps);
    if (!burst || ++found > kMostBursts) {
      is_complete_until(at);
      break;
    }
    known_until[memory.stream->value] = burst->end;
    const bool per_pair = std::get<BurstLoss>(profile(link).loss).per_pair;
    FaultRecord record{
        burst->begin, FaultOf::bursts, per_pair, true, links_.from(link), links_.to(link)};
    if (per_pair && record.to < record.node) std::swap(record.node, record.to);
    records.push_back(record);
    if (burst->end > end) continue;
    record.at = burst->end;
    record.begins = false;
    records.push_back(record);
  }
  if (complete_until && *complete_until < end)
    records.push_back({*complete_until, FaultOf::bursts, FaultRecord::kUnrecorded, true, {}, {}});
}

void Network::count_faults(Time now, FaultCounts& counts) const {
  for (const FaultyLinks& links : faults_)
    count_occurrences(
        links.when,
        now,
        links.fault.kind == LinkFaultKind::partition ? counts.partition : counts.clog);
}

bool Network::FaultyLinks::affects(NodeId from, NodeId to) const {
  const auto holds = [](const std::vector<Nodes::Range>& group, NodeId node) {
    return std::any_of(group.begin(), group.end(), [node](Nodes::Range range) {
      return node.value >= range.first && node.value < range.last;
    });
  };
  for (std::size_t a = 0; a < (fault.one_way ? 1 : groups.size()); ++a) {
    if (!holds(groups[a], from)) continue;
    for (std::size_t b = 0; b < groups.size(); ++b)
      if (b != a && holds(groups[b], to)) return true;
  }
  return false;
}

std::optional<Time> Network::fault(LinkFaultKind kind, NodeId from, NodeId to, Time at) const {
  std::optional<Time> over;
  const auto consider = [&](const FaultyLinks& links, Time end) {
    if (links.fault.kind == kind && links.affects(from, to))
      over = std::max(over.value_or(end), end);
  };
  const auto look_up = [&](const FaultyLinks& links) {
    if (const auto now = links.when.covering(at)) consider(links, now->end);
  };
  once_.for_each_covering(at, [&](const IntervalIndex::Entry& entry) {
    consider(faults_[entry.number], entry.when.end);
  });
  for (const std::uint32_t i : recurring_) look_up(faults_[i]);
  for (std::size_t i = scheduled_; i < faults_.size(); ++i) look_up(faults_[i]);
  return over;
}

void Network::resolve_links(const NetworkConfig& config,
                            const std::vector<std::string_view>& type_names) {
  // Links to which the same rules apply share a profile: rules are few, links may be millions. A
  // link's signature is the set of rules that apply to it, as bits.
  struct Selected {
    Nodes::Range from, to;
    const LinkRule* rule;
  };
  std::vector<Selected> rules;
  bool all_links_alike = true;
  for (const auto& rule : config.links) {
    rules.push_back({nodes_.select(rule.from), nodes_.select(rule.to), &rule});
    all_links_alike = all_links_alike && rule.from == "*" && rule.to == "*";
  }
  const auto build = [&](const std::vector<bool>& hit) {
    Profile profile;
    for (std::size_t r = 0; r < rules.size(); ++r) {
      if (!hit[r]) continue;
      const LinkRule& rule = *rules[r].rule;
      if (rule.latency) profile.latency = *rule.latency;
      if (rule.latency_factor) profile.latency_factor = rule.latency_factor;
      if (rule.loss) profile.loss = *rule.loss;
      if (rule.duplication) profile.duplication = *rule.duplication;
      if (rule.fifo) profile.fifo = *rule.fifo;
      if (rule.rate) profile.rate = *rule.rate;
      if (rule.timeout) profile.timeout = rule.timeout;
    }
    if (const auto* by_type = std::get_if<LossByType>(&profile.loss)) {
      for (const auto name : type_names) {
        const auto it = by_type->p.find(std::string(name));
        profile.loss_by_type.push_back(it == by_type->p.end() ? 0.0 : it->second);
      }
    }
    if (const auto* bursts = std::get_if<BurstLoss>(&profile.loss)) profile.bursts.emplace(*bursts);
    return profile;
  };
  const auto hit = [](Nodes::Range range, NodeId node) {
    return node.value >= range.first && node.value < range.last;
  };
  const std::uint64_t count = links_.links();
  if (all_links_alike) {
    profiles_.push_back(build(std::vector<bool>(rules.size(), true)));
  } else {
    std::map<std::vector<bool>, std::uint16_t> known;
    profile_of_.resize(count);
    std::vector<bool> signature(rules.size());
    for (std::uint32_t l = 0; l < count; ++l) {
      for (std::size_t r = 0; r < rules.size(); ++r)
        signature[r] = hit(rules[r].from, links_.from({l})) && hit(rules[r].to, links_.to({l}));
      const auto [it, added] =
          known.try_emplace(signature, static_cast<std::uint16_t>(profiles_.size()));
      if (added) {
        POSSE_CHECK(profiles_.size() < 65535, "too many different links");
        profiles_.push_back(build(signature));
      }
      profile_of_[l] = it->second;
    }
  }

  const auto any = [&](auto&& has) { return std::any_of(profiles_.begin(), profiles_.end(), has); };
  if (any([](const Profile& p) { return std::holds_alternative<GilbertElliottLoss>(p.loss); }))
    bad_state_.assign(count, 0);
  if (any([](const Profile& p) { return p.bursts.has_value(); })) bursts_.resize(count);
  if (any([](const Profile& p) { return p.fifo; })) last_arrival_.assign(count, Time{});
  if (any([](const Profile& p) { return p.rate.has_value(); })) {
    link_lines_.resize(count);
    for (std::uint32_t l = 0; l < count; ++l)
      if (profile({l}).rate) link_lines_[l].rate = &*profile({l}).rate;
  }
  if (matrix_) {
    matrix_latency_.assign(count, nullptr);
    for (const auto& [pair, latencies] : *matrix_) {
      const auto from = nodes_.select(pair.first), to = nodes_.select(pair.second);
      if (from.last - from.first != 1 || to.last - to.first != 1) continue;
      if (links_.connected({from.first}, {to.first}))
        matrix_latency_[links_.link({from.first}, {to.first}).value] = &latencies;
    }
  }
  if (count > 0) {
    Duration least = Duration::max();
    const auto consider = [&](const Profile& p, Duration latency) {
      // Rounded as in `transmit`.
      if (p.latency_factor) latency = scaled(latency, smallest_factor(*p.latency_factor));
      least = std::min(least, latency);
    };
    if (matrix_latency_.empty()) {
      for (const auto& p : profiles_) consider(p, smallest(p.latency));
    } else {
      for (std::uint32_t l = 0; l < count; ++l) {
        const Profile& p = profile({l});
        const auto* listed = matrix_latency_[l];
        consider(p,
                 listed != nullptr ? *std::min_element(listed->begin(), listed->end())
                                   : smallest(p.latency));
      }
    }
    lookahead_ = least;
  }
}

void Network::resolve_nodes(const NetworkConfig& config, Seed seed) {
  for (const auto& rule : config.nodes) {
    const auto range = nodes_.select(rule.nodes);
    const auto set_lines = [&](const std::optional<Rate>& rate, std::vector<Line>& lines) {
      if (!rate) return;
      rates_.push_back(std::make_unique<Rate>(*rate));
      lines.resize(nodes_.size());
      for (auto n = range.first; n < range.last; ++n) lines[n].rate = rates_.back().get();
    };
    set_lines(rule.rate_up, send_lines_);
    set_lines(rule.rate_down, receive_lines_);
    if (rule.straggler) {
      if (stragglers_.empty()) stragglers_.assign(nodes_.size(), 1.0);
      for (auto n = range.first; n < range.last; ++n) {
        // stream straggler/<node>, one draw
        if (rule.share &&
            uniform_draw(stream_key(seed, "straggler", nodes_.name_hash({n})), 0) >= *rule.share)
          continue;
        stragglers_[n] = *rule.straggler;
      }
    }
  }
}

bool Network::listed(const Attempt& attempt, std::uint32_t number) const {
  const auto in = [](Nodes::Range range, NodeId node) {
    return node.value >= range.first && node.value < range.last;
  };
  return std::any_of(drops_.begin(), drops_.end(), [&](const Drop& drop) {
    return (!drop.type || *drop.type == attempt.type) &&
           (!drop.round || *drop.round == attempt.round) && in(drop.from, attempt.from) &&
           in(drop.to, attempt.to) && (!drop.transmission || *drop.transmission == number);
  });
}

bool Network::lost_in_burst(const Attempt& attempt,
                            Time at,
                            const Profile& profile,
                            std::uint64_t draw) {
  BurstMemory& memory = bursts_[attempt.link.value];
  if (!memory.stream) {
    NodeId a = attempt.from, b = attempt.to;
    if (std::get<BurstLoss>(profile.loss).per_pair && nodes_.name(b) < nodes_.name(a))
      std::swap(a, b);
    memory.stream = key(loss_state_purpose_, a, b);
  }
  const bool bad = profile.bursts->is_bad(*memory.stream, at, memory.path);
  const bool is_lost = profile.bursts->loses(bad, draw);
  if (bad && is_lost && memory.lost.size() < kMostLost) memory.lost.push_back(at);
  return is_lost;
}

bool Network::lost(const Attempt& attempt,
                   std::uint32_t number,
                   Time cleared,
                   const Profile& profile) {
  const bool is_listed = attempt.first && !drops_.empty() && listed(attempt, number);
  if (profile.draws_ahead || std::holds_alternative<NoLoss>(profile.loss)) return is_listed;
  DrawEngine draws(key(loss_purpose_, attempt.from, attempt.to), number);
  if (std::holds_alternative<BernoulliLoss>(profile.loss))
    return is_listed || (profile.loses > 0 && profile.is_lost(draws()));
  if (const auto* bursts = std::get_if<GilbertElliottLoss>(&profile.loss)) {
    std::uint8_t& bad = bad_state_[attempt.link.value];
    const double step = draws.uniform();
    bad = bad ? !(step < bursts->r) : step < bursts->p;
    // The chain goes on, so that a listed loss does not change those after it.
    return is_listed || draws.uniform() < (bad ? bursts->loss_bad : bursts->loss_good);
  }
  if (profile.bursts) return is_listed || lost_in_burst(attempt, cleared, profile, draws());
  const double p = profile.loss_by_type[attempt.type];
  return is_listed || (p > 0 && draws.uniform() < p);
}

std::optional<Duration> Network::draw_ahead(
    NodeId from, NodeId to, LinkId id, std::uint32_t number, const Profile& link) {
  const std::uint32_t at = number % kDrawnAtOnce, first = number - at;
  static_assert(kDrawnAtOnce == kRowSize);
  // One row after the other: the processor computes both at the same time.
  PhiloxRow latencies, losses;
  const StreamKey stream = key(latency_purpose_, from, to);
  philox_row(stream, first, latencies);
  if (link.loses > 0) philox_row(key(loss_purpose_, from, to), first, losses);
  std::array<Duration, kDrawnAtOnce> drawn;
  sample_row(link.latency, stream, first, latencies, drawn);
  Drawn& kept = drawn_[id.value];
  kept.begin_block(first);
  for (std::uint32_t i = 1; i < kDrawnAtOnce; ++i) kept.keep(first + i, drawn[i]);
  if (link.loses > 0) {
    for (std::uint32_t i = 1; i < kDrawnAtOnce; ++i)
      if (link.is_lost(losses[i].first)) kept.keep_lost(first + i);
    if (link.is_lost(losses[at].first)) return std::nullopt;
  }
  return drawn[at];
}

bool Network::pass(Line& line, Time& at, std::uint64_t bytes, Fate& fate) {
  if (line.rate == nullptr) return true;
  if (line.rate->trace) return pass_changing(line, at, bytes, fate);
  const Duration wait = line.free_at > at ? line.free_at - at : Duration{};
  const double waiting_bytes = wait.to_seconds() * line.rate->bits_per_second / 8.0;
  if (waiting_bytes > static_cast<double>(line.rate->queue_bytes)) return false;
  if (line.free_at < at) line.later_ns = 0;
  const double exact_ns = transfer_ns(bytes, *line.rate) + line.later_ns;
  const bool ends = exact_ns < 9e18;
  const Duration transfer =
      ends ? Duration{std::max<std::int64_t>(0, std::llround(exact_ns))} : Duration::max();
  line.later_ns = ends ? exact_ns - static_cast<double>(transfer.ns) : 0;
  fate.queueing += wait;
  fate.transfer += transfer;
  at = at + wait + transfer;
  line.free_at = at;
  return true;
}

bool Network::pass_changing(Line& line, Time& at, std::uint64_t bytes, Fate& fate) {
  const RateTrace& trace = *line.rate->trace;
  const Time begin = std::max(at, line.free_at);
  if (trace.passes_more_than(line.rate->queue_bytes, at, begin)) return false;
  if (line.free_at < at) line.passed_more = 0;
  line.free_at = trace.end_of_transfer(begin, bytes, line.passed_more);
  fate.queueing += begin - at;
  fate.transfer += line.free_at - begin;
  at = line.free_at;
  return true;
}

Fate Network::transmit(const Attempt& attempt, std::uint32_t number) {
  const Profile& link = profile(attempt.link);
  Fate fate;
  Time at = attempt.leaves;
  // A message that is lost on the way still occupies its sender's lines. A copy is made at the end
  // of these lines and starts when the original leaves them.
  if (!attempt.copy) {
    if (!send_lines_.empty() && !pass(send_lines_[attempt.from.value], at, attempt.bytes, fate)) {
      fate.cause = DropCause::queue;
      return fate;
    }
    if (!link_lines_.empty() && !pass(link_lines_[attempt.link.value], at, attempt.bytes, fate)) {
      fate.cause = DropCause::queue;
      return fate;
    }
  }
  fate.cleared = at;
  // The loss model still advances, so that a partition does not change the draws after it.
  const std::optional<Duration> by_chance =
      link.draws_ahead ? drawn(attempt.from, attempt.to, attempt.link, number, link) : Duration{};
  const bool is_lost = lost(attempt, number, at, link) || !by_chance;
  if (!faults_.empty() && fault(LinkFaultKind::partition, attempt.from, attempt.to, attempt.sent)) {
    fate.cause = DropCause::partition;
    return fate;
  }
  if (is_lost) {
    fate.cause = DropCause::loss;
    return fate;
  }
  if (!faults_.empty()) {
    // A clogged link may clog again when it is free.
    std::uint64_t times = 0;
    while (const auto over = fault(LinkFaultKind::clog, attempt.from, attempt.to, at)) {
      POSSE_CHECK(++times < Occurrences::kMost, "a link is clogged for ever");
      fate.queueing += *over - at;
      at = *over;
    }
  }
  if (!matrix_latency_.empty() && matrix_latency_[attempt.link.value] != nullptr) {
    const auto& moments = *matrix_latency_[attempt.link.value];
    fate.propagation = moments.size() == 1
                           ? moments.front()
                           : moments[DrawEngine(moment_stream_, number)() % moments.size()];
  } else if (link.draws_ahead) {
    fate.propagation = *by_chance;
  } else if (link.constant) {
    fate.propagation = *link.constant;
  } else {
    fate.propagation =
        sample(link.latency, {key(latency_purpose_, attempt.from, attempt.to), number}, at);
  }
  if (link.latency_factor)
    fate.propagation = scaled(fate.propagation, link.latency_factor->factors.at(at));
  fate.arrival = at + fate.propagation;
  if (link.fifo) {
    Time& last = last_arrival_[attempt.link.value];
    if (fate.arrival < last) {
      fate.queueing += last - fate.arrival;
      fate.arrival = last;
    }
    last = fate.arrival;
  }
  return fate;
}

double Network::typical_latency_s(LinkId id) const {
  const Profile& link = profile(id);
  const double factor = link.latency_factor ? largest_factor(*link.latency_factor) : 1;
  Duration latency;
  if (!matrix_latency_.empty() && matrix_latency_[id.value] != nullptr) {
    const auto& moments = *matrix_latency_[id.value];
    latency = *std::max_element(moments.begin(), moments.end());
  } else if (const auto* trace = std::get_if<TraceDuration>(&link.latency)) {
    for (const auto& step : trace->trace->steps()) latency = std::max(latency, step.value);
  } else {
    latency = typical(link.latency);
  }
  return latency.to_seconds() * factor;
}

bool Network::duplicates(const Attempt& attempt, std::uint32_t number) const {
  const double p = profile(attempt.link).duplication;
  return p > 0 && uniform_draw(key(duplication_purpose_, attempt.from, attempt.to), number) < p;
}

Fate Network::receive(NodeId node, Time arrival, std::uint64_t bytes) {
  Fate fate;
  Time at = arrival;
  if (!pass(receive_lines_[node.value], at, bytes, fate)) fate.cause = DropCause::queue;
  fate.arrival = at;
  return fate;
}

Duration Network::evaluation_time(NodeId node, std::uint64_t first, std::uint64_t count) const {
  if (const auto* constant = std::get_if<ConstantDuration>(&evaluation_))
    return constant->value * count;
  Duration total;
  const auto stream = StreamKey{hash_combine(compute_purpose_, nodes_.name_hash(node))};
  for (std::uint64_t i = 0; i < count; ++i) total += sample(evaluation_, {stream, first + i});
  return total;
}

}  // namespace posse
