// SPDX-License-Identifier: Apache-2.0
// What was checked, what could not be, and what is wrong.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace message_log {

struct Violation {
  std::string run;
  std::size_t row = 0;  // of messages.csv.gz; 0: of the run as a whole
  std::string rule, what;
};

struct Report {
  std::uint64_t logs = 0, runs = 0, rows = 0;
  std::map<std::string, std::uint64_t> checked;                          // by rule
  std::map<std::pair<std::string, std::string>, std::uint64_t> skipped;  // by rule and reason
  std::vector<Violation> violations;
};

}  // namespace message_log
