// SPDX-License-Identifier: Apache-2.0
// Values of keys of [network] and [compute] that are tables of their own, or one of several types:
// each is read into its type, and written as TOML.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "program/scenario/rule_scope.hpp"
#include "program/scenario/scenario.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {

/// Which distributions are allowed: latencies of all links may be a matrix, those of links a trace.
enum class Durations { of_all_links, of_links, of_work };

/// A duration, or `kind` and that kind's parameters, from `key` of `parent`. A matrix of latencies
/// goes to `scenario.network`.
std::optional<Component> read_duration(TableReader& parent,
                                       std::string_view key,
                                       Durations which,
                                       Scenario& scenario,
                                       Diagnostics& diagnostics);
/// Always this long.
Component constant_duration(Duration duration);

/// A probability, or a loss model; into `loss` or the rule.
void read_loss(TableReader& parent, LinkConfig& link, const ReadContext& context);
std::string loss_toml(const LinkConfig& link);

/// Null if there is none.
std::shared_ptr<const LatencyFactor> read_latency_factor(TableReader& reader,
                                                         std::string_view key,
                                                         const ReadContext& context);
std::string latency_factor_toml(const LatencyFactor& factor);

/// A rate, or a table with a trace, without its queue.
std::optional<Rate> read_rate(TableReader& reader,
                              std::string_view key,
                              const ReadContext& context);
std::string rate_toml(const Rate& rate);
/// "" if it is unlimited.
std::string queue_toml(const Rate& rate);

/// A duration or a rule, from `timeout`.
std::optional<TimeOut> read_time_out(TableReader& reader);

/// A name or a key, from `ties`.
std::optional<Ties> read_ties(TableReader& reader);

/// `{ kind = …, … }`, without parameters that are auto.
std::string component_toml(const Component& component);

}  // namespace posse
