// SPDX-License-Identifier: Apache-2.0
#include "program/run/memory.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "core/base/csv.hpp"
#include "core/base/interruption.hpp"
#include "core/base/outside_failure.hpp"
#include "core/network/link_map.hpp"
#include "core/network/nodes.hpp"
#include "program/base/units.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

// Measured, rounded up. Per node: its actor, role and queues; per client: its objective, if it has
// one of its own, or else its share of one; per link: counters, and in a mesh, where all send at
// once, a copy under way; per round: its row and its counts.
constexpr double kBytesOfProgram = 20e6;
constexpr double kBytesPerNode = 1536;
constexpr double kBytesPerOwnObjective = 192;
constexpr double kBytesPerClient = 16;
constexpr double kBytesPerLink = 64;
constexpr double kBytesPerCopy = 235, kBytesPerReliableCopy = 400;
constexpr double kBytesPerRound = 512;
constexpr double kMostRoundsWithHub = 4096;  // at a time (core/sim/round_table.hpp)

std::string whole_text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// The number in a file that holds nothing else ("max", no file: nothing).
std::optional<double> number_in(const fs::path& file) {
  auto text = whole_text_of(file);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return parse_number<double>(text);
}

/// The kilobytes after `name` in files such as /proc/meminfo, in bytes.
std::optional<double> bytes_after(std::string_view name, const fs::path& file) {
  std::istringstream lines(whole_text_of(file));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream words(line.substr(name.size()));
    if (double kilobytes = 0; words >> kilobytes) return 1024 * kilobytes;
  }
  return std::nullopt;
}

void take_least(std::optional<double>& least, std::optional<double> limit, double used) {
  if (!limit) return;
  const double left = std::max(0.0, *limit - used);
  least = least ? std::min(*least, left) : left;
}

/// The control group and those above it.
void take_groups(std::optional<double>& least) {
  std::istringstream lines(whole_text_of("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {  // number:controllers:path
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const auto controllers = std::string_view(line).substr(first + 1, second - first - 1);
    const bool v2 = controllers.empty();
    if (!v2 && controllers.find("memory") == std::string_view::npos) continue;
    const fs::path root = v2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    for (fs::path group = line.substr(second + 1);; group = group.parent_path()) {
      const fs::path folder = root / group.relative_path();
      const auto used = number_in(folder / (v2 ? "memory.current" : "memory.usage_in_bytes"));
      if (used)
        take_least(least, number_in(folder / (v2 ? "memory.max" : "memory.limit_in_bytes")), *used);
      if (!group.has_relative_path()) break;
    }
  }
}

}  // namespace

double MemoryForecast::bytes() const {
  double sum = 0;
  for (const auto& part : parts) sum += part.bytes;
  return sum;
}

MemoryForecast forecast_memory(const Scenario& scenario, const AlgorithmEntry& entry) {
  AlgorithmEntry one = entry;
  one.clients = 1;
  const Workload workload = make_workload(scenario, one, 0);
  const auto protocol = make_protocol(scenario, entry, workload, 0);
  const NodeNames names(protocol->groups());
  const Topology topology = topology_of(*entry.spec, *protocol);
  const LinkMap links(topology, names.size(), edges_of(topology, names.groups()));
  const double rounds = protocol->forecast().rounds;
  MemoryForecast forecast;
  const auto add = [&](double count, double each, std::string_view what) {
    if (count > 0)
      forecast.parts.push_back({fmt::format("{} {}", pretty_number(count), what), count * each});
  };
  forecast.parts.push_back({"the program", kBytesOfProgram});
  add(names.size(), kBytesPerNode, "nodes");
  if (scenario.problem && entry.spec->needs_problem) {
    const bool own =
        scenario.problem->family != nullptr || scenario.problem->heterogeneity.kind != "none";
    add(entry.clients, own ? kBytesPerOwnObjective : kBytesPerClient, "clients' objectives");
  }
  const auto all_links = static_cast<double>(links.links());
  add(all_links, kBytesPerLink, "links");
  const auto& parameters = entry.parameters.all();
  const bool all_at_once =
      !parameters.contains("exchange") || entry.parameters.text("exchange") == "mesh";
  if (topology == Topology::full_mesh && all_at_once)
    add(all_links,
        scenario.network.transport == Transport::reliable ? kBytesPerReliableCopy : kBytesPerCopy,
        "copies under way");
  add(has_hub(topology) ? std::min(rounds, kMostRoundsWithHub) : rounds, kBytesPerRound, "rounds");
  return forecast;
}

std::optional<double> available_memory() {
  std::optional<double> least = bytes_after("MemAvailable:", "/proc/meminfo");
  take_groups(least);
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    take_least(least,
               static_cast<double>(limit.rlim_cur),
               bytes_after("VmSize:", "/proc/self/status").value_or(0));
  return least;
}

std::optional<double> peak_memory() { return bytes_after("VmHWM:", "/proc/self/status"); }

void forget_peak_memory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5\n";
}

std::string memory_refusal(const MemoryForecast& forecast, double available) {
  if (forecast.bytes() <= available) return "";
  const auto largest = std::max_element(
      forecast.parts.begin(), forecast.parts.end(), [](const auto& a, const auto& b) {
        return a.bytes < b.bytes;
      });
  return fmt::format("a run needs about {} of memory, {} of them for {}; {} are available",
                     pretty_bytes(forecast.bytes()),
                     pretty_bytes(largest->bytes),
                     largest->what,
                     pretty_bytes(available));
}

void MemoryGate::enter(const MemoryForecast& forecast) {
  if (const auto refusal = memory_refusal(forecast, available_); !refusal.empty())
    throw OutsideFailure(refusal + "; --any-memory starts it all the same");
  const double bytes = forecast.bytes();
  std::unique_lock lock(mutex_);
  while (!left_.wait_for(
      lock, std::chrono::milliseconds(100), [&] { return taken_ + bytes <= available_; }))
    check_interruption();
  taken_ += bytes;
}

void MemoryGate::leave(const MemoryForecast& forecast) {
  {
    const std::lock_guard lock(mutex_);
    taken_ -= forecast.bytes();
  }
  left_.notify_all();
}

}  // namespace posse
