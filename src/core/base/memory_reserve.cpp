// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory_reserve.hpp"

#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

namespace posse {
namespace {

constexpr std::size_t kHeldBack = 1 << 20, kOwn = 1 << 17;
std::atomic<void*> g_held_back{nullptr};
thread_local void* own_reserve = nullptr;

void on_failed_allocation() {
  if (own_reserve != nullptr) return std::free(std::exchange(own_reserve, nullptr));
  std::free(g_held_back.exchange(nullptr));
  throw std::bad_alloc();
}

}  // namespace

void use_memory_reserve() {
  hold_memory_back();
  std::set_new_handler(on_failed_allocation);
}

void hold_memory_back() {
  if (g_held_back != nullptr) return;
  void* held = std::malloc(kHeldBack);
  void* none = nullptr;
  if (!g_held_back.compare_exchange_strong(none, held)) std::free(held);
}

bool memory_is_held_back() { return g_held_back != nullptr; }

OwnReserve::OwnReserve() {
  own_reserve = std::malloc(kOwn);
  if (own_reserve == nullptr) throw std::bad_alloc();
}

OwnReserve::~OwnReserve() { std::free(std::exchange(own_reserve, nullptr)); }

}  // namespace posse
