// SPDX-License-Identifier: Apache-2.0
// Labelled images for training networks: a CSV of small images, or CIFAR's binary files.
//
//   digits    CSV, a row per image: pixels, whole numbers from 0 to 255, then the label; with or
//             without a header (UCI's digits as scikit-learn ships them: 1797 images of 8 x 8)
//   cifar10   records of 1 label byte (0 … 9) and 3072 pixel bytes (data_batch_1.bin, …)
//   cifar100  records of a coarse label (0 … 19), a fine label (0 … 99) and 3072 pixel bytes
//             (train.bin); the fine label counts
// Several batches are one file: records follow one another (cat data_batch_*.bin). Pixels are
// kept as bytes and scaled to [0, 1] by the largest one.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/function/convex_function.hpp"

namespace posse {

struct ImageData {
  std::size_t pixels = 0;   // of an image
  std::size_t classes = 0;  // labels are 0 … classes - 1
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint16_t> labels;
  double scale = 1;  // a pixel is byte · scale

  std::size_t size() const { return labels.size(); }
  /// Image `i` as a column of numbers in [0, 1].
  void read(std::size_t i, Eigen::Ref<Vector> column) const;
};

/// All three throw InputError.
ImageData parse_digits(std::string_view text);
ImageData parse_cifar10(std::string_view bytes);
ImageData parse_cifar100(std::string_view bytes);

}  // namespace posse
