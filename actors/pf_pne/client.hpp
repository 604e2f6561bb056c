// SPDX-License-Identifier: Apache-2.0
// The client of PF-PNE; the algorithm is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "actors/pf_pne/first_stage_client.hpp"
#include "actors/pf_pne/messages.hpp"
#include "actors/pf_pne/setup.hpp"
#include "core/domain/cell.hpp"
#include "core/role/observation.hpp"
#include "core/role/role.hpp"

namespace posse {

class PfPneClient final : public FirstStageClient {
 public:
  /// Client number `client`, from 0. `setup` must outlive the client.
  PfPneClient(const PfPneSetup& setup, std::uint32_t client);

  void on_restart(Reaction& reaction) override;

 private:
  /// A cell and the data that the client has about it.
  struct Known {
    std::uint64_t index = 0;
    double sum = 0;           // sum of its own rewards
    std::uint64_t count = 0;  // number of its own rewards
    double mean = 0;          // own mean, or the server's if protected
    bool is_protected = false;
  };
  /// Results of stage 1 at one depth.
  struct Level {
    double radius = 0;                // b̄_h
    std::vector<Survivor> survivors;  // K̄^h, ascending
    std::vector<Known> sampled;       // E^h, ascending, with the client's own samples
  };

  double sample(Cell cell, std::uint64_t count, Reaction& reaction) override;
  void store(const Survivors& survivors, Reaction& reaction) override;
  /// Stage 2, from the root to the end of the budget.
  void search_alone(Reaction& reaction) override;
  /// The cells `indices` with the data of stage 1.
  std::vector<Known> look_up(std::uint32_t depth, const std::vector<std::uint64_t>& indices) const;
  /// Pulls each cell that is not protected until it has tau_h samples; false if T comes first.
  /// `protected_parents` is needed for the certificate only.
  bool pull_alone(std::uint32_t depth,
                  std::vector<Known>& cells,
                  const std::vector<bool>& protected_parents,
                  Reaction& reaction);
  /// The indices i with cells[i] in K_m^h \ E_m^h.
  std::vector<std::size_t> keep(std::uint32_t depth,
                                const std::vector<Known>& cells,
                                std::size_t best) const;
  void report(Reaction& reaction) const;

  const PfPneSetup* setup_;
  std::vector<Known> pulled_;  // the cells of the present depth of stage 1
  std::vector<Level> levels_;  // by depth
  OwnSearch progress_;
};

}  // namespace posse
