// SPDX-License-Identifier: Apache-2.0
// Python objects as values of a scenario, and tables as arrays.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "core/domain/box.hpp"
#include "program/library/table.hpp"
#include "program/scenario/value.hpp"

namespace posse::python {

/// dict, list, tuple, str, bool, int, float, NumPy's numbers and arrays; paths as text. Throws
/// TypeError, which names the key, for anything else.
Value value_of(pybind11::handle object, const std::string& key = "");

/// A list of [low, high] per dimension. Throws ValueError.
Box box_of(pybind11::handle domain);
/// The same back.
pybind11::list list_of(const Box& box);

/// A column: an array that shares the table's memory and can't be written to, or a list of texts.
pybind11::object column_of(const std::shared_ptr<const DataTable>& table, const std::string& name);

}  // namespace posse::python
