// The server's mean of the clients' uploads in a phase.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/check.hpp"
#include "core/role/message.hpp"

namespace posse {

/// The mean of the Q >= 1 uploads that arrived. `uploads` has one entry per client, empty or a
/// `Means` message with `count` means. The sum runs in client order, which results depend on.
/// Empties the uploads. O(Q count).
template <class Means>
std::vector<double> average_uploads(std::vector<Payload>& uploads, std::size_t count) {
  std::vector<double> means(count, 0.0);
  std::uint32_t arrived = 0;
  for (auto& upload : uploads) {
    if (!upload) continue;
    const auto& theirs = upload.get<Means>()->means;
    POSSE_CHECK(
        theirs.size() == count, "an upload has {} means, expected {}", theirs.size(), count);
    for (std::size_t i = 0; i < count; ++i) means[i] += theirs[i];
    upload = Payload{};
    ++arrived;
  }
  POSSE_CHECK(arrived > 0);
  for (auto& mean : means) mean /= arrived;
  return means;
}

}  // namespace posse
