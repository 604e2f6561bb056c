// SPDX-License-Identifier: Apache-2.0
// The process that listens: lets members in, gives them nodes, keeps the accounts of the runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actors/host/node_claims.hpp"
#include "actors/host/process_messages.hpp"
#include "core/sim/simulation.hpp"

namespace posse {

class WallLimit;

struct GroupOptions {
  ProcessAddress address;
  Credentials credentials;        // scenario_hash: of what is run
  std::vector<KnownNodes> nodes;  // of all runs, by algorithm: what members can ask for
  std::size_t threads = 1;
  std::size_t members = 1;                   // a run begins when so many are there
  std::chrono::milliseconds patience{0};     // or when so much time has passed; 0: no end
  std::chrono::milliseconds rejoin{10'000};  // a run that can't go on waits so long for the lost
  /// Told of members that come, leave or are refused.
  std::function<void(const std::string&)> tell = [](const std::string&) {};
};

class ProcessGroup {
 public:
  /// Listens from now on. Throws OutsideFailure if it can't.
  explicit ProcessGroup(GroupOptions options);
  /// Sends the members home.
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  std::uint16_t port() const;
  /// `description`: from which members make the same spec.
  SimulationResult run(const SimulationSpec& simulated,
                       const std::string& description,
                       WallLimit& limit,
                       Progress* progress);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace posse
