// SPDX-License-Identifier: Apache-2.0
// `posse describe network`, `posse describe network.latency`: the sections of scenarios and claims
// files and their keys, from the schemas, with the text and the examples of docs/scenario.md and
// docs/claims.md.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace posse {

/// In pieces docs/scenario.md, for "scenario", and docs/claims.md, for "claims".
std::span<const std::string_view> key_reference(std::string_view name);

/// A section and those below it: "network" has network.link. Empty if there is none.
std::string describe_section(std::string_view name);
/// The key with this path, as errors name it ("network.link.0.from"), or the keys with this name or
/// with it as one of their choices. Empty if there are none.
std::string describe_key(std::string_view name);

}  // namespace posse
