// SPDX-License-Identifier: Apache-2.0
#include "actors/common/edge_uploads.hpp"

#include <algorithm>
#include <utility>

#include "actors/common/average_uploads.hpp"
#include "actors/common/local_means.hpp"
#include "core/base/check.hpp"
#include "core/base/exact_sum.hpp"

namespace posse {
namespace {

std::vector<Int128> exact_sums(const Uploads& uploads, std::size_t count) {
  std::vector<Int128> sums(count);
  for (const auto& upload : uploads) {
    const auto& means = upload.get<LocalMeans>()->means;
    POSSE_CHECK(means.size() == count, "{} means, expected {}", means.size(), count);
    for (std::size_t i = 0; i < count; ++i)
      sums[i] += to_multiple(std::clamp(means[i], -kLargestTerm, kLargestTerm));
  }
  return sums;
}

std::vector<double> average_gathered(const Uploads& uploads,
                                     std::size_t count,
                                     const Hierarchy& hierarchy,
                                     const Policy& policy) {
  std::vector<const double*> rows;
  for (std::uint32_t edge = 0; edge < hierarchy.edges; ++edge) {
    const auto& means = uploads[edge].get<EdgeMeans>()->means;
    const std::uint32_t clients = hierarchy.size_of(edge);
    POSSE_CHECK(means.size() == clients * count, "{} means of {} clients", means.size(), clients);
    for (std::size_t m = 0; m < clients; ++m) rows.push_back(means.data() + m * count);
  }
  return average_rows(rows, count, policy);
}

std::vector<double> average_exact(const Uploads& uploads,
                                  std::size_t count,
                                  const Hierarchy& hierarchy) {
  auto sums = hierarchy.edges > 0 ? std::vector<Int128>(count) : exact_sums(uploads, count);
  for (std::uint32_t edge = 0; edge < hierarchy.edges; ++edge) {
    const auto& halves = uploads[edge].get<EdgeSums>()->halves;
    POSSE_CHECK(halves.size() == 2 * count, "{} halves of {} sums", halves.size(), count);
    for (std::size_t i = 0; i < count; ++i) sums[i] += from_halves(halves, i);
  }
  std::vector<double> means;
  means.reserve(count);
  for (const Int128 sum : sums)
    means.push_back(from_multiple(sum) / static_cast<double>(hierarchy.clients));
  return means;
}

}  // namespace

Payload edge_upload(const Uploads& uploads,
                    std::uint32_t phase,
                    std::size_t count,
                    EdgeSummation sums,
                    const MeanEncoding& means) {
  if (sums == EdgeSummation::exact)
    return Payload::make(EdgeSums{phase, to_halves(exact_sums(uploads, count))});
  std::vector<double> all;
  all.reserve(uploads.size() * count);
  for (const auto& upload : uploads) {
    const auto& theirs = upload.get<LocalMeans>()->means;
    POSSE_CHECK(theirs.size() == count, "{} means, expected {}", theirs.size(), count);
    all.insert(all.end(), theirs.begin(), theirs.end());
  }
  return encode_means<EdgeMeans>(phase, std::move(all), means);
}

std::vector<double> average_of(Uploads& uploads,
                               std::size_t count,
                               const Hierarchy& hierarchy,
                               EdgeSummation sums,
                               const Policy& policy) {
  if (sums == EdgeSummation::gathered && hierarchy.edges == 0)
    return average_uploads<LocalMeans>(uploads, count, policy);
  auto means = sums == EdgeSummation::exact ? average_exact(uploads, count, hierarchy)
                                            : average_gathered(uploads, count, hierarchy, policy);
  for (auto& upload : uploads) upload = Payload{};
  return means;
}

}  // namespace posse
