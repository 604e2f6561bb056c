// SPDX-License-Identifier: Apache-2.0
// The edge of Fed-PNE in a hierarchy; the algorithm is described in protocol.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "actors/common/coded_means.hpp"
#include "actors/common/gathering_edge.hpp"
#include "actors/common/local_means.hpp"
#include "actors/fed_pne/plan_reader.hpp"
#include "actors/fed_pne/setup.hpp"

namespace posse {

class FedPneEdge final : public GatheringEdge<LocalMeans> {
 public:
  /// Edge number `edge`, from 0. `setup` must outlive the edge.
  FedPneEdge(const FedPneSetup& setup, std::uint32_t edge);

 private:
  Request read(const Message& message, Reaction& reaction) override;
  Payload decoded(const Payload& payload) const override {
    return decode_means<LocalMeans>(payload, setup_->means);
  }
  Payload combine(const Uploads& uploads, Round phase) override;
  bool was_last() const override { return left_ == 0; }

  const FedPneSetup* setup_;
  PlanReader plans_;
  std::uint64_t left_;     // pulls of each of its clients after this phase
  std::size_t cells_ = 0;  // of this phase
};

}  // namespace posse
