// SPDX-License-Identifier: Apache-2.0
// Messages of FN-UCB.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/role/message.hpp"

namespace posse {

/// The state of an agent, or the shared state. `gram` and `inverse` hold p^2 numbers.
struct NeuralState {
  std::vector<double> gram;       // W
  std::vector<double> responses;  // B
  std::vector<double> net;        // weights
  std::vector<double> inverse;    // of V
  std::uint64_t values() const {
    return gram.size() + responses.size() + net.size() + inverse.size();
  }
  POSSE_FIELDS(gram, responses, net, inverse)
};
struct AgentUpdate : NeuralState {
  static constexpr std::string_view kName = "AgentUpdate";
};
struct SyncedModel : NeuralState {
  static constexpr std::string_view kName = "SyncedModel";
};

/// The agent has made step t, and its criterion does not hold.
struct StepDone {
  static constexpr std::string_view kName = "StepDone";
  std::uint32_t step = 0;
  std::uint64_t values() const { return 0; }
  POSSE_FIELDS(step)
};
/// No agent's criterion holds after step t: make the next step.
struct NextStep {
  static constexpr std::string_view kName = "NextStep";
  std::uint32_t step = 0;
  std::uint64_t values() const { return 0; }
  POSSE_FIELDS(step)
};
/// Some agent's criterion holds after step t: send an update.
struct SendUpdate {
  static constexpr std::string_view kName = "SendUpdate";
  std::uint32_t step = 0;
  std::uint64_t values() const { return 0; }
  POSSE_FIELDS(step)
};

}  // namespace posse
