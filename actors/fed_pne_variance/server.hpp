// The server of Fed-PNE with variance-aware radii; the algorithm is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/fed_pne_variance/setup.hpp"
#include "core/domain/cell.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

class FedPneVarianceServer final : public Role {
 public:
  /// `setup` must outlive the server.
  explicit FedPneVarianceServer(const FedPneVarianceSetup& setup);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  /// A cell of K.
  struct Active {
    std::uint64_t index = 1;
    double variance = 0;  // V: its own, or its parent's before there are rewards
    double mean = 0;
    std::uint64_t pulls = 0;  // each client's so far
    bool asked = false;       // about in the open exchange
  };

  /// "while the tau_h of K are at most M in sum or K is the root": go deeper without sampling.
  void expand();
  void split();
  std::uint64_t tau(const Active& cell) const;
  /// Each client's pulls that the cell should have, given what it has and its V.
  std::uint64_t wanted(const Active& cell) const;
  /// Sends the next plan; a cut one ends the server's part.
  void ask(Reaction& reaction);
  void take_uploads();
  /// Drops cells from K by their radii.
  void eliminate();
  void close_exchange(Reaction& reaction);
  void recommend(Reaction& reaction) const;

  const FedPneVarianceSetup* setup_;
  Gather gather_;
  std::uint32_t depth_ = 0;        // h
  std::vector<Active> active_;     // K, ascending, or as much of it as the budget reaches
  std::uint64_t steps_ = 0;        // t
  std::uint64_t asked_pulls_ = 0;  // of the open exchange, per client
  Cell best_{};                    // of the last complete phase; the root before
  bool at_depth_limit_ = false;    // the search has ended; the best cell is left
  std::vector<Payload> uploads_;   // LocalMoments of this exchange, by client
};

}  // namespace posse
