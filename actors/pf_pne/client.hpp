// The client of PF-PNE; the algorithm is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/common/cell_rewards.hpp"
#include "actors/pf_pne/messages.hpp"
#include "actors/pf_pne/setup.hpp"
#include "core/domain/cell.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

class PfPneClient final : public Role {
 public:
  /// Client number `client`, from 0. `setup` must outlive the client.
  PfPneClient(const PfPneSetup& setup, std::uint32_t client);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  /// A cell with what the client knows of it.
  struct Known {
    std::uint64_t index = 0;
    double sum = 0;           // of its own rewards
    std::uint64_t count = 0;  // how many
    double mean = 0;          // own, or the server's if protected
    bool is_protected = false;
  };
  /// What stage 1 left of one depth.
  struct Level {
    double radius = 0;                // b̄_h
    std::vector<Survivor> survivors;  // K̄^h, ascending
    std::vector<Known> sampled;       // E^h, ascending, with the client's own samples
  };

  /// Files what stage 1 found at a depth; returns K̄^h.
  std::vector<std::uint64_t> take(const Survivors& survivors, Reaction& reaction);
  /// Stage 1: pulls `active_`, uploads the means unless the level is cut.
  void pull_level(Reaction& reaction);
  /// Stage 2, from the root to the end of the budget.
  void search_alone(Reaction& reaction);
  /// The cells with what stage 1 tells of them.
  std::vector<Known> look_up(std::uint32_t depth, const std::vector<std::uint64_t>& cells) const;
  /// Pulls what isn't protected until tau_h; false if T comes first. Which parents were protected
  /// only matters to the certificate.
  bool pull_alone(std::uint32_t depth,
                  std::vector<Known>& cells,
                  const std::vector<bool>& protected_parents,
                  Reaction& reaction);
  /// The i with cells[i] in K_m \ E_m.
  std::vector<std::size_t> keep(std::uint32_t depth,
                                const std::vector<Known>& cells,
                                std::size_t best) const;
  void recommend(Cell cell, Reaction& reaction) const;
  void report(Reaction& reaction) const;

  const PfPneSetup* setup_;
  CellRewards rewards_;
  RoundsSeen survivors_seen_;
  std::uint32_t depth_ = 0;               // h of stage 1
  std::vector<std::uint64_t> active_{1};  // K^h
  std::vector<Known> pulled_;             // the same with own samples
  std::vector<Level> levels_;             // by depth
  OwnSearch progress_;
};

}  // namespace posse
