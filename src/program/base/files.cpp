#include "program/base/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "program/base/text.hpp"

namespace posse {
namespace fs = std::filesystem;

FileError::FileError(const fs::path& path, const std::string& problem)
    : std::runtime_error(printable(fmt::format("'{}' {}", path.string(), problem))) {}

std::string read_file(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) throw FileError(path, "doesn't exist");
  if (!fs::is_regular_file(status)) throw FileError(path, "is not a regular file");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::string content((std::istreambuf_iterator<char>(in)), {});
  if (!in || in.bad())
    throw FileError(path, fmt::format("can't be read: {}", std::strerror(errno)));
  return content;
}

void write_file(const fs::path& path, const std::string& content) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out << content;
  out.flush();
  if (!out) throw FileError(path, fmt::format("can't be written: {}", std::strerror(errno)));
}

}  // namespace posse
