// SPDX-License-Identifier: Apache-2.0
// What the plans of Fed-PNE ask of a client: of the client itself, or of one that an edge stands
// for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/fed_pne/active_cells.hpp"
#include "actors/fed_pne/messages.hpp"
#include "actors/fed_pne/setup.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

struct PhaseTask {
  Round phase;
  std::uint32_t depth = 0;
  std::uint64_t pulls = 0;  // of each cell
  std::uint64_t cells = 0;
  /// The cells or the first ones; in the plan or in its reader.
  const std::vector<std::uint64_t>* index = nullptr;

  /// Whether the client's budget, of which `left` is left, ends in this phase without an upload.
  bool is_cut(std::uint64_t left) const { return pulls > left / cells; }
};

class PlanReader {
 public:
  /// `setup` must outlive the reader.
  explicit PlanReader(const FedPneSetup& setup) : setup_(&setup) {}

  /// The task of a client that has `left` pulls left. Nothing if the message is no plan, not the
  /// newest one, or refers to a K that is not the reader's, or if no pulls are left.
  std::optional<PhaseTask> read(const Message& message, std::uint64_t left, Reaction& reaction);
  /// Of the newest plan; 0: none.
  Round newest() const { return plans_.newest(); }

 private:
  /// Turns K^{p-1} into K^p and returns the pulls of each cell; nothing if the plan does not refer
  /// to the K that this reader holds.
  std::optional<std::uint64_t> follow(const CompactPlan& plan, std::uint64_t left);

  const FedPneSetup* setup_;
  RoundsSeen plans_;
  // Only with compact plans:
  ActiveCells active_;       // K of the last plan
  std::uint32_t phase_ = 0;  // of the last plan
};

}  // namespace posse
