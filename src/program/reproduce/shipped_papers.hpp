// SPDX-License-Identifier: Apache-2.0
// The papers whose claims files come with Posse: scenarios/papers/claims, in the order of the
// files' names, which is that of `posse reproduce`.
#pragma once

#include <filesystem>
#include <vector>

#include "program/reproduce/figures.hpp"

namespace posse {

/// Where the shipped scenarios are: POSSE_SCENARIOS if set, else in the data folder
/// (program/base/data_folder.hpp). Throws FileError if there is none.
std::filesystem::path scenarios_folder();

/// Read at the first call. Throws FileError if the files aren't there or have mistakes.
const std::vector<Paper>& shipped_papers();
/// For lists of names: none where shipped_papers() throws.
const std::vector<Paper>& shipped_papers_or_none();

}  // namespace posse
