// SPDX-License-Identifier: Apache-2.0
// Short texts of flags and scenarios: quantities with units, addresses, lists, selectors. The first
// byte selects the reader, a letter from `a`.
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "core/arm/digit_arms.hpp"
#include "core/base/parameters.hpp"
#include "core/base/shown_text.hpp"
#include "core/network/nodes.hpp"
#include "core/objective/factories.hpp"
#include "core/objective/heterogeneity.hpp"
#include "core/objective/heterogeneity_families.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/compare/comparison.hpp"
#include "program/http/address.hpp"
#include "program/http/server.hpp"
#include "program/metrics/push.hpp"
#include "program/plot/picture_style.hpp"
#include "program/plot/sequence_of_run.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/scenario/faulty_nodes.hpp"
#include "program/sweep/setting_runs.hpp"
#include "program/sweep/shard.hpp"
#include "tests/fuzz/targets.hpp"

namespace posse::fuzz {
namespace {

template <class T>
bool is_sound(const Parsed<T>& parsed) {
  require(parsed.value.has_value() == parsed.problem.empty(), "either a value or a problem");
  return parsed.value.has_value();
}

void durations(std::string_view text) {
  const auto parsed = parse_duration(text);
  if (!is_sound(parsed)) return;
  require(parsed.value->ns >= 0, "durations are not negative");
  require(parse_duration(format_duration(*parsed.value)).value == parsed.value,
          "a duration, written again, is the same");
}

void sizes(std::string_view text) {
  const auto parsed = parse_size(text);
  if (is_sound(parsed))
    require(parse_size(format_size(*parsed.value)).value == parsed.value,
            "a size, written again, is the same");
}

void rates(std::string_view text) {
  const auto parsed = parse_rate(text);
  if (!is_sound(parsed)) return;
  require(*parsed.value > 0 && std::isfinite(*parsed.value), "rates are above 0");
  require(parse_rate(format_rate(*parsed.value)).value == parsed.value,
          "a rate, written again, is the same");
}

void shares(std::string_view text) {
  const auto parsed = parse_share(text);
  if (is_sound(parsed)) require(*parsed.value > 0 && *parsed.value <= 1, "shares are in (0, 1]");
}

void selectors(std::string_view text) {
  static const NodeNames names({{"server", 1, false, 0}, {"client", 20, true, 1}});
  const auto range = names.select(text);
  require(range.first <= range.last && range.last <= names.size(), "a selection is of nodes");
  const auto nodes = parse_faulty_nodes(text);
  if (!nodes) return;  // the scenario is refused
  std::uint32_t members = 0;
  for (const auto& part : names.members(*nodes, StreamKey{})) members += part.last - part.first;
  require(members <= names.size(), "a share is of nodes");
}

void mixtures(std::string_view text) {
  static const std::shared_ptr<const Objective> base = [] {
    const auto* spec = find_objective("himmelblau");
    return spec->make(default_parameters(spec->parameters));
  }();
  if (text.size() > 300) return;
  for (const auto& function : mixed_functions(base, text))
    require(function->domain().dimension() == 2, "functions are on one box");
}

void shards(std::string_view text) {
  const Shard shard = parse_shard(std::string(text), [](const char*) { return "3"; });
  require(shard.index < shard.count, "a shard is one of its parts");
}

void names(std::string_view text) {
  const std::vector<std::string> known{"latency", "loss", "rate"};
  const auto near = nearest_name(text, known);
  require(near.empty() || edit_distance(text, near) < text.size() + near.size(), "names are near");
  for (const char c : printable(text))
    require(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t',
            "printable text has no control characters");
  wrapped(text, "  ");
}

void gossip(std::string_view text) {
  const auto half = text.size() / 2;
  const auto parsed = parse_selection(std::string(text.substr(0, half)), "", std::string(text));
  is_sound(parsed);
}

const std::array<std::function<void(std::string_view)>, 18> kWords{
    durations,                                                                    // a
    sizes,                                                                        // b
    rates,                                                                        // c
    shares,                                                                       // d
    selectors,                                                                    // e
    mixtures,                                                                     // f
    shards,                                                                       // g
    names,                                                                        // h
    gossip,                                                                       // i
    [](std::string_view text) { parse_numbers(text); },                           // j
    [](std::string_view text) { parse_models(std::string(text), 1e-3); },         // k
    [](std::string_view text) { parse_http_address(text, HttpAddress{}); },       // l
    [](std::string_view text) { parse_push_url(text); },                          // m
    [](std::string_view text) { IpAddress::parse(text); },                        // n
    [](std::string_view text) { parse_filter(std::string(text)); },               // o
    [](std::string_view text) { parse_width(std::string(text)); },                // p
    [](std::string_view text) { parse_length(std::string(text), "in", 1, 20); },  // q
    [](std::string_view text) { parse_measure(std::string(text)); },              // r
};

}  // namespace

void fuzz_words(std::string_view input) {
  // A flag has no zero bytes.
  if (input.empty() || input.find('\0') != std::string_view::npos) return;
  const auto reader = static_cast<std::size_t>(input.front() - 'a');
  if (reader >= kWords.size()) return;
  try {
    kWords[reader](input.substr(1));
  } catch (const InputError& error) {
    require(*error.what() != '\0', "an error has a text");
  } catch (const std::invalid_argument& error) {
    require(*error.what() != '\0', "an error has a text");
  }
}

}  // namespace posse::fuzz
