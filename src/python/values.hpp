// SPDX-License-Identifier: Apache-2.0
// Python objects as values of a scenario, and tables as arrays.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/domain/box.hpp"
#include "program/library/memory_table.hpp"
#include "program/scenario/value.hpp"

namespace posse::python {

/// dict, list, tuple, str, bool, int, float, NumPy's numbers and arrays; paths as text. Throws
/// TypeError, which names the key, for anything else; ValueError for what is nested too deeply, and
/// for texts that UTF-8 can't hold.
Value value_of(pybind11::handle object, const std::string& key = "");

/// A str as UTF-8. Throws ValueError, which begins with `what`, if it has surrogates.
std::string text_of(pybind11::handle text, std::string_view what);
/// An argument that is a str. With surrogates it is a ValueError, not "incompatible arguments".
struct Text : std::string {};
/// An argument that is a path, as str or bytes: the bytes of the file system.
struct PathText : std::filesystem::path {};

/// An object's repr for an error: ASCII, and shortened.
std::string shown(pybind11::handle object);

/// The box of a list of [low, high] per dimension. Throws ValueError.
Box box_of(pybind11::handle domain);
/// The list of [low, high] per dimension of a box.
pybind11::list list_of(const Box& box);

/// A column: an array that shares the table's memory and can't be written to, or a list of texts.
pybind11::object column_of(const std::shared_ptr<const MemoryTable>& table,
                           const std::string& name);

}  // namespace posse::python

namespace pybind11::detail {

template <>
struct type_caster<posse::python::Text> {
  PYBIND11_TYPE_CASTER(posse::python::Text, const_name("str"));
  bool load(handle source, bool) {
    if (PyUnicode_Check(source.ptr()) == 0) return false;
    value.assign(posse::python::text_of(source, "the text"));
    return true;
  }
};

template <>
struct type_caster<posse::python::PathText> {
  PYBIND11_TYPE_CASTER(posse::python::PathText, const_name("str"));
  bool load(handle source, bool) {
    if (PyUnicode_Check(source.ptr()) == 0 && PyBytes_Check(source.ptr()) == 0) return false;
    PyObject* encoded = nullptr;
    if (PyUnicode_FSConverter(source.ptr(), &encoded) == 0) throw error_already_set();
    value.assign(std::string(reinterpret_steal<bytes>(encoded)));
    return true;
  }
};

}  // namespace pybind11::detail
