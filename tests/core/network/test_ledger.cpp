// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "core/network/ledger.hpp"
#include "core/network/link_ends.hpp"
#include "core/network/open_numbers.hpp"
#include "core/network/sequence_set.hpp"
#include "core/random/stream.hpp"

namespace posse::test_ledger {
namespace {

const std::vector<std::string_view> kTypes = {"Plan", "Ack"};

struct Books {
  Ledger ledger{2};
  LinkMap map{Topology::star, 3};
  LinkEnds ends{map.links(), 2, false};
  LinkLedger links{map, ends};
  void arrive(std::uint32_t link) { links.arrived(map.back({link}), 0); }
  void deliver(std::uint32_t link) {
    auto& count = ledger.of(0, Direction::up);
    ++count.sent;
    ++count.delivered;
    links.departed({link}, 0, 100);
    arrive(link);
  }
};

}  // namespace

TEST_CASE("a ledger balances when every copy has ended") {
  Books books;
  books.deliver(1);
  auto& count = books.ledger.of(0, Direction::up);
  ++count.sent, ++count.duplicated, ++count.dropped_loss, ++count.in_flight;
  for (int i = 0; i < 2; ++i) books.links.departed({2}, 0, 100);
  books.links.dropped({2}, 0);
  books.arrive(2);
  CHECK_FALSE(check_balance(books.ledger, books.links, kTypes));
}

TEST_CASE("a copy that is forgotten, counted twice or on the wrong link breaks the balance") {
  SECTION("forgotten in the totals") {
    Books books;
    books.deliver(0);
    --books.ledger.of(0, Direction::up).delivered;
    CHECK(check_balance(books.ledger, books.links, kTypes)->find("Plan (up)") != std::string::npos);
  }
  SECTION("delivered twice") {
    Books books;
    books.deliver(0);
    books.arrive(0);
    CHECK(check_balance(books.ledger, books.links, kTypes)->find("link 0") != std::string::npos);
  }
  SECTION("delivered on another link: the sums agree, the links don't") {
    Books books;
    books.deliver(0);
    books.links.departed({1}, 0, 100);
    ++books.ledger.of(0, Direction::up).sent;
    books.arrive(2);
    ++books.ledger.of(0, Direction::up).delivered;
    CHECK(check_balance(books.ledger, books.links, kTypes));
  }
  SECTION("counted as another type") {
    Books books;
    books.deliver(0);
    books.links.departed({0}, 1, 100);
    books.links.arrived(books.map.back({0}), 1);
    CHECK(check_balance(books.ledger, books.links, kTypes)->find("Ack") != std::string::npos);
  }
}

TEST_CASE("adding ledgers adds their counts by type and by round") {
  Ledger a(2), b(2);
  a.of(1, Direction::down).sent = 3;
  b.of(1, Direction::down).sent = 4;
  b.of(1, Direction::down).wire_bytes = 10;
  a.round(Round{1}).messages = 1;
  b.round(Round{3}).compute = Duration{5};
  a.add(b);
  CHECK(a.of(1, Direction::down).sent == 7);
  CHECK(a.of(1, Direction::down).wire_bytes == 10);
  CHECK(a.rounds().sorted().size() == 2);
  CHECK(a.round(Round{3}).compute == Duration{5});
  CHECK(a.round(Round{1}).messages == 1);
}

TEST_CASE("counts by round are complete, however many rounds there are and in whatever order") {
  DrawEngine draws(stream_key(Seed{1}, "rounds", std::uint64_t{0}), 0);
  std::map<std::uint32_t, std::uint64_t> expected;
  RoundCounts counts;
  CHECK_FALSE(counts.many());
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const auto round = static_cast<std::uint32_t>(draws() % 1000);
    expected[round] += i;
    counts.of(Round{round}).bytes += i;
  }
  CHECK(counts.many());
  std::map<std::uint32_t, std::uint64_t> found;
  for (const auto& [count, round] : counts.sorted()) {
    CHECK(count.bytes > 0);
    CHECK(found.emplace(round.value, count.bytes).second);
  }
  CHECK(found == expected);
  counts.clear();
  CHECK(counts.sorted().empty());
}

TEST_CASE("sequence sets remember exactly what was inserted, in any order") {
  for (std::uint64_t number = 0; number < 200; ++number) {
    DrawEngine draws(stream_key(Seed{number}, "sequence", std::uint64_t{0}), 0);
    std::array<SequenceSet, 3> sets;
    SequenceSet::Early early;
    std::set<std::pair<std::uint32_t, std::uint32_t>> reference;
    for (int i = 0; i < 150; ++i) {
      const auto link = static_cast<std::uint32_t>(draws() % 3);
      const auto n = static_cast<std::uint32_t>(draws() % (number % 2 ? 25 : 90));
      REQUIRE(sets[link].contains(link, n, [&] { return &early; }) ==
              reference.contains({link, n}));
      if (!reference.insert({link, n}).second) continue;
      sets[link].insert(link, n, &early, [&]() -> SequenceSet::Early& { return early; });
    }
    for (std::uint32_t link = 0; link < 3; ++link)
      for (std::uint32_t n = 0; n < 91; ++n)
        CHECK(sets[link].contains(link, n, [&] { return &early; }) ==
              reference.contains({link, n}));
  }
}

TEST_CASE("open numbers are exactly those that were inserted and not erased, in any order") {
  for (std::uint64_t number = 0; number < 200; ++number) {
    DrawEngine draws(stream_key(Seed{number}, "open", std::uint64_t{0}), 0);
    std::array<OpenNumbers, 3> sets;
    OpenNumbers::Others others;
    std::set<std::pair<std::uint32_t, std::uint32_t>> reference;
    const std::uint32_t from = number % 3 == 0 ? ~std::uint32_t{0} - 40 : 0;  // wraps around
    for (int i = 0; i < 300; ++i) {
      const auto link = static_cast<std::uint32_t>(draws() % 3);
      const auto n = from + static_cast<std::uint32_t>(draws() % (number % 2 ? 25 : 90));
      if (draws() % 2 == 0) {
        sets[link].erase(link, n, &others);
        reference.erase({link, n});
      } else if (reference.insert({link, n}).second) {
        sets[link].insert(link, n, [&]() -> OpenNumbers::Others& { return others; });
      }
      if (draws() % 97 == 0) {
        sets[link].clear(link, &others);
        std::erase_if(reference, [&](const auto& each) { return each.first == link; });
      }
      for (std::uint32_t k = 0; k < 90; ++k)
        REQUIRE(sets[link].contains(link, from + k, &others) ==
                reference.contains({link, from + k}));
    }
  }
}

TEST_CASE("the smallest open number is found, also outside the window of bits") {
  OpenNumbers set;
  OpenNumbers::Others others;
  const auto all = [&]() -> OpenNumbers::Others& { return others; };
  CHECK_FALSE(set.smallest(7, &others));
  for (const std::uint32_t n : {40u, 100u, 41u, 3u, 5u}) set.insert(7, n, all);
  CHECK(others.size() == 3);  // those that are not 40 to 71
  CHECK(set.smallest(7, &others) == 3u);
  set.erase(7, 3, &others);
  set.erase(7, 5, &others);
  CHECK(set.smallest(7, &others) == 40u);
  set.erase(7, 40, &others);
  set.erase(7, 41, &others);
  CHECK(set.smallest(7, &others) == 100u);
  CHECK_FALSE(set.smallest(6, &others));
}

TEST_CASE("acknowledgements that are no events balance, also those in flight at the end") {
  Ledger ledger{2};
  LinkMap map{Topology::star, 3};
  LinkEnds ends{map.links(), 2, true};
  LinkLedger links{map, ends};
  auto& count = ledger.of(1, Direction::up);
  for (int i = 0; i < 3; ++i) {
    ++count.sent;
    ++count.delivered;
    links.departed({1}, 1, 8);
    links.foreseen({1});
  }
  CHECK_FALSE(check_balance(ledger, links, kTypes));
  CHECK(links.of({1}).arrived == 3);
  --count.delivered;
  CHECK(check_balance(ledger, links, kTypes));
  ++count.in_flight;
  CHECK_FALSE(check_balance(ledger, links, kTypes));  // totals do not say of which link
  links.foreseen_in_flight({1});
  CHECK_FALSE(check_balance(ledger, links, kTypes));
  CHECK(links.copies({1}, 1) == LinkLedger::Copies{3, 0, 2, 1});
  links.departed({1}, 1, 8);
  CHECK(check_balance(ledger, links, kTypes));
}

}  // namespace posse::test_ledger
