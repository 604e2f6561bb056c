// SPDX-License-Identifier: Apache-2.0
#include "program/cli/node_options.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <system_error>

#include "core/base/outside_failure.hpp"
#include "core/base/shown_text.hpp"
#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/units.hpp"
#include "program/base/version.hpp"

namespace posse {

std::string node_version() { return fmt::format("{} with results {}", version(), kResultsVersion); }

Duration duration_in(std::string_view flag, const std::string& text) {
  const auto time = parse_duration(text);
  if (!time.value)
    throw std::invalid_argument(fmt::format("{}: '{}' {}", flag, text, time.problem));
  return *time.value;
}

ProxyOptions proxy_options(const Arguments& arguments) {
  ProxyOptions options;
  if (!arguments.delay.empty()) options.delay = duration_in("--delay", arguments.delay);
  if (!arguments.jitter.empty()) options.jitter = duration_in("--jitter", arguments.jitter);
  options.loss = arguments.loss;
  options.seed = Seed{arguments.seed.value_or(1)};
  return options;
}

ExitCode with_node_errors(const std::function<ExitCode()>& verb) {
  try {
    return verb();
  } catch (const std::invalid_argument& problem) {
    print_err("{} (exit code 2)\n", problem.what());
    return ExitCode::usage;
  } catch (const OutsideFailure& problem) {
    print_err("{} (exit code 10)\n", shown_error(problem.what()));
    return ExitCode::port;
  } catch (const FileError& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  } catch (const std::system_error& problem) {
    print_err("{} (exit code 10)\n", problem.what());
    return ExitCode::port;
  }
}

}  // namespace posse
