// SPDX-License-Identifier: Apache-2.0
// Commands with bad input, whole kinds of them, in an order that depends on nothing but the
// program: every key of a scenario with nasty values, and every flag of every verb.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/fuzz/commands/command.hpp"

namespace posse::fuzz {

/// A key, and what it is set to in a scenario that uses it.
struct KeyInput {
  std::string file;        // the scenario
  std::string key;         // "objective(doses).i0"
  std::string assignment;  // for --set
  bool swept = false;
};

/// The keys of every section and of every component with about 40 values each. Writes the
/// scenarios, small ones from those that are shipped, into `folder`.
std::vector<KeyInput> key_inputs(const std::filesystem::path& folder);

/// A command line: a verb, one of its flags with a value, and what it works on.
struct VerbInput {
  std::string flag;  // "run --seed"
  std::vector<std::string> arguments;
};

/// Every verb with every flag on ten shipped scenarios, which it writes into `folder` with a run of
/// each.
std::vector<VerbInput> verb_inputs(const std::filesystem::path& folder);

/// Texts, numbers, tables and lists that are wrong almost everywhere, as TOML.
const std::vector<std::string>& nasty_values();

/// A shipped scenario made so small that its run takes some milliseconds; "" if it can't be read.
std::string small_scenario(const std::filesystem::path& file);

/// What came of inputs.
struct Tally {
  std::size_t tried = 0, accepted = 0, out_of_time = 0;
  std::vector<std::string> findings;  // what, and the command that repeats it

  void add(const Tally& other);
};

/// Checks; what is accepted is also planned and run. Each command in a folder of its own.
void try_key(const KeyInput& input,
             const std::filesystem::path& folder,
             const Limits& limits,
             Tally& tally);
void try_verb(const VerbInput& input,
              const std::filesystem::path& folder,
              const Limits& limits,
              Tally& tally);

}  // namespace posse::fuzz
