// SPDX-License-Identifier: Apache-2.0
#include "core/function/image_data.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/check.hpp"
#include "core/base/csv.hpp"
#include "core/base/parameters.hpp"
#include "core/base/shown_text.hpp"

namespace posse {
namespace {

void refuse_compressed(std::string_view content) {
  if (content.starts_with("\x1f\x8b"))
    throw InputError("the file is compressed by gzip; unpack it first (gunzip)");
}

/// Computes the scale of the pixels.
ImageData finished(ImageData data) {
  if (data.labels.empty()) throw InputError("the file has no images");
  const auto top = std::max_element(data.bytes.begin(), data.bytes.end());
  if (top == data.bytes.end() || *top == 0) throw InputError("every pixel is 0");
  data.scale = 1.0 / *top;
  return data;
}

std::uint8_t byte_of(std::string_view cell, std::size_t line, std::string_view what) {
  // Some programs write integers with a fraction: 13.0.
  const auto x = parse_number<double>(cell);
  if (!x || !(*x >= 0) || *x > 255 || *x != static_cast<double>(static_cast<int>(*x)))
    throw InputError(fmt::format(
        "line {}: {} is '{}', not a whole number from 0 to 255", line, what, shortened(cell)));
  return static_cast<std::uint8_t>(*x);
}

void add_row(ImageData& data, const std::vector<std::string>& cells, std::size_t line) {
  for (std::size_t j = 0; j + 1 < cells.size(); ++j)
    data.bytes.push_back(byte_of(cells[j], line, fmt::format("pixel {}", j + 1)));
  const auto label = byte_of(cells.back(), line, "the label");
  data.labels.push_back(label);
  data.classes = std::max(data.classes, std::size_t{label} + 1);
}

/// Records of `labels` label bytes and 3072 pixels; limits[j]: how many values label byte j has.
/// The last label counts.
ImageData parse_cifar(std::string_view bytes,
                      std::string_view name,
                      const std::vector<unsigned>& limits) {
  refuse_compressed(bytes);
  constexpr std::size_t kPixels = std::size_t{3} * 32 * 32;
  const std::size_t record = limits.size() + kPixels;
  if (bytes.empty()) throw InputError("the file is empty");
  if (bytes.size() % record != 0)
    throw InputError(fmt::format(
        "{0} bytes are not a multiple of {2} bytes, the size of a {1} record: the file is "
        "truncated or has another format",
        bytes.size(),
        name,
        record));
  ImageData data;
  data.pixels = kPixels;
  data.classes = limits.back();
  const std::size_t count = bytes.size() / record;
  data.bytes.reserve(count * kPixels);
  data.labels.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view image = bytes.substr(i * record, record);
    for (std::size_t j = 0; j < limits.size(); ++j)
      if (static_cast<unsigned char>(image[j]) >= limits[j])
        throw InputError(
            fmt::format("record {}: a label is {}, but labels of {} are below {}: the file has "
                        "another format",
                        i + 1,
                        static_cast<unsigned>(static_cast<unsigned char>(image[j])),
                        name,
                        limits[j]));
    data.labels.push_back(static_cast<unsigned char>(image[limits.size() - 1]));
    data.bytes.insert(data.bytes.end(), image.begin() + limits.size(), image.end());
  }
  return finished(std::move(data));
}

}  // namespace

void ImageData::read(std::size_t i, Eigen::Ref<Vector> column) const {
  POSSE_CHECK(i < size() && static_cast<std::size_t>(column.size()) == pixels,
              "image {} of {}, {} pixels",
              i,
              size(),
              column.size());
  const std::uint8_t* first = bytes.data() + i * pixels;
  for (Eigen::Index j = 0; j < column.size(); ++j) column[j] = first[j] * scale;
}

ImageData parse_digits(std::string_view text) {
  refuse_compressed(text);
  CsvReader csv(text);
  ImageData data;
  if (csv.columns().size() < 2)
    throw InputError("line 1: there is only one column; a row consists of pixels and a label");
  data.pixels = csv.columns().size() - 1;
  const auto is_number = [](const std::string& cell) {
    return parse_number<double>(cell).has_value();
  };
  if (std::all_of(csv.columns().begin(), csv.columns().end(), is_number))
    add_row(data, csv.columns(), 1);  // the file has no header
  while (csv.next()) add_row(data, csv.cells(), csv.line());
  return finished(std::move(data));
}

ImageData parse_cifar10(std::string_view bytes) { return parse_cifar(bytes, "CIFAR-10", {10}); }

ImageData parse_cifar100(std::string_view bytes) {
  return parse_cifar(bytes, "CIFAR-100", {20, 100});
}

}  // namespace posse
