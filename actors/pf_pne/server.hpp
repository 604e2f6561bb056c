// The server of PF-PNE; the algorithm is described in protocol.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/pf_pne/setup.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"

namespace posse {

class PfPneServer final : public Role {
 public:
  /// `setup` must outlive the server.
  explicit PfPneServer(const PfPneSetup& setup);

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  void on_timer(TimerId timer, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  void begin_level(Reaction& reaction);
  void close_if_ready(Reaction& reaction);
  void eliminate(Reaction& reaction);

  const PfPneSetup* setup_;
  Gather gather_;
  std::vector<std::uint64_t> active_{1};  // K^h, cut after the cells that the budget can reach
  std::uint32_t depth_ = 0;               // h
  std::uint64_t steps_ = 0;               // t
  std::uint64_t pulls_per_cell_ = 0;      // t_h
  std::vector<Payload> uploads_;          // LocalMeans of this level, by client
};

}  // namespace posse
