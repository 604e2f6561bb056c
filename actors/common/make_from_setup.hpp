// SPDX-License-Identifier: Apache-2.0
// `AlgorithmSpec::make` of a protocol that is constructed from a setup.
#pragma once

#include <memory>

#include "core/role/protocol.hpp"

namespace posse {

/// `make_setup` makes the setup of the parameters and the context.
template <class MadeProtocol, auto make_setup>
std::unique_ptr<Protocol> make_from_setup(const Parameters& parameters,
                                          const ProtocolContext& context) {
  return std::make_unique<MadeProtocol>(make_setup(parameters, context));
}

}  // namespace posse
