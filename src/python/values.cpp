// SPDX-License-Identifier: Apache-2.0
#include "python/values.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cmath>
#include <limits>

#include "core/base/shown_text.hpp"

namespace posse::python {
namespace py = pybind11;
namespace {

Value value_at(py::handle object, const std::string& key, std::size_t depth);

Value table_of(const py::dict& dict, const std::string& key, std::size_t depth) {
  Table table;
  for (const auto& [name, value] : dict) {
    if (!py::isinstance<py::str>(name))
      throw py::type_error(fmt::format("a key of '{}' is not a string", shortened(key)));
    const auto text = text_of(name, fmt::format("a key of '{}'", shortened(key)));
    // None: as if the key were absent.
    if (!value.is_none())
      table.emplace(text, value_at(value, key.empty() ? text : key + "." + text, depth + 1));
  }
  return {{"scenario", 0}, std::move(table)};
}

template <class Sequence>
Value array_of(const Sequence& sequence, const std::string& key, std::size_t depth) {
  Array array;
  for (const auto& element : sequence) array.push_back(value_at(element, key, depth + 1));
  return {{"scenario", 0}, std::move(array)};
}

Value whole_of(py::handle object, const std::string& key) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow != 0) throw py::value_error(fmt::format("'{}' is beyond 64 bits", shortened(key)));
  if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return {{"scenario", 0}, static_cast<std::int64_t>(number)};
}

Value value_at(py::handle object, const std::string& key, std::size_t depth) {
  // Lists may contain themselves.
  if (depth > kMostLevels)
    throw py::value_error(
        fmt::format("'{}' is nested deeper than {} levels", shortened(key), kMostLevels));
  if (py::isinstance<py::bool_>(object)) return {{"scenario", 0}, py::cast<bool>(object)};
  if (py::isinstance<py::str>(object))
    return {{"scenario", 0}, text_of(object, fmt::format("'{}'", shortened(key)))};
  if (py::isinstance<py::int_>(object)) return whole_of(object, key);
  if (py::isinstance<py::float_>(object)) return {{"scenario", 0}, py::cast<double>(object)};
  if (py::isinstance<py::dict>(object))
    return table_of(py::reinterpret_borrow<py::dict>(object), key, depth);
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object))
    return array_of(py::reinterpret_borrow<py::sequence>(object), key, depth);
  // NumPy's numbers and arrays.
  for (const char* method : {"tolist", "__fspath__"})
    if (py::hasattr(object, method)) return value_at(object.attr(method)(), key, depth + 1);
  throw py::type_error(fmt::format("'{}' has a value of type {}, which a scenario can't have",
                                   shortened(key),
                                   shown(py::type::of(object))));
}

}  // namespace

std::string text_of(py::handle text, std::string_view what) {
  py::ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes != nullptr) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  throw py::value_error(fmt::format(
      "{} has a character that is half of another one (a surrogate): {}", what, shown(text)));
}

std::string shown(py::handle object) {
  // Escaped, since texts may have characters that UTF-8 has not.
  const auto text = py::reinterpret_steal<py::object>(PyObject_ASCII(object.ptr()));
  if (!text) throw py::error_already_set();
  return shortened(py::cast<std::string>(text));
}

Value value_of(py::handle object, const std::string& key) { return value_at(object, key, 0); }

Box box_of(py::handle domain) {
  Box box;
  const auto wrong = [] {
    return py::value_error("the domain is a list of [low, high], one for each dimension");
  };
  if (!py::isinstance<py::sequence>(domain) && !py::hasattr(domain, "tolist")) throw wrong();
  try {
    for (const auto& interval : py::reinterpret_borrow<py::object>(domain)) {
      const auto bounds =
          py::cast<std::vector<double>>(py::list(py::reinterpret_borrow<py::object>(interval)));
      if (bounds.size() != 2) throw wrong();
      box.low.push_back(bounds[0]);
      box.high.push_back(bounds[1]);
    }
  } catch (const py::cast_error&) {
    throw wrong();
  } catch (const py::error_already_set&) {  // no sequence
    throw wrong();
  }
  if (box.low.empty()) throw wrong();
  return box;
}

py::list list_of(const Box& box) {
  py::list domain;
  for (std::size_t j = 0; j < box.dimension(); ++j) {
    py::list interval;
    interval.append(box.low[j]);
    interval.append(box.high[j]);
    domain.append(interval);
  }
  return domain;
}

py::object column_of(const std::shared_ptr<const MemoryTable>& table, const std::string& name) {
  const auto* column = table->find(name);
  if (column == nullptr) throw py::key_error(name);
  if (const auto* texts = std::get_if<MemoryTable::Texts>(&column->cells)) return py::cast(*texts);
  const auto& reals = std::get<MemoryTable::Reals>(column->cells);
  using Owner = std::shared_ptr<const MemoryTable>;
  const py::capsule owner(new Owner(table), [](void* held) { delete static_cast<Owner*>(held); });
  py::array_t<double> array(static_cast<py::ssize_t>(reals.size()), reals.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

}  // namespace posse::python
