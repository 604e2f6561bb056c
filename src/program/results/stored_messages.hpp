// SPDX-License-Identifier: Apache-2.0
// The first message copies of the runs of a folder, from messages.csv.gz.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/sim/message_record.hpp"
#include "program/results/stored_run.hpp"

namespace posse {

struct StoredMessages {
  std::set<std::string, std::less<>> types;        // to which the records refer
  std::vector<std::vector<MessageRecord>> by_run;  // by position in StoredRun::runs()
};

/// At most `most` of each of the first `runs` runs; of a file that is too long to be unpacked only
/// of those at its beginning. Empty without such a file. Throws FileError.
StoredMessages read_first_messages(const StoredRun& stored, std::size_t runs, std::size_t most);

}  // namespace posse
