// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstddef>

#include "actors/host/service_book.hpp"

namespace posse::test_service_book {

using Of = ServiceSample::Of;

TEST_CASE("a book keeps a bounded sample of each kind of work, from its beginning to its end") {
  ServiceBook book;
  constexpr std::int64_t kMany = 100'000;
  for (std::int64_t i = 0; i < kMany; ++i) {
    book.add({.of = Of::decode, .cause = 1, .time = {i}});
    if (i < 10) book.add({.of = Of::decode, .cause = 2, .time = {i}});
  }
  double sum = 0;
  std::size_t often = 0, seldom = 0;
  for (const ServiceSample& sample : book.take()) {
    if (sample.cause == 2) {
      ++seldom;
      continue;
    }
    ++often;
    sum += static_cast<double>(sample.time.ns);
  }
  CHECK(seldom == 10);
  REQUIRE(often == ServiceBook::kMostKept);
  // The mean of 4096 uniform draws: standard error 0.0045 of the range.
  CHECK(sum / static_cast<double>(often) / kMany == Approx(0.5).margin(0.02));
  CHECK(book.take().empty());
}

TEST_CASE("a book keeps the latencies of the first transmissions of every link") {
  ServiceBook book;
  for (std::uint32_t n = 0; n < 3 * ServiceBook::kMostTransmissions; ++n)
    for (std::uint32_t to = 1; to <= 3; ++to)
      book.add({.of = Of::latency, .cause = n, .to = to, .time = {1}});
  CHECK(book.take().size() == std::size_t{3} * ServiceBook::kMostTransmissions);
}

}  // namespace posse::test_service_book
