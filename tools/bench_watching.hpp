// What it costs a run to be looked at.
#pragma once

#include <string>

namespace posse {

/// `scenarios`: the folder of the scenarios that are shipped.
void watching_bench(const std::string& scenarios);

}  // namespace posse
