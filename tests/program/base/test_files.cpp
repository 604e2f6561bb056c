// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "program/base/files.hpp"
#include "program/base/gzip_lines.hpp"
#include "tests/support/folder.hpp"

namespace test_files {

using namespace posse;
using Catch::Contains;

TEST_CASE("only regular files are read: no directories, devices and pipes") {
  const test::Folder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  folder.write("file", "content");
  REQUIRE(symlink("file", (folder / "link").c_str()) == 0);
  CHECK(read_file(folder / "file") == "content");
  CHECK(read_file(folder / "link") == "content");
  const auto refused = [](const std::filesystem::path& path, const char* problem) {
    CHECK_THROWS_WITH(read_file(path), Contains("'" + path.string() + "' " + problem));
    CHECK_THROWS_WITH(GzipLines(path), Contains("'" + path.string() + "' " + problem));
  };
  refused(folder / "nowhere", "doesn't exist");
  refused(folder / "pipe", "is not a regular file");
  refused(folder.path(), "is a directory");
  refused("/dev/zero", "is not a regular file");
}

TEST_CASE("files that can't be read, or are too large, are refused by name") {
  const test::Folder folder;
  folder.write("file", std::string(1000, 'x'));
  CHECK(read_file(folder / "file", 1000).size() == 1000);
  CHECK_THROWS_WITH(read_file(folder / "file", 999), Contains("file' is larger than 999 B"));
  CHECK_THROWS_WITH(read_file("/proc/self/mem"), Contains("'/proc/self/mem' can't be read"));
  // A file of the kernel says that it has 0 bytes.
  CHECK_FALSE(read_file("/proc/self/stat").empty());
  CHECK_THROWS_WITH(read_file("/proc/self/stat", 10), Contains("is larger than 10 B"));
}

TEST_CASE("an error about a file shows no commands for the terminal") {
  CHECK(std::string(FileError("x\x1b", "is \x1b[31mred").what()) == "'x\\x1b' is \\x1b[31mred");
}

}  // namespace test_files
