// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/sandbox.hpp"

#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>

// No target may start a program: the only function of the program that starts one calls this.
extern "C" int posix_spawn(pid_t*,
                           const char*,
                           const posix_spawn_file_actions_t*,
                           const posix_spawnattr_t*,
                           char* const*,
                           char* const*) {
  std::abort();
}

namespace posse::fuzz {
namespace fs = std::filesystem;

Sandbox::Sandbox() {
  std::error_code error;
  const fs::path memory = "/dev/shm";
  std::string name =
      ((fs::is_directory(memory, error) ? memory : fs::temp_directory_path()) / "posse-fuzz-XXXXXX")
          .string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

Sandbox::~Sandbox() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void Sandbox::write(const std::string& name, std::string_view content) const {
  const auto file = path_ / name;
  if (file.has_parent_path()) fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary)
      .write(content.data(), static_cast<std::streamsize>(content.size()));
}

void Sandbox::hold(const std::map<std::string, std::string>& files) {
  for (const auto& [name, content] : held_)
    if (!files.contains(name)) fs::remove(path_ / name);
  for (const auto& [name, content] : files) {
    const auto before = held_.find(name);
    if (before == held_.end() || before->second != content) write(name, content);
  }
  held_ = files;
}

bool names_outside_files(const Value& root) {
  const auto outside = [](const std::string& text) {
    return text.starts_with('/') || text.find("..") != std::string::npos;
  };
  if (const auto* text = std::get_if<std::string>(&root.data)) return outside(*text);
  if (const Array* array = root.array())
    for (const auto& element : *array)
      if (names_outside_files(element)) return true;
  if (const Table* table = root.table())
    for (const auto& [key, value] : *table)
      if (key != "inputs" && names_outside_files(value)) return true;
  return false;
}

std::map<std::string, std::string> files_of(std::string_view input,
                                            const std::map<std::string, std::string>& allowed) {
  std::map<std::string, std::string> files;
  std::string* content = nullptr;
  while (!input.empty()) {
    const auto end = input.find('\n');
    const auto line = input.substr(0, end == std::string_view::npos ? end : end + 1);
    input.remove_prefix(line.size());
    if (line.starts_with("@@ ")) {
      const std::string name(line.substr(3, line.find('\n') - 3));
      content = allowed.contains(name) ? &files[name] : nullptr;
      if (content != nullptr) content->clear();
    } else if (content != nullptr) {
      *content += line;
    }
  }
  return files;
}

}  // namespace posse::fuzz
