// SPDX-License-Identifier: Apache-2.0
// The page's files, embedded at build time.
#pragma once

#include <span>
#include <string_view>

namespace posse {

/// One part: "html", "style", "script" (all of ours in order), "chart" (Chart.js with its licence
/// notice). Empty for any other name.
std::span<const std::string_view> page_file(std::string_view name);

}  // namespace posse
