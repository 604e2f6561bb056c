// SPDX-License-Identifier: Apache-2.0
// What a hurried reader of a run's numbers would get wrong.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace posse {

// Codes of warnings that others look for.
inline constexpr const char* kTouched = "changed-by-hand";
inline constexpr const char* kAboveMaximum = "above-maximum";
inline constexpr const char* kAssumedMaximum = "assumed-maximum";
inline constexpr const char* kWithoutEffect = "without-effect";  // followed by a number

/// Of one run. `code` names the kind, for programs; `text` is a clause that follows the algorithm's
/// label: "3 decisions were made before …". Of several runs, that with the largest `size` is told.
struct Warning {
  std::string code, text;
  double size = 0;
};

/// The warnings of several runs, by code.
class CountedWarnings {
 public:
  struct Counted {
    Warning largest;
    std::size_t runs = 0;
    bool alike = true;  // all have this text

    void add(const Warning& warning, std::size_t of_runs, bool alike_in_them = true) {
      alike = alike && alike_in_them && warning.text == largest.text;
      runs += of_runs;
      if (warning.size > largest.size) largest = warning;
    }
  };
  void add(const std::vector<Warning>& of_a_run) {
    for (const auto& warning : of_a_run) {
      all_.try_emplace(warning.code, Counted{warning}).first->second.add(warning, 1);
    }
  }
  const std::map<std::string, Counted>& all() const { return all_; }
  bool has(const std::string& code) const { return all_.contains(code); }

 private:
  std::map<std::string, Counted> all_;
};

}  // namespace posse
