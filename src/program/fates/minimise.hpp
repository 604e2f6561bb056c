// SPDX-License-Identifier: Apache-2.0
// Makes a failing scenario smaller while it keeps failing.
//
// Greedy: tries to delete every table, key and element of a list, then to make every number,
// duration, rate and share smaller or simpler, again and again until nothing can be changed. A
// change that makes the scenario invalid does not fail in the same way, and is undone.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

namespace posse {

/// Whether a scenario, as TOML, still fails.
using StillFails = std::function<bool(const std::string& text)>;

/// The smallest scenario found; `text` itself if it doesn't fail. The seed stays.
std::string minimise(const std::string& text, const StillFails& fails);

struct MinimisedScenario {
  std::string property;  // empty: the scenario violates none
  std::string what;      // how the smallest one violates it
  std::string text;      // with property and violation in a comment at the top
};
/// The smallest scenario found that violates `property`; empty: the first one that `text` violates.
/// `stop`, which may be null: the smallest until it is set.
MinimisedScenario minimise_violation(const std::string& text,
                                     std::string_view property,
                                     const std::atomic<bool>* stop = nullptr);

}  // namespace posse
