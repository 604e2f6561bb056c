// SPDX-License-Identifier: Apache-2.0
// A text compressed in memory, for answers over HTTP.
#pragma once

#include <string>
#include <string_view>

namespace posse {

/// In the format gzip (RFC 1952), without a time stamp: the same bytes for the same text. The text
/// is shorter than 4 GiB.
std::string gzip_text(std::string_view text);

}  // namespace posse
