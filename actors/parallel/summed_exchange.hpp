// SPDX-License-Identifier: Apache-2.0
// An exchange in which exact sums travel: each part of the means is added up on its way to one
// player (by doubling, to several), which sends back the averages.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/parallel/exchange.hpp"
#include "core/base/exact_sum.hpp"

namespace posse {

class SummedExchange final : public Exchange {
 public:
  SummedExchange(const ExchangeSetup& setup, std::uint32_t self);

  bool complete() const override { return known_ == parts_.size(); }
  std::vector<double> averages() const override { return averages_; }
  Missing missing() const override;

 private:
  void start(std::vector<double> own, Reaction& reaction) override;
  bool in_turn(const Message& message) const override;
  bool accept(const Message& message, Reaction& reaction) override;

  struct Part {
    SumPlan plan;
    std::size_t begin = 0, end = 0;  // its cells
    std::size_t stage = 0;           // the one under way
    std::vector<Int128> sums;        // so far
    struct Contribution {
      NodeId from;
      Payload payload;  // PartialSums
    };
    std::vector<Contribution> arrived;
    bool known = false;  // its averages
    const Payload* from(NodeId node) const;
  };
  void advance(std::uint32_t number, Reaction& reaction);
  void learn(std::uint32_t number, const Payload& averages, Reaction& reaction);

  ExchangeSetup setup_;
  std::uint32_t self_;
  std::vector<Part> parts_;
  std::size_t known_ = 0;  // parts
  std::vector<double> averages_;
};

}  // namespace posse
