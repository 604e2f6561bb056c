// SPDX-License-Identifier: Apache-2.0
// Finished runs of folders and stores, as a study.
#pragma once

#include <filesystem>
#include <vector>

#include "program/compare/study.hpp"

namespace posse {

/// Run folders, directories with `latest`, stores that were collected, and directories with their
/// tables (summary.csv). Settings are named by what differs (setting_names.hpp). Throws FileError
/// for missing or malformed content; std::invalid_argument if the same run is there twice.
Study read_study(const std::vector<std::filesystem::path>& sources);

/// Whether this is a store or a directory with its tables, not a run folder.
bool is_store(const std::filesystem::path& source);

}  // namespace posse
