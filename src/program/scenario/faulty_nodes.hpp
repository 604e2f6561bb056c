// SPDX-License-Identifier: Apache-2.0
// The nodes of faults as text: "client", or "20% of client".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/network/node_selector.hpp"

namespace posse {

/// Nothing if a share is not above 0 and at most 100 %, or nothing is selected.
std::optional<FaultyNodes> parse_faulty_nodes(std::string_view text);

std::string text_of(const FaultyNodes& nodes);
std::vector<std::string> texts_of(const std::vector<FaultyNodes>& nodes);
std::vector<std::vector<std::string>> texts_of(const std::vector<std::vector<FaultyNodes>>& groups);
/// "server | client-1 client-2"
std::string groups_text(const std::vector<std::vector<FaultyNodes>>& groups);

}  // namespace posse
