// SPDX-License-Identifier: Apache-2.0
#include "core/learner/poo.hpp"

#include <utility>

#include "core/base/check.hpp"

namespace posse {

namespace {

constexpr std::uint64_t kNoEnd = 1ull << 62;  // of the schedule

}  // namespace

Poo::Poo(const PooSmoothness& smoothness, std::uint64_t horizon, InstanceFactory factory)
    : schedule_(smoothness, kNoEnd), horizon_(horizon), factory_(std::move(factory)) {}

void Poo::begin_pass() {
  auto pass = schedule_.next();
  POSSE_CHECK(pass.has_value(), "{} evaluations", schedule_.evaluations());
  pass_ = std::move(*pass);
  at_ = done_ = 0;
  in_pass_ = true;
}

bool Poo::advance() {
  if (pass_.starts) {  // a new instance makes all its evaluations in a row
    if (++done_ == pass_.evaluations[at_]) {
      ++at_;
      done_ = 0;
    }
    return at_ < pass_.evaluations.size();
  }
  // One evaluation each in turn; if the budget ends, the last instances have one fewer.
  if (++at_ == pass_.evaluations.size() || pass_.evaluations[at_] == done_) {
    at_ = 0;
    ++done_;
  }
  return done_ < pass_.evaluations[0];
}

Cell Poo::next() {
  if (!in_pass_) begin_pass();
  const std::uint64_t number = pass_.first + at_;
  if (number == instances_.size())
    instances_.push_back({factory_({.number = number,
                                    .nu = schedule_.nu(),
                                    .rho = schedule_.rho(number),
                                    .horizon = horizon_})});
  return instances_[number].learner->next();
}

void Poo::tell(double reward) {
  POSSE_CHECK(in_pass_ && pass_.first + at_ < instances_.size(), "tell() before next()");
  Instance& instance = instances_[pass_.first + at_];
  instance.learner->tell(reward);
  ++instance.evaluations;
  instance.sum += reward;
  in_pass_ = advance();
}

Cell Poo::recommend() const {
  const Instance* best = nullptr;
  for (const Instance& instance : instances_)
    if (instance.evaluations > 0 && (best == nullptr || instance.mean() > best->mean()))
      best = &instance;
  return best == nullptr ? Cell{} : best->learner->recommend();
}

}  // namespace posse
