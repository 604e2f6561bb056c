// The server's and the client's role of BLiN; what they do is described in blin.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/blin/bounds.hpp"
#include "actors/common/cell_rewards.hpp"
#include "core/domain/cell.hpp"
#include "core/domain/partition.hpp"
#include "core/exchange/gather.hpp"
#include "core/objective/problem.hpp"
#include "core/role/message.hpp"
#include "core/role/policy.hpp"
#include "core/role/role.hpp"

namespace posse {

/// What all nodes of a run share.
struct BlinSetup {
  const Problem* problem;
  Partition partition;            // dimwise
  std::uint32_t clients;          // M
  std::uint64_t budget;           // T
  theory::BlinParameters theory;  // T again, d, L, how many share a cube's pulls
  Policy policy;

  /// True if a client with `left` evaluations can't complete `cubes` cubes of this batch.
  bool ends_the_run(std::uint32_t batch, std::uint64_t cubes, std::uint64_t left) const {
    return batch > partition.max_depth() + 1 || theory::blin_pulls(theory, batch) > left / cubes;
  }
  /// Depth of a batch's cells.
  std::uint32_t depth(std::uint32_t batch) const {
    return batch > partition.max_depth() ? partition.max_depth() : batch - 1;
  }
};

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
  std::vector<std::uint64_t> active_{1};  // ascending, as many as the budget reaches
  std::uint64_t steps_ = 0;               // t
  Cell best_{};                           // of the last complete batch; the root before
  std::vector<Payload> uploads_;          // BatchMeans of this batch, by client
};

class BlinClient final : public Role {
 public:
  /// Client number `client`, from 0. `setup` must outlive the client.
  BlinClient(const BlinSetup& setup, std::uint32_t client);

  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  const BlinSetup* setup_;
  CellRewards rewards_;
  RoundsSeen batches_;
};

}  // namespace posse
