// SPDX-License-Identifier: Apache-2.0
#include "core/sim/message_types.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/check.hpp"
#include "core/base/hash.hpp"
#include "core/role/outcome.hpp"

namespace posse {

MessageTypes::MessageTypes(const AlgorithmSpec& algorithm) : algorithm_(algorithm) {
  for (const auto* type : algorithm.messages) names_.push_back(type->name);
  names_.push_back(kAcknowledgement);
  for (const auto name : names_) name_hashes_.push_back(hash_name(name));
}

void MessageTypes::fail(const MessageType& type) const {
  throw CheckFailure(fmt::format(
      "{} sent a {}, which its AlgorithmSpec does not list", algorithm_.kind, type.name));
}

std::optional<std::uint16_t> MessageTypes::number_of(std::string_view name) const {
  const auto it = std::find(names_.begin(), names_.end(), name);
  if (it == names_.end()) return std::nullopt;
  return static_cast<std::uint16_t>(it - names_.begin());
}

}  // namespace posse
