// SPDX-License-Identifier: Apache-2.0
// The server of BLiN: sends the cubes of a batch, averages their means and eliminates cubes. The
// algorithm: see protocol.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "actors/blin/messages.hpp"
#include "actors/blin/setup.hpp"
#include "actors/common/gathering_server.hpp"
#include "core/domain/cell.hpp"

namespace posse {

class BlinServer final : public GatheringServer<BatchMeans> {
 public:
  /// `setup` must outlive the server.
  explicit BlinServer(const BlinSetup& setup);

  void on_start(Reaction& reaction) override;

 private:
  void on_uploads(Reaction& reaction) override;
  void begin_batch(Reaction& reaction);
  void eliminate(Reaction& reaction);
  void recommend(Reaction& reaction) const;

  const BlinSetup* setup_;
  std::vector<std::uint64_t> active_{1};  // ascending; no more than the budget can reach
  std::uint64_t steps_ = 0;               // t
  Cell best_{};                           // of the last complete batch; the root before the first
};

}  // namespace posse
