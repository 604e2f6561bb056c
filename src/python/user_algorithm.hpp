// SPDX-License-Identifier: Apache-2.0
// Distributed algorithms in Python: message types, nodes as Python sees them, and the protocol of
// an algorithm whose roles are Python objects.
//
// A role is called with the interpreter lock, by whatever thread runs its node. What it raises
// fails the run, with its text.
#pragma once

#include <pybind11/pybind11.h>

#include "program/sweep/sweep_plan.hpp"

namespace posse::python {

/// The classes MessageType, Node and ServerNode, and add_algorithm().
void bind_algorithms(pybind11::module_& m);

/// Whether a sweep runs something of Python: an algorithm, or an objective.
bool made_in_python(const SweepPlan& plan);

}  // namespace posse::python
