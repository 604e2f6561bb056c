// SPDX-License-Identifier: Apache-2.0
// The message types of a run, by number: those of the algorithm, then the acknowledgement.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/role/message.hpp"
#include "core/role/protocol.hpp"

namespace posse {

class MessageTypes {
 public:
  explicit MessageTypes(const AlgorithmSpec& algorithm);

  std::size_t size() const { return names_.size(); }
  const std::vector<std::string_view>& names() const { return names_; }
  std::string_view name(std::uint16_t number) const { return names_[number]; }
  std::uint64_t name_hash(std::uint16_t number) const { return name_hashes_[number]; }
  std::uint16_t acknowledgement() const { return static_cast<std::uint16_t>(size() - 1); }
  /// Throws CheckFailure if the algorithm does not list this type.
  std::uint16_t number_of(const MessageType& type) const {
    // Looks at all of them: where to stop would be hard to predict.
    const auto& types = algorithm_.messages;
    std::size_t number = types.size();
    for (std::size_t i = 0; i < types.size(); ++i) number = types[i] == &type ? i : number;
    if (number == types.size()) [[unlikely]]
      fail(type);
    return static_cast<std::uint16_t>(number);
  }
  /// Of this name; nothing if there is none.
  std::optional<std::uint16_t> number_of(std::string_view name) const;
  /// Not of the acknowledgement, which has no content.
  const MessageType& type(std::uint16_t number) const { return *algorithm_.messages[number]; }

 private:
  [[noreturn]] void fail(const MessageType& type) const;
  const AlgorithmSpec& algorithm_;
  std::vector<std::string_view> names_;
  std::vector<std::uint64_t> name_hashes_;
};

}  // namespace posse
