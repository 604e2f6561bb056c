// SPDX-License-Identifier: Apache-2.0
// Small finished runs, made when they are first needed: their formats are always today's.
#pragma once

#include <map>
#include <string>

#include "program/scenario/scenario.hpp"

namespace posse::fuzz {

/// Two algorithms, two clients, six evaluations each.
Scenario sample_scenario();

/// The files of a run folder by name: that of sample_scenario(), with all traces. Compressed files
/// are unpacked; zlib reads both.
const std::map<std::string, std::string>& sample_run();

/// The files of a store that was collected: a sweep over two settings. The folder of its run number
/// i, by key, is called run-i.
const std::map<std::string, std::string>& sample_store();
/// The name of a file of sample_store() in the store: runs/3f/3f09…/results.json.
std::string name_in_store(const std::string& name);

}  // namespace posse::fuzz
