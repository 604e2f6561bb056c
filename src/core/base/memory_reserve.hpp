// SPDX-License-Identifier: Apache-2.0
// Memory that is held back until memory ends: destructors of some libraries (CAF, nlohmann-json)
// allocate, and must not fail.
#pragma once

namespace posse {

/// From now on some memory is held back. When an allocation fails, it is released before
/// std::bad_alloc is thrown.
void use_memory_reserve();
/// Holds memory back again, if there is some.
void hold_memory_back();
/// False after memory has ended.
bool memory_is_held_back();

/// Memory for this thread alone: the first allocation that fails while it lives gets it and goes
/// on. For constructors of libraries that don't survive a failure.
class OwnReserve {
 public:
  /// Throws std::bad_alloc.
  OwnReserve();
  ~OwnReserve();
  OwnReserve(const OwnReserve&) = delete;
  OwnReserve& operator=(const OwnReserve&) = delete;
};

}  // namespace posse
