// SPDX-License-Identifier: Apache-2.0
// The client of PF-PNE with HCT; the algorithm is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <map>

#include "actors/pf_pne/first_stage_client.hpp"
#include "actors/pf_pne_hct/setup.hpp"
#include "core/domain/cell.hpp"
#include "core/learner/hct.hpp"
#include "core/role/role.hpp"

namespace posse {

class PfPneHctClient final : public FirstStageClient {
 public:
  /// Client number `client`, from 0. `setup` must outlive the client.
  PfPneHctClient(const PfPneHctSetup& setup, std::uint32_t client);

  void on_restart(Reaction& reaction) override;

 private:
  double sample(Cell cell, std::uint64_t count, Reaction& reaction) override;
  void store(const Survivors& survivors, Reaction& reaction) override;
  void search_alone(Reaction& reaction) override;

  const PfPneHctSetup* setup_;
  std::map<Cell, KnownCell> known_;  // of stage 1
};

}  // namespace posse
