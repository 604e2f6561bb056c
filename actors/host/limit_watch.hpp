// SPDX-License-Identifier: Apache-2.0
// The watch of runs in wall time, which nobody can hold up: only the limit counts.
#pragma once

#include "actors/host/wall_clock.hpp"

namespace posse {

class LimitWatch final : public Watch {
 public:
  explicit LimitWatch(const WallLimit& limit) : limit_(limit) {}
  Waited wait(Time, bool) override { return {stop_reason(), true}; }
  bool paces() const override { return false; }
  bool can_pause() const override { return false; }
  StopReason stop_reason() override {
    return limit_.reached() ? StopReason::wall_time : StopReason::none;
  }

 private:
  const WallLimit& limit_;
};

}  // namespace posse
