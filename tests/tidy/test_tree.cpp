// SPDX-License-Identifier: Apache-2.0
// The tree keeps its own rules: layers, headers, tests, scenarios.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/role/protocol.hpp"
#include "program/scenario/catalog.hpp"

namespace test_tree {

using namespace posse;

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

/// From the bottom up. A file includes headers of its own folder and of folders before it. Of the
/// systems, only those on which others build are listed; every other folder of `actors` stands
/// where "actors/*" does, and no two of those include each other.
const std::vector<std::string> kFolders = {"src/core/base",
                                           "src/core/random",
                                           "src/core/domain",
                                           "src/core/function",
                                           "src/core/objective",
                                           "src/core/optimizer",
                                           "src/core/role",
                                           "src/core/arm",
                                           "src/core/exchange",
                                           "src/core/network",
                                           "src/core/theory",
                                           "src/core/learner",
                                           "src/core/sim",
                                           "actors/common",
                                           "actors/parallel",
                                           "actors/fed_pne",
                                           "actors/learners",
                                           "actors/pf_pne",
                                           "actors/*",
                                           "actors/host",
                                           "src/program/base",
                                           "src/program/scenario",
                                           "src/program/http",
                                           "src/program/run",
                                           "src/program/compare",
                                           "src/program/metrics",
                                           "src/program/results",
                                           "src/program/replay",
                                           "src/program/sweep",
                                           "src/program/fates",
                                           "src/program/plot",
                                           "src/program/page",
                                           "src/program/reproduce",
                                           "src/program/live",
                                           "src/program/nodes",
                                           "src/program/validate",
                                           "src/program/cli",
                                           "src/program/library",
                                           "src/python",
                                           "tools"};

/// The folder that a path from the root lies in, or in one below it.
struct Folder {
  std::size_t place;  // in kFolders
  std::string name;
};
std::optional<Folder> folder_of(const std::string& path) {
  for (std::size_t i = 0; i < kFolders.size(); ++i)
    if (path.rfind(kFolders[i] + "/", 0) == 0) return Folder{i, kFolders[i]};
  const std::string systems = "actors/";
  const auto end = path.find('/', systems.size());
  if (path.rfind(systems, 0) != 0 || end == std::string::npos) return std::nullopt;
  const auto unlisted = std::find(kFolders.begin(), kFolders.end(), "actors/*");
  return Folder{static_cast<std::size_t>(unlisted - kFolders.begin()), path.substr(0, end)};
}

bool may_include(const Folder& here, const Folder& there) {
  return there.place < here.place || there.name == here.name;
}

TEST_CASE(
    "only program/base/output.cpp prints: elsewhere a stream that fails would end the program") {
  const std::regex prints(R"(fmt::print\(|std::c(out|err)\b|\bf?printf\()");
  for (const auto& file : files_below("src", {".cpp", ".hpp"})) {
    INFO(file);
    CHECK((file.filename() == "output.cpp" || !std::regex_search(text_of(file), prints)));
  }
}

TEST_CASE("a file includes only its own folder and folders before it in the order of the folders") {
  for (const auto* top : {"src", "actors", "tools"})
    for (const auto& file : files_below(top, {".hpp", ".cpp"})) {
      const auto here = folder_of(fs::relative(file, kRoot).string());
      INFO(file);
      REQUIRE(here);
      for (const auto& include : includes_of(file)) {
        if (!starts_with_any(include, {"core/", "actors/", "program/", "tools/"})) continue;
        INFO("includes " << include);
        const bool below_src = starts_with_any(include, {"core/", "program/"});
        const auto there = folder_of((below_src ? "src/" : "") + include);
        REQUIRE(there);
        CHECK(may_include(*here, *there));
      }
    }
}

TEST_CASE("the map in CONTRIBUTING.md has the folders in their order, each once") {
  std::istringstream page(text_of(kRoot / "CONTRIBUTING.md"));
  // "src/core …" is followed by its folders, two spaces in. Of the systems the map has common and
  // host.
  const std::regex row("(  )?([a-z_/]+)(?:  +.*)?");
  std::vector<std::string> mapped;
  std::string top;
  bool in_map = false;
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("```", 0) == 0) {
      if (in_map) break;
      in_map = true;
      continue;
    }
    std::smatch found;
    if (!in_map || !std::regex_match(line, found, row)) continue;
    if (!found[1].matched) top = found[2];
    mapped.push_back(found[1].matched ? top + "/" + found[2].str() : found[2].str());
  }
  std::vector<std::string> ordered;
  for (const auto& folder : mapped)
    if (std::find(kFolders.begin(), kFolders.end(), folder) != kFolders.end())
      ordered.push_back(folder);
  std::vector<std::string> expected;
  for (const auto& folder : kFolders)
    if (folder.rfind("actors/", 0) != 0 || folder == "actors/common" || folder == "actors/host")
      expected.push_back(folder);
  CHECK(ordered == expected);
}

TEST_CASE("the order of the folders keeps a new system apart from others that aren't listed") {
  const auto allowed = [](const char* from, const char* to) {
    return may_include(*folder_of(from), *folder_of(to));
  };
  CHECK(allowed("actors/new_system/server.cpp", "actors/new_system/server.hpp"));
  CHECK(allowed("actors/new_system/server.cpp", "actors/common/star.hpp"));
  CHECK(allowed("actors/new_system/server.cpp", "actors/fed_pne/messages.hpp"));
  CHECK(allowed("src/program/scenario/catalog.cpp", "actors/new_system/protocol.hpp"));
  CHECK_FALSE(allowed("actors/new_system/server.cpp", "actors/echo/messages.hpp"));
  CHECK_FALSE(allowed("actors/new_system/server.cpp", "actors/host/run.hpp"));
  CHECK_FALSE(allowed("actors/fed_pne/server.cpp", "actors/new_system/messages.hpp"));
  CHECK_FALSE(allowed("actors/common/star.hpp", "actors/new_system/messages.hpp"));
  CHECK_FALSE(folder_of("src/new_folder/file.hpp"));
  CHECK_FALSE(folder_of("src/core/new_folder/file.hpp"));
  CHECK_FALSE(folder_of("actors/file.hpp"));
}

TEST_CASE("the core and the systems include no actors, sockets, files, clocks or threads") {
  const std::set<std::string> impure = {"zlib.h",
                                        "sqlite3.h",
                                        "chrono",
                                        "thread",
                                        "fstream",
                                        "filesystem",
                                        "iostream",
                                        "random",
                                        "ctime"};
  std::vector<fs::path> pure = files_below("src/core", {".hpp", ".cpp"});
  for (const auto& file : files_below("actors", {".hpp", ".cpp"}))
    if (file.string().find("/actors/host/") == std::string::npos) pure.push_back(file);
  for (const auto& file : pure)
    for (const auto& include : includes_of(file)) {
      INFO(file << " includes " << include);
      CHECK_FALSE(starts_with_any(include,
                                  {"caf/",
                                   "boost/asio",
                                   "boost/beast",
                                   "prometheus/",
                                   "toml++/",
                                   "CLI/",
                                   "nlohmann/",
                                   "actors/host/"}));
      // The window engine is the one part of the core that has threads.
      const bool threads = include == "thread" && file.filename() == "window_engine.cpp";
      CHECK_FALSE((impure.contains(include) && !threads));
    }
  for (const auto& file : files_below("actors/host", {".hpp", ".cpp"}))
    for (const auto& include : includes_of(file)) {
      INFO(file << " includes " << include);
      CHECK((!starts_with_any(include, {"actors/"}) || starts_with_any(include, {"actors/host/"})));
    }
}

TEST_CASE("sources call core/base/math.hpp for mathematics, not the C library or Boost") {
  const std::regex forbidden(
      "(std|boost::math)::(sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|"
      "exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|erf|erfc|erf_inv|erfc_inv|lgamma|tgamma|"
      "ibeta_inv)\\b|\\.(exp|log|pow|sin|cos|tanh)\\(\\)|boost::random::");
  const std::set<std::string> wrappers = {"math.cpp", "distributions.cpp"};
  for (const auto* top : {"src", "actors"})
    for (const auto& file : files_below(top, {".hpp", ".cpp"})) {
      if (wrappers.contains(file.filename().string())) continue;
      const auto text = text_of(file);
      std::smatch found;
      INFO(file << ": " << (std::regex_search(text, found, forbidden) ? found.str() : ""));
      CHECK(found.empty());
    }
}

TEST_CASE("actors/README.md names every algorithm once, with its topology and its messages") {
  const auto text = text_of(kRoot / "actors" / "README.md");
  std::vector<std::string> sections;
  for (std::size_t at = text.find("\n## "); at != std::string::npos;) {
    const auto next = text.find("\n## ", at + 1);
    sections.push_back(text.substr(at, next == std::string::npos ? next : next - at));
    at = next;
  }
  const auto quoted = [](std::string_view name) { return "`" + std::string(name) + "`"; };
  for (const auto* spec : algorithms()) {
    INFO(spec->kind);
    std::size_t mentions = 0;
    for (const auto& section : sections) {
      const auto begin = section.find("\nalgorithms: ");
      REQUIRE(begin != std::string::npos);
      const auto line = section.substr(begin + 1, section.find('\n', begin + 1) - begin - 1);
      if (line.find(quoted(spec->kind)) == std::string::npos) continue;
      ++mentions;
      CHECK(line.find(quoted(to_string(spec->topology))) != std::string::npos);
      for (const auto* message : spec->messages) {
        INFO(message->name);
        CHECK(section.find(quoted(message->name)) != std::string::npos);
      }
    }
    CHECK(mentions == 1);
  }
}

TEST_CASE("no source uses the randomness of the standard library") {
  const std::regex forbidden(
      "std::(mt19937|random_device|normal_distribution|uniform_real_distribution|"
      "uniform_int_distribution|exponential_distribution|shuffle)");
  for (const auto* folder : {"src", "actors"})
    for (const auto& file : files_below(folder, {".hpp", ".cpp"})) {
      INFO(file);
      CHECK_FALSE(std::regex_search(text_of(file), forbidden));
    }
}

TEST_CASE("every header has #pragma once and a comment at its top") {
  for (const auto* folder : {"src", "actors", "tests"})
    for (const auto& file : files_below(folder, {".hpp"})) {
      const auto text = text_of(file);
      INFO(file);
      CHECK(text.find('\n') + 1 == text.find("//", text.find('\n')));  // below the licence
      CHECK(text.find("#pragma once") != std::string::npos);
    }
}

TEST_CASE("every source names its licence in its first lines") {
  CHECK(text_of(kRoot / "LICENSE").find("Apache License") != std::string::npos);
  for (const auto* top : {"src", "actors", "tests", "tools", "cmake"})
    for (const auto& file : files_below(
             top, {".cpp", ".hpp", ".h", ".js", ".css", ".html", ".cmake", ".py", ".sh", ""})) {
      if (file.string().find("/fuzz/corpus/") != std::string::npos) continue;
      INFO(file);
      CHECK(text_of(file).substr(0, 120).find("SPDX-License-Identifier: Apache-2.0") !=
            std::string::npos);
    }
}

TEST_CASE("no two headers define types of the same name, which the linker would mix up") {
  std::map<std::string, std::string> defined;
  const std::regex definition(
      "(?:^|\n)(?:struct|class|enum class) ([A-Za-z0-9_]+)(?: final)? ?(?:\\{|:[^:])");
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

TEST_CASE("no two sources of a library share a name in anonymous namespaces, overloads apart") {
  constexpr std::string_view kBegin = "\nnamespace {\n", kEnd = "\n}  // namespace\n";
  const std::regex definition(
      "(?:^|\n)(?:(?:struct|class|enum class) (\\w+)"
      "|(?:constexpr|const|thread_local) [^(=\n{]*?\\b(\\w+)(?:\\[\\d*\\])?(?: =|\\{|;)"
      "|[A-Za-z][^=;\n]*?[ &*](\\w+\\([^)]*\\)))");
  for (const auto* library : {"src/core", "src/program", "actors"}) {
    std::map<std::string, fs::path> defined;
    for (const auto& file : files_below(library, {".cpp"})) {
      if (file.filename().string().ends_with("_module.cpp")) continue;  // built alone
      const auto text = text_of(file);
      for (auto at = text.find(kBegin); at != text.npos; at = text.find(kBegin, at + 1)) {
        const auto inside = text.substr(at + kBegin.size(), text.find(kEnd, at) - at);
        for (std::sregex_iterator of(inside.begin(), inside.end(), definition), end; of != end;
             ++of) {
          std::string name;
          for (std::size_t i = 1; i < of->size(); ++i) name += (*of)[i];
          const auto [other, fresh] = defined.emplace(name, file);
          INFO(name << " in " << file << " and " << other->second);
          CHECK((fresh || other->second == file));
        }
      }
    }
    CHECK(defined.size() > 200);
  }
}

TEST_CASE("a test includes a header of every folder of the core and of every system") {
  std::set<std::string> tested;
  for (const auto& test : files_below("tests", {".hpp", ".cpp"}))
    for (const auto& include : includes_of(test)) tested.insert(include);
  auto parts = files_below("src/core", {".cpp"});
  for (const auto& file : files_below("actors", {".cpp"})) parts.push_back(file);
  for (const auto& file : parts) {
    const bool core = file.string().find("/src/core/") != std::string::npos;
    const auto folder =
        fs::relative(file.parent_path(), core ? kRoot / "src" : kRoot).string() + "/";
    const bool any = std::any_of(tested.begin(), tested.end(), [&](const std::string& t) {
      return t.rfind(folder, 0) == 0;
    });
    INFO(file);
    CHECK(any);
  }
}

TEST_CASE("names of test cases can be given on the command line") {
  const std::regex bad("TEST_CASE\\(\\s*\"[-~\\[]");
  for (const auto& file : files_below("tests", {".cpp"})) {
    INFO(file);
    if (file.filename() == "test_tree.cpp") continue;
    CHECK_FALSE(std::regex_search(text_of(file), bad));
  }
}

TEST_CASE("every scenario says at its top what question it answers and what to expect") {
  for (const auto& file : files_below("scenarios", {".toml"})) {
    const auto text = text_of(file);
    INFO(file);
    CHECK(text.rfind("# ", 0) == 0);
    if (file.parent_path().filename() == "claims") continue;  // no scenario
    CHECK(text.substr(0, text.find("\nname")).find('?') != std::string::npos);
    CHECK(text.find("xpect") != std::string::npos);
  }
}

}  // namespace test_tree
