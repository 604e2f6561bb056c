// SPDX-License-Identifier: Apache-2.0
// How a study's cells are divided into the panels of a picture.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "program/compare/study.hpp"

namespace posse {

/// What stands for a key where panels are of algorithms.
inline constexpr const char* kAlgorithms = "algorithm";

/// (setting, algorithm)
using Cells = std::set<std::pair<std::size_t, std::size_t>>;

/// What panels differ in: the values of a key with their cells, in the order of an axis.
struct Division {
  std::vector<std::string> names;        // "5 % loss", "fed-pne"
  std::vector<Cells> cells;              // of each
  std::vector<std::string> common_keys;  // that each has one value of
};

/// `by`: "algorithm", or a key, perhaps its end only. Throws std::invalid_argument for a key in
/// which the settings don't differ.
Division divide(const Study& study, const std::string& by);

/// What panels may differ in beside a chart's x axis: keys, one of each dimension, and "algorithm".
std::vector<std::string> divisors(const Study& study, const std::string& x);

/// The algorithms that "a,b" or "fed-*" chooses, all for "". Throws std::invalid_argument for one
/// that isn't there.
std::set<std::size_t> chosen_algorithms(const Study& study, const std::string& choice);

Cells all_cells(const Study& study);

}  // namespace posse
