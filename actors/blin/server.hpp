// The server of BLiN: sends the cubes of a batch, averages their means and eliminates cubes. The
// algorithm: see protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/blin/setup.hpp"
#include "core/domain/cell.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

class BlinServer final : public Role {
 public:
  /// `setup` must outlive the server.
  explicit BlinServer(const BlinSetup& setup);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  void on_timer(TimerId timer, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  void begin_batch(Reaction& reaction);
  void close_if_ready(Reaction& reaction);
  void eliminate(Reaction& reaction);
  void recommend(Reaction& reaction) const;

  const BlinSetup* setup_;
  Gather gather_;
  std::vector<std::uint64_t> active_{1};  // ascending; no more than the budget can reach
  std::uint64_t steps_ = 0;               // t
  Cell best_{};                           // of the last complete batch; the root before the first
  std::vector<Payload> uploads_;          // BatchMeans of this batch, by client
};

}  // namespace posse
