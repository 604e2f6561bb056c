// The encoding of messages: what decodes is encoded to the same bytes. The first byte selects the
// message's type among those of all algorithms.
#include <cstring>
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
  const Payload mapped = type.map(*payload, [](double x) { return x; });
  // Encoded means are not exactly the same again: infinity is clipped.
  require(&mapped.type() == &type, "a changed message keeps its type");
}

}  // namespace posse::fuzz
