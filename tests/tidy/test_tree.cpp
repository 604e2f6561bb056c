// The tree keeps its own rules: layers, headers, tests, scenarios.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace test_tree {

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = POSSE_SOURCE_DIR;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::vector<fs::path> files_below(const fs::path& folder, const std::set<std::string>& extensions) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
    if (entry.is_regular_file() && extensions.contains(entry.path().extension().string()))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> includes_of(const fs::path& file) {
  static const std::regex line("#include [<\"]([^>\"]+)[>\"]");
  const std::string text = text_of(file);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it)
    found.push_back((*it)[1]);
  return found;
}

bool starts_with_any(const std::string& text, const std::vector<std::string>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string& prefix) {
    return text.rfind(prefix, 0) == 0;
  });
}

}  // namespace

TEST_CASE("includes point down the layers only, and the core is pure") {
  const std::vector<std::string> impure = {"caf/",
                                           "boost/asio",
                                           "boost/beast",
                                           "prometheus/",
                                           "toml++/",
                                           "CLI/",
                                           "nlohmann/",
                                           "zlib.h",
                                           "sqlite3.h",
                                           "chrono",
                                           "thread",
                                           "fstream",
                                           "filesystem",
                                           "iostream",
                                           "random",
                                           "ctime"};
  for (const auto& file : files_below("src/core", {".hpp", ".cpp"})) {
    for (const auto& include : includes_of(file)) {
      INFO(file << " includes " << include);
      CHECK_FALSE(starts_with_any(include, {"actors/", "program/", "tools/"}));
      // The window engine is the one part of the core that has threads.
      const bool threads = include == "thread" && file.filename() == "window_engine.cpp";
      const bool exact = std::find(impure.begin(), impure.end(), include) != impure.end();
      const bool folder = starts_with_any(
          include,
          {"caf/", "boost/asio", "boost/beast", "prometheus/", "toml++/", "CLI/", "nlohmann/"});
      CHECK_FALSE(((exact || folder) && !threads));
    }
  }
  for (const auto& file : files_below("actors", {".hpp", ".cpp"}))
    for (const auto& include : includes_of(file)) {
      INFO(file << " includes " << include);
      CHECK_FALSE(starts_with_any(
          include, {"program/", "tools/", "core/objective/", "core/domain/", "core/theory/"}));
    }
}

TEST_CASE("no randomness outside the named streams, no unordered iteration helpers") {
  const std::regex forbidden(
      "std::(mt19937|random_device|normal_distribution|uniform_real_distribution|"
      "uniform_int_distribution|exponential_distribution|shuffle)");
  for (const auto* folder : {"src", "actors"})
    for (const auto& file : files_below(folder, {".hpp", ".cpp"})) {
      INFO(file);
      CHECK_FALSE(std::regex_search(text_of(file), forbidden));
    }
}

TEST_CASE("every header guards itself and says what it is") {
  for (const auto* folder : {"src", "actors", "tests"})
    for (const auto& file : files_below(folder, {".hpp"})) {
      const auto text = text_of(file);
      INFO(file);
      CHECK(text.rfind("//", 0) == 0);
      CHECK(text.find("#pragma once") != std::string::npos);
    }
}

TEST_CASE("no two headers define a type of the same name: the linker would mix them up") {
  std::map<std::string, std::string> defined;
  const std::regex definition(
      "(?:^|\n)(?:struct|class|enum class) ([A-Za-z0-9_]+)(?: final)? ?[:{]");
  for (const auto* folder : {"src", "actors"})
    for (const auto& file : files_below(folder, {".hpp"})) {
      const auto text = text_of(file);
      for (std::sregex_iterator it(text.begin(), text.end(), definition), end; it != end; ++it) {
        const auto [other, fresh] = defined.emplace((*it)[1], file.string());
        INFO((*it)[1] << " in " << file << " and " << other->second);
        CHECK(fresh);
      }
    }
}

TEST_CASE("every part of the core with code of its own has a test that includes it") {
  std::set<std::string> tested;
  for (const auto& test : files_below("tests", {".hpp", ".cpp"}))
    for (const auto& include : includes_of(test)) tested.insert(include);
  for (const auto& file : files_below("src/core", {".cpp"})) {
    const auto folder = fs::relative(file.parent_path(), kRoot / "src").string() + "/";
    const bool any = std::any_of(tested.begin(), tested.end(), [&](const std::string& t) {
      return t.rfind(folder, 0) == 0;
    });
    INFO(file);
    CHECK(any);
  }
}

TEST_CASE("every scenario says at its top what question it answers and what to expect") {
  for (const auto& file : files_below("scenarios", {".toml"})) {
    const auto text = text_of(file);
    INFO(file);
    CHECK(text.rfind("# ", 0) == 0);
    CHECK(text.substr(0, text.find("\nname")).find('?') != std::string::npos);
    CHECK(text.find("xpect") != std::string::npos);
  }
}

}  // namespace test_tree
