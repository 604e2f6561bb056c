#include "core/role/message.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace posse::codec {
namespace {

constexpr std::size_t kShown = 4;  // of a list's numbers

}  // namespace

void Printer::begin() {
  const auto end = std::min(names_.find(','), names_.size());
  if (!out_.empty()) out_ += ", ";
  out_ += names_.substr(0, end);
  names_.remove_prefix(end);
  names_.remove_prefix(std::min(names_.find_first_not_of(", "), names_.size()));
}

void Printer::number(double x) {
  begin();
  out_ += fmt::format(" {}", x);
}

void Printer::whole(std::uint64_t x) {
  begin();
  out_ += fmt::format(" {}", x);
}

void Printer::list(std::size_t size, double (*at)(const void*, std::size_t), const void* items) {
  begin();
  out_ += fmt::format(" [{}]", size);
  for (std::size_t i = 0; at != nullptr && i < std::min(size, kShown); ++i)
    out_ += fmt::format(" {}", at(items, i));
  if (at != nullptr && size > kShown) out_ += " …";
}

}  // namespace posse::codec
