// SPDX-License-Identifier: Apache-2.0
// A folder of a test's own, removed afterwards.
#pragma once

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace posse::test {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "posse-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path() const { return path_.string(); }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  std::string content(const std::string& name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// The line that another process is about to write into a file.
  std::string line_of(const std::string& name) const {
    using namespace std::chrono_literals;
    for (int i = 0; i < 2000; ++i) {
      const auto text = content(name);
      if (text.ends_with('\n')) return text.substr(0, text.size() - 1);
      std::this_thread::sleep_for(5ms);
    }
    FAIL("missing file " << name);
    return "";
  }

 private:
  std::filesystem::path path_;
};

}  // namespace posse::test
