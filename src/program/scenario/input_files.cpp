#include "program/scenario/input_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "program/base/files.hpp"

namespace posse {
namespace {

constexpr std::uintmax_t kLargestInputBytes = std::uintmax_t{64} << 20;

/// Reports an unreadable file as a mistake in the scenario.
std::string content_of(const std::filesystem::path& path) {
  try {
    return read_file(path);
  } catch (const FileError& problem) {
    throw InputError(problem.what());
  }
}

}  // namespace

InputText InputFiles::load(std::string_view name) {
  namespace fs = std::filesystem;
  const fs::path path = fs::path(folder_) / name;
  const std::string resolved = path.string();
  auto file =
      std::find_if(files_.begin(), files_.end(), [&](const File& f) { return f.path == resolved; });
  if (file == files_.end()) {
    std::error_code error;
    if (!fs::is_regular_file(path, error))
      throw InputError(fmt::format("there is no file '{}'", resolved));
    if (fs::file_size(path, error) > kLargestInputBytes) throw InputError("is larger than 64 MiB");
    files_.push_back({resolved,
                      fmt::format("inputs/{}-{}", files_.size(), path.filename().string()),
                      std::make_shared<const std::string>(content_of(path))});
    file = files_.end() - 1;
  }
  return {std::string(name), file->stored, file->content};
}

std::string InputFiles::folder(std::string_view name) const {
  namespace fs = std::filesystem;
  const fs::path path = fs::absolute(fs::path(folder_) / name).lexically_normal();
  std::error_code error;
  if (!fs::is_directory(path, error))
    throw InputError(fmt::format("there is no directory '{}'", path.string()));
  return path.string();
}

}  // namespace posse
