// SPDX-License-Identifier: Apache-2.0
// Reads what all rules have: for which algorithms a rule is, and names that only some of them have.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "program/scenario/scenario.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {

/// What of [[algorithm]] was read without mistakes.
struct KnownAlgorithms {
  bool kinds = true;   // of all
  bool labels = true;  // of all
};

/// What keys are read into and checked against. The algorithms must have been read before rules.
struct ReadContext {
  Scenario& scenario;
  const KnownAlgorithms& known;
  Diagnostics& diagnostics;
};

/// The scope of the rule that `reader` reads, without its names. The algorithms must have been
/// read. After a mistake in `algorithm` it is for none.
RuleScope read_scope(TableReader& reader, const Scenario& scenario, const KnownAlgorithms& known);

/// Keeps the name at `key` of the rule for the check whether algorithms have it.
void keep_name(TableReader& reader,
               std::string_view key,
               NameInRule::Of of,
               std::string name,
               RuleScope& scope);
/// A selector at `key`, if there is one; kept.
std::optional<std::string> read_nodes_of_rule(TableReader& reader,
                                              std::string_view key,
                                              RuleScope& scope);

}  // namespace posse
