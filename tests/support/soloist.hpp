// SPDX-License-Identifier: Apache-2.0
// A protocol of one node that does what a test wants.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/role/protocol.hpp"
#include "core/role/role.hpp"

namespace posse::test {

/// What the node does when it starts and when its timer expires.
class Soloist final : public Protocol {
 public:
  using Act = std::function<void(Reaction&)>;
  explicit Soloist(Act start, Act timer = {})
      : start_(std::move(start)), timer_(std::move(timer)) {}

  static AlgorithmSpec spec() {
    AlgorithmSpec spec;
    spec.kind = "soloist";
    spec.topology = Topology::none;
    spec.needs_problem = false;
    return spec;
  }
  std::vector<NodeGroup> groups() const override { return {{"soloist", 1, false}}; }
  std::unique_ptr<Role> make_role(NodeId) const override {
    return std::make_unique<SoloRole>(*this);
  }
  std::vector<Measurement> measurements(const RunOutcome&) const override { return {}; }
  Forecast forecast() const override { return {}; }

 private:
  struct SoloRole final : Role {
    explicit SoloRole(const Soloist& plays) : solo(plays) {}
    void on_start(Reaction& reaction) override { solo.start_(reaction); }
    void on_message(const Message&, Reaction&) override {}
    void on_timer(TimerId, Reaction& reaction) override { solo.timer_(reaction); }
    const Soloist& solo;
  };
  Act start_, timer_;
};

}  // namespace posse::test
