// SPDX-License-Identifier: Apache-2.0
// The rows of the schema of claims files: a row per key.
#include "program/plot/kinds.hpp"
#include "program/reproduce/claims_file.hpp"

namespace posse {
namespace {

SectionSpec top_of_claims() {
  return {.path = "",
          .summary = "the paper",
          .keys = {{.name = "paper",
                    .type = KeyType::text,
                    .meaning = "the paper, as `reproduce` cites it",
                    .otherwise = "none"},
                   {.name = "notes", .type = KeyType::table},
                   {.name = "figure", .type = KeyType::tables},
                   {.name = "left_out", .type = KeyType::tables}}};
}

SectionSpec notes_section() {
  return {.path = "notes",
          .summary = "texts by name, for `notes` of several figures",
          .any_key = true,
          .keys = {}};
}

SectionSpec figure_section() {
  return {.path = "figure",
          .summary = "figures, tables and theorems, each with a scenario that tests its claims",
          .array = true,
          .keys = {{.name = "name",
                    .type = KeyType::text,
                    .meaning = "its name for `posse reproduce`; different for each",
                    .values = "letters, digits, `-`, `_`, `.`; up to 100",
                    .otherwise = "must be given",
                    .required = true},
                   {.name = "like",
                    .type = KeyType::text,
                    .meaning = "keys that are not given, claims included, are copied from this "
                               "figure",
                    .values = "the name of a figure above",
                    .otherwise = "none"},
                   {.name = "number",
                    .type = KeyType::text,
                    .meaning = "its number in the paper",
                    .otherwise = "none"},
                   {.name = "summary",
                    .type = KeyType::text,
                    .meaning = "what it shows, in a line",
                    .otherwise = "none"},
                   {.name = "scenario",
                    .type = KeyType::text,
                    .meaning = "the scenario that is run; with `[sweep]` all its settings",
                    .values = "a path, from the folder of this file",
                    .otherwise = "must be given, here or by `like`"},
                   {.name = "set",
                    .type = KeyType::texts,
                    .meaning = "changes of the scenario, as with `--set`",
                    .values = "a list of `KEY=VALUE`",
                    .otherwise = "none"},
                   {.name = "only",
                    .type = KeyType::texts,
                    .meaning = "the algorithms that are run; not with `[sweep]`",
                    .values = "a list of labels",
                    .otherwise = "all"},
                   {.name = "quick",
                    .type = KeyType::texts,
                    .meaning = "further changes with `--quick`, which always sets `repeat=3`",
                    .values = "a list of `KEY=VALUE`",
                    .otherwise = "none"},
                   {.name = "wrong",
                    .type = KeyType::texts,
                    .meaning = "changes with `--wrong` that the verdicts must notice",
                    .values = "a list of `KEY=VALUE`",
                    .otherwise = "none"},
                   {.name = "unknown",
                    .type = KeyType::text,
                    .meaning = "what of the setting the paper does not state: a claim that does "
                               "not hold has the verdict *setting unknown*, not *not reproduced*",
                    .otherwise = "none"},
                   {.name = "plots",
                    .type = KeyType::texts,
                    .meaning = "plots that are drawn; with `[sweep]` they follow from the claims",
                    .values = "a list of kinds of `posse plot`, or of tables with the keys below",
                    .otherwise = "none"},
                   {.name = "notes",
                    .type = KeyType::texts,
                    .meaning = "what differs between paper and measurement, and why",
                    .values = "a list of texts, or of names in `[notes]`",
                    .otherwise = "none"},
                   {.name = "data", .type = KeyType::table},
                   {.name = "claim", .type = KeyType::tables}}};
}

SectionSpec plots_section() {
  std::vector<std::string_view> kinds;
  for (const auto& kind : plot_kinds()) kinds.push_back(kind.name);
  return {.path = "figure.plots",
          .summary = "a plot, where its kind alone does not say enough",
          .array = true,
          .keys = {{.name = "kind",
                    .type = KeyType::choice,
                    .meaning = "kind of the plot",
                    .values = "a kind of `posse plot`",
                    .otherwise = "must be given",
                    .choices = kinds,
                    .required = true},
                   {.name = "scope",
                    .type = KeyType::choice,
                    .meaning = "regret against the maximum of the mean, or each client's own",
                    .otherwise = "`\"global\"`",
                    .choices = {"global", "local"}},
                   {.name = "algorithm",
                    .type = KeyType::text,
                    .meaning = "label of the algorithm, for plots of arms",
                    .otherwise = "the first"}}};
}

SectionSpec data_section() {
  return {.path = "figure.data",
          .summary = "a file that the scenario needs and that may be missing",
          .keys = {{.name = "file",
                    .type = KeyType::text,
                    .meaning = "its name, beside the scenario",
                    .otherwise = "must be given",
                    .required = true},
                   {.name = "key",
                    .type = KeyType::text,
                    .meaning = "the key of the scenario that names it: users give another path "
                               "with `--set`",
                    .values = "a key, such as `objective.file`",
                    .otherwise = "must be given",
                    .required = true},
                   {.name = "kind",
                    .type = KeyType::text,
                    .meaning = "the component whose description says where the file is from",
                    .values = "a name for `posse describe`",
                    .otherwise = "none"}}};
}

SectionSpec claim_section() {
  return {.path = "figure.claim",
          .summary = "statements of the paper, and what a run must show for each",
          .array = true,
          .keys = {{.name = "text",
                    .type = KeyType::text,
                    .meaning = "the statement, in few words, either true or false",
                    .otherwise = "must be given",
                    .required = true},
                   {.name = "check", .type = KeyType::tables}}};
}

SectionSpec check_section() {
  return {.path = "figure.claim.check",
          .summary = "what the runs are asked; each check has its verdict",
          .array = true,
          .has_parameters = true,
          .keys = {{.name = "kind",
                    .type = KeyType::kind,
                    .meaning = "what is compared",
                    .values = "`posse list checks`",
                    .otherwise = "must be given",
                    .required = true}}};
}

SectionSpec left_out_section() {
  return {.path = "left_out",
          .summary = "what of the paper has no figure here",
          .array = true,
          .keys = {{.name = "what",
                    .type = KeyType::text,
                    .meaning = "its number in the paper",
                    .otherwise = "must be given",
                    .required = true},
                   {.name = "why",
                    .type = KeyType::text,
                    .meaning = "the reason",
                    .otherwise = "must be given",
                    .required = true}}};
}

}  // namespace

const std::vector<SectionSpec>& claims_sections() {
  static const std::vector<SectionSpec> all{top_of_claims(),
                                            notes_section(),
                                            figure_section(),
                                            plots_section(),
                                            data_section(),
                                            claim_section(),
                                            check_section(),
                                            left_out_section()};
  return all;
}

}  // namespace posse
