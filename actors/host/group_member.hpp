// SPDX-License-Identifier: Apache-2.0
// A process that joins another one and has some nodes of its runs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actors/host/process_messages.hpp"
#include "core/sim/simulation.hpp"

namespace posse {

/// What a member makes from a description of a run. Its protocol must be valid as long as it lives.
class MemberRun {
 public:
  virtual ~MemberRun() = default;
  virtual const SimulationSpec& spec() const = 0;
};

struct MemberOptions {
  ProcessAddress address;
  Credentials credentials;
  std::vector<std::string> wanted;  // names of nodes; empty: any
  std::size_t threads = 1;
  std::function<void(const std::string&)> tell = [](const std::string&) {};
  std::function<bool()> stopped = [] { return false; };  // by the user
};

enum class MemberEnd { sent_home, lost, stopped };

/// Joins, takes part in all runs, and returns when there are no more or the listener is gone.
/// Throws NotReached if it can't connect, OutsideFailure if it is refused.
MemberEnd take_part(const MemberOptions& options,
                    const std::function<std::unique_ptr<MemberRun>(const std::string&)>& make_run);

}  // namespace posse
