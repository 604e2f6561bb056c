// SPDX-License-Identifier: Apache-2.0
#include "program/validate/measured_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "core/base/median.hpp"
#include "core/sim/message_types.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/latency_files.hpp"

namespace posse {
namespace {

using Of = ServiceSample::Of;

Component constant_zero() {
  const DurationSpec& spec = *find_duration_spec("constant");
  Component zero{"constant", &spec.parameters, default_parameters(spec.parameters)};
  zero.parameters.set("value", Duration{});
  return zero;
}

/// Names of the causes of work, as ServiceSample numbers them.
std::vector<std::string> causes_of(const AlgorithmSpec& spec) {
  const MessageTypes types(spec);
  std::vector<std::string> causes(types.names().begin(), types.names().end());
  causes.emplace_back(kServiceOfStart);
  causes.emplace_back(kServiceOfTimer);
  return causes;
}

class MeasuredScenario {
 public:
  MeasuredScenario(const Scenario& scenario, const NodeNames& nodes)
      : made_(scenario), nodes_(nodes), causes_(causes_of(*scenario.algorithms.front().spec)) {
    forget_times();
  }

  Scenario with(const std::vector<ServiceSample>& samples) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::map<Of, Samples>> services;
    Latencies latencies;
    for (const ServiceSample& sample : samples) {
      if (sample.of == Of::latency)
        latencies[{sample.group, sample.to}].push_back(sample);
      else
        services[{sample.group, sample.cause, sample.sends}][sample.of].push_back(sample);
    }
    if (latencies.size() <= kMostLinksApart)
      set_latencies(latencies);
    else
      add_latencies_of_groups(latencies);
    for (const auto& [kind, of] : services)
      add_service(std::get<0>(kind), std::get<1>(kind), std::get<2>(kind), of);
    return std::move(made_);
  }

 private:
  using Samples = std::vector<ServiceSample>;
  using Latencies = std::map<std::pair<std::uint32_t, std::uint32_t>, Samples>;
  /// Above, the links between two groups are alike.
  static constexpr std::size_t kMostLinksApart = 1024, kMostCells = 100'000;

  void forget_times() {
    NetworkScenario& network = made_.network;
    network.matrix = nullptr;
    network.defaults.latency = constant_zero();
    network.defaults.rule.latency_factor = nullptr;
    for (LinkConfig& link : network.links) {
      link.latency.reset();
      link.rule.latency_factor = nullptr;
    }
    std::erase_if(network.links, [](const LinkConfig& link) { return !sets_property(link); });
    made_.service.clear();
  }

  std::string name_of(std::uint32_t group) const {
    return std::string(nodes_.groups()[group].name);
  }

  /// A matrix with moments: what slowed several links at once does so here, too. Where a link was
  /// not used in a moment, the median of its latencies stands there.
  void set_latencies(const Latencies& latencies) {
    std::size_t moments = 0;
    for (const auto& [link, samples] : latencies)
      for (const ServiceSample& sample : samples)
        moments = std::max<std::size_t>(moments, sample.cause + 1);
    if (moments == 0) return;
    moments = std::clamp<std::size_t>(kMostCells / latencies.size(), 1, moments);
    std::string csv = "moment,from,to,latency_ns\n";
    for (const auto& [link, samples] : latencies) {
      std::vector<std::optional<Duration>> row(moments);
      for (const ServiceSample& sample : samples)
        if (sample.cause < moments) row[sample.cause] = sample.time;
      const Duration usual = Duration::seconds(median_seconds(samples));
      const auto from = nodes_.name(NodeId{link.first}), to = nodes_.name(NodeId{link.second});
      for (std::size_t i = 0; i < moments; ++i)
        csv += fmt::format("{},{},{},{}\n", i, from, to, row[i].value_or(usual).ns);
    }
    auto matrix = component("matrix", "latencies.csv", std::move(csv));
    matrix.parameters.set("otherwise", Duration{});
    made_.network.matrix =
        std::make_shared<const LatencyMatrix>(parse_latency_matrix(matrix.parameters.file("file")));
    made_.network.defaults.latency = std::move(matrix);
  }

  void add_latencies_of_groups(const Latencies& latencies) {
    Latencies of_groups;
    for (const auto& [link, samples] : latencies) {
      auto& all =
          of_groups[{nodes_.group_of(NodeId{link.first}), nodes_.group_of(NodeId{link.second})}];
      all.insert(all.end(), samples.begin(), samples.end());
    }
    for (const auto& [groups, samples] : of_groups) {
      LinkConfig link;
      link.rule.from = name_of(groups.first);
      link.rule.to = name_of(groups.second);
      link.latency =
          empirical(fmt::format("latency-{}-{}.csv", link.rule.from, link.rule.to), times(samples));
      made_.network.links.push_back(std::move(link));
    }
  }

  void add_service(std::uint32_t group,
                   std::uint32_t cause,
                   bool sends,
                   const std::map<Of, Samples>& of) {
    ServiceConfig service;
    service.rule.nodes = name_of(group);
    service.rule.type = causes_[cause];
    const auto distribution = [&](Of what, std::string_view word) -> std::optional<Component> {
      const auto it = of.find(what);
      if (it == of.end()) return std::nullopt;
      return empirical(fmt::format("{}-{}-{}.csv", service.rule.nodes, service.rule.type, word),
                       times(it->second));
    };
    service.dispatch = distribution(Of::dispatch, "dispatch");
    service.decode = distribution(Of::decode, "decode");
    service.encode = distribution(Of::encode, "encode");
    if (const auto it = of.find(Of::compute); it != of.end()) {
      const Duration each = time_per_evaluation(it->second);
      std::vector<Duration> rest;
      for (const ServiceSample& sample : it->second)
        rest.push_back({std::max<std::int64_t>(
            0, sample.time.ns - each.ns * static_cast<std::int64_t>(sample.evaluations))});
      service.rule.sends = sends;
      service.compute = empirical(fmt::format("{}-{}-compute{}.csv",
                                              service.rule.nodes,
                                              service.rule.type,
                                              sends ? "-and-send" : ""),
                                  std::move(rest));
      if (each.ns > 0) service.rule.per_evaluation = each;
    }
    made_.service.push_back(std::move(service));
  }

  static std::vector<Duration> times(const Samples& samples) {
    std::vector<Duration> all;
    all.reserve(samples.size());
    for (const ServiceSample& sample : samples) all.push_back(sample.time);
    return all;
  }

  static double median_seconds(const Samples& samples) {
    std::vector<double> all;
    all.reserve(samples.size());
    for (const ServiceSample& sample : samples) all.push_back(sample.time.to_seconds());
    return median(all);
  }

  Component empirical(const std::string& file, std::vector<Duration> samples) {
    std::sort(samples.begin(), samples.end(), [](Duration a, Duration b) { return a.ns < b.ns; });
    std::string csv = "duration_ns\n";
    for (const Duration sample : samples) csv += fmt::format("{}\n", sample.ns);
    return component("empirical", file, std::move(csv));
  }

  Component component(const char* kind, const std::string& file, std::string content) {
    made_.inputs.hold(file, std::move(content));
    const DurationSpec& spec = *find_duration_spec(kind);
    Component made{kind, &spec.parameters, default_parameters(spec.parameters)};
    made.parameters.set("file", made_.inputs.load(file));
    return made;
  }

  Scenario made_;
  const NodeNames& nodes_;
  std::vector<std::string> causes_;
};

}  // namespace

Duration time_per_evaluation(const std::vector<ServiceSample>& reactions) {
  std::vector<std::pair<double, double>> points;
  points.reserve(reactions.size());
  for (const ServiceSample& reaction : reactions)
    points.emplace_back(static_cast<double>(reaction.evaluations),
                        static_cast<double>(reaction.time.ns));
  std::sort(points.begin(), points.end());
  const std::size_t third = points.size() / 3;
  if (third == 0) return {};
  const auto medians = [&](std::size_t first) {
    std::vector<double> x, y;
    for (std::size_t i = first; i < first + third; ++i) {
      x.push_back(points[i].first);
      y.push_back(points[i].second);
    }
    return std::pair{median(x), median(y)};
  };
  const auto [few, short_time] = medians(0);
  const auto [many, long_time] = medians(points.size() - third);
  if (!(many > few) || !(long_time > short_time)) return {};
  return {std::llround((long_time - short_time) / (many - few))};
}

std::string times_text(const AlgorithmEntry& entry,
                       const NodeNames& nodes,
                       const std::vector<ServiceSample>& samples) {
  const auto causes = causes_of(*entry.spec);
  std::map<std::vector<std::string>, std::vector<double>> times;
  constexpr const char* kWords[] = {"dispatch", "decode", "compute", "encode", "latency"};
  for (const ServiceSample& sample : samples) {
    const bool latency = sample.of == Of::latency;
    const auto group = [&](std::uint32_t position) {
      return std::string(nodes.groups()[position].name);
    };
    const auto group_of = [&](std::uint32_t node) { return group(nodes.group_of(NodeId{node})); };
    std::vector<std::string> key{
        latency ? fmt::format("{} to {}", group_of(sample.group), group_of(sample.to))
                : group(sample.group),
        latency ? "" : causes[sample.cause],
        sample.of == Of::compute && sample.sends ? "compute, then send"
                                                 : kWords[static_cast<std::size_t>(sample.of)]};
    times[std::move(key)].push_back(sample.time.to_seconds());
  }
  TextTable table({entry.label, "message", "", "measured", "median"});
  for (auto& [key, all] : times)
    table.add({key[0], key[1], key[2], fmt::format("{}", all.size()), pretty_seconds(median(all))});
  return table.text() + "\n";
}

Scenario with_measured_times(const Scenario& scenario,
                             const NodeNames& nodes,
                             const std::vector<ServiceSample>& samples) {
  return MeasuredScenario(scenario, nodes).with(samples);
}

}  // namespace posse
