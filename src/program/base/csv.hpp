// CSV as RFC 4180 has it: UTF-8, a header, quotes where needed, shortest round-trip doubles.
#pragma once

#include <string>
#include <string_view>

namespace posse {

/// Quoted only where needed.
std::string csv_cell(std::string_view text);

}  // namespace posse
