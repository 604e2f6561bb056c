// SPDX-License-Identifier: Apache-2.0
#include "actors/blin/client.hpp"

#include <utility>

#include "actors/blin/bounds.hpp"
#include "actors/blin/messages.hpp"
#include "actors/common/star.hpp"

namespace posse {

BlinClient::BlinClient(const BlinSetup& setup, std::uint32_t client)
    : setup_(&setup), rewards_(*setup.problem, setup.partition, client) {}

void BlinClient::on_message(const Message& message, Reaction& reaction) {
  const auto* batch = message.get<Batch>();
  if (batch == nullptr) return;
  const Sight sight = batches_.see(message.round);
  if (sight == Sight::overtaken) reaction.observe(StaleObserved{message.round, message.from});
  if (sight != Sight::newest || rewards_.left() == 0) return;

  const std::uint32_t depth = setup_->depth(batch->batch);
  if (setup_->ends_the_run(batch->batch, batch->index.size(), rewards_.left())) {
    for (std::size_t i = 0; rewards_.left() > 0; i = (i + 1) % batch->index.size())
      rewards_.pull({depth, batch->index[i]}, 1, reaction);
  } else {
    const std::uint64_t pulls = theory::blin_pulls(setup_->theory, batch->batch);
    rewards_.prepare_level(depth, batch->index);
    BatchMeans local{batch->batch, {}};
    local.means.reserve(batch->index.size());
    for (const auto index : batch->index)
      local.means.push_back(rewards_.pull({depth, index}, pulls, reaction) /
                            static_cast<double>(pulls));
    reaction.send(kServer, message.round, std::move(local));
  }
  if (rewards_.left() == 0) reaction.finish();
}

std::optional<Waiting> BlinClient::waiting() const {
  if (rewards_.left() == 0 || setup_->policy.kind != PolicyKind::all) return std::nullopt;
  const Round next{batches_.newest().value + 1};
  return Waiting{fmt::format("Batch {}", next.value), Batch::kName, next, {kServer}};
}

}  // namespace posse
