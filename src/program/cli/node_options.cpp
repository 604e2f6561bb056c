// SPDX-License-Identifier: Apache-2.0
#include "program/cli/node_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <system_error>

#include "core/base/outside_failure.hpp"
#include "core/base/shown_text.hpp"
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

void LineFlags::add_to(CLI::App& verb) {
  verb.add_option("--delay", delay, "delay of all that passes, each way (default: 0)")
      ->type_name("TIME");
  verb.add_option("--jitter", jitter, "up to so much more, drawn (default: 0)")->type_name("TIME");
  verb.add_option("--loss", loss, "share of the runs' messages that are dropped (default: 0)")
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("P");
}

ProxyOptions proxy_options(const LineFlags& flags, std::optional<std::uint64_t> seed) {
  ProxyOptions options;
  if (!flags.delay.empty()) options.delay = duration_in("--delay", flags.delay);
  if (!flags.jitter.empty()) options.jitter = duration_in("--jitter", flags.jitter);
  options.loss = flags.loss;
  options.seed = Seed{seed.value_or(1)};
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
  } catch (const std::system_error& problem) {
    print_err("{} (exit code 10)\n", problem.what());
    return ExitCode::port;
  }
}

}  // namespace posse
