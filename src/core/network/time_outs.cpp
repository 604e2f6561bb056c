// SPDX-License-Identifier: Apache-2.0
#include "core/network/time_outs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace posse {
namespace {

/// How long a line takes for so many bytes at its lowest rate above 0, plus its longest standstill.
Duration slowest_transfer(const Rate& rate, std::uint64_t bytes) {
  const double bits = 8.0 * static_cast<double>(bytes);
  if (!rate.trace) return Duration::seconds(bits / rate.bits_per_second);
  const auto& steps = rate.trace->steps();
  std::uint64_t lowest = RateTrace::kFastest;
  for (const auto& step : steps.steps())
    if (step.value > 0) lowest = std::min(lowest, step.value);
  return Duration::seconds(bits / static_cast<double>(lowest)) +
         RateTrace::longest_standstill(steps);
}

/// How long a line takes if each of `senders` has a message of `each` bytes for it; no longer than
/// a message of `bytes` behind a full queue. 0 without a rate.
Duration shared_transfer(const Rate* rate,
                         std::uint32_t senders,
                         std::uint64_t each,
                         std::uint64_t bytes) {
  if (rate == nullptr) return {};
  const Duration all = slowest_transfer(*rate, each) * senders;
  if (rate->queue_bytes > std::numeric_limits<std::uint64_t>::max() - bytes) return all;
  return std::min(all, slowest_transfer(*rate, rate->queue_bytes + bytes));
}

}  // namespace

TimeOuts::TimeOuts(const Retransmission& rule,
                   const Network& network,
                   std::uint64_t acknowledgement,
                   std::vector<Duration> handling)
    : rule_(rule),
      network_(network),
      acknowledgement_(acknowledgement),
      handling_(std::move(handling)) {
  if (network_.links().links() == 0) return;
  alike_ = network_.timeouts_are_alike() &&
           (of({0}).rule == TimeOut::Rule::stated || (!network_.any_rate() && handling_.empty()));
  if (!alike_) return;
  for (std::uint32_t tries = 0; tries < waits_.size(); ++tries)
    waits_[tries] = later_wait({0}, 0, tries);
}

bool TimeOuts::any_measured() const {
  const std::uint64_t links = network_.timeouts_are_alike() ? 1 : network_.links().links();
  for (std::uint32_t link = 0; link < links; ++link)
    if (network_.links().links() > 0 && rule({link}) == TimeOut::Rule::measured) return true;
  return false;
}

Duration TimeOuts::lines(LinkId link, std::uint64_t bytes) const {
  const LinkMap& map = network_.links();
  const NodeId a = map.from(link), b = map.to(link);
  const std::uint64_t both = bytes + acknowledgement_;
  const auto of_ends = [&](const Rate* rate, std::uint32_t senders) {
    return shared_transfer(rate, senders, both, bytes);
  };
  return of_ends(network_.receive_rate(b), map.degree(b)) +
         of_ends(network_.send_rate(b), map.degree(b)) +
         of_ends(network_.link_rate(map.back(link)), 1) +
         of_ends(network_.receive_rate(a), map.degree(a));
}

TimeOuts::Terms TimeOuts::terms(LinkId link, std::uint64_t bytes) const {
  Terms terms;
  const double one_way = network_.typical_latency_s(link),
               back = network_.typical_latency_s(network_.links().back(link));
  terms.round_trips = Duration::seconds(2 * (one_way + back));
  if (network_.any_rate()) terms.lines = lines(link, bytes);
  if (!handling_.empty()) terms.handling = handling_[network_.links().to(link).value];
  // Whole microseconds, for readable numbers.
  const Duration all = terms.round_trips + terms.lines + terms.handling;
  const double us =
      std::ceil(all == terms.round_trips && one_way == back ? 4e6 * one_way
                                                            : static_cast<double>(all.ns) / 1e3);
  terms.timeout = std::max(rule_.least_timeout(rule(link)), Duration::seconds(us * 1e-6));
  return terms;
}

Duration TimeOuts::later_wait(LinkId link, std::uint64_t bytes, std::uint32_t tries) const {
  const TimeOut& timeout = of(link);
  const bool stated = timeout.rule == TimeOut::Rule::stated;
  const Duration first = stated ? timeout.stated : terms(link, bytes).timeout;
  const Duration longest =
      stated && timeout == rule_.timeout ? rule_.max_timeout : std::max(rule_.max_timeout, first);
  double wait = first.to_seconds();
  const double most = longest.to_seconds();
  for (std::uint32_t i = 0; i < tries && wait < most; ++i) wait *= rule_.backoff;
  return Duration::seconds(std::min(wait, most));
}

}  // namespace posse
