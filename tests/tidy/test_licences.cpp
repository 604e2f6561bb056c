// SPDX-License-Identifier: Apache-2.0
// Posse is under the Apache License, which what it links must allow.
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/executable.hpp"
#include "tests/support/test_data.hpp"

namespace test_licences {

using namespace posse;

namespace {

/// Licence by library, from all tables of docs/licences.md whose first column starts with "lib" or
/// "ld-".
std::map<std::string, std::string> listed_licences() {
  std::map<std::string, std::string> licences;
  std::istringstream page(test::text_of(POSSE_SOURCE_DIR "/docs/licences.md"));
  bool with_package = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| library")) with_package = line.find("package") != std::string::npos;
    if (!line.starts_with("| lib") && !line.starts_with("| ld-")) continue;
    std::vector<std::string> cells;
    std::istringstream row(line.substr(2));
    for (std::string cell; std::getline(row, cell, '|');)
      cells.push_back(std::regex_replace(cell, std::regex("^ +| +$"), ""));
    std::istringstream names(cells[0]);
    for (std::string name; std::getline(names >> std::ws, name, ',');)
      licences[name] = cells[with_package ? 2 : 1];
  }
  licences.erase("library");
  return licences;
}

/// What the dynamic linker loads for the program and its modules, without versions: libfmt, libc …
std::set<std::string> loaded_libraries() {
  const std::filesystem::path program = test::posse_executable();
  std::string command = "ldd '" + program.string() + "'";
  for (const auto& module :
       std::filesystem::directory_iterator(program.parent_path() / "../lib/posse"))
    command += " '" + module.path().string() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  REQUIRE(output);
  std::string text;
  std::array<char, 4096> part{};
  while (const auto size = std::fread(part.data(), 1, part.size(), output.get()))
    text.append(part.data(), size);
  const std::regex name(R"(([A-Za-z][^/\s]*?)(?:-[0-9]+\.[0-9.]+)?\.so[.0-9]*)");
  std::set<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with(':')) continue;  // a module
    std::smatch found;
    if (std::regex_search(line, found, name)) names.insert(found[1]);
  }
  names.erase("linux-vdso");
  names.erase("libposse");
  return names;
}

}  // namespace

TEST_CASE("every linked library is listed with its licence, and none is under the GPL alone") {
  const auto licences = listed_licences();
  const auto loaded = loaded_libraries();
  REQUIRE(loaded.size() > 14);
  REQUIRE(loaded.contains("libcurl"));
  for (const auto& library : loaded) {
    INFO(library << " belongs into docs/licences.md, with its licence");
    CHECK(licences.contains(library));
  }
  for (const auto& [library, licence] : licences) {
    INFO(library << ": " << licence);
    CHECK_FALSE(licence.empty());
    CHECK((!licence.starts_with("GPL") || licence.find("Exception") != std::string::npos));
  }
}

}  // namespace test_licences
