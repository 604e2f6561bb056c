// SPDX-License-Identifier: Apache-2.0
// What was simulated beside what real processes did.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/run/runner.hpp"

namespace posse {

/// One line of the comparison.
struct Compared {
  std::string quantity;
  std::string unit;                                // "s", "B", "", or "text"
  std::string simulated, measured;                 // for people
  double simulated_value = 0, measured_value = 0;  // both 0 for words
  std::string verdict;
  bool exact = false;  // must be equal
  bool holds = false;  // is equal; a time: within 25 %
};

/// What the processes of a run gave to their sockets.
struct SocketBytes {
  std::uint64_t messages = 0;  // with their envelopes and the framework's headers
  std::uint64_t others = 0;    // reports, and what else the processes say to each other
};

/// `promised`: the order in which messages come decides nothing, and none was lost by chance; only
/// then counts and decisions must be equal.
std::vector<Compared> compare_real(const RunRecord& simulated,
                                   const RunRecord& measured,
                                   const SocketBytes& sockets,
                                   bool promised = true);

struct RunValidation {
  std::string run;  // "fed-pne/0"
  std::vector<Compared> lines;
};

/// A table for each run.
std::string validation_text(const std::vector<RunValidation>& runs);
/// validation.csv
std::string validation_csv(const std::vector<RunValidation>& runs);

}  // namespace posse
