// SPDX-License-Identifier: Apache-2.0
// What the edges of a hierarchy make of their clients' `LocalMeans`, and the server of that.
//
//   gathered  an edge sends on all means, unsummed; the server adds them in the order of clients,
//             as in a star: equal in every bit. 8 + 8 m n bytes of m clients for n cells, or 8 +
//             b m n where a mean travels in b bytes.
//   exact     an edge adds its clients' means exactly, as whole multiples of 2^-80 (exact_sum.hpp).
//             8 + 16 n bytes, however many clients it has. The averages do not depend on the edges,
//             but can differ from the above in the last bits. Numbers beyond 2^30, which only a
//             client with wrong numbers sends, count as 2^30.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "actors/common/coded_means.hpp"
#include "core/exchange/gather.hpp"
#include "core/exchange/mean_encoding.hpp"
#include "core/role/hierarchy.hpp"
#include "core/role/message.hpp"
#include "core/role/policy.hpp"

namespace posse {

/// The means of an edge's m clients for a phase's n cells, client by client: m n values.
struct EdgeMeans {
  static constexpr std::string_view kName = "EdgeMeans";
  std::uint32_t phase = 0;
  std::vector<double> means;
  std::uint64_t values() const { return means.size(); }
  POSSE_FIELDS(phase, means)
};

/// EdgeMeans with means as their clients sent them, in fewer bytes.
template <MeanCode Code>
struct EdgeCodes {
  static constexpr std::string_view kName =
      name_by_code<Code>("EdgeMeans32", "EdgeMeans16", "EdgeMeans8");
  std::uint32_t phase = 0;
  std::vector<Code> means;
  std::uint64_t values() const { return means.size(); }
  POSSE_FIELDS(phase, means)
};
template <MeanCode Code>
inline constexpr MessageType kMessageType<EdgeCodes<Code>> = coded_message_type<EdgeCodes<Code>>();
template <>
struct CodedForm<EdgeMeans> {
  template <MeanCode Code>
  using Message = EdgeCodes<Code>;
};

/// The sums of an edge's clients' means, as multiples of 2^-80, low and high half: n values.
struct EdgeSums {
  static constexpr std::string_view kName = "EdgeSums";
  std::uint32_t phase = 0;
  std::vector<std::uint64_t> halves;
  std::uint64_t values() const { return halves.size() / 2; }
  POSSE_FIELDS(phase, halves)
};

enum class EdgeSummation { gathered, exact };

/// Numbers that can be added exactly (65 536 of them).
inline constexpr std::uint32_t kMostExactClients = 65'536;

/// What an edge sends for its clients' uploads, one of `count` means from each, decoded. `means`:
/// their encoding.
Payload edge_upload(const Uploads& uploads,
                    std::uint32_t phase,
                    std::size_t count,
                    EdgeSummation sums,
                    const MeanEncoding& means);

/// What the server makes of the decoded uploads, one from each edge, or, without edges, from
/// clients.
/// `exact` needs all of them and no robust aggregate. Empties the uploads.
std::vector<double> average_of(Uploads& uploads,
                               std::size_t count,
                               const Hierarchy& hierarchy,
                               EdgeSummation sums,
                               const Policy& policy);

}  // namespace posse
