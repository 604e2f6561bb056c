// SPDX-License-Identifier: Apache-2.0
#include "program/replay/explanation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "program/base/text.hpp"
#include "program/results/fault_events.hpp"

namespace posse {
namespace {

using Run = ExplainedRun;

constexpr std::string_view kOverlap = "overlap of rounds";

ExplainedPart part(std::string name, double first, double second) {
  return {std::move(name), second - first, first, second};
}

/// Without parts that neither run has; the largest in the direction of the whole difference first.
void sort_causes(Explanation& split) {
  std::erase_if(split.causes, [](const ExplainedPart& p) {
    return p.difference == 0 && p.first.value_or(0) == 0 && p.second.value_or(0) == 0;
  });
  const double sign = split.difference() < 0 ? -1 : 1;
  std::stable_sort(split.causes.begin(), split.causes.end(), [&](const auto& a, const auto& b) {
    return sign * a.difference > sign * b.difference;
  });
}

// ---- virtual time -------------------------------------------------------------------------------

double end_ns(const Run& run) {
  const RunOutcome& o = run.outcome();
  return static_cast<double>((o.status == RunStatus::finished ? o.finished_at : o.last_event).ns);
}

double last_round_ns(const Run& run) {
  const auto& rounds = run.outcome().rounds;
  return rounds.empty() ? 0 : static_cast<double>(rounds.back().ended.ns);
}

/// How long the node that worked until the run's end did so after the last round.
double work_after_rounds_ns(const Run& run) {
  struct Work {
    double until = 0, sum = 0;
  };
  const double begin = last_round_ns(run), end = end_ns(run);
  std::map<NodeId, Work> work;  // by node
  for (const auto& each : run.record->result.work) {
    const double from = std::max(begin, static_cast<double>(each.from.ns)),
                 until = std::min(end, static_cast<double>(each.until.ns));
    if (from >= until) continue;
    Work& sum = work[each.node];
    sum.until = std::max(sum.until, until);
    sum.sum += until - from;
  }
  const auto last =
      std::ranges::max_element(work, {}, [](const auto& each) { return each.second.until; });
  return last == work.end() ? 0 : last->second.sum;
}

/// Nanoseconds of each cause, in the order of kCriticalPathParts, then between the rounds and after
/// the last one, but for its work. They add up to the run's time.
std::vector<double> times_of(const Run& run) {
  std::vector<double> times;
  double within = 0;
  const double work = work_after_rounds_ns(run);
  for (const auto& each : kCriticalPathParts) {
    const auto ns = static_cast<double>((run.outcome().paths.sum.*each.time).ns);
    within += ns;
    times.push_back(ns + (each.time == &CriticalPath::compute ? work : 0));
  }
  times.push_back(last_round_ns(run) - within);
  times.push_back(end_ns(run) - last_round_ns(run) - work);
  return times;
}

/// Numbers of the rounds from after the one before, up to this one, and what they took.
struct RoundSpan {
  std::uint32_t first = 0, last = 0;
  double ns = 0;
  const RoundRecord* round = nullptr;  // the last one

  std::string name() const {
    return first == last ? fmt::format("round {}", last)
                         : fmt::format("rounds {} to {}", first, last);
  }
};

std::vector<RoundSpan> spans_of(const Run& run) {
  std::vector<RoundSpan> spans;
  std::uint32_t number = 0;
  double until = 0;
  for (const auto& round : run.outcome().rounds) {
    const auto ended = static_cast<double>(round.ended.ns);
    const bool next = spans.empty() || round.round.value <= number + 1;
    spans.push_back(
        {next ? round.round.value : number + 1, round.round.value, ended - until, &round});
    number = round.round.value;
    until = ended;
  }
  return spans;
}

/// Rounds of both runs by their number; a round that one of them lacks took no time there.
struct RoundPair {
  const RoundSpan* first = nullptr;
  const RoundSpan* second = nullptr;

  const RoundSpan& any() const { return first ? *first : *second; }
  double difference() const { return (second ? second->ns : 0) - (first ? first->ns : 0); }
};

std::vector<RoundPair> rounds_of_both(const std::vector<RoundSpan>& first,
                                      const std::vector<RoundSpan>& second) {
  std::map<std::uint32_t, RoundPair> pairs;
  for (const auto& span : first) pairs[span.last].first = &span;
  for (const auto& span : second) pairs[span.last].second = &span;
  std::vector<RoundPair> list;
  for (const auto& [number, pair] : pairs) list.push_back(pair);
  return list;
}

double path_ns(const RoundSpan* span, Duration CriticalPath::*time) {
  return span && span->round->path ? static_cast<double>(((*span->round->path).*time).ns) : 0;
}

std::string seconds(double ns) { return pretty(ns / 1e9, "s"); }

/// "LocalMeans of round 4 from client-2 to server"
std::string message_text(const Run& run, const MessageRecord& message) {
  return fmt::format("{} of round {} from {} to {}",
                     message.type,
                     message.round.value,
                     run.record->result.name_of(message.from),
                     run.record->result.name_of(message.to));
}

/// Copies of a message of the reliable transport.
struct Copies {
  const MessageRecord* last = nullptr;  // the one that arrived first
  std::uint32_t sent = 0;
  std::map<std::string_view, std::uint32_t> lost;  // by cause
  Time first_sent = Time::max();
};

/// Of the messages that were under way in the round, the one that waited longest for a copy that
/// arrived.
std::string repeated_message(const Run& run, const RoundRecord& round) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, Copies> messages;
  for (const auto& m : run.record->result.messages) {
    if (m.type == kAcknowledgement || m.sent > round.ended || m.round.value > round.round.value)
      continue;
    auto& copies = messages[{m.from.value, m.to.value, m.number}];
    ++copies.sent;
    copies.first_sent = std::min(copies.first_sent, m.sent);
    if (m.outcome == MessageOutcome::dropped) ++copies.lost[to_string(m.cause)];
    if (m.arrived() && (copies.last == nullptr || m.delivered < copies.last->delivered))
      copies.last = &m;
  }
  const Copies* longest = nullptr;
  const auto waited = [](const Copies& c) { return c.last->sent - c.first_sent; };
  for (const auto& [key, copies] : messages) {
    if (copies.last == nullptr || copies.last->delivered > round.ended ||
        copies.last->delivered < round.began)
      continue;
    if (longest == nullptr || waited(copies) > waited(*longest)) longest = &copies;
  }
  if (longest == nullptr || longest->sent < 2) return "";
  std::vector<std::string> causes;
  for (const auto& [cause, count] : longest->lost)
    causes.push_back(fmt::format("{} {}", count, cause));
  return fmt::format(
      "{} was sent {} times{}",
      message_text(run, *longest->last),
      longest->sent,
      causes.empty() ? "" : fmt::format(" (copies lost: {})", fmt::join(causes, ", ")));
}

/// Of the messages that arrived in the round, the one with the most of something.
template <class Amount>
const MessageRecord* largest_message(const Run& run, const RoundRecord& round, Amount amount) {
  const MessageRecord* largest = nullptr;
  for (const auto& m : run.record->result.messages)
    if (m.type != kAcknowledgement && m.arrived() && m.delivered > round.began &&
        m.delivered <= round.ended && (largest == nullptr || amount(m) > amount(*largest)))
      largest = &m;
  return largest;
}

/// What weighs most in a round for this cause; empty if nothing stands out.
std::string weighs_most(const Run& run, const RoundRecord& round, std::string_view cause) {
  const auto travel = [](const MessageRecord& m) { return (m.delivered - m.sent).ns; };
  if (cause == "retransmission") return repeated_message(run, round);
  if (cause == "propagation" || cause == "queueing")
    if (const auto* m = largest_message(run, round, travel))
      return fmt::format(
          "{} took {}", message_text(run, *m), seconds(static_cast<double>(travel(*m))));
  if (cause == "transfer")
    if (const auto* m = largest_message(run, round, [](const auto& one) { return one.bytes; }))
      return fmt::format(
          "{} has {}", message_text(run, *m), pretty(static_cast<double>(m->bytes), "bytes"));
  if (cause == "timer" && !round.late.empty()) {
    std::vector<std::string> names;
    for (const auto node : round.late) names.push_back(run.record->result.name_of(node));
    return fmt::format("it ended at a deadline; late: {}", fmt::join(names, ", "));
  }
  if (round.path && round.path->waited_for)
    return fmt::format("{} was waited for", run.record->result.name_of(*round.path->waited_for));
  return "";
}

constexpr double kNotableShare = 0.4;  // of rounds

/// In how many rounds a node was waited for; a round that several waited for is shared.
double rounds_waited_for(const Run& run, NodeId node) {
  const auto& waited = run.outcome().paths.waited_for;
  const auto found = waited.find(node);
  return found == waited.end()
             ? 0
             : static_cast<double>(found->second) / static_cast<double>(CriticalPaths::kWholeRound);
}

/// The node that was waited for in the most rounds, if they are many, and more than in the other
/// run.
std::string most_waited_for(const Run& run, const Run& other) {
  const auto& paths = run.outcome().paths;
  const auto most = std::max_element(
      paths.waited_for.begin(), paths.waited_for.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      });
  if (most == paths.waited_for.end()) return "";
  const double rounds = rounds_waited_for(run, most->first),
               there = rounds_waited_for(other, most->first);
  if (rounds < there + 2 || rounds < kNotableShare * static_cast<double>(paths.rounds)) return "";
  return fmt::format("In {}, {} was waited for in {} of {} rounds, in {} in {} of {}.",
                     run.name,
                     run.record->result.name_of(most->first),
                     rounded(rounds, 3),
                     paths.rounds,
                     other.name,
                     rounded(there, 3),
                     other.outcome().paths.rounds);
}

/// "a partition of server, client-3 from 2 s to 4 s", of the faults that were there in the round.
std::string faults_in(const Run& run, const RoundRecord& round) {
  std::vector<std::string> faults;
  for (const auto& fault : fault_spans(*run.scenario, *run.record)) {
    if (fault.begin > round.ended || (fault.end && *fault.end < round.began)) continue;
    if (faults.size() == 3) {
      faults.emplace_back("others");
      break;
    }
    faults.push_back(
        fmt::format("{} of {} from {}{}",
                    fault.kind,
                    fault.nodes,
                    seconds(static_cast<double>(fault.begin.ns)),
                    fault.end ? " to " + seconds(static_cast<double>(fault.end->ns)) : " on"));
  }
  return faults.empty() ? "" : fmt::format("Faults in that time: {}.", fmt::join(faults, "; "));
}

/// Which rounds, messages and nodes weigh most in the largest cause.
void tell_of_time(const Run& first,
                  const Run& second,
                  const std::vector<RoundPair>& rounds,
                  Explanation& split) {
  const bool more = split.difference() > 0;
  const Run& slow = more ? second : first;
  const auto largest =
      std::ranges::find(kCriticalPathParts, split.causes.front().name, &CriticalPathPart::name);
  double extra = 0;
  std::size_t extra_rounds = 0;
  for (const auto& pair : rounds)
    if ((more ? pair.first : pair.second) == nullptr) {
      extra += std::abs(pair.difference());
      extra_rounds += pair.any().last - pair.any().first + 1;
    }
  if (extra_rounds > 0)
    split.sentences.push_back(fmt::format("{} has {} more, {} in all.",
                                          slow.name,
                                          count_text(extra_rounds, "round", "rounds"),
                                          seconds(extra)));
  if (largest == kCriticalPathParts.end()) return;
  const RoundPair* most = nullptr;
  const auto share = [&](const RoundPair& pair) {
    const double difference =
        path_ns(pair.second, largest->time) - path_ns(pair.first, largest->time);
    return more ? difference : -difference;
  };
  for (const auto& pair : rounds)
    if ((more ? pair.second : pair.first) && (most == nullptr || share(pair) > share(*most)))
      most = &pair;
  if (most == nullptr || share(*most) <= 0) return;
  const RoundSpan& span = more ? *most->second : *most->first;
  auto text = fmt::format("The largest part of {} is in {}: {} more",
                          largest->name,
                          span.name(),
                          seconds(share(*most)));
  if (const auto why = weighs_most(slow, *span.round, largest->name); !why.empty())
    text += "; " + why;
  split.sentences.push_back(text + ".");
  if (auto waited = most_waited_for(slow, more ? first : second); !waited.empty())
    split.sentences.push_back(std::move(waited));
  if (auto faults = faults_in(slow, *span.round); !faults.empty())
    split.sentences.push_back(std::move(faults));
}

Explanation explain_time(const Run& first, const Run& second) {
  Explanation split{"virtual_s", 1e9, end_ns(first), end_ns(second)};
  const auto a = times_of(first), b = times_of(second);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto parts = kCriticalPathParts.size();
    split.causes.push_back(part(i < parts                ? std::string(kCriticalPathParts[i].name)
                                : i > parts              ? "after the last round"
                                : a[i] <= 0 && b[i] <= 0 ? std::string(kOverlap)
                                                         : "between rounds",
                                a[i],
                                b[i]));
  }
  const auto spans_a = spans_of(first), spans_b = spans_of(second);
  const auto rounds = rounds_of_both(spans_a, spans_b);
  for (const auto& pair : rounds)
    split.rounds.push_back(part(
        pair.any().name(), pair.first ? pair.first->ns : 0, pair.second ? pair.second->ns : 0));
  split.rounds.push_back(part("after the last round",
                              end_ns(first) - last_round_ns(first),
                              end_ns(second) - last_round_ns(second)));
  sort_causes(split);
  if (!split.causes.empty() && split.difference() != 0) tell_of_time(first, second, rounds, split);
  if (std::ranges::any_of(split.causes, [](const auto& cause) { return cause.name == kOverlap; }))
    split.sentences.emplace_back(
        "Rounds overlap: their parts add up to more than the run, and the overlap is taken off "
        "again.");
  return split;
}

// ---- bytes --------------------------------------------------------------------------------------

struct Sent {
  double messages = 0, payload = 0, headers = 0, repeats = 0, acknowledgements = 0, rounds = 0;
  std::map<std::string, double> types;  // bytes on the wire, by type and direction

  explicit Sent(const Run& run) : rounds(static_cast<double>(run.outcome().complete_rounds)) {
    for (const auto& account : run.outcome().accounts) {
      const auto wire = static_cast<double>(account.wire_bytes);
      types[fmt::format("{} ({})", account.type, to_string(account.direction))] += wire;
      if (account.type == kAcknowledgement) {
        acknowledgements += wire;
        continue;
      }
      messages += static_cast<double>(account.sent);
      headers += static_cast<double>(account.header_bytes);
      payload += static_cast<double>(account.bytes - account.header_bytes);
      repeats += wire - static_cast<double>(account.bytes);
    }
  }
  double all() const { return payload + headers + repeats + acknowledgements; }
};

/// What a difference of a product's factors contributes (Shapley value), in whole bytes that add
/// up.
void split_payload(const Sent& a, const Sent& b, Explanation& split) {
  const double whole = b.payload - a.payload;
  if (a.rounds == 0 || b.rounds == 0 || a.messages == 0 || b.messages == 0) {
    split.causes.push_back(part("payload of messages", a.payload, b.payload));
    return;
  }
  const std::array<double, 3> x{a.rounds, a.messages / a.rounds, a.payload / a.messages},
      y{b.rounds, b.messages / b.rounds, b.payload / b.messages};
  const auto share = [&](std::size_t i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    return std::round((y[i] - x[i]) *
                      (2 * x[j] * x[k] + 2 * y[j] * y[k] + x[j] * y[k] + y[j] * x[k]) / 6);
  };
  const double rounds = share(0), messages = share(1);
  split.causes.push_back({"number of rounds", rounds, {}, {}});
  split.causes.push_back({"messages per round", messages, {}, {}});
  split.causes.push_back({"size of messages", whole - rounds - messages, {}, {}});
}

Explanation explain_bytes(const Run& first, const Run& second) {
  const Sent a(first), b(second);
  Explanation split{"wire_bytes", 1, a.all(), b.all()};
  split_payload(a, b, split);
  split.causes.push_back(part("headers", a.headers, b.headers));
  split.causes.push_back(part("retransmissions, duplicates, handshakes", a.repeats, b.repeats));
  split.causes.push_back(part("acknowledgements", a.acknowledgements, b.acknowledgements));
  sort_causes(split);
  auto types = a.types;
  for (const auto& [type, bytes] : b.types) types.try_emplace(type);
  const auto bytes_in = [](const Sent& sent, const std::string& type) {
    const auto found = sent.types.find(type);
    return found == sent.types.end() ? 0 : found->second;
  };
  for (const auto& [type, unused] : types)
    split.types.push_back(part(type, bytes_in(a, type), bytes_in(b, type)));
  double in_rounds_a = 0, in_rounds_b = 0;
  const auto spans_a = spans_of(first), spans_b = spans_of(second);
  const auto bytes_of = [](const RoundSpan* span, double& so_far) {
    if (span == nullptr) return 0.0;
    const auto now = static_cast<double>(span->round->bytes_so_far);
    return now - std::exchange(so_far, now);
  };
  for (const auto& pair : rounds_of_both(spans_a, spans_b)) {
    const double in_a = bytes_of(pair.first, in_rounds_a),
                 in_b = bytes_of(pair.second, in_rounds_b);
    split.rounds.push_back(part(pair.any().name(), in_a, in_b));
  }
  split.rounds.push_back(part("outside rounds", a.all() - in_rounds_a, b.all() - in_rounds_b));
  const auto most =
      std::max_element(split.types.begin(), split.types.end(), [&](const auto& x, const auto& y) {
        const double sign = split.difference() < 0 ? -1 : 1;
        return sign * x.difference < sign * y.difference;
      });
  if (split.difference() != 0) {
    split.sentences.push_back(
        fmt::format("{} messages against {}; most of the difference is in {}: {} against {}.",
                    a.messages,
                    b.messages,
                    most->name,
                    pretty(*most->first, "bytes"),
                    pretty(*most->second, "bytes")));
  }
  return split;
}

// ---- regret -------------------------------------------------------------------------------------

/// The cumulative regret by evaluations per client.
std::map<std::uint64_t, double> curve_of(const Run& run) {
  std::map<std::uint64_t, double> curve;
  for (const auto& point : run.record->result.regret_curve)
    if (point.metric == "cumulative_regret") curve[point.evaluations] = point.value;
  return curve;
}

std::optional<Explanation> explain_regret(const Run& first, const Run& second) {
  const auto a = curve_of(first), b = curve_of(second);
  if (a.empty() || b.empty()) return std::nullopt;
  const auto [evaluations_a, regret_a] = *a.rbegin();
  const auto [evaluations_b, regret_b] = *b.rbegin();
  Explanation split{"cumulative_regret", 1, regret_a, regret_b};
  const auto n_a = static_cast<double>(evaluations_a), n_b = static_cast<double>(evaluations_b);
  const double by_number =
      n_a > 0 && n_b > 0 ? (n_b - n_a) * (regret_a / n_a + regret_b / n_b) / 2 : 0;
  split.causes.push_back({"number of evaluations", by_number, {}, {}});
  split.causes.push_back({"regret per evaluation", split.difference() - by_number, {}, {}});
  sort_causes(split);
  std::uint64_t until = 0;
  double so_far_a = 0, so_far_b = 0;
  const auto add = [&](std::uint64_t evaluations, double now_a, double now_b) {
    split.rounds.push_back(part(fmt::format("evaluations {} to {}", until + 1, evaluations),
                                now_a - so_far_a,
                                now_b - so_far_b));
    until = evaluations;
    so_far_a = now_a;
    so_far_b = now_b;
  };
  for (const auto& [evaluations, value] : a)
    if (const auto other = b.find(evaluations);
        other != b.end() && evaluations > 0 && evaluations >= 2 * until)
      add(evaluations, value, other->second);
  if (so_far_a != regret_a || so_far_b != regret_b)
    add(std::max(evaluations_a, evaluations_b), regret_a, regret_b);
  const double sign = split.difference() < 0 ? -1 : 1;
  const auto most =
      std::max_element(split.rounds.begin(), split.rounds.end(), [&](const auto& x, const auto& y) {
        return sign * x.difference < sign * y.difference;
      });
  if (split.difference() == 0 || most == split.rounds.end()) return split;
  split.sentences.push_back(fmt::format("Most of the difference arises in {}: {} against {}.",
                                        most->name,
                                        pretty(rounded(*most->first, 4), ""),
                                        pretty(rounded(*most->second, 4), "")));
  for (const auto* run : {&first, &second})
    if (const auto rounds = run->outcome().optimum_eliminated; rounds > 0)
      split.sentences.push_back(
          fmt::format("{} eliminated the cell of the maximum{}.",
                      run->name,
                      rounds > 1 ? fmt::format(", in {} rounds", rounds) : ""));
  return split;
}

}  // namespace

std::vector<Explanation> explain(const ExplainedRun& first, const ExplainedRun& second) {
  std::vector<Explanation> splits{explain_time(first, second), explain_bytes(first, second)};
  if (auto regret = explain_regret(first, second)) splits.push_back(std::move(*regret));
  return splits;
}

}  // namespace posse
