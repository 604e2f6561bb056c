// SPDX-License-Identifier: Apache-2.0
// Functions of Python as objectives of scenarios: kind "python" with the number of the function.
//
// A function is called with the interpreter lock, by whatever thread of a run needs a value, once
// per point. An exception of it fails the run, with its text.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>

#include "core/objective/factories.hpp"

namespace posse::python {

/// Keeps a function, and returns its number. `batched`: it takes an array of shape (k, dimension)
/// and returns k values, else a list of coordinates and a value. Throws ValueError for a wrong
/// domain or maximum, TypeError for what can't be called.
std::uint64_t add_function(const pybind11::object& function,
                           const pybind11::object& domain,
                           std::optional<double> maximum,
                           bool batched);
/// No further scenario can name it; those that were read keep it.
void remove_function(std::uint64_t number);

ObjectiveSpec python_objective_spec();

}  // namespace posse::python
