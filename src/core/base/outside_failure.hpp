// SPDX-License-Identifier: Apache-2.0
// A failure that is not Posse's: a program or an objective of the user that fails, memory that
// ends.
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "core/base/parameters.hpp"

namespace posse {

class OutsideFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What an exception says to a user, and whether Posse is to blame.
struct Blame {
  std::string what;
  bool outside = false;
};
inline Blame blame(const std::exception& problem) {
  if (dynamic_cast<const std::bad_alloc*>(&problem) != nullptr) return {"out of memory", true};
  return {problem.what(),
          dynamic_cast<const OutsideFailure*>(&problem) != nullptr ||
              dynamic_cast<const InputError*>(&problem) != nullptr};
}

}  // namespace posse
