// SPDX-License-Identifier: Apache-2.0
#include "program/cli/comparison_output.hpp"

#include <fmt/format.h>

#include <optional>

#include "program/base/output.hpp"
#include "program/base/text.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/compare/study_report.hpp"
#include "program/compare/wanted_width.hpp"
#include "program/results/study_json.hpp"
#include "program/sweep/study_reader.hpp"

namespace posse {

void report_collection(const Collection& collection, const std::filesystem::path& out) {
  if (!collection.missing.empty()) {
    const auto& first = collection.missing.front();
    std::vector<std::string> values;
    for (const auto& value : first.values) values.push_back(datum_text(value));
    print_err("missing: {} of {} runs; the first is repetition {} of {} in setting {}{}{}\n",
              collection.missing.size(),
              collection.planned,
              first.repetition,
              first.algorithm,
              first.setting,
              values.empty() ? "" : ": ",
              fmt::join(values, ", "));
  }
  if (collection.stale > 0)
    print_err(
        "{} not part of this sweep (of another scenario, seed or version, or further "
        "repetitions) and not in the tables; `posse store remove STORE --stale` removes them\n",
        count_text(collection.stale, "stored run is", "stored runs are"));
  print_err("tables: {} and summary.sqlite ({}); wall times: timing.csv\n",
            (out / "summary.csv").string(),
            count_text(collection.rows, "row", "rows"));
}

void print_comparison(const std::vector<std::filesystem::path>& sources,
                      const std::string& measure,
                      const std::string& until_ci,
                      bool json) {
  auto study = read_study(sources);  // before flags that name measures of its algorithms' own
  std::optional<WantedWidth> wanted;
  if (!until_ci.empty()) wanted = parse_width(until_ci);
  const StudyReport report = study_report(std::move(study), measure_of(measure), wanted);
  if (json)
    print_json(study_json(report));
  else
    print_out("{}", to_text(report));
  flush_out();
}

}  // namespace posse
