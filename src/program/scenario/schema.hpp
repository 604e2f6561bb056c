// SPDX-License-Identifier: Apache-2.0
// The keys of a scenario as data: every section that is not a component's, with type, range and
// default of each key. The readers take ranges and choices from here and refuse to read a key that
// isn't here; docs/scenario.md, `describe` and `posse schema` show it. Parameters of components are
// in the catalogue.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace posse {

enum class KeyType {
  text,
  choice,  // one of `choices`
  boolean,
  whole,  // a whole number
  choice_or_whole,
  number,
  duration,
  choice_or_duration,
  size,
  selector,       // of nodes
  selectors,      // a list of selectors and shares; [[fault]] kind = "storm": one selector
  groups,         // a list of such lists
  labels,         // of algorithms: one, or a list
  answers,        // a whole number, or a share such as "80%"
  kind,           // of the section's components, whose parameters stand beside it
  distribution,   // a duration, or a table of a distribution
  loss,           // a probability, or a table of a loss model
  factor,         // a table of a trace
  rate_or_trace,  // a rate, or a table of a trace
  heterogeneity,  // a table of a component, as the next
  noise,
  amount,  // a number, or a text with a unit
  texts,   // a list of strings
  lists,   // lists of strings
  table,   // a section of its own
  tables,  // a list of such
};

struct KeySpec;

/// Where a key's value goes, and what is written of it (fields.hpp).
struct Field {
  std::vector<std::string_view> choices;  // names of its values, for KeySpec::choices

  virtual ~Field() = default;
  /// The default as TOML; "" if there is none.
  virtual std::string default_toml(const KeySpec& key) const = 0;
};

/// Texts are Markdown.
struct KeySpec {
  std::string_view name;
  KeyType type = KeyType::text;
  std::string_view meaning = "";  // empty: a section of its own says it
  std::string_view values = "";   // empty: follows from the rest
  std::string_view note = "";     // what follows the values
  std::string otherwise = {};     // when it must be given, or the default, if not the field's
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool min_open = false;  // as in ParameterSpec
  bool max_open = false;
  std::vector<std::string_view> choices = {};
  bool required = false;                         // wherever the section stands
  std::shared_ptr<const Field> field = nullptr;  // null: the section's reader does it all

  /// Whether it says where a rule takes effect; else it is a property that the rule sets.
  bool selects() const { return type == KeyType::selector || type == KeyType::labels; }
};

struct SectionSpec {
  std::string_view path;  // "network.link"; "" for the top of the file; "sweep.*" for ranges
  std::string_view summary;
  bool array = false;           // [[…]]
  bool has_parameters = false;  // of the component that `kind` names
  bool any_key = false;         // beside those below
  std::vector<KeySpec> keys;

  const KeySpec* key(std::string_view name) const;
};

/// In the order of docs/scenario.md. Choices and defaults of fields are filled in.
const std::vector<SectionSpec>& scenario_sections();

/// The full key that a last part may mean, "population.clients" for "clients"; or "".
std::string full_key(std::string_view part);
/// The section of a table with this key path, such as "network.link.0"; null if it has none.
const SectionSpec* find_section(std::string_view path);
/// One of these sections.
const SectionSpec* find_section(std::string_view path, const std::vector<SectionSpec>& sections);

/// The allowed values of a key of the section, in Markdown.
std::string values_text(const SectionSpec& section, const KeySpec& key);

}  // namespace posse
