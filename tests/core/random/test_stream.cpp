// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "core/random/philox_row.hpp"
#include "core/random/stream.hpp"

namespace posse::test_stream {
namespace {

TEST_CASE("Philox gives Random123's known answers", "[random]") {
  // kat_vectors of Random123: philox4x32 10.
  const auto block = [](std::uint64_t key, std::uint64_t counter, std::uint64_t tag) {
    return philox_block({key}, counter, tag);
  };
  CHECK(block(0, 0, 0) ==
        std::pair(std::uint64_t{0xe169c58d6627e8d5}, std::uint64_t{0x9b00dbd8bc57ac4c}));
  const std::uint64_t ones = ~std::uint64_t{0};
  CHECK(block(ones, ones, ones) ==
        std::pair(std::uint64_t{0x41c83b0e408f276d}, std::uint64_t{0x6d5451fda20bc7c6}));
  CHECK(block(0x299f31d0a4093822ULL, 0x85a308d3243f6a88ULL, 0x0370734413198a2eULL) ==
        std::pair(std::uint64_t{0x94fdccebd16cfe09}, std::uint64_t{0x24126ea15001e420}));
}

TEST_CASE("streams give the recorded values, on which every result depends", "[random]") {
  const StreamKey key = stream_key(Seed{1}, "reward", "client-7");
  CHECK(key.value == 0xd44cb0f55313a674ULL);
  UniformStream uniforms(key);
  CHECK(uniforms.at(0) == 0x1.4dbe618701797p-2);
  CHECK(uniforms.at(1) == 0x1.202d33ff0b212p-1);
  CHECK(uniforms.at(2) == 0x1.ac25e87d7918cp-4);
  DrawEngine engine(key, 5);
  CHECK(engine() == 0xd9a6b6d4f70bdb3aULL);
  CHECK(engine() == 0xff0277710c642f35ULL);
  CHECK(engine() == 0x94f74566a1fa01a5ULL);
}

TEST_CASE("walking a stream gives the numbers of random access", "[random]") {
  const StreamKey key = stream_key(Seed{2}, "test", "walk");
  for (const std::uint64_t first : {0, 1, 2, 5, 1000}) {
    for (const std::uint64_t count : {0, 1, 2, 3, 10, 11}) {
      UniformStream walked(key);
      std::vector<double> numbers;
      walked.for_each(first, count, [&](double u) { numbers.push_back(u); });
      REQUIRE(numbers.size() == count);
      for (std::uint64_t i = 0; i < count; ++i) {
        UniformStream fresh(key);
        CHECK(numbers[i] == fresh.at(first + i));
        CHECK(walked.at(first + i) == numbers[i]);
      }
    }
  }
}

TEST_CASE("blocks that are computed side by side are those of one after the other", "[random]") {
  const StreamKey key = stream_key(Seed{1}, "loss", "a>b");
  const std::uint64_t word = std::uint64_t{1} << 32, most = ~std::uint64_t{0};
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{5}, word - 2, most - 1}) {
    PhiloxRow row;
    philox_row(key, first, row);
    for (std::uint64_t i = 0; i < row.size(); ++i) CHECK(row[i] == philox_block(key, first + i, 0));
    philox_row_of_tags(key, word + 3, first, row);
    for (std::uint64_t i = 0; i < row.size(); ++i)
      CHECK(row[i] == philox_block(key, word + 3, first + i));
  }
}

TEST_CASE("an engine that is given its first block gives the words that it gives alone",
          "[random]") {
  const StreamKey key = stream_key(Seed{1}, "loss", "a>b");
  DrawEngine given(key, 5, philox_block(key, 5, 0)), alone(key, 5);
  for (int word = 0; word < 5; ++word) CHECK(given() == alone());
}

TEST_CASE("streams differ by seed, by purpose, by name and by index", "[random]") {
  std::set<std::uint64_t> keys;
  for (const std::uint64_t seed : {0, 1, 2})
    for (const char* purpose : {"reward", "shift", "latency"})
      for (const char* name : {"client-0", "client-1", "server"})
        keys.insert(stream_key(Seed{seed}, purpose, name).value);
  CHECK(keys.size() == 27);
  CHECK(DrawEngine({1}, 0)() != DrawEngine({1}, 1)());
  // A draw engine and the uniforms of the same key don't share blocks.
  CHECK(UniformStream({1}).at(0) != DrawEngine({1}, 0).uniform());
}

TEST_CASE("uniform draws have the mean, the variance and 64 bins of the uniform distribution",
          "[random]") {
  // 5 sds each (6e-7); chi-square with 63 degrees of freedom exceeds 132.5 with probability 1e-6.
  constexpr int kDraws = 200000;
  UniformStream stream(stream_key(Seed{3}, "test", "uniform"));
  double sum = 0, squares = 0;
  std::vector<int> bins(64);
  stream.for_each(0, kDraws, [&](double u) {
    REQUIRE((u > 0 && u < 1));
    sum += u - 0.5;
    squares += (u - 0.5) * (u - 0.5);
    ++bins[static_cast<std::size_t>(u * 64)];
  });
  CHECK(std::abs(sum / kDraws) < 5 / std::sqrt(12.0 * kDraws));
  CHECK(std::abs(squares / kDraws - 1.0 / 12) < 5 / std::sqrt(180.0 * kDraws));
  double chi = 0;
  for (const int n : bins) chi += (n - kDraws / 64.0) * (n - kDraws / 64.0) / (kDraws / 64.0);
  CHECK(chi < 132.5);
}

TEST_CASE("the smallest and the largest word map into the open unit interval", "[random]") {
  CHECK(to_unit_open(0) > 0);
  CHECK(to_unit_open(~std::uint64_t{0}) < 1);
}

TEST_CASE("which draws are below a probability is known without their values", "[random]") {
  const StreamKey key = stream_key(Seed{1}, "test", "below");
  const std::uint64_t most = ~std::uint64_t{0};
  for (const double p :
       {0.0, 0x1.0p-54, 0x1.8p-54, 0x1.0p-53, 0.01, 0.3, 1.0 / 3, 0.5, 1 - 0x1.0p-53, 1.0}) {
    INFO("p = " << p);
    const IsBelow is_below(p);
    const auto check = [&](std::uint64_t bits) {
      REQUIRE(is_below(bits) == (to_unit_open(bits) < p));
    };
    // Where the answer changes, if it does, and around it.
    const auto middle = static_cast<std::uint64_t>(p * 0x1.0p53);
    for (std::uint64_t value = middle < 8 ? 0 : middle - 8; value < middle + 8; ++value)
      if (value < std::uint64_t{1} << 53) check(value << 11);
    for (const std::uint64_t bits : {std::uint64_t{0}, std::uint64_t{2047}, most - 2048, most})
      check(bits);
    for (std::uint64_t i = 0; i < 1000; ++i) check(DrawEngine(key, i)());
  }
}

}  // namespace
}  // namespace posse::test_stream
