// SPDX-License-Identifier: Apache-2.0
// What verbs print of many runs: tables that were written, and comparisons.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "program/sweep/collect.hpp"

namespace posse {

/// On standard error: the tables in `out`, and runs that they miss.
void report_collection(const Collection& collection, const std::filesystem::path& out);
/// The comparison of run folders and stores; `until_ci` may be empty. Throws std::invalid_argument
/// for a measure or a width that there isn't.
void print_comparison(const std::vector<std::filesystem::path>& sources,
                      const std::string& measure,
                      const std::string& until_ci,
                      bool json);

}  // namespace posse
