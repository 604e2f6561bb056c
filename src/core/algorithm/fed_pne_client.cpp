#include <algorithm>
#include <utility>

#include "core/algorithm/fed_pne.hpp"
#include "core/algorithm/fed_pne_roles.hpp"

namespace posse {
namespace {

constexpr NodeId kServer{0};

}  // namespace

FedPneClient::FedPneClient(const FedPneSetup& setup, std::uint32_t client)
    : setup_(&setup), rewards_(*setup.problem, setup.partition, client) {}

void FedPneClient::on_message(const Message& message, Reaction& reaction) {
  const auto* plan = message.get<PhasePlan>();
  if (plan == nullptr) return;
  const Sight sight = plans_.see(message.round);
  if (sight == Sight::overtaken) reaction.observe(StaleObserved{message.round, message.from});
  if (sight != Sight::newest) return;

  const std::uint64_t left = rewards_.left();
  if (left == 0) return;
  const bool cut = plan->pulls > left / plan->index.size();
  const std::uint64_t pulls = cut ? left : plan->pulls * plan->index.size();
  reaction.evaluate(pulls);

  LocalMeans local{plan->phase, {}};
  local.means.reserve(plan->index.size());
  for (const auto index : plan->index) {
    const auto count = std::min<std::uint64_t>(plan->pulls, rewards_.left());
    if (count == 0) break;
    local.means.push_back(rewards_.pull({plan->depth, index}, count, reaction) /
                          static_cast<double>(count));
  }
  if (!cut) reaction.send(kServer, message.round, std::move(local));
  if (rewards_.left() == 0) reaction.finish();
}

std::optional<Waiting> FedPneClient::waiting() const {
  if (rewards_.left() == 0 || setup_->policy.kind != PolicyKind::all) return std::nullopt;
  const Round next{plans_.newest().value + 1};
  return Waiting{
      fmt::format("PhasePlan of phase {}", next.value), PhasePlan::kName, next, {kServer}};
}

}  // namespace posse
