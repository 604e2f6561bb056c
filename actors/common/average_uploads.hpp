// The server's mean of the clients' uploads in a phase, or its robust replacement.
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/check.hpp"
#include "core/exchange/aggregate.hpp"
#include "core/role/message.hpp"

namespace posse {

/// The mean, or what `policy` says, of the Q >= 1 uploads that arrived. `uploads` has one entry per
/// client, empty or a `Means` message with `count` means. The sum runs in client order, which
/// results depend on. Empties the uploads. O(Q count).
template <class Means>
std::vector<double> average_uploads(std::vector<Payload>& uploads,
                                    std::size_t count,
                                    const Policy& policy) {
  std::vector<const std::vector<double>*> arrived;
  for (const auto& upload : uploads) {
    if (!upload) continue;
    arrived.push_back(&upload.get<Means>()->means);
    POSSE_CHECK(arrived.back()->size() == count,
                "an upload has {} means, expected {}",
                arrived.back()->size(),
                count);
  }
  POSSE_CHECK(!arrived.empty());
  std::vector<double> means(count, 0.0);
  if (policy.aggregate == Aggregate::mean) {
    for (const auto* theirs : arrived)  // one after the other, as they lie in memory
      for (std::size_t i = 0; i < count; ++i) means[i] += (*theirs)[i];
    for (auto& mean : means) mean /= static_cast<double>(arrived.size());
  } else {
    std::vector<double> values(arrived.size());
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t q = 0; q < arrived.size(); ++q) values[q] = (*arrived[q])[i];
      means[i] = aggregate(values, policy);
    }
  }
  for (auto& upload : uploads) upload = Payload{};
  return means;
}

}  // namespace posse
