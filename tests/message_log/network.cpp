// SPDX-License-Identifier: Apache-2.0
#include "network.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cmath>
#include <fstream>
#include <sstream>

namespace message_log {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, Wire, std::less<>> kWires{{"udp", {0, 28, 1472, 0, 0, 0}},
                                                      {"tcp", {0, 40, 1460, 40, 80, 40}},
                                                      {"quic", {0, 63, 1165, 64, 2456, 3684}},
                                                      {"grpc", {33, 40, 1460, 40, 202, 98, true}}};

// --- keys --------------------------------------------------------------------------------------

std::string text_of(const toml::node& node) {
  const auto text = node.value<std::string>();
  if (!text) throw Unreadable("scenario.toml: not a text");
  return *text;
}

double real_of(const toml::node& node) {
  const auto value = node.value<double>();
  if (!value) throw Unreadable("scenario.toml: not a number");
  return *value;
}

std::uint64_t whole_of(const toml::node& node) {
  const auto value = node.value<std::int64_t>();
  if (!value || *value < 0) throw Unreadable("scenario.toml: not a whole number");
  return static_cast<std::uint64_t>(*value);
}

/// `read` of a key that may be missing.
template <class Read>
auto optional_key(const toml::table& table, std::string_view key, const Read& read)
    -> std::optional<decltype(read(std::declval<const toml::node&>()))> {
  const auto* node = table.get(key);
  if (node == nullptr) return std::nullopt;
  return read(*node);
}

const toml::node& needed_key(const toml::table& table, std::string_view key) {
  const auto* node = table.get(key);
  if (node == nullptr) throw Unreadable("scenario.toml: missing key " + std::string(key));
  return *node;
}

Nanoseconds duration_of(const toml::node& node) { return duration(text_of(node)); }
std::uint64_t size_of(const toml::node& node) { return size_bytes(text_of(node)); }

std::optional<std::string> kind_of(const toml::node& node) {
  if (!node.is_table()) return std::nullopt;
  return optional_key(*node.as_table(), "kind", text_of);
}

template <class Read>
void for_each_table(const toml::table& table, std::string_view key, const Read& read) {
  const auto* array = table.get_as<toml::array>(key);
  if (array == nullptr) return;
  for (const auto& element : *array) {
    if (!element.is_table()) throw Unreadable("scenario.toml: not a table: " + std::string(key));
    read(*element.as_table());
  }
}

Selector selector_of(const toml::node& node) {
  if (const auto* table = node.as_table())
    return {text_of(needed_key(*table, "nodes")), table->contains("share")};
  const std::string text = text_of(node);
  const auto of = text.find("% of ");
  return of == std::string::npos ? Selector{text, false} : Selector{text.substr(of + 5), true};
}

std::vector<Selector> selectors_of(const toml::node& node) {
  const auto* array = node.as_array();
  if (array == nullptr) return {selector_of(node)};
  std::vector<Selector> selectors;
  for (const auto& element : *array) selectors.push_back(selector_of(element));
  return selectors;
}

Labels labels_of(const toml::table& table) {
  const auto* node = table.get("algorithm");
  if (node == nullptr) return {};
  const auto* array = node->as_array();
  if (array == nullptr) return {text_of(*node)};
  Labels labels;
  for (const auto& element : *array) labels.push_back(text_of(element));
  return labels;
}

// --- values ------------------------------------------------------------------------------------

class Reader {
 public:
  explicit Reader(const fs::path& folder) : folder_(folder) {}

  template <class Value, class Read>
  Trace<Value> trace(const toml::table& table, const Read& read) const {
    const auto rows = file(table);
    Trace<Value> trace;
    for (std::size_t i = 1; i < rows.size(); ++i)
      trace.steps.emplace_back(seconds(rows[i].at(0)), read(rows[0].at(1), rows[i].at(1)));
    if (trace.steps.empty()) throw Unreadable("a trace without values");
    trace.period = optional_key(table, "period", duration_of);
    return trace;
  }

  Trace<double> number_trace(const toml::table& table) const {
    return trace<double>(table, [](const std::string&, const std::string& x) { return number(x); });
  }

  Trace<double> rate(const toml::node& node) const {
    if (const auto* table = node.as_table()) return number_trace(*table);
    return {{{0, bits_per_second(text_of(node))}}, {}};
  }

  Trace<double> factor(const toml::node& node) const {
    if (const auto* table = node.as_table()) return number_trace(*table);
    return {{{0, real_of(node)}}, {}};
  }

  static Latency constant(Nanoseconds value) { return {value, value, {}, {}, value}; }

  Latency latency(const toml::node& node) const {
    const auto kind = kind_of(node);
    if (!kind) return constant(duration_of(node));
    const auto& table = *node.as_table();
    const auto floor = optional_key(table, "floor", duration_of).value_or(0);
    const auto time = [&](const char* key) { return duration_of(needed_key(table, key)); };
    const auto real = [&](const char* key) { return real_of(needed_key(table, key)); };
    if (*kind == "constant") return constant(time("value"));
    if (*kind == "uniform") {
      const auto least = time("min"), most = time("max");
      return {least, most, {}, {}, least / 2 + most / 2};
    }
    const auto unbounded = [](Nanoseconds least, long double mean) {
      const auto typical = static_cast<Nanoseconds>(std::llroundl(mean));
      return Latency{least, kNever, {}, {}, std::max(least, typical)};
    };
    if (*kind == "normal" || *kind == "gamma")
      return unbounded(std::max<Nanoseconds>(floor, 0), static_cast<long double>(time("mean")));
    if (*kind == "exponential")
      return unbounded(std::max<Nanoseconds>(floor, 0),
                       static_cast<long double>(floor + time("mean")));
    if (*kind == "lognormal") {
      const long double sigma = real("sigma");
      const auto mean = optional_key(table, "mean", duration_of);
      return unbounded(
          std::max<Nanoseconds>(floor, 0),
          mean ? static_cast<long double>(*mean)
               : static_cast<long double>(time("median")) * std::exp(sigma * sigma / 2));
    }
    if (*kind == "pareto") {
      const long double shape = real("shape"), scale = time("scale");
      return unbounded(time("scale"),
                       shape > 1 ? scale * shape / (shape - 1) : 4 * scale * std::exp2(1 / shape));
    }
    if (*kind == "empirical") {
      const auto rows = file(table);
      Latency empirical;
      long double sum = 0;
      for (std::size_t i = 1; i < rows.size(); ++i) {
        empirical.samples.push_back(duration_in(rows[0].at(0), rows[i].at(0)));
        sum += empirical.samples.back();
      }
      if (empirical.samples.empty()) throw Unreadable("an empirical latency without samples");
      std::sort(empirical.samples.begin(), empirical.samples.end());
      empirical.least = empirical.samples.front();
      empirical.most = empirical.samples.back();
      empirical.typical = static_cast<Nanoseconds>(
          std::llroundl(sum / static_cast<long double>(empirical.samples.size())));
      return empirical;
    }
    if (*kind == "matrix") return latency(needed_key(table, "otherwise"));
    if (*kind == "trace") {
      Latency traced;
      traced.trace = trace<Nanoseconds>(table, duration_in);
      traced.least = kNever;
      for (const auto& [at, value] : traced.trace->steps) {
        traced.least = std::min(traced.least, value);
        traced.most = std::max(traced.most, value);
      }
      traced.typical = traced.most;
      return traced;
    }
    throw Unreadable("unknown latency: " + *kind);
  }

  std::map<std::pair<std::string, std::string>, Nanoseconds> matrix(const toml::node& node) const {
    std::map<std::pair<std::string, std::string>, Nanoseconds> pairs;
    if (kind_of(node) != "matrix") return pairs;
    const auto rows = file(*node.as_table());
    std::map<std::string, std::size_t> column;
    for (std::size_t i = 0; i < rows[0].size(); ++i)
      column[rows[0][i].starts_with("latency_") ? "latency" : rows[0][i]] = i;
    for (std::size_t i = 1; i < rows.size(); ++i)
      pairs[{rows[i].at(column.at("from")), rows[i].at(column.at("to"))}] =
          duration_in(rows[0][column.at("latency")], rows[i].at(column.at("latency")));
    return pairs;
  }

  static Loss loss(const toml::node& node) {
    if (node.is_number()) return {real_of(node)};
    const auto kind = kind_of(node);
    const auto& table = *node.as_table();
    if (kind == "none") return {};
    if (kind == "bernoulli") return {real_of(needed_key(table, "p"))};
    if (kind == "gilbert-elliott" || kind == "bursts") {
      const auto value = [&](const char* key, double otherwise) {
        return optional_key(table, key, real_of).value_or(otherwise);
      };
      const bool loses = value("loss_good", 0) > 0 ||
                         ((kind == "bursts" || value("p", 0) > 0) && value("loss_bad", 1) > 0);
      return {loses ? 0.5 : 0};
    }
    if (kind == "by-type") {
      Loss loss;
      for (const auto& [type, p] : *needed_key(table, "p").as_table())
        loss.by_type[std::string(type.str())] = real_of(p);
      return loss;
    }
    throw Unreadable("unknown loss: " + kind.value_or("?"));
  }

  Network::LinkRule link_rule(const toml::table& table) const {
    const auto end = [&](const char* key) {
      return optional_key(table, key, selector_of).value_or(Selector{"*", false});
    };
    Network::LinkRule rule{
        labels_of(table), end("from"), end("to"), {}, {}, {}, {}, {}, {}, {}, {}};
    rule.latency = optional_key(table, "latency", [&](const auto& n) { return latency(n); });
    rule.factor = optional_key(table, "latency_factor", [&](const auto& n) { return factor(n); });
    rule.rate = optional_key(table, "rate", [&](const auto& n) { return rate(n); });
    rule.loss = optional_key(table, "loss", loss);
    rule.duplication = optional_key(table, "duplication", real_of);
    rule.fifo = optional_key(table, "order", [](const auto& n) { return text_of(n) == "fifo"; });
    rule.queue_bytes = optional_key(table, "queue", size_of);
    rule.timeout = optional_key(table, "timeout", text_of);
    return rule;
  }

  Network::NodeRule node_rule(const toml::table& table) const {
    const auto of_rate = [&](const auto& n) { return rate(n); };
    return {labels_of(table),
            selector_of(needed_key(table, "nodes")),
            optional_key(table, "rate_up", of_rate),
            optional_key(table, "rate_down", of_rate),
            optional_key(table, "queue", size_of)};
  }

  static Drop drop(const toml::table& table) {
    return {labels_of(table),
            optional_key(table, "type", text_of),
            optional_key(table, "round", whole_of),
            optional_key(table, "transmission", whole_of),
            optional_key(table, "from", selector_of),
            optional_key(table, "to", selector_of)};
  }

  Fault fault(const toml::table& table) const {
    Fault fault;
    fault.kind = text_of(needed_key(table, "kind"));
    if (fault.is_of_links()) {
      const auto* groups = needed_key(table, "groups").as_array();
      if (groups == nullptr) throw Unreadable("scenario.toml: groups is not a list");
      for (const auto& group : *groups) fault.groups.push_back(selectors_of(group));
    } else if (const auto* nodes = table.get("nodes")) {
      fault.groups.push_back(selectors_of(*nodes));
    }
    fault.one_way = table["one_way"].value_or(false);
    fault.at = optional_key(table, "at", duration_of);
    fault.lasting = optional_key(table, "for", duration_of);
    fault.every = optional_key(table, "every", duration_of);
    fault.mean_between = optional_key(table, "mean_between", duration_of);
    fault.mean_for = optional_key(table, "mean_for", duration_of);
    fault.until = optional_key(table, "until", duration_of);
    fault.algorithms = labels_of(table);
    fault.repetition = optional_key(table, "repetition", whole_of);
    if (fault.kind == "availability") {
      const auto rows = file(table);
      for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto& row = rows[i];
        fault.recorded[row.at(0)].emplace_back(
            seconds(row.at(1)), row.size() < 3 || row[2].empty() ? kNever : seconds(row[2]));
      }
    }
    return fault;
  }

 private:
  std::vector<std::vector<std::string>> file(const toml::table& table) const {
    return read_csv(folder_ / text_of(needed_key(table, "file")));
  }

  fs::path folder_;
};

}  // namespace

// --- the meaning of keys -----------------------------------------------------------------------

std::vector<std::vector<std::string>> read_csv(const fs::path& path) {
  std::ifstream in(path);
  if (!in) throw Unreadable("can't read " + path.string());
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    std::vector<std::string> row(1);
    for (const char c : line)
      if (c == ',')
        row.emplace_back();
      else
        row.back() += c;
    rows.push_back(std::move(row));
  }
  if (rows.empty()) throw Unreadable("empty: " + path.string());
  return rows;
}

std::optional<std::uint64_t> number_of(const std::string& node) {
  const auto dash = node.rfind('-');
  if (dash == std::string::npos || dash + 1 == node.size() ||
      node.find_first_not_of("0123456789", dash + 1) != std::string::npos)
    return std::nullopt;
  return whole_number(std::string_view(node).substr(dash + 1));
}

std::string group_of(const std::string& node) {
  return number_of(node) ? node.substr(0, node.rfind('-')) : node;
}

int distance_from_hub(const std::string& node) {
  static const std::set<std::string> kHubs{"server", "agent", "learner", "poo", "gpo"};
  const auto group = group_of(node);
  return kHubs.count(group) > 0 ? 0 : group == "edge" ? 1 : 2;
}

bool Selector::matches(const std::string& node) const {
  if (pattern == "*" || pattern == node) return true;
  const int distance = distance_from_hub(node);
  if (pattern == "hub") return distance == 0;
  auto number = number_of(node);
  if (!number) return false;
  auto group = group_of(node);
  if (distance == 2 && pattern.starts_with("participant")) {
    if (group == "arm") --*number;  // arms are numbered from 1, participants from 0
    group = "participant";
    if (pattern == fmt::format("{}-{}", group, *number)) return true;
  }
  if (pattern == group) return true;
  const auto dots = pattern.find("..");
  if (dots == std::string::npos) return false;
  const auto first = pattern.substr(0, dots);
  return group_of(first) == group && number_of(first) <= number &&
         *number <= whole_number(std::string_view(pattern).substr(dots + 2));
}

Fault::Separates Fault::separates(const std::string& from, const std::string& to) const {
  // A node that several groups name may belong to any of them; one that a share names, to none.
  std::vector<std::size_t> of_from, of_to;
  bool certain = true;
  const auto find = [&](const std::string& node, std::vector<std::size_t>& of) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      bool by_share = false, by_name = false;
      for (const auto& selector : groups[i])
        if (selector.matches(node)) (selector.is_share ? by_share : by_name) = true;
      if (by_share || by_name) of.push_back(i);
      certain &= by_name || !by_share;
    }
    certain &= of.size() < 2;
  };
  find(from, of_from);
  find(to, of_to);
  bool possible = false;
  for (const auto a : of_from)
    for (const auto b : of_to) possible |= a != b && (!one_way || a == 0);
  return !possible ? Separates::no : certain ? Separates::yes : Separates::perhaps;
}

Nanoseconds Line::end_of(Nanoseconds start, std::uint64_t bytes) const {
  if (!bits_per_second) return start;
  auto bits = static_cast<long double>(bytes) * 8;
  auto at = static_cast<long double>(start);
  for (;;) {
    const auto [rate, end] = bits_per_second->find(static_cast<Nanoseconds>(at));
    const auto rest = rate > 0 ? bits / rate * 1e9L : std::numeric_limits<long double>::infinity();
    if (end == kNever || at + rest <= static_cast<long double>(end)) {
      at += rest;
      return at >= 9e18L ? kNever : static_cast<Nanoseconds>(std::llroundl(at));
    }
    bits -= (static_cast<long double>(end) - at) * rate / 1e9L;
    at = static_cast<long double>(end);
  }
}

Network Network::of(const std::string& algorithm) const {
  Network network = *this;
  const auto keep_own = [&](auto& rules) {
    std::erase_if(rules, [&](const auto& rule) {
      const Labels& labels = rule.algorithms;
      return !labels.empty() && std::find(labels.begin(), labels.end(), algorithm) == labels.end();
    });
  };
  keep_own(network.links);
  keep_own(network.nodes);
  keep_own(network.drops);
  keep_own(network.faults);
  return network;
}

Link Network::link(const std::string& from, const std::string& to) const {
  Link link;
  link.timeout = timeout;
  bool base = true;
  for (const auto& rule : links) {
    if (rule.from.matches(from) && rule.to.matches(to)) {
      if (rule.latency) link.latency = *rule.latency;
      if (rule.factor) link.factor = rule.factor;
      if (rule.loss) link.loss = *rule.loss;
      if (rule.duplication) link.duplication = *rule.duplication;
      if (rule.fifo) link.fifo = *rule.fifo;
      if (rule.rate) link.line.bits_per_second = rule.rate;
      if (rule.queue_bytes) link.line.queue_bytes = rule.queue_bytes;
      if (rule.timeout) link.timeout = *rule.timeout;
    }
    if (const auto pair = matrix.find({from, to}); base && pair != matrix.end())
      link.latency = {pair->second, pair->second, {}, {}, pair->second};
    base = false;
  }
  return link;
}

std::optional<std::pair<Nanoseconds, Nanoseconds>> Network::waits(const std::string& from,
                                                                  const std::string& to) const {
  const Link there = link(from, to), back = link(to, from);
  if (there.timeout == "measured") return std::nullopt;
  if (there.timeout != "derived") {
    const auto stated = duration(there.timeout);
    return std::pair(stated,
                     there.timeout == timeout ? max_timeout : std::max(stated, max_timeout));
  }
  const auto has_rate = [](const Line& line) { return line.bits_per_second.has_value(); };
  for (const auto& node : {from, to})
    if (has_rate(line_up(node)) || has_rate(line_down(node))) return std::nullopt;
  if (has_rate(there.line) || has_rate(back.line)) return std::nullopt;
  const auto seconds = [](const Link& link) -> std::optional<double> {
    if (!link.latency.typical) return std::nullopt;
    double factor = 1;
    if (link.factor)
      for (const auto& [at, value] : link.factor->steps) factor = std::max(factor, value);
    return static_cast<double>(*link.latency.typical) * 1e-9 * factor;
  };
  const auto out = seconds(there), home = seconds(back);
  if (!out || !home) return std::nullopt;
  const double us = std::ceil(2e6 * (*out + *home) - 1e-6);
  const auto first =
      std::max(min_timeout.value_or(1'000'000), static_cast<Nanoseconds>(std::llround(us * 1e3)));
  return std::pair(first, std::max(first, max_timeout));
}

Line Network::line_up(const std::string& node) const {
  Line line;
  for (const auto& rule : nodes) {
    if (!rule.nodes.matches(node)) continue;
    if (rule.up) line.bits_per_second = rule.up;
    if (rule.queue_bytes) line.queue_bytes = rule.queue_bytes;
  }
  return line;
}

Line Network::line_down(const std::string& node) const {
  Line line;
  for (const auto& rule : nodes) {
    if (!rule.nodes.matches(node)) continue;
    if (rule.down) line.bits_per_second = rule.down;
    if (rule.queue_bytes) line.queue_bytes = rule.queue_bytes;
  }
  return line;
}

bool Network::may_draw_order(const std::string& node) const {
  if (node == "server" && !waits_for_all) return true;
  return node == "agent" || line_down(node).queue_bytes.has_value();
}

std::uint64_t Network::headers(const std::string& type, std::uint64_t payload) const {
  if (!wire) return header_bytes;
  if (type == "Ack") return wire->acknowledgement;
  std::uint64_t message = wire->message;
  if (wire->frames) {
    // The message has a prefix of 5 bytes; each further 16384 bytes take another frame header of 9.
    const auto framed = payload + 5;
    message += (framed - 1) / 16384 * 9;
  }
  const auto segments = std::max<std::uint64_t>(
      1, (payload + message + wire->largest_segment - 1) / wire->largest_segment);
  return message + segments * wire->segment;
}

Network read_network(const fs::path& run_folder) {
  toml::table root;
  try {
    root = toml::parse_file((run_folder / "scenario.toml").string());
  } catch (const toml::parse_error& problem) {
    throw Unreadable("scenario.toml: " + std::string(problem.description()));
  }
  const Reader reader(run_folder);
  Network network;
  const auto* population = root.get_as<toml::table>("population");
  const auto clients = population == nullptr ? std::optional<std::uint64_t>()
                                             : optional_key(*population, "clients", whole_of);
  for_each_table(root, "algorithm", [&](const toml::table& table) {
    Algorithm algorithm{text_of(needed_key(table, "kind")), {}, {}, {}};
    algorithm.label = optional_key(table, "label", text_of).value_or(algorithm.kind);
    algorithm.clients = optional_key(table, "clients", whole_of);
    if (!algorithm.clients) algorithm.clients = clients;
    if (table.contains("edges") && table["edges"].is_integer())
      algorithm.edges = optional_key(table, "edges", whole_of);
    network.algorithms.push_back(std::move(algorithm));
  });
  for_each_table(root, "fault", [&](const toml::table& table) {
    network.faults.push_back(reader.fault(table));
  });
  network.waits_for_all = root["server"]["policy"].value_or(std::string("all")) == "all";
  const auto* table = root.get_as<toml::table>("network");
  if (table == nullptr) {
    network.links.push_back({{}, {"*", false}, {"*", false}, {}, {}, {}, {}, {}, {}, {}, {}});
    return network;
  }
  network.reliable = (*table)["transport"].value_or(std::string("datagram")) == "reliable";
  if (const auto* timing = table->get_as<toml::table>("retransmission")) {
    network.timeout = optional_key(*timing, "timeout", text_of).value_or("derived");
    network.min_timeout = optional_key(*timing, "min_timeout", duration_of);
    network.max_timeout =
        optional_key(*timing, "max_timeout", duration_of).value_or(Nanoseconds{60'000'000'000});
    network.backoff = optional_key(*timing, "backoff", real_of).value_or(2);
    network.max_tries = optional_key(*timing, "max_tries", whole_of).value_or(1000);
  }
  network.header_bytes = optional_key(*table, "header_bytes", size_of).value_or(0);
  if (const auto wire = optional_key(*table, "wire", text_of)) {
    const auto known = kWires.find(*wire);
    if (known == kWires.end()) throw Unreadable("unknown wire: " + *wire);
    network.wire = known->second;
  }
  auto all = reader.link_rule(*table);
  all.from = all.to = {"*", false};
  network.links.push_back(std::move(all));
  if (const auto* latency = table->get("latency")) network.matrix = reader.matrix(*latency);
  for_each_table(*table, "link", [&](const toml::table& rule) {
    network.links.push_back(reader.link_rule(rule));
  });
  for_each_table(*table, "node", [&](const toml::table& rule) {
    network.nodes.push_back(reader.node_rule(rule));
  });
  for_each_table(*table, "drop", [&](const toml::table& drop) {
    network.drops.push_back(Reader::drop(drop));
  });
  return network;
}

}  // namespace message_log
