// The fate of one message copy, for traces and for who looks on.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"

namespace posse {

struct MessageRecord {
  std::uint64_t id = 0;  // position in the (sent, from, to, transmission) order, from 0
  std::string_view type;
  Round round;
  NodeId from, to;
  std::uint64_t bytes = 0;
  Time sent;                 // when it left its sender
  Time delivered;            // when it arrived; meaningless if dropped
  std::string_view outcome;  // delivered, discarded, dropped, in_flight
  std::string_view cause;    // loss, queue, …; "" unless dropped
};

}  // namespace posse
