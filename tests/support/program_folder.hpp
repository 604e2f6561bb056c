// Runs the built executable in a folder of its own.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace posse {

namespace fs = std::filesystem;

struct Outcome {
  int code = -1;
  std::string out;  // standard output
  std::string err;
};

inline std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(in)), {});
}

/// A folder of its own for each test, removed afterwards.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "posse-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  fs::path operator/(const std::string& name) const { return path_ / name; }
  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  Outcome posse(const std::string& arguments) const {
    const auto command = "cd '" + path_.string() + "' && '" POSSE_EXECUTABLE "' " + arguments +
                         " >out.txt 2>err.txt";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            content(path_ / "out.txt"),
            content(path_ / "err.txt")};
  }

 private:
  fs::path path_;
};

}  // namespace posse
