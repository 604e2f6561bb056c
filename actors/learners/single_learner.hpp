// SPDX-License-Identifier: Apache-2.0
// Single learners as algorithms: one learner at a server, for all clients, or one at every client.
//
// A kind of learner is a class derived from LearnerKind, constructed from Parameters and
// ProtocolContext, with the static members `kName`, `parameters()` and `validate(parameters,
// context)` (as in AlgorithmSpec, but the messages do not start with the name). `single_learner`
// makes an AlgorithmSpec of it with a parameter `placement`, `single_learner_placed` for one
// placement.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "actors/learners/learner_kind.hpp"
#include "core/role/protocol.hpp"

namespace posse {

/// central: one learner at the server, which learns from the mean of all clients' rewards. local:
/// one learner at every client, no messages.
enum class Placement { central, local };
constexpr std::string_view to_string(Placement placement) {
  return placement == Placement::central ? "central" : "local";
}

/// The parameter that says which.
inline constexpr std::string_view kPlacement = "placement";

struct LearnerDescription {
  std::string_view kind;
  std::string_view summary;
  std::string_view source;
};

namespace detail {

ParameterSpec placement_parameter();
Placement placement_of(const Parameters& parameters);
std::vector<const MessageType*> learner_messages(Placement placement);
std::unique_ptr<Protocol> host(std::unique_ptr<const LearnerKind> kind,
                               Placement placement,
                               const ProtocolContext& context);
std::vector<std::string> validate_host(Placement placement, const ProtocolContext& context);

template <class Kind>
std::vector<std::string> validate_learner(const Parameters& parameters,
                                          const ProtocolContext& context,
                                          Placement placement) {
  if (context.problem == nullptr) return {};
  auto problems = validate_host(placement, context);
  for (auto& problem : Kind::validate(parameters, context)) problems.push_back(std::move(problem));
  for (auto& problem : problems) problem = fmt::format("{}: {}", Kind::kName, problem);
  return problems;
}

inline AlgorithmSpec described(const LearnerDescription& description,
                               std::vector<ParameterSpec> parameters,
                               Placement placement) {
  AlgorithmSpec spec;
  spec.kind = description.kind;
  spec.summary = description.summary;
  spec.source = description.source;
  spec.parameters = std::move(parameters);
  spec.topology = placement == Placement::central ? Topology::star : Topology::none;
  spec.uses_policy = spec.averages = placement == Placement::central;
  spec.state_loss =
      "a client that lost its state begins a new search with the budget that is left; an "
      "environment of a central learner answers the next query; the learner itself can't lose it";
  spec.messages = learner_messages(placement);
  return spec;
}

}  // namespace detail

namespace detail {

template <class Kind>
std::shared_ptr<const LearnerKind> make_learner_kind(const Parameters& parameters,
                                                     const ProtocolContext& context) {
  return std::make_shared<Kind>(parameters, context);
}

}  // namespace detail

/// The spec of a learner with the parameter `placement`.
template <class Kind>
AlgorithmSpec single_learner(const LearnerDescription& description) {
  auto all = Kind::parameters();
  all.push_back(detail::placement_parameter());
  auto spec = detail::described(description, std::move(all), Placement::central);
  spec.make = [](const Parameters& parameters, const ProtocolContext& context) {
    return detail::host(
        std::make_unique<Kind>(parameters, context), detail::placement_of(parameters), context);
  };
  spec.validate = [](const Parameters& parameters, const ProtocolContext& context) {
    return detail::validate_learner<Kind>(parameters, context, detail::placement_of(parameters));
  };
  spec.make_learner = &detail::make_learner_kind<Kind>;
  return spec;
}

/// The spec of a learner for one placement.
template <class Kind, Placement placement>
AlgorithmSpec single_learner_placed(const LearnerDescription& description) {
  auto spec = detail::described(description, Kind::parameters(), placement);
  spec.make = [](const Parameters& parameters, const ProtocolContext& context) {
    return detail::host(std::make_unique<Kind>(parameters, context), placement, context);
  };
  spec.validate = [](const Parameters& parameters, const ProtocolContext& context) {
    return detail::validate_learner<Kind>(parameters, context, placement);
  };
  return spec;
}

}  // namespace posse
