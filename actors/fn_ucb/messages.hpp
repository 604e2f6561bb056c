// Messages of FN-UCB.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/role/message.hpp"

namespace posse {

/// The four parts of an agent's or the shared state. `gram` and `inverse` hold p^2 numbers.
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

/// "Step t": the agent has made it, and its criterion doesn't hold.
struct StepDone {
  static constexpr std::string_view kName = "StepDone";
  std::uint32_t step = 0;
  std::uint64_t values() const { return 0; }
  POSSE_FIELDS(step)
};
/// Nobody's criterion holds after step t: go on.
struct NextStep {
  static constexpr std::string_view kName = "NextStep";
  std::uint32_t step = 0;
  std::uint64_t values() const { return 0; }
  POSSE_FIELDS(step)
};
/// Somebody's criterion holds after step t: send your update.
struct SendUpdate {
  static constexpr std::string_view kName = "SendUpdate";
  std::uint32_t step = 0;
  std::uint64_t values() const { return 0; }
  POSSE_FIELDS(step)
};

}  // namespace posse
