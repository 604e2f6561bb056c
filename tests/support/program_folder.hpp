// SPDX-License-Identifier: Apache-2.0
// Runs built executables in a folder of their own.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/executable.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/test_data.hpp"

namespace posse {

namespace fs = std::filesystem;

struct Outcome {
  int code = -1;
  std::string out;  // standard output
  std::string err;
};

inline std::string content(const fs::path& path) { return test::text_of(path.string()); }

/// A folder to run executables in.
class ProgramFolder : public test::Folder {
 public:
  Outcome posse(const std::string& arguments) const {
    return started(test::posse_executable(), arguments);
  }
  Outcome started(const std::string& program, const std::string& arguments) const {
    const auto command =
        "cd '" + path() + "' && '" + program + "' " + arguments + " >out.txt 2>err.txt";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            Folder::content("out.txt"),
            Folder::content("err.txt")};
  }
};

}  // namespace posse
