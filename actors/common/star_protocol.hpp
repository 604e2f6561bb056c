// SPDX-License-Identifier: Apache-2.0
// The protocol of a star whose server and clients share one setup: groups, roles and partition. A
// system adds its measurements and its forecast. With edges it is a hierarchy.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "actors/common/star.hpp"
#include "core/role/outcome.hpp"
#include "core/role/protocol.hpp"

namespace posse {

/// `Setup` has `clients` and may have a `partition`. `Server` is made from the setup, `Client` from
/// the setup and its number from 0; both may point into the setup, which lives as long as this.
/// Clients that can take part again after they lost their state have `go_on_after(evaluations)`; if
/// that depends on the setup, it has `can_lose_state()`. A server under a `policy` uses answers in
/// the order of clients, not of arrival: the order of messages matters at the server only, and only
/// if it does not wait for all of them. A client hears from one node.
///
/// With an `Edge`, the setup has a `hierarchy`; if that has edges, they stand between server and
/// clients. An edge is made from the setup and its number from 0, and waits for all its clients.
template <class Setup, class Server, class Client, class Edge = void>
class StarProtocol : public Protocol {
 public:
  explicit StarProtocol(Setup setup) : setup_(std::move(setup)) {}

  std::vector<NodeGroup> groups() const final {
    if (const auto edges = this->edges(); edges > 0)
      return {{"server", 1, false}, {kEdgeGroup, edges, true}, {"client", setup_.clients, true}};
    return {{"server", 1, false}, {"client", setup_.clients, true}};
  }
  std::optional<Topology> topology() const final {
    return edges() > 0 ? std::optional(Topology::hierarchy) : std::nullopt;
  }
  std::unique_ptr<Role> make_role(NodeId node) const final {
    if (node == kServer) return std::make_unique<Server>(setup_);
    if constexpr (!std::is_void_v<Edge>)
      if (node.value <= edges())
        return std::make_unique<Edge>(setup_, node.value - kFirstClient.value);
    return std::make_unique<Client>(setup_, client_of(node));
  }
  bool can_lose_state(NodeId node) const final {
    if constexpr (!requires(Client & client) { client.go_on_after(std::uint64_t{}); })
      return false;
    else if constexpr (requires { setup_.can_lose_state(); })
      return node != kServer && setup_.can_lose_state();
    else
      return node != kServer;
  }
  std::unique_ptr<Role> make_role_anew(NodeId node, std::uint64_t evaluations) const final {
    auto client = std::make_unique<Client>(setup_, client_of(node));
    if constexpr (requires { client->go_on_after(evaluations); }) client->go_on_after(evaluations);
    return client;
  }
  bool waits_for_all() const override {
    if constexpr (requires { setup_.policy; })
      return setup_.policy.kind == PolicyKind::all;
    else
      return true;
  }
  std::string_view why_order_matters(NodeId node) const override {
    if constexpr (requires { setup_.policy; })
      if (node == kServer) return posse::why_order_matters(setup_.policy);
    return {};
  }
  const Partition* partition() const final {
    if constexpr (requires { setup_.partition; })
      return &setup_.partition;
    else
      return nullptr;
  }

 protected:
  /// True if the run finished, its server waited for every answer, and none came twice: counts of
  /// messages then follow from the rounds.
  bool all_answered(const RunOutcome& outcome) const {
    bool all = outcome.status == RunStatus::finished && !may_answer_twice(outcome);
    if constexpr (requires { setup_.policy; }) all = all && setup_.policy.kind == PolicyKind::all;
    return all;
  }

  std::uint32_t edges() const {
    if constexpr (std::is_void_v<Edge>)
      return 0;
    else
      return setup_.hierarchy.edges;
  }

  const Setup setup_;

 private:
  std::uint32_t client_of(NodeId node) const { return node.value - kFirstClient.value - edges(); }
};

}  // namespace posse
