// SPDX-License-Identifier: Apache-2.0
// What happens when memory ends.
#pragma once

namespace posse {

/// Memory is held back (core/base/memory_reserve.hpp). If the program is terminated all the same
/// for lack of memory, or a library breaks, it ends with a sentence and exit code 7.
void prepare_for_end_of_memory();

}  // namespace posse
