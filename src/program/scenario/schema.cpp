// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "program/scenario/catalog.hpp"
#include "program/scenario/fault_reader.hpp"

namespace posse {
namespace {

/// "100 000 000", "10⁹"
std::string grouped(double number) {
  const double size = std::abs(number);
  for (int power = 9; power <= 15; ++power) {
    constexpr std::array kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (fmt::format("{:.0f}", size) != "1" + std::string(static_cast<std::size_t>(power), '0'))
      continue;
    std::string text = number < 0 ? "-10" : "10";
    for (const char digit : std::to_string(power))
      text += kDigits[static_cast<std::size_t>(digit - '0')];
    return text;
  }
  auto text = fmt::format("{}", number);
  if (std::rint(number) != number || size < 10000) return text;
  text = fmt::format("{:.0f}", number);
  for (std::size_t i = text.size(); i > 3 + (number < 0 ? 1U : 0U);) {
    i -= 3;
    text.insert(i, " ");
  }
  return text;
}

std::string range_words(const KeySpec& key) {
  const bool low = !std::isinf(key.min), high = !std::isinf(key.max);
  if (low && high && !key.min_open && !key.max_open)
    return fmt::format("{} to {}", grouped(key.min), grouped(key.max));
  std::string text;
  if (low) text = (key.min_open ? "above " : "at least ") + grouped(key.min);
  if (high)
    text += (text.empty() ? "" : ", ") + std::string(key.max_open ? "below " : "at most ") +
            grouped(key.max);
  return text;
}

std::string in_code(const std::vector<std::string>& words) {
  return fmt::format("`{}`", fmt::join(words, "`, `"));
}

std::string usual_values(const SectionSpec& section, const KeySpec& key) {
  switch (key.type) {
    case KeyType::choice: {
      std::vector<std::string> quoted;
      for (const auto& choice : key.choices) quoted.push_back(fmt::format("\"{}\"", choice));
      return in_code(quoted);
    }
    case KeyType::boolean:
      return "`true`, `false`";
    case KeyType::whole:
      if (std::isinf(key.max)) return "whole number from " + grouped(key.min);
      return "whole number, " + range_words(key);
    case KeyType::number:
      return range_words(key);
    case KeyType::duration:
      return key.min_open ? "a duration above 0" : "a duration";
    case KeyType::size:
      return "a size";
    case KeyType::selector:
      return "a selector";
    case KeyType::text:
      return "a string";
    case KeyType::kind:
      if (section.path == "fault") {
        std::vector<std::string> kinds;
        for (const auto& kind : fault_kinds()) kinds.emplace_back(kind.name);
        return in_code(kinds);
      }
      return in_code(section.path == "arm" ? kinds_of(arm_family_specs()) : kinds_of(objectives()));
    case KeyType::heterogeneity:
      return "table with `kind`: " + in_code(kinds_of(heterogeneity_specs()));
    case KeyType::noise:
      return "table with `kind`: " + in_code(kinds_of(noise_specs()));
    default:
      return "";
  }
}

/// Of every rule.
const KeySpec kAlgorithmOfRule{.name = "algorithm",
                               .type = KeyType::labels,
                               .meaning = "only in runs of this algorithm, or of these",
                               .values = "a label, or a list of labels",
                               .otherwise = "all algorithms"};

}  // namespace

const KeySpec* SectionSpec::key(std::string_view name) const {
  const auto it =
      std::find_if(keys.begin(), keys.end(), [&](const KeySpec& k) { return k.name == name; });
  return it == keys.end() ? nullptr : &*it;
}

const std::vector<SectionSpec>& scenario_sections() {
  static const std::vector<SectionSpec> all = {
      {.path = "",
       .summary = "name, label, seed, repetitions",
       .keys = {{.name = "name",
                 .type = KeyType::text,
                 .meaning = "name of the result folder",
                 .values = "letters, digits, `-`, `_`, `.`; up to 100",
                 .otherwise = "the file's name"},
                {.name = "label",
                 .type = KeyType::text,
                 .meaning =
                     "a note on the run, as `run --label`: shown with its results, in the list "
                     "of finished runs and in the names of a comparison; it decides nothing",
                 .values = "one line, up to 100 characters",
                 .otherwise = "none"},
                {.name = "seed",
                 .type = KeyType::whole,
                 .meaning = "determines, with the scenario, every random number",
                 .otherwise = "1",
                 .min = 0},
                {.name = "repeat",
                 .type = KeyType::whole,
                 .meaning = "number of repetitions, each with its own random numbers",
                 .otherwise = "1",
                 .min = 1,
                 .max = 1e6},
                {.name = "algorithm", .type = KeyType::tables},
                {.name = "population", .type = KeyType::table},
                {.name = "objective", .type = KeyType::table},
                {.name = "arm", .type = KeyType::tables},
                {.name = "budget", .type = KeyType::table},
                {.name = "network", .type = KeyType::table},
                {.name = "compute", .type = KeyType::table},
                {.name = "server", .type = KeyType::table},
                {.name = "fault", .type = KeyType::tables},
                {.name = "limits", .type = KeyType::table},
                {.name = "inputs", .type = KeyType::table},
                {.name = "thresholds", .type = KeyType::table},
                {.name = "sweep", .type = KeyType::table}}},
      {.path = "algorithm",
       .summary = "the algorithms that are compared",
       .array = true,
       .has_parameters = true,
       .keys = {{.name = "kind",
                 .type = KeyType::kind,
                 .meaning = "the algorithm",
                 .values = "`posse list`",
                 .otherwise = "must be given",
                 .required = true},
                {.name = "label",
                 .type = KeyType::text,
                 .meaning = "its name in results; different for each",
                 .values = "as `name`",
                 .otherwise = "the kind; with `clients`, `kind-clients`"},
                {.name = "clients",
                 .type = KeyType::whole,
                 .meaning = "number of participants, in place of `population.clients`; not for "
                            "functional bandits",
                 .note = "; at most 65 536 in a full mesh",
                 .otherwise = "`population.clients`",
                 .min = 1,
                 .max = 1e8}}},
      {.path = "population",
       .summary = "the number of participants",
       .keys = {{.name = "clients",
                 .type = KeyType::whole,
                 .meaning = "number of clients or players",
                 .otherwise =
                     "must be given, except where every algorithm has `clients` or plays arms",
                 .min = 1,
                 .max = 1e8}}},
      {.path = "objective",
       .summary = "the function to maximise, differences between clients, noise",
       .has_parameters = true,
       .keys = {{.name = "kind",
                 .type = KeyType::kind,
                 .meaning = "the function to maximise",
                 .otherwise = "must be given",
                 .required = true},
                {.name = "heterogeneity",
                 .type = KeyType::heterogeneity,
                 .meaning = "how the clients' functions differ",
                 .note = "; not for `doses` and `landmine`, whose clients differ already",
                 .otherwise = "`{ kind = \"none\" }`"},
                {.name = "noise",
                 .type = KeyType::noise,
                 .meaning = "how a reward is drawn around f(x)",
                 .otherwise =
                     "`{ kind = \"uniform\", half_width = 0.1 }`; `none` for `external`"}}},
      {.path = "arm",
       .summary = "the arms of functional bandits",
       .array = true,
       .has_parameters = true,
       .keys = {{.name = "kind",
                 .type = KeyType::kind,
                 .meaning = "a family of arms; `rewards` are for the algorithms for heavy tails",
                 .otherwise = "must be given",
                 .required = true}}},
      {.path = "budget",
       .summary = "evaluations or pulls",
       .keys = {{.name = "evaluations_per_client",
                 .type = KeyType::whole,
                 .meaning = "evaluations of the objective by each client",
                 .otherwise = "must be given with `[objective]`",
                 .min = 1,
                 .max = 1e12},
                {.name = "pulls",
                 .type = KeyType::whole,
                 .meaning = "pulls of all arms together",
                 .otherwise = "must be given with `[[arm]]`",
                 .min = 1,
                 .max = 1e12}}},
      {.path = "network",
       .summary = "latency, loss, duplication, order, rates, transport",
       .keys = {{.name = "latency",
                 .type = KeyType::distribution,
                 .meaning = "time on a link, one way",
                 .values = "a duration, or a [distribution](#distributions-of-durations)",
                 .otherwise = "`\"0 s\"`"},
                {.name = "latency_factor",
                 .type = KeyType::factor,
                 .meaning = "factor on every latency, which changes over virtual time",
                 .values = "a [trace](#traces) with the column `factor`",
                 .otherwise = "1"},
                {.name = "loss",
                 .type = KeyType::loss,
                 .meaning = "loss of transmissions",
                 .values = "a probability, or a [loss model](#loss-models)",
                 .otherwise = "`{ kind = \"none\" }`"},
                {.name = "duplication",
                 .type = KeyType::number,
                 .meaning = "probability that the network duplicates a transmission",
                 .otherwise = "0",
                 .min = 0,
                 .max = 1},
                {.name = "order",
                 .type = KeyType::choice,
                 .meaning =
                     "`fifo`: a message never overtakes an earlier one on its link; `free`: it may",
                 .otherwise = "`\"free\"`",
                 .choices = {"free", "fifo"}},
                {.name = "rate",
                 .type = KeyType::rate_or_trace,
                 .meaning = "rate of each link",
                 .values = "a rate, or a [trace](#traces) with the column `bits_per_second`",
                 .otherwise = "unlimited"},
                {.name = "queue",
                 .type = KeyType::size,
                 .meaning = "queue capacity of the link: a message is dropped if more bytes than "
                            "this are waiting; needs `rate`",
                 .otherwise = "unlimited"},
                {.name = "transport",
                 .type = KeyType::choice,
                 .meaning = "`datagram`: a lost message stays lost; `reliable`: acknowledgements, "
                            "retransmissions, no duplicates delivered",
                 .otherwise = "`\"datagram\"`",
                 .choices = {"datagram", "reliable"}},
                {.name = "retransmission",
                 .type = KeyType::table,
                 .meaning = "table: timing of the reliable transport",
                 .values = "see below"},
                {.name = "header_bytes",
                 .type = KeyType::size,
                 .meaning = "added to every transmission, acknowledgements included",
                 .otherwise = "`\"0 B\"`"},
                {.name = "wire",
                 .type = KeyType::choice,
                 .meaning =
                     "protocol stack whose headers are added to every transmission, in place of "
                     "`header_bytes`; `udp` with `datagram`, the others with `reliable`",
                 .note = ": [wire formats](#wire-formats)",
                 .otherwise = "none",
                 .choices = {"udp", "tcp", "quic", "grpc"}},
                {.name = "ties",
                 .type = KeyType::choice_or_whole,
                 .meaning = "order of messages that reach a node from several nodes at one "
                            "instant, where it can decide something, as under a quorum: `fair`: "
                            "drawn at random; a number: drawn anew with this key; `source`, "
                            "`reversed`: by the senders' numbers, which favours some nodes",
                 .values =
                     "`\"fair\"`, `\"source\"`, `\"reversed\"`, or a whole number of at least 0",
                 .note = ": [equal times](#equal-times)",
                 .otherwise = "`\"fair\"`",
                 .min = 0,
                 .choices = {"fair", "source", "reversed"}},
                {.name = "topology",
                 .type = KeyType::choice,
                 .meaning = "checks the algorithms' topology; it does not change it. Algorithms "
                            "with the parameter `edges` run on a star, or on a hierarchy of the "
                            "nodes `server`, `edge-0`, … and `client-0`, …",
                 .otherwise = "each algorithm has its own",
                 .choices = {"star", "full-mesh"}},
                {.name = "link", .type = KeyType::tables},
                {.name = "node", .type = KeyType::tables},
                {.name = "drop", .type = KeyType::tables}}},
      {.path = "network.retransmission",
       .summary = "timing of the reliable transport",
       .keys = {{.name = "timeout",
                 .type = KeyType::choice_or_duration,
                 .meaning = "time without an acknowledgement before the first retransmission. A "
                            "duration: the same for all links, from the moment of sending. "
                            "`derived`: of each link and size, `measured`: from the link's round "
                            "trips, both from the moment at which the copy has left its sender's "
                            "lines",
                 .values = "`\"derived\"`, `\"measured\"`, or a duration above 0",
                 .note = ": [time-outs](#time-outs)",
                 .otherwise = "`\"derived\"`",
                 .min = 0,
                 .min_open = true,
                 .choices = {"derived", "measured"}},
                {.name = "min_timeout",
                 .type = KeyType::duration,
                 .meaning = "smallest time-out that is `derived` or `measured`",
                 .otherwise = "1 ms if `derived`, 200 ms if `measured`",
                 .min = 0,
                 .min_open = true},
                {.name = "granularity",
                 .type = KeyType::duration,
                 .meaning = "the clock's G in RFC 6298: `measured` waits at least this much longer "
                            "than the mean round trip",
                 .otherwise = "1 ms",
                 .min = 0,
                 .min_open = true},
                {.name = "backoff",
                 .type = KeyType::number,
                 .meaning = "factor on the time-out after each retransmission",
                 .otherwise = "2",
                 .min = 1,
                 .max = 100},
                {.name = "max_timeout",
                 .type = KeyType::duration,
                 .meaning = "largest time-out; a `derived` one may be longer before it grows",
                 .note = ", at least `timeout`",
                 .otherwise = "60 s, or `timeout` if that is longer"},
                {.name = "max_tries",
                 .type = KeyType::whole,
                 .meaning = "transmissions of a message before it is given up",
                 .otherwise = "1000",
                 .min = 1,
                 .max = 1e9}}},
      {.path = "network.link",
       .summary = "exceptions for links and nodes, dropped messages",
       .array = true,
       .keys = {{.name = "from",
                 .type = KeyType::selector,
                 .meaning = "the links, by sender and receiver",
                 .values = "selectors",
                 .otherwise = "`\"*\"`"},
                {.name = "to",
                 .type = KeyType::selector,
                 .meaning = "the links, by sender and receiver",
                 .values = "selectors",
                 .otherwise = "`\"*\"`"},
                {.name = "latency",
                 .type = KeyType::distribution,
                 .meaning = "as in `[network]`; at least one of them",
                 .values = "as there, without `matrix`",
                 .otherwise = "as in `[network]`"},
                {.name = "latency_factor",
                 .type = KeyType::factor,
                 .meaning = "as in `[network]`; at least one of them",
                 .values = "as there, without `matrix`",
                 .otherwise = "as in `[network]`"},
                {.name = "loss",
                 .type = KeyType::loss,
                 .meaning = "as in `[network]`; at least one of them",
                 .values = "as there, without `matrix`",
                 .otherwise = "as in `[network]`"},
                {.name = "duplication",
                 .type = KeyType::number,
                 .meaning = "as in `[network]`; at least one of them",
                 .values = "as there, without `matrix`",
                 .otherwise = "as in `[network]`",
                 .min = 0,
                 .max = 1},
                {.name = "order",
                 .type = KeyType::choice,
                 .meaning = "as in `[network]`; at least one of them",
                 .values = "as there, without `matrix`",
                 .otherwise = "as in `[network]`",
                 .choices = {"free", "fifo"}},
                {.name = "rate",
                 .type = KeyType::rate_or_trace,
                 .meaning = "as in `[network]`; at least one of them",
                 .values = "as there, without `matrix`",
                 .otherwise = "as in `[network]`"},
                {.name = "queue",
                 .type = KeyType::size,
                 .meaning = "as in `[network]`; at least one of them",
                 .values = "as there, without `matrix`",
                 .otherwise = "as in `[network]`"},
                {.name = "timeout",
                 .type = KeyType::choice_or_duration,
                 .meaning = "time-out of the reliable transport on these links",
                 .values = "as in `[network.retransmission]`",
                 .otherwise = "as there",
                 .min = 0,
                 .min_open = true,
                 .choices = {"derived", "measured"}},
                kAlgorithmOfRule}},
      {.path = "network.node",
       .summary = "exceptions for links and nodes, dropped messages",
       .array = true,
       .keys = {{.name = "nodes",
                 .type = KeyType::selector,
                 .meaning = "the nodes",
                 .otherwise = "must be given",
                 .required = true},
                {.name = "rate_up",
                 .type = KeyType::rate_or_trace,
                 .meaning = "rates of sending and of receiving; at least one of them",
                 .values = "rates, or [traces](#traces) with the column `bits_per_second`",
                 .otherwise = "unlimited"},
                {.name = "rate_down",
                 .type = KeyType::rate_or_trace,
                 .meaning = "rates of sending and of receiving; at least one of them",
                 .values = "rates, or [traces](#traces) with the column `bits_per_second`",
                 .otherwise = "unlimited"},
                {.name = "queue",
                 .type = KeyType::size,
                 .meaning = "largest number of waiting bytes before each of the two lines",
                 .otherwise = "unlimited"},
                kAlgorithmOfRule}},
      {.path = "network.drop",
       .summary = "exceptions for links and nodes, dropped messages",
       .array = true,
       .keys = {{.name = "type",
                 .type = KeyType::text,
                 .meaning = "message type, as `describe` lists it for the algorithm",
                 .otherwise = "any"},
                {.name = "round",
                 .type = KeyType::whole,
                 .meaning = "round of the message, as in `messages.csv.gz` (`--trace messages`)",
                 .otherwise = "any",
                 .min = 0,
                 .max = 4294967295},
                {.name = "from",
                 .type = KeyType::selector,
                 .meaning = "sender and receiver",
                 .otherwise = "any"},
                {.name = "to",
                 .type = KeyType::selector,
                 .meaning = "sender and receiver",
                 .otherwise = "any"},
                {.name = "transmission",
                 .type = KeyType::whole,
                 .meaning = "number of the message copy on its link, as in `messages.csv.gz`: with "
                            "`from` and `to` it selects a single message",
                 .otherwise = "any",
                 .min = 0,
                 .max = 4294967295},
                kAlgorithmOfRule}},
      {.path = "compute",
       .summary = "time of an evaluation and of handling messages, stragglers",
       .keys = {{.name = "evaluation",
                 .type = KeyType::distribution,
                 .meaning = "virtual time of one evaluation or pull",
                 .values = "a duration, or a [distribution](#distributions-of-durations) except "
                           "`matrix` and `trace`",
                 .otherwise = "`\"0 s\"`"},
                {.name = "stragglers", .type = KeyType::tables},
                {.name = "service", .type = KeyType::tables}}},
      {.path = "compute.stragglers",
       .summary = "slow nodes",
       .array = true,
       .keys = {{.name = "nodes",
                 .type = KeyType::selector,
                 .meaning = "the nodes",
                 .otherwise = "`\"*\"`"},
                {.name = "factor",
                 .type = KeyType::number,
                 .meaning = "factor on all of their computing time: 10 is ten times slower",
                 .otherwise = "must be given",
                 .min = 0,
                 .max = 1e9,
                 .min_open = true,
                 .required = true},
                {.name = "share",
                 .type = KeyType::number,
                 .meaning = "probability with which each of the nodes is slow, drawn once per run",
                 .otherwise = "all are",
                 .min = 0,
                 .max = 1},
                kAlgorithmOfRule}},
      {.path = "compute.service",
       .summary = "time to handle messages",
       .array = true,
       .keys = {{.name = "nodes",
                 .type = KeyType::selector,
                 .meaning = "the nodes",
                 .otherwise = "`\"*\"`"},
                {.name = "type",
                 .type = KeyType::text,
                 .meaning = "message type, as `describe` lists it for the algorithm; `\"start\"` "
                            "and `\"timer\"`: what a node does at the beginning, or when a timer "
                            "expires; `\"*\"`: all of these",
                 .otherwise = "`\"*\"`"},
                {.name = "sends",
                 .type = KeyType::boolean,
                 .meaning = "`compute` and `per_evaluation` only where the node then sends "
                            "something, or only where it doesn't",
                 .otherwise = "both"},
                {.name = "dispatch",
                 .type = KeyType::distribution,
                 .meaning = "from the end of the link to the node's algorithm",
                 .values = "as `evaluation`",
                 .otherwise = "`\"0 s\"`"},
                {.name = "decode",
                 .type = KeyType::distribution,
                 .meaning = "to decode a message that came",
                 .values = "as `evaluation`",
                 .otherwise = "`\"0 s\"`"},
                {.name = "compute",
                 .type = KeyType::distribution,
                 .meaning = "what the node then computes; the time of evaluations counts only as "
                            "far as it is longer",
                 .values = "as `evaluation`",
                 .otherwise = "`\"0 s\"`"},
                {.name = "per_evaluation",
                 .type = KeyType::duration,
                 .meaning = "added to `compute` for each evaluation or pull",
                 .otherwise = "`\"0 s\"`"},
                {.name = "encode",
                 .type = KeyType::distribution,
                 .meaning = "to encode a message for one receiver, before it leaves",
                 .values = "as `evaluation`",
                 .otherwise = "`\"0 s\"`"},
                kAlgorithmOfRule}},
      {.path = "server",
       .summary = "when a server stops waiting for answers",
       .keys = {{.name = "policy",
                 .type = KeyType::choice,
                 .meaning = "`all`: when all answers are there; `quorum`: when `quorum` answers "
                            "are; `deadline`: when `deadline` has passed, or all answers are there",
                 .otherwise = "`\"all\"`",
                 .choices = {"all", "quorum", "deadline"}},
                {.name = "quorum",
                 .type = KeyType::answers,
                 .meaning = "number of answers, or a share of the clients, rounded up. With "
                            "`deadline`: the round stays open until so many are there",
                 .values = "whole number, or a share such as `\"80%\"`",
                 .otherwise = "must be given with `quorum`; 1 with `deadline`"},
                {.name = "deadline",
                 .type = KeyType::duration,
                 .meaning = "time after the round's messages left",
                 .otherwise = "must be given with `deadline`",
                 .min = 0,
                 .min_open = true},
                {.name = "aggregate",
                 .type = KeyType::choice,
                 .meaning = "what a server that averages makes of the clients' values, one by one: "
                            "their mean, their median, or the mean without a share of them at "
                            "either end. Experimental except for `mean`: bounds then do not apply",
                 .otherwise = "`\"mean\"`",
                 .choices = {"mean", "median", "trimmed-mean"}},
                {.name = "trim",
                 .type = KeyType::number,
                 .meaning = "`trimmed-mean`: the share left out at either end, rounded down to "
                            "whole answers; at least one, unless 0",
                 .otherwise = "0.1",
                 .min = 0,
                 .max = 0.5,
                 .max_open = true}}},
      {.path = "fault",
       .summary = "partitions, clogged links, pauses and crashes of nodes",
       .array = true,
       .keys = {{.name = "kind",
                 .type = KeyType::kind,
                 .meaning = "what happens",
                 .otherwise = "must be given",
                 .required = true},
                {.name = "groups",
                 .type = KeyType::groups,
                 .meaning = "`partition`, `clog`: two or more lists of nodes",
                 .values = "lists of selectors and shares",
                 .otherwise = "must be given"},
                {.name = "one_way",
                 .type = KeyType::boolean,
                 .meaning = "`partition`, `clog`: only messages from the first group to the others",
                 .otherwise = "false"},
                {.name = "nodes",
                 .type = KeyType::selectors,
                 .meaning = "`pause`, `crash`, `corrupt`: the nodes; at random times, each has its "
                            "own. `storm`: one selector, no share",
                 .values = "a list of selectors and shares",
                 .otherwise = "must be given; `storm`: `\"*\"`"},
                {.name = "how",
                 .type = KeyType::choice,
                 .meaning =
                     "`corrupt`: what they send instead: one number, theirs plus normal noise, "
                     "theirs with the opposite sign, or those of their message before",
                 .otherwise = "must be given",
                 .choices = {"constant", "noise", "sign", "stale"}},
                {.name = "value",
                 .type = KeyType::number,
                 .meaning = "`corrupt`, `constant`: the number",
                 .otherwise = "must be given",
                 .min = -1e6,
                 .max = 1e6},
                {.name = "sd",
                 .type = KeyType::number,
                 .meaning = "`corrupt`, `noise`: the standard deviation",
                 .otherwise = "must be given",
                 .min = 0,
                 .max = 1e6},
                {.name = "state",
                 .type = KeyType::choice,
                 .meaning = "`crash`, `availability`, `storm`: what a crash does to the node's "
                            "memory. Which nodes can lose it, and how they take part again: `posse "
                            "describe ALGORITHM`",
                 .otherwise = "`\"kept\"`",
                 .choices = {"kept", "lost"}},
                {.name = "file",
                 .type = KeyType::text,
                 .meaning = "`availability`: a row per time that a node is down, in order. Without "
                            "`up_s` it never restarts",
                 .values = "CSV with the columns `node`, `down_s`, `up_s` (virtual seconds)",
                 .otherwise = "must be given"},
                {.name = "at",
                 .type = KeyType::duration,
                 .meaning = "virtual time at which it begins the first time",
                 .otherwise = "must be given; `\"0 s\"` with `mean_between`"},
                {.name = "for",
                 .type = KeyType::duration,
                 .meaning = "how long it lasts",
                 .note = ", below `every`",
                 .otherwise = "until the end; `clog`: must be given",
                 .min = 0,
                 .min_open = true},
                {.name = "every",
                 .type = KeyType::duration,
                 .meaning = "from one beginning to the next",
                 .otherwise = "once",
                 .min = 0,
                 .min_open = true},
                {.name = "mean_between",
                 .type = KeyType::duration,
                 .meaning = "mean time from an end to the next beginning",
                 .otherwise = "not random",
                 .min = 0,
                 .min_open = true},
                {.name = "mean_for",
                 .type = KeyType::duration,
                 .meaning = "mean of how long it lasts",
                 .otherwise = "with `mean_between` it must be given",
                 .min = 0,
                 .min_open = true},
                {.name = "until",
                 .type = KeyType::duration,
                 .meaning = "it does not begin at this time or later",
                 .otherwise = "none; it must be given with `mean_between`, and with `every` for "
                              "`pause` and `crash`"},
                kAlgorithmOfRule,
                {.name = "repetition",
                 .type = KeyType::whole,
                 .meaning = "only in this repetition",
                 .otherwise = "all repetitions",
                 .min = 0}}},
      {.path = "limits",
       .summary = "when a run is given up",
       .keys = {{.name = "virtual_time",
                 .type = KeyType::duration,
                 .meaning = "virtual time",
                 .otherwise = "none"},
                {.name = "events",
                 .type = KeyType::whole,
                 .meaning = "events of the simulation",
                 .otherwise = "none",
                 .min = 1},
                {.name = "wall_time",
                 .type = KeyType::duration,
                 .meaning = "real time, with the preparation of a run; pauses do not count",
                 .otherwise = "none"}}},
      {.path = "inputs",
       .summary = "input files that the scenario holds itself",
       .any_key = true,
       .keys = {}},
      {.path = "thresholds",
       .summary = "what the results must keep to",
       .any_key = true,
       .keys = {}},
      {.path = "sweep",
       .summary = "keys that vary: for `posse sweep`",
       .any_key = true,
       .keys = {{.name = "lock_step",
                 .type = KeyType::lists,
                 .meaning = "keys that advance together, instead of in all combinations",
                 .values = "lists of keys with equally many values",
                 .otherwise = "none"},
                {.name = "constraint",
                 .type = KeyType::text,
                 .meaning = "keeps the settings for which it is true (not 0)",
                 .values = "an expression",
                 .otherwise = "all"}}},
      {.path = "sweep.*",
       .summary = "a range of values",
       .keys = {{.name = "from",
                 .type = KeyType::amount,
                 .meaning = "the first and the last value",
                 .values = "numbers, or texts with units of one kind",
                 .otherwise = "must be given",
                 .required = true},
                {.name = "to",
                 .type = KeyType::amount,
                 .meaning = "the first and the last value",
                 .values = "numbers, or texts with units of one kind",
                 .otherwise = "must be given",
                 .required = true},
                {.name = "steps",
                 .type = KeyType::whole,
                 .meaning = "the number of values",
                 .otherwise = "must be given",
                 .min = 2,
                 .max = 1e5,
                 .required = true},
                {.name = "scale",
                 .type = KeyType::choice,
                 .meaning = "even steps, or equal ratios",
                 .otherwise = "`\"linear\"`",
                 .choices = {"linear", "log"}},
                {.name = "whole",
                 .type = KeyType::boolean,
                 .meaning = "rounds to whole numbers, and leaves out repeated ones",
                 .otherwise = "`false`"}}}};
  return all;
}

const SectionSpec* find_section(std::string_view path) {
  std::string plain;  // without the numbers of tables
  while (!path.empty()) {
    const auto part = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    if (part.find_first_not_of("0123456789") == part.npos) continue;
    plain += (plain.empty() ? "" : ".") + std::string(part);
  }
  if (plain.starts_with("sweep.")) plain = "sweep.*";
  const auto& all = scenario_sections();
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const SectionSpec& s) { return s.path == plain; });
  return it == all.end() ? nullptr : &*it;
}

std::string values_text(const SectionSpec& section, const KeySpec& key) {
  return (key.values.empty() ? usual_values(section, key) : std::string(key.values)) +
         std::string(key.note);
}

}  // namespace posse
