// SPDX-License-Identifier: Apache-2.0
// What was reproduced of papers, as a page of Markdown: per paper each claim with its verdict, what
// was measured, the figure, the command and the time.
#pragma once

#include <filesystem>
#include <vector>

#include "program/reproduce/reproduce.hpp"

namespace posse {

/// Writes claims.md, and beside it the first plot of every figure, NAME.svg. Throws FileError.
void write_claims_page(const std::vector<Paper>& papers,
                       const std::vector<Reproduction>& reproductions,
                       const std::filesystem::path& folder);

}  // namespace posse
