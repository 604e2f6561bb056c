// SPDX-License-Identifier: Apache-2.0
#include "actors/host/node_claims.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actors/host/wall_world.hpp"

namespace posse {
namespace {

/// In a refusal.
constexpr std::size_t kMostListed = 20;

/// "client-0, client-2..4": the nodes without an owner.
std::string list_free(const NodeNames& names, const std::vector<std::size_t>& owner) {
  std::vector<std::string> parts;
  std::uint32_t i = 0;
  while (i < names.size()) {
    if (owner[i] != WallWorld::kNoProcess) {
      ++i;
      continue;
    }
    std::uint32_t last = i;
    while (last + 1 < names.size() && owner[last + 1] == WallWorld::kNoProcess &&
           names.group_of(NodeId{last + 1}) == names.group_of(NodeId{i}))
      ++last;
    const auto name = names.name(NodeId{last});
    parts.push_back(
        last == i ? name
                  : fmt::format("{}..{}", names.name(NodeId{i}), name.substr(name.rfind('-') + 1)));
    i = last + 1;
  }
  if (parts.empty()) return "none";
  if (parts.size() > kMostListed) {
    parts.resize(kMostListed);
    parts.emplace_back("…");
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::size_t> owners(const KnownNodes& run) {
  std::vector<std::size_t> owner(run.names.size(), WallWorld::kNoProcess);
  if (run.hub && !owner.empty()) owner.front() = 0;
  return owner;
}

bool selects_a_member_node(const KnownNodes& run, const std::string& name) {
  const auto range = run.names.select(name);
  return range.first < range.last && !(run.hub && range.last == 1);
}

std::optional<ClaimRefusal> refuse_unknown(const std::vector<KnownNodes>& known,
                                           const std::string& name) {
  const auto selects = [&](const KnownNodes& run) { return selects_a_member_node(run, name); };
  if (std::any_of(known.begin(), known.end(), selects)) return std::nullopt;
  std::vector<std::string> all;
  for (const KnownNodes& run : known)
    if (auto text = list_free(run.names, owners(run));
        std::find(all.begin(), all.end(), text) == all.end())
      all.push_back(std::move(text));
  return ClaimRefusal{
      fmt::format("no member can be '{}': there are {}", name, fmt::join(all, "; or "))};
}

std::optional<ClaimRefusal> refuse_taken(const KnownNodes& run,
                                         const std::vector<std::string>& wanted,
                                         const std::vector<NodeClaim>& others) {
  auto owner = owners(run);
  for (const NodeClaim& other : others)
    for (const auto& name : other.wanted) {
      const auto range = run.names.select(name);
      for (auto i = range.first; i < range.last; ++i)
        if (owner[i] == WallWorld::kNoProcess) owner[i] = other.member;
    }
  std::vector<bool> own(run.names.size());
  for (const auto& name : wanted) {
    const auto range = run.names.select(name);
    for (auto i = range.first; i < range.last; ++i) {
      if (own[i]) return ClaimRefusal{fmt::format("it names {} twice", run.names.name(NodeId{i}))};
      own[i] = true;
      if (owner[i] != 0 && owner[i] != WallWorld::kNoProcess)
        return ClaimRefusal{fmt::format("{} is with member {}; free: {}",
                                        run.names.name(NodeId{i}),
                                        owner[i],
                                        list_free(run.names, owner)),
                            true};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<ClaimRefusal> refuse_claim(const std::vector<KnownNodes>& known,
                                         const std::vector<std::string>& wanted,
                                         const std::vector<NodeClaim>& others) {
  if (known.empty()) return std::nullopt;
  for (const auto& name : wanted)
    if (auto refusal = refuse_unknown(known, name)) return refusal;
  for (const KnownNodes& run : known)
    if (auto refusal = refuse_taken(run, wanted, others)) return refusal;
  return std::nullopt;
}

std::vector<std::size_t> deal_out(const NodeNames& names,
                                  Topology topology,
                                  const std::vector<std::vector<std::string>>& wanted) {
  constexpr std::size_t kNobody = WallWorld::kNoProcess;
  std::vector<std::size_t> process_of_node(names.size(), kNobody);
  if (has_hub(topology)) process_of_node.front() = 0;
  std::vector<std::size_t> sharers;
  if (!has_hub(topology)) sharers.push_back(0);
  for (std::size_t member = 0; member < wanted.size(); ++member) {
    bool any = false;
    for (const auto& name : wanted[member]) {
      const auto range = names.select(name);
      for (auto i = range.first; i < range.last; ++i)
        if (process_of_node[i] == kNobody) {
          process_of_node[i] = member + 1;
          any = true;
        }
    }
    if (!any) sharers.push_back(member + 1);
  }
  const auto left =
      static_cast<std::size_t>(std::count(process_of_node.begin(), process_of_node.end(), kNobody));
  std::size_t given = 0;
  for (std::size_t& process : process_of_node)
    if (process == kNobody && !sharers.empty()) process = sharers[given++ * sharers.size() / left];
  return process_of_node;
}

}  // namespace posse
