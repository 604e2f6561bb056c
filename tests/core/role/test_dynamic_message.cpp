// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "core/role/dynamic_message.hpp"

using namespace posse;

namespace {

/// A message with the same fields as `dynamic_type()`, as a struct.
struct Fixed {
  static constexpr std::string_view kName = "Fixed";
  double a = 0;
  std::uint16_t b = 0;
  std::vector<double> c;
  std::vector<std::uint8_t> d;
  float e = 0;
  std::uint64_t values() const { return 3 + c.size() + d.size(); }
  POSSE_FIELDS(a, b, c, d, e)
};

const DynamicMessageType& dynamic_type() {
  static const DynamicMessageType type("Dynamic",
                                       {{"a", double{}},
                                        {"b", std::uint16_t{}},
                                        {"c", std::vector<double>{}},
                                        {"d", std::vector<std::uint8_t>{}},
                                        {"e", float{}}});
  return type;
}

DynamicMessage contents() {
  return {{0.5, std::uint16_t{7}, std::vector{1.0, -2.0}, std::vector<std::uint8_t>{3}, 0.25F}};
}

std::vector<std::byte> encoded(const Payload& payload) {
  std::vector<std::byte> bytes;
  payload.type().encode(payload, bytes);
  return bytes;
}

}  // namespace

TEST_CASE("A message made at run time is encoded, hashed and counted like a struct of its fields") {
  const Payload fixed = Payload::make(Fixed{0.5, 7, {1, -2}, {3}, 0.25F});
  const Payload made = dynamic_type().make(contents());
  CHECK(made.size_bytes() == 8 + 2 + 4 + 16 + 4 + 1 + 4);
  CHECK(made.size_bytes() == fixed.size_bytes());
  CHECK(made.hash() == fixed.hash());
  CHECK(made.values() == fixed.values());
  CHECK(encoded(made) == encoded(fixed));
  CHECK(made.type().print(made) == fixed.type().print(fixed));
  CHECK(made.type().name == "Dynamic");
  CHECK(made.get<Fixed>() == nullptr);
  CHECK(dynamic_type().content(fixed) == nullptr);
}

TEST_CASE("A message made at run time is decoded from its bytes, and from no others") {
  const auto bytes = encoded(dynamic_type().make(contents()));
  const auto decoded = dynamic_type().decode(bytes);
  REQUIRE(decoded);
  CHECK(dynamic_type().content(*decoded)->fields == contents().fields);
  for (std::size_t n = 0; n < bytes.size(); ++n)
    CHECK_FALSE(dynamic_type().decode(std::span(bytes).first(n)));
  auto longer = bytes;
  longer.push_back({});
  CHECK_FALSE(dynamic_type().decode(longer));
}

TEST_CASE("A function changes every floating-point number of a message made at run time") {
  const Payload twice =
      dynamic_type().map(dynamic_type().make(contents()), [](double x) { return 2 * x; });
  const auto& fields = dynamic_type().content(twice)->fields;
  CHECK(fields[0] == DynamicValue(1.0));
  CHECK(fields[1] == DynamicValue(std::uint16_t{7}));
  CHECK(fields[2] == DynamicValue(std::vector{2.0, -4.0}));
  CHECK(fields[4] == DynamicValue(0.5F));
}

TEST_CASE("A message made at run time has exactly the fields of its type") {
  CHECK_THROWS_AS(dynamic_type().make({{0.5}}), CheckFailure);
  auto wrong = contents();
  wrong.fields[1] = 7.0;
  CHECK_THROWS_AS(dynamic_type().make(wrong), CheckFailure);
}

TEST_CASE("A recorded message made at run time has no content to print") {
  const auto recorded = Payload::recorded(dynamic_type(), 39, 6, 1, 1);
  CHECK(dynamic_type().print(recorded).empty());
}
