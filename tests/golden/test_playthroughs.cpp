// SPDX-License-Identifier: Apache-2.0
// A readable record of one small run per algorithm: tests/golden/algorithms/<kind>.txt.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "core/base/hash.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/scenario.hpp"
#include "tests/golden/files.hpp"
#include "tests/support/playthrough.hpp"

namespace posse::test_playthroughs {
namespace {

constexpr std::size_t kFirst = 160, kLast = 40;  // lines of a long record

std::string record_of(const std::filesystem::path& file) {
  Diagnostics diagnostics;
  const auto scenario = load_scenario(file.string(), {}, diagnostics);
  INFO(file << ": " << diagnostics.text());
  REQUIRE(diagnostics.empty());
  REQUIRE(scenario.algorithms.size() == 1);
  const auto& entry = scenario.algorithms.front();
  CHECK(entry.spec->kind == file.stem().string());
  const auto workload = make_workload(scenario, entry, 0);
  const auto protocol = make_protocol(scenario, entry, workload, 0);
  const auto [lines, result] =
      test::playthrough(make_simulation(scenario, entry, workload, *protocol, 0));
  const auto& out = result.outcome;
  CHECK(out.status == RunStatus::finished);

  std::string text = "# " + std::string(entry.spec->kind) + "\n";
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    hash = hash_combine(hash, hash_name(lines[i]));
    const bool shown = lines.size() <= kFirst + kLast || i < kFirst || i + kLast >= lines.size();
    if (shown) text += lines[i] + "\n";
    if (i + 1 == kFirst && lines.size() > kFirst + kLast)
      text += fmt::format("  … {} more lines …\n", lines.size() - kFirst - kLast);
  }
  text += fmt::format("{} lines, hash {:016x}\n", lines.size(), hash);
  text += fmt::format("rounds {}, evaluations {}, messages {}, payload {} bytes\n",
                      out.complete_rounds,
                      out.regret.evaluations,
                      out.total(&TypeAccount::sent),
                      out.total(&TypeAccount::bytes));
  if (out.regret.evaluations > 0)
    text += fmt::format("cumulative regret {}\n", out.regret.cumulative);
  if (!out.regret.recommendation.empty())
    text += fmt::format("answer: {}\n", fmt::join(out.regret.recommendation, " "));
  for (std::size_t c = 0; c < out.regret.local_recommendations.size(); ++c)
    text += fmt::format(
        "answer for client {}: {}\n", c, fmt::join(out.regret.local_recommendations[c], " "));
  if (out.arms.answer) text += fmt::format("answer: arm {}\n", *out.arms.answer);
  return text;
}

}  // namespace

TEST_CASE("every algorithm of the catalogue has a playthrough") {
  for (const auto* spec : algorithms()) {
    INFO(spec->kind);
    CHECK(std::filesystem::exists(test::golden_folder() / "algorithms" /
                                  (std::string(spec->kind) + ".toml")));
  }
}

TEST_CASE("playthroughs happen as they are written down") {
  for (const auto& file : test::golden_scenarios("algorithms")) {
    auto golden = file;
    golden.replace_extension(".txt");
    const auto record = record_of(file);
    if (test::rewriting_golden()) {
      test::write_golden("algorithms" / golden.filename(), record);
      continue;
    }
    INFO(golden << ": if the change is wanted, run tools/golden and commit what it writes");
    CHECK(record == test::golden_text(golden));
  }
}

}  // namespace posse::test_playthroughs
