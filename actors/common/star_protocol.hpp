// The protocol of a star whose server and clients share one setup: groups, roles and partition. A
// system adds its measurements and its forecast.
#pragma once

#include <cstdint>
#include <memory>
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
/// the order of clients, not of arrival.
template <class Setup, class Server, class Client>
class StarProtocol : public Protocol {
 public:
  explicit StarProtocol(Setup setup) : setup_(std::move(setup)) {}

  std::vector<NodeGroup> groups() const final {
    return {{"server", 1, false}, {"client", setup_.clients, true}};
  }
  std::unique_ptr<Role> make_role(NodeId node) const final {
    if (node == kServer) return std::make_unique<Server>(setup_);
    return std::make_unique<Client>(setup_, node.value - kFirstClient.value);
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
    auto client = std::make_unique<Client>(setup_, node.value - kFirstClient.value);
    if constexpr (requires { client->go_on_after(evaluations); }) client->go_on_after(evaluations);
    return client;
  }
  bool waits_for_all() const override {
    if constexpr (requires { setup_.policy; })
      return setup_.policy.kind == PolicyKind::all;
    else
      return true;
  }
  const Partition* partition() const final {
    if constexpr (requires { setup_.partition; })
      return &setup_.partition;
    else
      return nullptr;
  }

 protected:
  /// True if the run finished and its server waited for every answer: counts of messages then
  /// follow from the rounds.
  bool all_answered(const RunOutcome& outcome) const {
    bool all = outcome.status == RunStatus::finished;
    if constexpr (requires { setup_.policy; }) all = all && setup_.policy.kind == PolicyKind::all;
    return all;
  }

  const Setup setup_;
};

}  // namespace posse
