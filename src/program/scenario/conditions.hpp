// SPDX-License-Identifier: Apache-2.0
// Under which conditions numbers were made, in a sentence for their tables.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "program/scenario/scenario.hpp"

namespace posse {

/// Of several scenarios, such as the settings of a sweep, what they have in common and what not.
class Conditions {
 public:
  void add(const Scenario& scenario);
  /// "garland, noise uniform (half_width 0.1); evaluation 1 ms; latency 20 or 40 ms one way, no
  /// loss, datagrams; 2 faults".
  std::string text() const;

 private:
  /// Different texts, in order of appearance; an empty one: `absent`.
  struct Part {
    bool begins_group = false;
    std::string absent;
    std::vector<std::string> texts;
  };
  std::vector<Part> parts_;
};

std::string conditions_text(const Scenario& scenario);

}  // namespace posse
