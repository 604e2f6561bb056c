// SPDX-License-Identifier: Apache-2.0
// One run of a scenario on its own, and the key under which a store holds it.
#pragma once

#include <cstdint>
#include <string>

#include "program/scenario/scenario.hpp"

namespace posse {

/// The scenario reduced to what one run uses: its algorithm, what affects it (with_algorithms.hpp),
/// and one repetition.
Scenario single_run(const Scenario& scenario,
                    const AlgorithmEntry& entry,
                    std::uint32_t repetition);

/// Keys of an algorithm's runs: 32 hexadecimal digits, a hash of everything that affects a run.
/// That is the resolved scenario of single_run() with the contents of its files, the seed, the
/// repetition and kResultsVersion; not its name, labels, thresholds, other algorithms, the number
/// of repetitions, or the limit of wall time. A program named by the scenario counts with its
/// command only.
class RunKeys {
 public:
  RunKeys(const Scenario& scenario, const AlgorithmEntry& entry);
  std::string of(std::uint32_t repetition) const;

 private:
  const Scenario& scenario_;
  const AlgorithmEntry& entry_;
  std::string shared_;  // the text to hash; empty if it depends on the repetition
};

/// What decides the problem or the arms of a run, as text: runs with equal texts, clients and
/// repetition have equal problems or arms.
std::string workload_text(const Scenario& scenario, const AlgorithmEntry& entry);

}  // namespace posse
