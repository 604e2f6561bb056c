// SPDX-License-Identifier: Apache-2.0
// A node as a role in Python sees it: what it knows of the run, and what it can do in a reaction.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/parameters.hpp"
#include "core/objective/problem.hpp"
#include "core/random/stream.hpp"
#include "core/role/policy.hpp"
#include "core/role/protocol.hpp"
#include "core/role/role.hpp"
#include "python/held.hpp"
#include "python/messages.hpp"

namespace posse::python {

/// What all nodes of a run share.
struct UserSetup {
  const MessageClasses* messages;
  const Problem* problem;
  Parameters parameters;
  Topology topology = Topology::star;
  const DynamicMessageType* answer = nullptr;  // of clients that work in rounds
  std::uint32_t clients = 1;
  Policy policy;
  Seed seed;

  std::uint32_t nodes() const { return clients + (topology == Topology::star ? 1 : 0); }
};

class UserNode {
 public:
  /// `made`: evaluations made before, by the role in the place of which this one takes part again.
  UserNode(const UserSetup& setup, NodeId id, std::uint64_t made);
  virtual ~UserNode() = default;
  UserNode(const UserNode&) = delete;
  UserNode& operator=(const UserNode&) = delete;

  /// Until the end of its scope, the node can act in this reaction.
  class Turn {
   public:
    Turn(UserNode& node, Reaction& reaction) : node_(node) {
      node_.reaction_ = &reaction;
      node_.thread_ = std::this_thread::get_id();
    }
    ~Turn() { node_.reaction_ = nullptr; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    UserNode& node_;
  };

  // At any time:
  NodeId id() const { return id_; }
  const std::string& name() const { return name_; }
  /// The node's number among the clients, from 0; none: the server.
  std::optional<std::uint32_t> client() const { return client_; }
  std::uint32_t clients() const { return clients_; }
  std::uint64_t budget() const { return budget_; }
  const Box& domain() const { return domain_; }
  pybind11::dict parameters() const;
  bool finished() const { return finished_; }
  /// What failed in the objective, whatever the role made of it; null if nothing did.
  std::exception_ptr failure() const { return failure_; }

  // In a reaction, on its thread; else RuntimeError:
  double now() const { return reaction().now().to_seconds(); }
  std::uint64_t left() const;
  void send(std::uint32_t to, pybind11::handle message, std::uint32_t round);
  void broadcast(pybind11::handle message, std::uint32_t round);
  /// The sum of `count` rewards at each of the points.
  std::vector<double> pull(const std::vector<std::vector<double>>& points, std::uint64_t count);
  void recommend(std::vector<double> point, bool own);
  void begin_round(std::uint32_t round);
  void end_round(std::uint32_t round,
                 std::uint64_t steps,
                 std::uint32_t arrived,
                 std::uint32_t expected);
  void set_timer(std::uint32_t timer, double after_s, bool from_now);
  void resume_timers();
  void cancel_timer(std::uint32_t timer);
  void work(double seconds);
  void count(const std::string& quantity, std::uint64_t value);
  void estimate(const std::string& quantity, double value);
  virtual void finish();
  double uniform();
  double normal();

 protected:
  Reaction& reaction() const;
  /// The reaction, for acts of a node that has not finished; else RuntimeError.
  Reaction& working() const;
  const UserSetup& setup() const { return *setup_; }
  void broadcast_payload(Payload payload, Round round);

 private:
  void check_point(const std::vector<double>& point) const;

  const UserSetup* setup_;  // lives as long as the run; used in reactions only
  NodeId id_;
  std::optional<std::uint32_t> client_;
  std::string name_;
  std::uint32_t clients_;
  std::uint64_t budget_;
  Box domain_;
  Parameters parameters_;
  std::optional<RewardSource> rewards_;  // of a client
  UniformStream uniforms_;
  StreamKey normals_;
  std::uint64_t drawn_uniforms_ = 0, drawn_normals_ = 0;
  bool finished_ = false;
  std::exception_ptr failure_;
  Reaction* reaction_ = nullptr;
  std::thread::id thread_;  // the one that may act
};

/// Values of parameters as Python has them; auto: None.
pybind11::dict dict_of(const Parameters& parameters);

}  // namespace posse::python
