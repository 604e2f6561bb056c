// SPDX-License-Identifier: Apache-2.0
// A claims file: a paper's figures as TOML, each with the scenario that tests it and the claims
// that its runs must bear out. docs/claims.md has all keys.
//
//   paper = "…"                          [notes]  texts that several figures share
//   [[figure]]                           name, scenario, set, only, quick, plots, notes
//   [[figure.claim]]                     text, and one check or several (checks.hpp)
//   [[left_out]]                         what has no figure, and why
//
// Reading a file checks all that it says by itself; figure_check.hpp compares it with its
// scenarios.
#pragma once

#include <string>
#include <vector>

#include "program/reproduce/figures.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/scenario/schema.hpp"

namespace posse {

/// The keys of a claims file, in the order of docs/claims.md.
const std::vector<SectionSpec>& claims_sections();

/// Reads a parsed file. Mistakes are added to `diagnostics`; the paper may be used only without
/// any.
Paper read_claims(const Value& root, const std::string& file, Diagnostics& diagnostics);
Paper load_claims(const std::string& file, Diagnostics& diagnostics);

/// Whether this looks like a claims file, and not like a scenario.
bool is_claims_file(const Value& root);

}  // namespace posse
