// SPDX-License-Identifier: Apache-2.0
// Golden files: what a test compares with. If POSSE_REWRITE_GOLDEN names a folder, the test writes
// them there instead (tools/golden, tools/arm64).
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace posse::test {

inline std::filesystem::path golden_folder() {
  return std::filesystem::path(POSSE_SOURCE_DIR) / "tests" / "golden";
}

inline bool rewriting_golden() { return std::getenv("POSSE_REWRITE_GOLDEN") != nullptr; }

inline std::string golden_text(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// `name` is the path below tests/golden.
inline void write_golden(const std::filesystem::path& name, const std::string& text) {
  const auto file = std::filesystem::path(std::getenv("POSSE_REWRITE_GOLDEN")) / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  INFO(file);
  REQUIRE(out.good());
}

/// The .toml files of a folder of tests/golden, sorted.
inline std::vector<std::filesystem::path> golden_scenarios(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(golden_folder() / folder))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace posse::test
