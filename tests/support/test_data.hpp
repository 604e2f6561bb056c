// SPDX-License-Identifier: Apache-2.0
// Test data: ours in tests/data; what belongs to others in the folder POSSE_TEST_DATA, which may
// have landmine, curves and digits. Tests without their data are skipped.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "tests/support/skip.hpp"

namespace posse::test {

/// The path of a file below POSSE_TEST_DATA; nothing if that isn't set or has no such folder. A
/// folder that lacks the file fails the test.
inline std::optional<std::string> find_test_data(std::string_view name) {
  const char* folder = std::getenv("POSSE_TEST_DATA");
  if (folder == nullptr || *folder == '\0') return std::nullopt;
  std::string path = std::string(folder) + "/" + std::string(name);
  INFO(path);
  if (!std::filesystem::exists(std::filesystem::path(path).parent_path())) return std::nullopt;
  REQUIRE(std::ifstream(path).good());
  return path;
}

[[noreturn]] inline void skip_for_want_of_data(std::string_view name) {
  skip_test("POSSE_TEST_DATA doesn't name a folder with " + std::string(name));
}

/// The path of a file below POSSE_TEST_DATA. Skips the test if it isn't there.
inline std::string needed_test_data(std::string_view name) {
  if (auto path = find_test_data(name)) return *path;
  skip_for_want_of_data(name);
}

inline std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The text of a file in tests/data.
inline std::string stored_data(std::string_view name) {
  const auto path = std::string(POSSE_SOURCE_DIR "/tests/data/") + std::string(name);
  INFO(path);
  REQUIRE(std::ifstream(path).good());
  return text_of(path);
}

}  // namespace posse::test
