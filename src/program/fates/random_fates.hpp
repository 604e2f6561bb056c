// SPDX-License-Identifier: Apache-2.0
// A scenario's own algorithms in random faulty networks, each run checked against the properties of
// every run, and a small counterexample of what is violated.
//
// Algorithm, population, objective or arms, budget and a server policy that the scenario states
// stay. Network, computing times, faults, limits and the seed are drawn, and the server policy
// where the scenario states none. Streams: `chaos/network`, seeded with the number of the network,
// and those of the environment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "program/fates/random_trials.hpp"

namespace posse {

struct RandomFateOptions {
  std::uint64_t first = 0;  // seed of the first network; others follow
  std::uint64_t networks = 100;
  std::size_t jobs = 1;
  std::string_view property;     // only this one; empty: all
  std::filesystem::path folder;  // of counterexamples; without any it is removed if it is empty
};

struct Counterexample {
  std::string algorithm, property;
  std::string what;            // how the smallest scenario violates the property
  std::uint64_t seed = 0;      // the first network in which it is violated
  std::uint64_t networks = 0;  // in how many it is
  std::filesystem::path file;
};

struct ExemptAlgorithm {
  std::string algorithm;
  UncheckedProperty property;
};

struct RandomFateReport {
  std::size_t algorithms = 0;
  std::uint64_t runs = 0;  // an algorithm in a network
  double seconds = 0;
  std::map<std::string, std::uint64_t> features;  // runs that have each, absent ones with 0
  std::vector<Counterexample> counterexamples;    // for each algorithm and violated property
  std::vector<ExemptAlgorithm> unchecked;
};

/// `text` must be a valid scenario.
RandomFateReport random_fates(const std::string& text,
                              const RandomFateOptions& options,
                              TrialsProgress& progress);

}  // namespace posse
