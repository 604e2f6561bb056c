// The server's mean of what the clients of a phase uploaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/check.hpp"
#include "core/role/message.hpp"

namespace posse {

/// (1/Q) sum of the Q >= 1 uploads that came, one `Means` message per client or nothing, each of
/// `count` means. Summed in client order, which is part of the contract. Empties the uploads.
/// O(Q count).
template <class Means>
std::vector<double> average_uploads(std::vector<Payload>& uploads, std::size_t count) {
  std::vector<double> means(count, 0.0);
  std::uint32_t arrived = 0;
  for (auto& upload : uploads) {
    if (!upload) continue;
    const auto& theirs = upload.get<Means>()->means;
    POSSE_CHECK(theirs.size() == count, "{} means of {}", theirs.size(), count);
    for (std::size_t i = 0; i < count; ++i) means[i] += theirs[i];
    upload = Payload{};
    ++arrived;
  }
  POSSE_CHECK(arrived > 0);
  for (auto& mean : means) mean /= arrived;
  return means;
}

}  // namespace posse
