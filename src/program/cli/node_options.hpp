// SPDX-License-Identifier: Apache-2.0
// Flags that the verbs of real nodes share.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.hpp"
#include "program/base/exit_codes.hpp"
#include "program/nodes/proxy.hpp"

namespace CLI {
class App;
}

namespace posse {

inline constexpr std::uint16_t kNodePort = 7117;

/// What nodes of one run must agree in.
std::string node_version();

/// Throws std::invalid_argument that names the flag.
Duration duration_in(std::string_view flag, const std::string& text);

/// What a line between nodes does to all that passes.
struct LineFlags {
  std::string delay, jitter;
  double loss = 0;

  void add_to(CLI::App& verb);
};
/// What the proxy does, without its addresses; the seed is 1 if none is given. Throws
/// std::invalid_argument.
ProxyOptions proxy_options(const LineFlags& flags, std::optional<std::uint64_t> seed);

/// Carries out `verb`; what is wrong with flags, addresses and files ends it with their exit codes.
ExitCode with_node_errors(const std::function<ExitCode()>& verb);

}  // namespace posse
