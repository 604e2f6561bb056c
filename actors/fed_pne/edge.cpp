// SPDX-License-Identifier: Apache-2.0
#include "actors/fed_pne/edge.hpp"

#include "actors/common/edge_uploads.hpp"

namespace posse {

FedPneEdge::FedPneEdge(const FedPneSetup& setup, std::uint32_t edge)
    : GatheringEdge(setup.hierarchy, edge, setup.plan_type(), setup.upload_type(), "phase"),
      setup_(&setup),
      plans_(setup),
      left_(setup.budget) {}

GatheringEdge<LocalMeans>::Request FedPneEdge::read(const Message& message, Reaction& reaction) {
  const auto task = plans_.read(message, left_, reaction);
  if (!task) return Request::none;
  const bool cut = task->is_cut(left_);
  left_ -= cut ? left_ : task->pulls * task->cells;
  cells_ = task->index->size();
  return cut ? Request::last : Request::answered;
}

Payload FedPneEdge::combine(const Uploads& uploads, Round phase) {
  return edge_upload(uploads, phase.value, cells_, setup_->sums, setup_->means);
}

}  // namespace posse
