// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "program/compare/paper_table.hpp"

namespace posse::test_paper_table {
namespace {

using Catch::Matchers::Contains;

/// Two algorithms' cumulative regrets and payloads in each setting.
StudyReport report(const std::vector<std::string>& settings,
                   const std::vector<std::vector<double>>& regrets,
                   const std::vector<double>& payloads) {
  Study study;
  study.name = "given";
  study.settings = settings;
  study.algorithms = {"a_1", "b"};
  for (std::size_t s = 0; s < settings.size(); ++s)
    for (std::size_t a = 0; a < 2; ++a)
      for (std::size_t r = 0; r < regrets[a].size(); ++r) {
        Finals finals;
        finals["cumulative_regret"] = regrets[a][r];
        finals["payload_bytes"] = payloads[a] * static_cast<double>(1 + s);
        study.add(s, a, {std::to_string(r), true, finals, {}, {}});
      }
  return study_report(study);
}

StudyReport clear() {
  return report({""}, {{10, 11, 12, 13, 14}, {20, 21.5, 22, 23, 24}}, {2500, 7500});
}

PaperTableRequest of(TableFormat format, TableInterval interval = TableInterval::plus_minus) {
  return {format, interval, {}};
}

}  // namespace

TEST_CASE("a table for LaTeX has booktabs' rules, units, intervals, and the best in bold") {
  const auto text = paper_table(clear(), of(TableFormat::latex));
  CHECK_THAT(text,
             Contains("\\begin{tabular}{lrr}\n\\toprule\n"
                      "algorithm & cumulative regret & payload (kB) \\\\\n\\midrule\n"
                      "a\\_1 & $\\mathbf{12.0 \\pm 2.0}$ & $\\mathbf{2.5}$ \\\\\n"
                      "b & $22.1 \\pm 1.9$ & $7.5$ \\\\\n\\bottomrule\n\\end{tabular}\n"));
  CHECK_THAT(text, Contains("% \\usepackage{booktabs}\n"));
  CHECK_THAT(text, Contains("Mean ± half of its 95 % interval over 5 repetitions"));
}

TEST_CASE("nothing is bold that is not shown to be best") {
  const auto text = paper_table(report({""}, {{10, 11, 12}, {10.5, 10.9, 12.4}}, {5, 5}),
                                of(TableFormat::markdown));
  CHECK_THAT(text, !Contains("**"));
  CHECK_THAT(text,
             Contains("| algorithm | cumulative regret | payload (B) |\n| --- | ---: | ---: |\n"));
  CHECK_THAT(text, Contains("| a\\_1 | 11.0 ± 2.5 | 5 |\n"));
}

TEST_CASE("a table can have ranges, or means alone") {
  CHECK_THAT(paper_table(clear(), of(TableFormat::markdown, TableInterval::range)),
             Contains("| a\\_1 | **12.0 (10.0 to 14.0)** |"));
  CHECK_THAT(paper_table(clear(), of(TableFormat::markdown, TableInterval::none)),
             Contains("| a\\_1 | **12.0** |"));
}

TEST_CASE("of several settings one measure has algorithms as columns, in one unit") {
  const auto given = report({"1 ms", "5 % loss"}, {{10, 11}, {20, 21}}, {400, 9000});
  PaperTableRequest request = of(TableFormat::latex);
  request.measures = {*quantity_named("payload_bytes")};
  const auto text = paper_table(given, request);
  CHECK_THAT(text, Contains("setting & a\\_1 (kB) & b (kB) \\\\\n"));
  CHECK_THAT(text,
             Contains("1 ms & $\\mathbf{0.4}$ & $9$ \\\\\n5 \\% loss & $\\mathbf{0.8}$ & $18$"));
  request.measures = {*quantity_named("virtual_s")};
  CHECK_THROWS_WITH(paper_table(given, request), "no finished run has the measure 'virtual_s'");
  const auto all = paper_table(given, of(TableFormat::latex));
  CHECK_THAT(all, Contains("setting & algorithm & cumulative regret & payload (kB)"));
  CHECK_THAT(all, Contains("\\addlinespace\n5 \\% loss & a\\_1 & "));
}

TEST_CASE("CSV has base units and numbers in full") {
  const auto text = paper_table(clear(), of(TableFormat::csv));
  CHECK_THAT(
      text,
      Contains("setting,algorithm,measure,unit,repetitions,mean,half_width_95,low_95,high_95,"
               "shown_best\n"));
  CHECK_THAT(text, Contains("\n,a_1,payload_bytes,bytes,5,2500,0,2500,2500,true\n"));
}

TEST_CASE("a table carries the comparison's warnings") {
  auto given = report({""}, {{10}, {20}}, {5, 5});
  REQUIRE_FALSE(given.warnings.empty());
  CHECK_THAT(paper_table(given, of(TableFormat::latex)),
             Contains("% warning: only 1 repetition") && Contains("% Values over 1 repetition"));
  CHECK_THAT(paper_table(given, of(TableFormat::markdown)),
             Catch::Matchers::StartsWith("> Warning: only 1 repetition"));
  // Unequal work comes first: sums over evaluations can't be compared.
  auto unequal = clear().study;
  for (auto& [at, cell] : unequal.cells)
    for (auto& [repetition, finals] : cell.finished)
      finals["evaluations_per_client"] = at.second == 0 ? 100 : 200;
  CHECK_THAT(paper_table(study_report(unequal), of(TableFormat::markdown)),
             Catch::Matchers::StartsWith("> Warning: Evaluations per client differ"));
  CHECK_THROWS_WITH(paper_table(study_report(Study{}), of(TableFormat::latex)),
                    Contains("there is no table"));
}

}  // namespace posse::test_paper_table
