// SPDX-License-Identifier: Apache-2.0
// What the program prints on a terminal of a given width.
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "program/base/text.hpp"
#include "tests/support/program_folder.hpp"

namespace test_terminal {

using namespace posse;
using Catch::Contains;

namespace {

const std::string kQuickstart = std::string(POSSE_SOURCE_DIR) + "/scenarios/quickstart.toml";

/// All that `posse ARGUMENTS` prints on a terminal with so many columns.
std::string printed(const ProgramFolder& folder,
                    int columns,
                    const std::vector<std::string>& arguments,
                    const std::vector<std::pair<const char*, const char*>>& environment = {}) {
  std::vector<std::string> words{test::posse_executable()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const auto directory = folder.path();
  winsize size{40, static_cast<unsigned short>(columns), 0, 0};
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
  REQUIRE(pid >= 0);
  if (pid == 0) {
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    for (const auto& [name, value] : environment) setenv(name, value, 1);
    if (chdir(directory.c_str()) == 0) execv(argv.front(), argv.data());
    _exit(127);
  }
  std::string text;
  std::array<char, 4096> buffer;
  for (;;) {
    const auto count = read(terminal, buffer.data(), buffer.size());
    if (count <= 0) break;  // the terminal's other end is closed
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  close(terminal);
  int status = 0;
  waitpid(pid, &status, 0);
  CHECK(WEXITSTATUS(status) == 0);
  return text;
}

std::vector<std::string> lines_of(const std::string& text, const std::string& ends) {
  std::vector<std::string> lines{""};
  for (const char c : text)
    if (ends.find(c) != std::string::npos)
      lines.emplace_back();
    else
      lines.back() += c;
  return lines;
}

/// Without the paths of results, which are as long as they are.
std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (const auto& line : lines_of(text, "\r\n"))
    if (line.find("/runs/") == std::string::npos && line.find(" runs/") == std::string::npos)
      widest = std::max(widest, width(line));
  return widest;
}

}  // namespace

TEST_CASE("output fits the terminal, from 60 to 200 columns") {
  const ProgramFolder folder;
  for (const int columns : {60, 80, 200}) {
    INFO(columns);
    for (const auto& arguments :
         std::vector<std::vector<std::string>>{{"run", kQuickstart},
                                               {"run", kQuickstart, "--details"},
                                               {"show", "runs/quickstart"},
                                               {"run", "--help"},
                                               {"--help"},
                                               {"describe", "fed-pne"},
                                               {"list", "algorithms"}}) {
      const auto widest = widest_line(printed(folder, columns, arguments));
      INFO(arguments.front() << " " << arguments.back());
      CHECK(widest <= static_cast<std::size_t>(columns));
      if (columns == 200 && arguments.size() == 2) CHECK(widest > 100);
    }
  }
  // Narrower and wider terminals are treated as these.
  CHECK(widest_line(printed(folder, 30, {"--help"})) > 30);
  CHECK(widest_line(printed(folder, 400, {"list", "algorithms"})) <= 200);
}

TEST_CASE("a terminal has colours, unless NO_COLOR, TERM or --color say otherwise") {
  const ProgramFolder folder;
  const std::string held = "\033[32m14 of 14 hold\033[0m";
  const std::vector<std::string> run{"run", kQuickstart};
  CHECK_THAT(printed(folder, 80, run), Contains(held));
  CHECK_THAT(printed(folder, 80, run, {{"NO_COLOR", "1"}}), !Contains("\033[32m"));
  CHECK_THAT(printed(folder, 80, run, {{"NO_COLOR", ""}}), Contains(held));
  CHECK_THAT(printed(folder, 80, run, {{"TERM", "dumb"}}), !Contains("\033[32m"));
  CHECK_THAT(printed(folder, 80, {"run", kQuickstart, "--color", "never"}), !Contains("\033[32m"));
  CHECK_THAT(printed(folder, 80, {"run", kQuickstart, "--color=always"}, {{"NO_COLOR", "1"}}),
             Contains(held));
}

TEST_CASE("progress is one line that is never wider than the terminal, and is gone at the end") {
  const ProgramFolder folder;
  folder.write("slow.toml", R"(
name = "slow"
repeat = 2
[[algorithm]]
kind = "uniform-grid"
label = "a-label-that-takes-a-good-part-of-the-line"
[population]
clients = 10
[objective]
kind = "doses"
[budget]
evaluations_per_client = 200
)");
  for (const int columns : {40, 60}) {
    INFO(columns);
    const auto text = printed(folder, columns, {"run", "slow.toml", "--progress", "bar"});
    std::size_t bars = 0;
    for (const auto& line : lines_of(text, "\r\n")) {
      const auto begin = line.find("\033[K[");
      if (begin == std::string::npos) continue;
      ++bars;
      CHECK(width(line.substr(begin + 3)) < static_cast<std::size_t>(columns));
    }
    CHECK(bars > 0);
    // The bar is erased before the results.
    CHECK_FALSE(std::regex_search(text, std::regex("\\]  *[0-9]+ %[^\r]*\n")));
  }
}

}  // namespace test_terminal
