// SPDX-License-Identifier: Apache-2.0
// Encoding of messages of several systems: stated sizes, round trips, refusals. Every message of
// the catalogue is in tests/tidy/test_messages.cpp.
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>

#include "actors/common/local_moments.hpp"
#include "actors/echo/messages.hpp"
#include "actors/fed_pne/messages.hpp"
#include "actors/fed_pne_variance/messages.hpp"
#include "actors/hct_batched/messages.hpp"
#include "actors/instances/messages.hpp"
#include "actors/learners/central_learner.hpp"
#include "actors/parallel/messages.hpp"
#include "actors/parallel_adaptive/messages.hpp"
#include "actors/pf_pne/messages.hpp"
#include "actors/random_exchange/messages.hpp"

namespace posse::test_messages {
namespace {

std::vector<std::byte> encode(const Payload& payload) {
  std::vector<std::byte> bytes;
  payload.type().encode(payload, bytes);
  return bytes;
}

/// Sizes and value counts as the specification states them, by hand.
void check_codec(const Payload& payload, std::uint64_t bytes, std::uint64_t values) {
  INFO(payload.type().name);
  CHECK(payload.size_bytes() == bytes);
  CHECK(payload.values() == values);
  const auto encoded = encode(payload);
  REQUIRE(encoded.size() == bytes);
  const auto decoded = payload.type().decode(encoded);
  REQUIRE(decoded);
  CHECK(&decoded->type() == &payload.type());
  CHECK(encode(*decoded) == encoded);
  for (std::size_t n = 0; n < encoded.size(); ++n)
    CHECK_FALSE(payload.type().decode(std::span(encoded).first(n)));
  auto longer = encoded;
  longer.push_back(std::byte{0});
  CHECK_FALSE(payload.type().decode(longer));
}

TEST_CASE("a message is printed with its fields' names and the first numbers of its lists") {
  const auto text = [](const Payload& payload) { return payload.type().print(payload); };
  CHECK(text(Payload::make(LevelMeans{3, {0.5, -1, 0.25, 8, 9}})) ==
        "depth 3, means [5] 0.5 -1 0.25 8 …");
  CHECK(text(Payload::make(GatheredMeans{1, 2, {0.5}})) == "depth 1, first 2, means [1] 0.5");
  CHECK(text(Payload::make(EchoRequest{{28}})) == "filler 28");
  CHECK(text(Payload::make(Survivors{3, 0.25, {{7, 0.5}}})).find("0.25, ") != std::string::npos);
}

TEST_CASE("messages have the stated sizes, round-trip, and refuse truncated or longer input") {
  check_codec(Payload::make(LevelMeans{3, {0.5, -1, 1e300}}), 8 + 8 * 3, 3);
  check_codec(Payload::make(LevelMeans{}), 8, 0);
  check_codec(Payload::make(PhasePlan{1, 2, 7, {1, 2, ~std::uint64_t{0}}}), 16 + 8 * 3, 6);
  check_codec(Payload::make(LocalMeans{9, {0.25, 0.75}}), 8 + 8 * 2, 2);
  check_codec(Payload::make(CodedMeans<float>{9, {0.25f, 0.75f}}), 8 + 4 * 2, 2);
  check_codec(Payload::make(CodedMeans<std::uint16_t>{9, {1, 65535}}), 8 + 2 * 2, 2);
  check_codec(Payload::make(CodedMeans<std::uint8_t>{9, {0, 255, 3}}), 8 + 3, 3);
  check_codec(Payload::make(GatheredMeans{1, 2, {0.5}}), 12 + 8, 1);
  check_codec(Payload::make(GatheredCodes<float>{1, 2, {0.5f}}), 12 + 4, 1);
  check_codec(Payload::make(GatheredCodes<std::uint16_t>{1, 2, {7}}), 12 + 2, 1);
  check_codec(Payload::make(GatheredCodes<std::uint8_t>{1, 2, {7, 9}}), 12 + 2, 2);
  check_codec(Payload::make(GossipMeans{1, 2, {0.5, 0.25}}), 12 + 8 * 2, 2);
  // 12 cells, of which 5 are kept.
  check_codec(Payload::make(CompactPlan{2, 3, {0x91, 0x0c}}), 8 + 2, 5 + 1);
  check_codec(
      Payload::make(Survivors{3, 0.25, {{7, 0.5}, {~std::uint64_t{0}, -1}}}), 16 + 16 * 2, 4);
  check_codec(Payload::make(Survivors{}), 16, 0);
  check_codec(Payload::make(VariancePlan{1, 2, {5, 6, 7}, {3, 3, 9}}), 16 + 12 * 3, 6);
  check_codec(Payload::make(LocalMoments{1, {0.5, 0.25}, {0.1, 0}}), 12 + 16 * 2, 4);
  check_codec(Payload::make(PullPlan{2, {{3, 8, 40}, {0, 1, 1}}}), 8 + 16 * 2, 4);
  check_codec(Payload::make(SharedMeans{4, {0.5, 0.25}}), 8 + 8 * 2, 2);
  check_codec(Payload::make(EchoRequest{{28}}), 32, 0);
  check_codec(Payload::make(EchoReply{{0}}), 4, 0);
  check_codec(Payload::make(Best{{0.1, 0.2}, 0.9}), 4 + 8 * 2 + 8, 3);
  check_codec(Payload::make(Query{7, 3, 5}), 16, 1);
  check_codec(Payload::make(Reward{7, 0.5}), 12, 1);
  check_codec(Payload::make(Start{1, 0.9, 1000}), 24, 3);
}

TEST_CASE("a lie about a coded mean is the nearest code, as a fraction of the range") {
  const auto lie = [](auto message, double what) {
    using Coded = decltype(message);
    const auto payload = Payload::make(std::move(message));
    return payload.type().map(payload, [&](double) { return what; }).template get<Coded>()->means;
  };
  using Bytes = CodedMeans<std::uint8_t>;
  using Words = GatheredCodes<std::uint16_t>;
  CHECK(lie(Bytes{1, {3, 4}}, 0.5) == std::vector<std::uint8_t>{128, 128});
  CHECK(lie(Bytes{1, {3}}, -7) == std::vector<std::uint8_t>{0});
  CHECK(lie(Words{1, 0, {3}}, 1e6) == std::vector<std::uint16_t>{65535});
  CHECK(lie(CodedMeans<float>{1, {3}}, 1e300) ==
        std::vector<float>{std::numeric_limits<float>::max()});
  // Seen as its fraction of the range.
  std::vector<double> seen;
  const auto payload = Payload::make(Bytes{1, {0, 51, 255}});
  const auto same = payload.type().map(payload, [&](double x) { return seen.push_back(x), x; });
  CHECK(seen == std::vector<double>{0, 0.2, 1});
  CHECK(same.hash() == payload.hash());
}

TEST_CASE("a tail of numbers has no count: it ends with the message, at a whole number") {
  const auto payload = Payload::make(Found{0.5, {{1, 2, 3}}});
  CHECK(payload.size_bytes() == 8 + 8 * 3);
  CHECK(payload.values() == 4);
  const auto encoded = encode(payload);
  REQUIRE(encoded.size() == 32);
  for (std::size_t n = 0; n <= encoded.size(); ++n) {
    const auto decoded = payload.type().decode(std::span(encoded).first(n));
    REQUIRE(decoded.has_value() == (n >= 8 && n % 8 == 0));
    if (decoded) CHECK(decoded->get<Found>()->x.numbers.size() == n / 8 - 1);
  }
  CHECK(payload.hash() != Payload::make(Found{0.5, {{1, 2, 4}}}).hash());
  CHECK(payload.hash() != Payload::make(Found{0.5, {{1, 2}}}).hash());
}

TEST_CASE("decoding returns the fields that were encoded") {
  const auto decoded =
      kMessageType<PhasePlan>.decode(encode(Payload::make(PhasePlan{4, 6, 93, {18, 21}})));
  REQUIRE(decoded);
  const auto* plan = decoded->get<PhasePlan>();
  REQUIRE(plan != nullptr);
  CHECK(plan->phase == 4);
  CHECK(plan->depth == 6);
  CHECK(plan->pulls == 93);
  CHECK(plan->index == std::vector<std::uint64_t>{18, 21});
  CHECK(decoded->get<LocalMeans>() == nullptr);

  const auto other =
      kMessageType<Survivors>.decode(encode(Payload::make(Survivors{2, 0.5, {{3, 0.25}, {4, 1}}})));
  REQUIRE(other);
  const auto* survivors = other->get<Survivors>();
  REQUIRE(survivors != nullptr);
  CHECK(survivors->depth == 2);
  CHECK(survivors->radius == 0.5);
  REQUIRE(survivors->cells.size() == 2);
  CHECK(survivors->cells[1].index == 4);
  CHECK(survivors->cells[0].mean == 0.25);
  const auto hash = [](double mean) {
    return Payload::make(Survivors{2, 0.5, {{3, mean}}}).hash();
  };
  CHECK(hash(0.25) != hash(0.5));
}

TEST_CASE("a count of more elements than there are bytes is refused before memory is allocated") {
  // depth, then 2^32 - 1 means that aren't there.
  const std::vector<std::byte> bytes{std::byte{0},
                                     std::byte{0},
                                     std::byte{0},
                                     std::byte{0},
                                     std::byte{0xff},
                                     std::byte{0xff},
                                     std::byte{0xff},
                                     std::byte{0xff}};
  CHECK_FALSE(kMessageType<LevelMeans>.decode(bytes));
  CHECK_FALSE(kMessageType<LocalMeans>.decode(bytes));
  std::vector<std::byte> survivors(16, std::byte{0xff});  // depth, radius, 2^32 - 1 cells
  CHECK_FALSE(kMessageType<Survivors>.decode(survivors));
  const std::vector<std::byte> filler(4, std::byte{0xff});
  CHECK_FALSE(kMessageType<EchoRequest>.decode(filler));
}

}  // namespace
}  // namespace posse::test_messages
