// SPDX-License-Identifier: Apache-2.0
// The catalogue of all components that a scenario can use. Help, `describe` and validation use it;
// a new component is one line in catalog.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/arm/arm_family.hpp"
#include "core/base/parameters.hpp"
#include "core/network/config.hpp"
#include "core/objective/factories.hpp"
#include "core/random/duration_distribution.hpp"
#include "core/role/protocol.hpp"

namespace posse {

/// What is wrong with parameters that are valid one by one.
struct ParameterConflict {
  std::string parameter;  // "": the whole table
  std::string problem;
  std::string allowed = {};
};
/// Null: there can be no conflict.
using FindConflict = std::optional<ParameterConflict> (*)(const Parameters&);

/// A latency or computing-time distribution.
struct DurationSpec {
  std::string_view kind;
  std::string_view summary;
  std::vector<ParameterSpec> parameters;
  /// Throws InputError if a file is wrong.
  DurationDistribution (*make)(const Parameters&) = nullptr;
  FindConflict find_conflict = nullptr;
};

struct LossSpec {
  std::string_view kind;
  std::string_view summary;
  std::vector<ParameterSpec> parameters;
  LossModel (*make)(const Parameters&) = nullptr;  // null for by-type
  FindConflict find_conflict = nullptr;
};

const std::vector<const AlgorithmSpec*>& algorithms();
/// Adds an algorithm from outside to the end of algorithms(), or puts it in the place of one that
/// was added. It must live as long as the program. Thread-safe; a list that algorithms() returned
/// stays as it is. Throws InputError if it is incomplete, or if its name or that of one of its
/// messages is taken.
void add_algorithm(const AlgorithmSpec& spec, const AlgorithmSpec* instead_of = nullptr);
/// Whether it is none of Posse's own algorithms.
bool is_from_outside(const AlgorithmSpec& spec);
/// The objectives of the core, and those that need processes.
const std::vector<ObjectiveSpec>& objectives();
/// Adds an objective of another kind, before any scenario is read: scenarios point to these.
void add_objective(ObjectiveSpec spec);
const std::vector<DurationSpec>& duration_specs();
const std::vector<LossSpec>& loss_specs();

/// Traces over virtual time; `make_…` throws InputError if the file or the period is wrong.
const std::vector<ParameterSpec>& factor_trace_parameters();
const std::vector<ParameterSpec>& rate_trace_parameters();
std::shared_ptr<const LatencyFactor> make_latency_factor(const Parameters& parameters);
std::shared_ptr<const RateTrace> make_rate_trace(const Parameters& parameters);

const AlgorithmSpec* find_algorithm(std::string_view kind);
/// The names of the messages of algorithms, each once, in their order: that of their colours in
/// pictures. Null pointers are skipped.
std::vector<std::string_view> message_types(std::span<const AlgorithmSpec* const> algorithms);
const ObjectiveSpec* find_objective_spec(std::string_view kind);
const DurationSpec* find_duration_spec(std::string_view kind);
const LossSpec* find_loss_spec(std::string_view kind);

/// An entry of the catalogue in any category, for `list` and `describe`.
struct CatalogEntry {
  std::string_view category;  // "algorithms"
  std::string kind;
  std::string_view summary;
  std::string_view source;
  const std::vector<ParameterSpec>* parameters = nullptr;  // null: none to show
  const AlgorithmSpec* algorithm = nullptr;
};
std::vector<CatalogEntry> catalog();

template <class Specs>
std::vector<std::string> kinds_of(const Specs& specs) {
  std::vector<std::string> kinds;
  for (const auto& spec : specs) {
    if constexpr (std::is_pointer_v<std::decay_t<decltype(spec)>>)
      kinds.emplace_back(spec->kind);
    else
      kinds.emplace_back(spec.kind);
  }
  return kinds;
}

}  // namespace posse
