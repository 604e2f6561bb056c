// SPDX-License-Identifier: Apache-2.0
// Claims files, read as `posse check` and `posse reproduce` do before they look at scenarios.
#include <string>

#include "core/base/shown_text.hpp"
#include "program/reproduce/claims_file.hpp"
#include "program/reproduce/reproduce.hpp"
#include "program/scenario/scenario_tree.hpp"
#include "tests/fuzz/targets.hpp"

namespace posse::fuzz {
namespace {

std::string pages_of(const Paper& paper) {
  std::string pages = figures_page({paper});
  for (const auto& figure : paper.figures) {
    pages += figure_page(figure);
    for (const auto& claim : figure.claims)
      require(claim.check.spec != nullptr, "a check has a kind");
  }
  return pages;
}

}  // namespace

void fuzz_claims(std::string_view input) {
  const std::string file = "claims.toml";
  if (input.size() > kLargestScenarioBytes || input.find('\0') != std::string_view::npos) return;
  Diagnostics diagnostics;
  const Value root = parse_toml(input, file, diagnostics);
  if (!diagnostics.empty()) return;
  const Paper paper = read_claims(root, file, diagnostics);
  if (!diagnostics.empty()) {
    for (const auto& mistake : diagnostics.all()) {
      require(!mistake.location.file.empty(), "a mistake has a location");
      require(!mistake.problem.empty(), "a mistake says what is wrong");
    }
    return;
  }
  require(!paper.figures.empty(), "a claims file has a figure");
  const auto pages = pages_of(paper);
  require(printable(pages) == pages, "pages are printable");
  const Value again = parse_toml(toml_text(root), file, diagnostics);
  const Paper second = read_claims(again, file, diagnostics);
  require(diagnostics.empty() && pages_of(second) == pages,
          "a claims file, written again, has the same figures");
}

}  // namespace posse::fuzz
