// SPDX-License-Identifier: Apache-2.0
// The store of freed objects of a thread: what is freed last is used first.
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "core/base/free_store.hpp"

namespace posse::test_free_store {
namespace {

std::uintptr_t address(const void* object) { return reinterpret_cast<std::uintptr_t>(object); }

/// Runs in a thread of its own, whose store is empty.
template <class Act>
void in_a_thread(Act act) {
  std::thread(act).join();
}

}  // namespace

TEST_CASE("memory is used again, the last freed first") {
  struct Object : FromFreeStore<Object> {
    std::uint64_t numbers[4] = {};
  };
  in_a_thread([] {
    std::vector<Object*> objects;
    for (int i = 0; i < 3; ++i) objects.push_back(new Object);
    for (Object* object : objects) delete object;
    std::vector<std::unique_ptr<Object>> again;
    for (int i = 2; i >= 0; --i) {
      again.push_back(std::make_unique<Object>());
      CHECK(address(again.back().get()) == address(objects[static_cast<std::size_t>(i)]));
    }
    again.push_back(std::make_unique<Object>());  // the store is empty
    for (const Object* object : objects) CHECK(address(again.back().get()) != address(object));
  });
}

TEST_CASE("65 536 freed objects are kept and no more") {
  struct Object : FromFreeStore<Object> {
    std::uint64_t numbers[2] = {};
  };
  in_a_thread([] {
    constexpr std::size_t kKept = 65'536;
    std::vector<Object*> objects;
    for (std::size_t i = 0; i < kKept + 2; ++i) objects.push_back(new Object);
    const std::uintptr_t last_kept = address(objects[kKept - 1]);
    for (Object* object : objects) delete object;
    CHECK(address(std::make_unique<Object>().get()) == last_kept);
  });
}

TEST_CASE("an object may be freed by another thread, whose store then has it") {
  struct Object : FromFreeStore<Object> {
    std::uint64_t numbers[3] = {};
  };
  auto* const object = new Object;
  in_a_thread([object] {
    const std::uintptr_t there = address(object);
    delete object;
    CHECK(address(std::make_unique<Object>().get()) == there);
  });
}

TEST_CASE("types of similar size share a store") {
  struct Small : FromFreeStore<Small> {
    std::uint64_t numbers[9] = {};
  };
  struct Large : FromFreeStore<Large> {
    std::uint64_t numbers[12] = {};
  };
  in_a_thread([] {
    auto* const freed = new Small;
    const std::uintptr_t there = address(freed);
    delete freed;
    CHECK(address(std::make_unique<Large>().get()) == there);
  });
}

}  // namespace posse::test_free_store
