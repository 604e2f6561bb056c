// SPDX-License-Identifier: Apache-2.0
// Messages of algorithms in Python: dataclasses whose fields are numbers or lists of them.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>
#include <vector>

#include "core/role/dynamic_message.hpp"

namespace posse::python {

/// The type with this name and these fields, each with its code: "f64", "f32", "u64", "u32", "u16"
/// or "u8", followed by "[]" for a list. Equal names and fields give one object, so that algorithms
/// share it and a class may be defined again. Throws ValueError.
const DynamicMessageType& message_type(
    const std::string& name, const std::vector<std::pair<std::string, std::string>>& fields);

/// The messages of one algorithm: types with their classes.
class MessageClasses {
 public:
  /// Pairs of a type and a class.
  explicit MessageClasses(std::vector<std::pair<const DynamicMessageType*, pybind11::object>> all)
      : all_(std::move(all)) {}

  std::vector<const MessageType*> types() const;
  /// The type of a class; null if it isn't one of these.
  const DynamicMessageType* type_of(pybind11::handle message_class) const;
  /// Throws TypeError or ValueError if it isn't a message of one of these classes, or a field has
  /// the wrong type.
  Payload payload_of(pybind11::handle message) const;
  /// An object of the class; None if the payload has another type.
  pybind11::object message_of(const Payload& payload) const;

 private:
  std::string unlisted(pybind11::handle message) const;

  std::vector<std::pair<const DynamicMessageType*, pybind11::object>> all_;
};

}  // namespace posse::python
