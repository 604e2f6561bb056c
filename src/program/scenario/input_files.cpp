// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/input_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/check.hpp"
#include "program/base/files.hpp"

namespace posse {
namespace {

constexpr std::uintmax_t kLargestInputBytes = std::uintmax_t{64} << 20;

}  // namespace

std::string InputFiles::content_of(std::string_view name) const {
  if (const auto held = held_.find(name); held != held_.end()) return held->second;
  const auto path = std::filesystem::path(folder_) / name;
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw InputError(fmt::format("there is no file '{}'", path.string()));
  try {
    return read_file(path, kLargestInputBytes);
  } catch (const FileError& problem) {  // a mistake in the scenario
    throw InputError(problem.what());
  }
}

InputText InputFiles::load(std::string_view name) {
  auto file =
      std::find_if(files_.begin(), files_.end(), [&](const File& f) { return f.name == name; });
  if (file == files_.end()) {
    auto content = std::make_shared<const std::string>(content_of(name));
    const auto number = fmt::format("{}-", files_.size());
    auto stored = std::filesystem::path(name).filename().string();
    if (!stored.starts_with(number)) stored = number + stored;  // not again in a repeated run
    files_.push_back({std::string(name), "inputs/" + stored, std::move(content)});
    file = files_.end() - 1;
  }
  return {std::string(name), file->stored, file->content};
}

InputText InputFiles::replace(const InputText& file, std::string content) {
  const auto it =
      std::ranges::find_if(files_, [&](const File& known) { return known.stored == file.stored; });
  POSSE_CHECK(it != files_.end(), "no file {} was loaded", file.stored);
  it->content = std::make_shared<const std::string>(std::move(content));
  return {file.path, file.stored, it->content};
}

void InputFiles::keep_if(const std::function<bool(const File&)>& condition) {
  std::erase_if(files_, [&](const File& file) { return !condition(file); });
}

std::vector<std::string> InputFiles::unused() const {
  std::vector<std::string> names;
  for (const auto& held : held_) {
    const auto is_it = [&](const File& file) { return file.name == held.first; };
    if (std::none_of(files_.begin(), files_.end(), is_it)) names.push_back(held.first);
  }
  return names;
}

std::string InputFiles::folder(std::string_view name) const {
  namespace fs = std::filesystem;
  std::error_code error;  // of "", too
  const fs::path path = fs::absolute(fs::path(folder_) / name, error).lexically_normal();
  if (error || !fs::is_directory(path, error))
    throw InputError(fmt::format("there is no directory '{}'", path.string()));
  return path.string();
}

}  // namespace posse
