// SPDX-License-Identifier: Apache-2.0
// The member's side of an entrance.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "actors/host/line/entrance.hpp"
#include "core/base/outside_failure.hpp"

namespace posse {

class NotReached : public OutsideFailure {
 public:
  using OutsideFailure::OutsideFailure;
};

/// Connects and proves who this is, while `stopped` says no; null if it has said yes. Throws
/// NotReached if nobody is there or the other end hung up, OutsideFailure if it refused.
std::unique_ptr<OpenedLine> connect_to(const std::string& host,
                                       std::uint16_t port,
                                       const EntranceOptions& options,
                                       const std::function<bool()>& stopped);

}  // namespace posse
