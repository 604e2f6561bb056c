// SPDX-License-Identifier: Apache-2.0
// The server of batched HCT: plans batches with its learner and tells it the clients' means. The
// algorithm: see protocol.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "actors/common/gathering_server.hpp"
#include "actors/common/local_means.hpp"
#include "actors/common/local_moments.hpp"
#include "actors/hct_batched/setup.hpp"
#include "core/learner/hct.hpp"

namespace posse {

class HctBatchedServer final : public GatheringServer<LocalMeans> {
 public:
  /// `setup` must outlive the server.
  explicit HctBatchedServer(const HctBatchedSetup& setup);

  void on_start(Reaction& reaction) override;

 private:
  void on_uploads(Reaction& reaction) override;
  void begin_batch(Reaction& reaction);
  /// The rewards of the batch, if each step's is the mean of the arrived clients'. Empties the
  /// uploads.
  std::vector<BatchRewards> gathered();

  const HctBatchedSetup* setup_;
  Hct learner_;
  std::vector<CellPulls> batch_;
};

}  // namespace posse
