// SPDX-License-Identifier: Apache-2.0
// What the documents say of the tree is so: files, algorithms, papers, lengths.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/role/protocol.hpp"
#include "program/scenario/catalog.hpp"
#include "tests/support/test_data.hpp"

namespace test_documents {

using namespace posse;

namespace {

namespace fs = std::filesystem;

const fs::path kSource = POSSE_SOURCE_DIR;

std::string page(const std::string& name) { return test::text_of((kSource / name).string()); }

/// The files with one of these extensions below folders of the tree.
std::vector<fs::path> files_with(const std::vector<std::string>& folders,
                                 const std::set<std::string>& extensions) {
  std::vector<fs::path> files;
  for (const auto& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(kSource / folder))
      if (entry.is_regular_file() && extensions.contains(entry.path().extension().string()))
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// The first group of all matches.
std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it)
    found.push_back((*it)[1]);
  return found;
}

/// The text between two others; the second is looked for after the first.
std::string between(const std::string& text, const std::string& first, const std::string& second) {
  const auto begin = text.find(first);
  REQUIRE(begin != std::string::npos);
  const auto end = text.find(second, begin + first.size());
  REQUIRE(end != std::string::npos);
  return text.substr(begin, end - begin);
}

}  // namespace

TEST_CASE("README.md names every algorithm once among what can be studied, and no other") {
  const auto table = between(page("README.md"), "| problem | algorithms", "\n\n");
  std::multiset<std::string> named;
  for (const auto& name : matches(table, "`([a-z0-9-]+)`")) named.insert(name);
  std::multiset<std::string> there;
  for (const auto* algorithm : algorithms()) there.insert(std::string(algorithm->kind));
  CHECK(named == there);
}

TEST_CASE("PAPERS.md names every algorithm that searches for something") {
  const auto papers = page("PAPERS.md");
  for (const auto* algorithm : algorithms()) {
    if (algorithm->kind == "echo") continue;
    INFO(algorithm->kind);
    CHECK(papers.find('`' + std::string(algorithm->kind) + '`') != std::string::npos);
  }
}

TEST_CASE("keys of papers and numbers of deviations that sources name are in PAPERS.md") {
  const auto papers = page("PAPERS.md");
  std::set<std::string> keys, deviations, prefixes;
  for (const auto& key : matches(papers, R"(@[a-z]+\{([a-z0-9]+),)")) keys.insert(key);
  for (const auto& id : matches(papers, R"(\n\| ([a-z0-9-]+-[0-9]+) \|)")) {
    INFO(id);
    CHECK(deviations.insert(id).second);
    prefixes.insert(id.substr(0, id.rfind('-')));
  }
  REQUIRE(keys.size() > 40);
  REQUIRE(deviations.size() > 100);
  const std::regex key("[a-z]+(19|20)[0-9]{2}[a-z]+");
  const std::string word_characters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  std::size_t named = 0;
  for (const auto& file :
       files_with({"src", "actors", "scenarios/papers/claims"}, {".hpp", ".cpp", ".md", ".toml"})) {
    INFO(file);
    const auto text = test::text_of(file.string());
    for (auto at = text.find_first_of(word_characters); at != std::string::npos;) {
      const auto end = std::min(text.find_first_not_of(word_characters, at), text.size());
      const auto word = text.substr(at, end - at);
      at = text.find_first_of(word_characters, end);
      if (word.find_first_of("0123456789") == std::string::npos) continue;
      const auto dash = word.rfind('-');
      const bool deviation = dash != std::string::npos && prefixes.contains(word.substr(0, dash)) &&
                             word.size() > dash + 1 &&
                             word.find_first_not_of("0123456789", dash + 1) == word.npos;
      if (!deviation && !std::regex_match(word, key)) continue;
      ++named;
      INFO(word);
      CHECK((deviation ? deviations : keys).contains(word));
    }
  }
  CHECK(named > 200);
}

TEST_CASE("every file and folder that a document names is there") {
  auto pages = files_with({"docs", "actors", "src", "tools", "scenarios"}, {".md"});
  for (const auto* name : {"README.md", "CONTRIBUTING.md", "PAPERS.md"})
    pages.push_back(kSource / name);
  std::size_t named = 0;
  for (const auto& file : pages) {
    INFO(file);
    const auto text = test::text_of(file.string());
    for (auto path :
         matches(text,
                 R"(`((?:src|core|program|actors|tests|tools|scenarios|docs|cmake)/[\w./-]+)`)")) {
      INFO(path);
      ++named;
      CHECK((fs::exists(kSource / path) || fs::exists(kSource / "src" / path) ||
             fs::exists(file.parent_path() / path)));
    }
  }
  CHECK(named > 200);
}

TEST_CASE("every document that states the version states that of CMakeLists.txt") {
  const auto version = matches(page("CMakeLists.txt"), "project\\(posse VERSION ([0-9.]+)").at(0);
  for (const auto& [file, pattern] : {std::pair("CITATION.cff", "\nversion: (\\S+)"),
                                      {"docs/site/how-to/cite.md", "\n  version = \\{([^}]*)\\}"},
                                      {"debian/changelog", "^posse \\(([^)]*)\\)"},
                                      {"CHANGELOG.md", "\n## ([0-9.]+)"}}) {
    INFO(file);
    CHECK(matches(page(file), pattern).at(0) == version);
  }
}

TEST_CASE("docs/library.md says how long the plug-in of the examples is") {
  const auto stated = matches(page("docs/library.md"), R"(in ([0-9]+) lines)");
  REQUIRE(stated.size() == 1);
  const auto plugin = page("docs/examples/plugin/shrinking_box.cpp");
  CHECK(std::to_string(std::count(plugin.begin(), plugin.end(), '\n')) == stated.front());
}

TEST_CASE("the index of the decisions lists each of them, with its title") {
  const auto index = page("docs/decisions/README.md");
  std::size_t decisions = 0;
  for (const auto& file : files_with({"docs/decisions"}, {".md"})) {
    const auto name = file.filename().string();
    if (name == "README.md") continue;
    INFO(name);
    CHECK(index.find('(' + name + ')') != std::string::npos);
    CHECK(test::text_of(file.string()).starts_with("# " + name.substr(0, 3) + ": "));
    ++decisions;
  }
  CHECK(decisions == matches(index, R"(\n\| \[([0-9]{3})\])").size());
}

}  // namespace test_documents
