// SPDX-License-Identifier: Apache-2.0
// Algorithms in a shared library of their own, which the program loads with --plugin FILE.
//
//   POSSE_PLUGIN(&my_algorithm())
//
// once, outside of all namespaces, in a library that is linked with libposse. The C++ interface is
// compatible in source only: a plug-in for another version isn't loaded, but has to be built again.
#pragma once

#include <vector>

#include "core/role/protocol.hpp"

namespace posse {

struct Plugin {
  std::vector<const AlgorithmSpec*> algorithms;
};

}  // namespace posse

/// The algorithms of a plug-in: pointers to objects that live as long as the library.
#define POSSE_PLUGIN(...)                                                                   \
  extern "C" __attribute__((visibility("default"))) const ::posse::Plugin* posse_plugin() { \
    static const ::posse::Plugin plugin{{__VA_ARGS__}};                                     \
    return &plugin;                                                                         \
  }
