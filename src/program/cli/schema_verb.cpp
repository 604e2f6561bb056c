// SPDX-License-Identifier: Apache-2.0
#include "program/cli/verb.hpp"
#include "program/scenario/json_schema.hpp"

namespace posse {

Command schema_verb(CLI::App&) {
  return {[](const Invocation&) {
    print_json(scenario_json_schema());
    return ExitCode::ok;
  }};
}

}  // namespace posse
