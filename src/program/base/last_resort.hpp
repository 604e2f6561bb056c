// What happens when memory ends.
#pragma once

namespace posse {

/// From now on some memory is held back. When an allocation fails, it is released before
/// std::bad_alloc is thrown: destructors of some libraries (CAF, nlohmann-json) allocate, and must
/// not fail. If the program is terminated all the same for lack of memory, or a library aborts it,
/// it ends with a sentence and exit code 7.
void prepare_for_end_of_memory();
/// Holds memory back again, if there is some.
void hold_memory_back();

}  // namespace posse
