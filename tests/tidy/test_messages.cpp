// SPDX-License-Identifier: Apache-2.0
// Every message of every algorithm in the catalogue: decode and encode are inverse to each other.
// The inputs are random bytes, so a new message needs no line here.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "core/random/stream.hpp"
#include "core/role/protocol.hpp"
#include "program/scenario/catalog.hpp"

namespace test_messages {

using namespace posse;

namespace {

using Bytes = std::vector<std::byte>;

std::vector<const MessageType*> all_messages() {
  std::vector<const MessageType*> all;
  for (const auto* spec : algorithms())
    for (const auto* message : spec->messages)
      if (std::find(all.begin(), all.end(), message) == all.end()) all.push_back(message);
  return all;
}

/// The encoding of the message whose fields are 0 and whose lists are empty.
Bytes zero_message(const MessageType& type) {
  Bytes bytes;
  while (!type.decode(bytes)) {
    bytes.push_back(std::byte{0});
    REQUIRE(bytes.size() < 1000);
  }
  return bytes;
}

/// Little-endian words from 0 to 3, as counts that often fit into the input; the last one is cut.
Bytes random_input(DrawEngine& draws) {
  Bytes bytes(draws() % 80);
  for (std::size_t i = 0; i < bytes.size(); i += 4) bytes[i] = std::byte(draws() % 4);
  return bytes;
}

Bytes encode(const Payload& payload) {
  Bytes bytes;
  payload.type().encode(payload, bytes);
  return bytes;
}

}  // namespace

TEST_CASE("messages: what is decoded has its size in bytes and is encoded without a change") {
  const auto messages = all_messages();
  std::set<const MessageType*> of_several_sizes;
  for (const auto* type : messages) {
    INFO(type->name);
    const auto zero_bytes = zero_message(*type).size();
    DrawEngine draws(stream_key(Seed{1}, "test", type->name), 0);
    for (int trial = 0; trial < 20'000; ++trial) {
      const auto input = random_input(draws);
      const auto decoded = type->decode(input);
      if (!decoded) continue;
      const auto encoded = encode(*decoded);
      REQUIRE(&decoded->type() == type);
      REQUIRE(encoded.size() == input.size());
      REQUIRE(decoded->size_bytes() == input.size());
      const auto again = type->decode(encoded);
      REQUIRE(again);
      REQUIRE(again->hash() == decoded->hash());  // of all fields
      REQUIRE(encode(*again) == encoded);
      if (input.size() != zero_bytes) of_several_sizes.insert(type);
    }
  }
  CHECK(of_several_sizes.size() > messages.size() / 2);
}

TEST_CASE("messages: truncated and longer input is refused, except for whole numbers of a tail") {
  for (const auto* type : all_messages()) {
    INFO(type->name);
    auto bytes = zero_message(*type);
    auto number_more = bytes;
    number_more.resize(bytes.size() + 8);
    const bool has_tail = type->decode(number_more).has_value();
    DrawEngine draws(stream_key(Seed{2}, "test", type->name), 0);
    std::vector<Bytes> valid{bytes};
    while (valid.size() < 2000) {
      const auto input = random_input(draws);
      valid.push_back(type->decode(input) ? input : bytes);
    }
    for (const auto& input : valid) {
      for (std::size_t n = 0; n < input.size(); ++n) {
        const bool whole = has_tail && n >= bytes.size() && (input.size() - n) % 8 == 0;
        REQUIRE(type->decode(std::span(input).first(n)).has_value() == whole);
      }
      auto longer = input;
      longer.push_back(std::byte{0});
      REQUIRE_FALSE(type->decode(longer));
    }
  }
}

}  // namespace test_messages
