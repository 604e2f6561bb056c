// SPDX-License-Identifier: Apache-2.0
// The server of PF-PNE; the algorithm is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/common/gathering_server.hpp"
#include "actors/common/local_means.hpp"
#include "actors/pf_pne/setup.hpp"

namespace posse {

class PfPneServer final : public GatheringServer<LocalMeans> {
 public:
  /// `setup` must outlive the server.
  explicit PfPneServer(const PfPneSetup& setup);

  void on_start(Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  void on_uploads(Reaction& reaction) override;
  void begin_level(Reaction& reaction);
  void eliminate(Reaction& reaction);

  const PfPneSetup* setup_;
  std::vector<std::uint64_t> active_{1};  // K^h, cut after the cells that the budget can reach
  std::uint32_t depth_ = 0;               // h
  std::uint64_t steps_ = 0;               // t
  std::uint64_t pulls_per_cell_ = 0;      // t_h
};

}  // namespace posse
