// SPDX-License-Identifier: Apache-2.0
#include "python/messages.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <type_traits>

#include "python/values.hpp"

namespace posse::python {
namespace py = pybind11;
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

DynamicValue empty_of(const std::string& code, const std::string& name) {
  static const std::map<std::string, DynamicValue> all{{"f64", double{}},
                                                       {"f32", float{}},
                                                       {"u64", std::uint64_t{}},
                                                       {"u32", std::uint32_t{}},
                                                       {"u16", std::uint16_t{}},
                                                       {"u8", std::uint8_t{}},
                                                       {"f64[]", std::vector<double>{}},
                                                       {"f32[]", std::vector<float>{}},
                                                       {"u64[]", std::vector<std::uint64_t>{}},
                                                       {"u32[]", std::vector<std::uint32_t>{}},
                                                       {"u16[]", std::vector<std::uint16_t>{}},
                                                       {"u8[]", std::vector<std::uint8_t>{}}};
  const auto found = all.find(code);
  if (found == all.end())
    throw py::value_error(fmt::format("'{}' has the unknown type '{}'", name, code));
  return found->second;
}

/// `where`: "Found.mean".
template <class T>
T number_of(py::handle value, const std::string& where) {
  const auto said = [&] { return shown(value); };
  if constexpr (std::is_floating_point_v<T>) {
    const double x = PyFloat_AsDouble(value.ptr());
    if (x == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw py::type_error(fmt::format("{} is {}, not a number", where, said()));
    }
    const auto rounded = static_cast<T>(x);
    if (std::isinf(rounded) && !std::isinf(x))
      throw py::value_error(fmt::format("{} is {}, too large for its type", where, said()));
    return rounded;
  } else {
    const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!whole) {
      PyErr_Clear();
      throw py::type_error(fmt::format("{} is {}, not a whole number", where, said()));
    }
    const auto x = PyLong_AsUnsignedLongLong(whole.ptr());
    const bool wrong = PyErr_Occurred() != nullptr;
    PyErr_Clear();
    if (wrong || x > std::numeric_limits<T>::max())
      throw py::value_error(fmt::format(
          "{} is {}; its type holds 0 to {}", where, said(), std::numeric_limits<T>::max()));
    return static_cast<T>(x);
  }
}

template <class T>
std::vector<T> numbers_of(py::handle value, const std::string& where) {
  std::vector<T> numbers;
  if constexpr (std::is_floating_point_v<T>) {
    if (py::isinstance<py::array_t<T, py::array::c_style>>(value)) {  // of this type already
      const auto array = py::cast<py::array_t<T, py::array::c_style>>(value);
      if (array.ndim() == 1) return {array.data(), array.data() + array.size()};
    }
  }
  // Neither a set, which has no order, nor a dict.
  if (PySequence_Check(value.ptr()) == 0 || py::isinstance<py::str>(value))
    throw py::type_error(fmt::format("{} is {}, not a list", where, shown(value)));
  for (const auto item : py::reinterpret_borrow<py::iterable>(value))
    numbers.push_back(number_of<T>(item, where));
  return numbers;
}

DynamicValue field_of(const DynamicValue& empty, py::handle value, const std::string& where) {
  return std::visit(
      [&]<class T>(const T&) -> DynamicValue {
        if constexpr (std::is_arithmetic_v<T>)
          return number_of<T>(value, where);
        else
          return numbers_of<typename T::value_type>(value, where);
      },
      empty);
}

py::object object_of(const DynamicValue& value) {
  return std::visit(
      []<class T>(const T& x) -> py::object {
        if constexpr (std::is_arithmetic_v<T>) {
          return py::cast(x);
        } else {
          py::list list(x.size());
          for (std::size_t i = 0; i < x.size(); ++i) list[i] = py::cast(x[i]);
          return list;
        }
      },
      value);
}

}  // namespace

const DynamicMessageType& message_type(const std::string& name, const Fields& fields) {
  // For good: scenarios and algorithms point to them. Guarded by the interpreter lock.
  static auto* const all =
      new std::map<std::pair<std::string, Fields>, std::unique_ptr<DynamicMessageType>>;
  auto& type = (*all)[{name, fields}];
  if (type != nullptr) return *type;
  std::vector<DynamicField> known;
  for (const auto& [field, code] : fields)
    known.push_back({field, empty_of(code, fmt::format("{}.{}", name, field))});
  type = std::make_unique<DynamicMessageType>(name, std::move(known));
  return *type;
}

std::vector<const MessageType*> MessageClasses::types() const {
  std::vector<const MessageType*> types;
  for (const auto& [type, message_class] : all_) types.push_back(type);
  return types;
}

const DynamicMessageType* MessageClasses::type_of(py::handle message_class) const {
  for (const auto& [type, known] : all_)
    if (known.is(message_class)) return type;
  return nullptr;
}

std::string MessageClasses::unlisted(py::handle message) const {
  auto text = fmt::format("{} is sent, which is no message that the algorithm lists in `messages`",
                          shown(message));
  const auto name = py::cast<std::string>(py::type::handle_of(message).attr("__name__"));
  for (const auto& [type, known] : all_)
    if (type->name == name) return text + ": that one is another class of this name";
  return text;
}

Payload MessageClasses::payload_of(py::handle message) const {
  const auto* type = type_of(py::type::handle_of(message));
  if (type == nullptr) throw py::type_error(unlisted(message));
  DynamicMessage content;
  for (const auto& field : type->fields())
    content.fields.push_back(field_of(field.empty,
                                      message.attr(field.name.c_str()),
                                      fmt::format("{}.{}", type->name, field.name)));
  return type->make(std::move(content));
}

py::object MessageClasses::message_of(const Payload& payload) const {
  for (const auto& [type, message_class] : all_) {
    const DynamicMessage* content = type->content(payload);
    if (content == nullptr) continue;
    // As it was sent: without its constructor, which might change it.
    py::object message = message_class.attr("__new__")(message_class);
    for (std::size_t i = 0; i < content->fields.size(); ++i)
      if (PyObject_GenericSetAttr(message.ptr(),
                                  py::str(type->fields()[i].name).ptr(),
                                  object_of(content->fields[i]).ptr()) != 0)
        throw py::error_already_set();
    return message;
  }
  return py::none();
}

}  // namespace posse::python
