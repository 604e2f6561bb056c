// SPDX-License-Identifier: Apache-2.0
// Programs that tests start and a machine may lack: tests/optional.csv has them.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

#include "tests/support/skip.hpp"
#include "tests/support/test_data.hpp"

namespace posse::test {

/// The Debian package of a program in tests/optional.csv.
inline std::string package_of(const std::string& program) {
  std::istringstream rows(text_of(POSSE_SOURCE_DIR "/tests/optional.csv"));
  for (std::string row; std::getline(rows, row);) {
    std::istringstream cells(row);
    std::string name, kind, package;
    std::getline(std::getline(std::getline(cells, name, ','), kind, ','), package, ',');
    if (name == program) return package;
  }
  FAIL("tests/optional.csv has no row for " << program);
  return "";
}

/// The path of a program; nothing if it isn't there, or if POSSE_TESTS_WITHOUT, a list with commas
/// in the environment, has its name.
inline std::optional<std::string> find_program(const std::string& name) {
  const auto variable = [](const char* key) {
    const char* value = std::getenv(key);
    return std::string(value == nullptr ? "" : value);
  };
  if (("," + variable("POSSE_TESTS_WITHOUT") + ",").find("," + name + ",") != std::string::npos)
    return std::nullopt;
  std::istringstream folders(variable("PATH") + ":/usr/bin:/usr/sbin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && access((folder + "/" + name).c_str(), X_OK) == 0)
      return folder + "/" + name;
  return std::nullopt;
}

/// The path of a program of tests/optional.csv. Skips the test if it isn't there.
inline std::string needed_program(const std::string& name) {
  const auto package = package_of(name);
  if (auto path = find_program(name)) return *path;
  skip_test(fmt::format("{} isn't installed: apt-get install {}", name, package));
}

}  // namespace posse::test
