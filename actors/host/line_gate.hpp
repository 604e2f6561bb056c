// SPDX-License-Identifier: Apache-2.0
// The gate to a process at the other end of a line.
#pragma once

#include <memory>
#include <utility>

#include "actors/host/line/line.hpp"
#include "actors/host/process_messages.hpp"
#include "actors/host/wall_actors.hpp"

namespace posse {

class LineGate final : public ProcessGate {
 public:
  explicit LineGate(std::shared_ptr<Line> line) : line_(std::move(line)) {}
  void pass(std::uint64_t run, const Envelope& message) override {
    line_->send(FrameKind::message, encode_frame(MessageFrame{run, message}));
  }

 private:
  std::shared_ptr<Line> line_;
};

}  // namespace posse
