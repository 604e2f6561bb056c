// SPDX-License-Identifier: Apache-2.0
// All mistakes in a scenario, each with location, given and allowed values, and the nearest name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/scenario/value.hpp"

namespace posse {

struct Diagnostic {
  SourceLocation location;
  std::string key;      // "network.latency.mean"; empty for the whole file
  std::string problem;  // "has no unit"
  std::string given;    // may be empty, as may the next two
  std::string allowed;
  std::string nearest;
};

class Diagnostics {
 public:
  /// Long texts are shortened, and all are printable.
  void add(Diagnostic diagnostic);
  /// What is no mistake, but should be told.
  void note(std::string text) { notes_.push_back(std::move(text)); }
  const std::vector<std::string>& notes() const { return notes_; }
  /// Whether there are no mistakes.
  bool empty() const { return all_.empty(); }
  const std::vector<Diagnostic>& all() const { return all_; }
  /// The diagnostics in the order of the file's lines.
  std::vector<Diagnostic> sorted() const;
  /// The diagnostics in the order of the file's lines, one paragraph each.
  std::string text() const;

 private:
  std::vector<Diagnostic> all_;
  std::vector<std::string> notes_;
};

/// Edits (insert, delete, replace, swap neighbours) from a to b, ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `name` if it is near enough, of ties the first; else the shortest that
/// contains it, if it has four letters or more; else "". None of more than 1000: a file may have as
/// many mistakes as candidates.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);
/// The nearest candidate as a line: "    did you mean 'x'?\n", or "".
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);
/// All candidates in a line, the nearest in the next: "\n    allowed: x, y\n    did you mean 'x'?".
std::string allowed_names(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace posse
