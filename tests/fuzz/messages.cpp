// SPDX-License-Identifier: Apache-2.0
// The encoding of messages: what decodes is encoded to the same bytes. The first byte selects the
// message's type among those of all algorithms.
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "core/role/message.hpp"
#include "program/scenario/catalog.hpp"
#include "tests/fuzz/targets.hpp"

namespace posse::fuzz {

void fuzz_messages(std::string_view input) {
  static const std::vector<const MessageType*> types = [] {
    std::vector<const MessageType*> all;
    for (const AlgorithmSpec* algorithm : algorithms())
      all.insert(all.end(), algorithm->messages.begin(), algorithm->messages.end());
    return all;
  }();
  if (input.empty()) return;
  const MessageType& type = *types[static_cast<unsigned char>(input.front()) % types.size()];
  const auto bytes = std::as_bytes(std::span(input.substr(1)));
  const auto payload = type.decode(bytes);
  if (!payload) return;
  require(&payload->type() == &type, "a message keeps its type");
  std::vector<std::byte> encoded;
  type.encode(*payload, encoded);
  require(encoded.size() == payload->size_bytes(), "the size is that of the encoding");
  require(encoded.size() == bytes.size(), "nothing is lost");
  type.print(*payload);
  const auto again = type.decode(encoded);
  require(again.has_value(), "what was encoded can be decoded");
  require(again->hash() == payload->hash(), "the content is the same");
  bool finite = true;
  const Payload mapped = type.map(*payload, [&](double x) {
    finite = finite && std::isfinite(x);
    return x;
  });
  require(&mapped.type() == &type, "a changed message keeps its type");
  // Nodes send no others: means of 4 bytes are clipped to finite ones, here too.
  require(!finite || mapped.hash() == payload->hash(), "the identity changes nothing");
}

}  // namespace posse::fuzz
