// SPDX-License-Identifier: Apache-2.0
// Messages whose fields are known only while the program runs, such as those of an algorithm in
// Python. They are encoded, hashed and accounted like structs with the same fields (message.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/role/message.hpp"

namespace posse {

/// A field: a number of 8, 4, 2 or 1 bytes, or a list of them.
using DynamicValue = std::variant<double,
                                  float,
                                  std::uint64_t,
                                  std::uint32_t,
                                  std::uint16_t,
                                  std::uint8_t,
                                  std::vector<double>,
                                  std::vector<float>,
                                  std::vector<std::uint64_t>,
                                  std::vector<std::uint32_t>,
                                  std::vector<std::uint16_t>,
                                  std::vector<std::uint8_t>>;

struct DynamicMessage {
  std::vector<DynamicValue> fields;

  /// All of its numbers.
  std::uint64_t values() const;
  template <class Visitor>
  void visit_fields(Visitor& visitor) {
    for (auto& field : fields) std::visit([&](auto& value) { visitor(value); }, field);
  }
  template <class Visitor>
  void visit_fields(Visitor& visitor) const {
    for (const auto& field : fields) std::visit([&](const auto& value) { visitor(value); }, field);
  }
};

struct DynamicField {
  std::string name;
  DynamicValue empty;  // of the field's type
};

/// The type's address is the type: it lives as long as its messages and the algorithms that list
/// it.
class DynamicMessageType : public MessageType {
 public:
  DynamicMessageType(std::string type_name, std::vector<DynamicField> fields);
  DynamicMessageType(const DynamicMessageType&) = delete;
  DynamicMessageType& operator=(const DynamicMessageType&) = delete;

  const std::vector<DynamicField>& fields() const { return fields_; }
  /// `message` has a value of the right type for each field. Throws CheckFailure.
  Payload make(DynamicMessage message) const;
  /// The fields of a message of this type; null if it has another type or no content.
  const DynamicMessage* content(const Payload& payload) const {
    return payload.get_as<DynamicMessage>(*this);
  }

 private:
  std::string name_;
  std::vector<DynamicField> fields_;
  std::string field_names_;  // as in POSSE_FIELDS

  static const DynamicMessageType& of(const MessageType& type) {
    return static_cast<const DynamicMessageType&>(type);
  }
  static const DynamicMessage& content_of(const Payload& payload);
};

}  // namespace posse
