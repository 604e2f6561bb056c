// SPDX-License-Identifier: Apache-2.0
// The server's mean of the clients' uploads in a phase, or its robust replacement.
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/check.hpp"
#include "core/exchange/aggregate.hpp"
#include "core/exchange/gather.hpp"
#include "core/role/message.hpp"

namespace posse {

/// The mean, or what `policy` says, of Q >= 1 rows of `count` numbers each. Adds the rows in their
/// order, which results depend on. O(Q count).
inline std::vector<double> average_rows(const std::vector<const double*>& rows,
                                        std::size_t count,
                                        const Policy& policy) {
  POSSE_CHECK(!rows.empty());
  std::vector<double> means(count, 0.0);
  if (policy.aggregate == Aggregate::mean) {
    for (const auto* row : rows)  // one after the other, as they lie in memory
      for (std::size_t i = 0; i < count; ++i) means[i] += row[i];
    for (auto& mean : means) mean /= static_cast<double>(rows.size());
  } else {
    std::vector<double> values(rows.size());
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t q = 0; q < rows.size(); ++q) values[q] = rows[q][i];
      means[i] = aggregate(values, policy);
    }
  }
  return means;
}

/// The average, as of average_rows, of the Q >= 1 uploads that arrived, in client order. `uploads`
/// has one entry per client, empty or a `Means` message with `count` means. Empties the uploads.
template <class Means>
std::vector<double> average_uploads(Uploads& uploads, std::size_t count, const Policy& policy) {
  std::vector<const double*> arrived;
  for (const auto& upload : uploads) {
    if (!upload) continue;
    const auto& theirs = upload.get<Means>()->means;
    POSSE_CHECK(
        theirs.size() == count, "an upload has {} means, expected {}", theirs.size(), count);
    arrived.push_back(theirs.data());
  }
  auto means = average_rows(arrived, count, policy);
  for (auto& upload : uploads) upload = Payload{};
  return means;
}

}  // namespace posse
