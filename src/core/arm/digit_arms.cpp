// SPDX-License-Identifier: Apache-2.0
#include "core/arm/digit_arms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/arm/curve_arms.hpp"
#include "core/arm/word_list.hpp"
#include "core/base/csv.hpp"
#include "core/base/shown_text.hpp"
#include "core/function/image_data.hpp"
#include "core/function/neural_network.hpp"
#include "core/optimizer/optimizer.hpp"

namespace posse {
namespace {

/// Fisher-Yates shuffle with the draws first, first + 1, … of the stream.
void shuffle(std::vector<std::size_t>& items, UniformStream& stream, std::uint64_t first) {
  for (std::size_t i = items.size(); i > 1; --i) {
    const auto j = static_cast<std::size_t>(stream.at(first++) * static_cast<double>(i));
    std::swap(items[i - 1], items[std::min(j, i - 1)]);
  }
}

/// The images of one repetition.
struct Split {
  std::shared_ptr<const ImageData> images;
  std::vector<std::size_t> training;
  Eigen::MatrixXd validation;
  std::vector<std::uint16_t> validation_labels;
};

std::shared_ptr<const Split> make_split(std::shared_ptr<const ImageData> images,
                                        double share,
                                        Seed seed) {
  auto split = std::make_shared<Split>();
  std::vector<std::size_t> order(images->size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  UniformStream stream(stream_key(seed, "image-split", "arms"));
  shuffle(order, stream, 0);
  const auto count = std::clamp<std::size_t>(
      static_cast<std::size_t>(std::llround(share * static_cast<double>(order.size()))),
      1,
      order.size() - 1);
  split->validation.resize(static_cast<Eigen::Index>(images->pixels),
                           static_cast<Eigen::Index>(count));
  for (std::size_t i = 0; i < count; ++i) {
    images->read(order[i], split->validation.col(static_cast<Eigen::Index>(i)));
    split->validation_labels.push_back(images->labels[order[i]]);
  }
  split->training.assign(order.begin() + static_cast<std::ptrdiff_t>(count), order.end());
  split->images = std::move(images);
  return split;
}

struct TrainingOptions {
  std::uint64_t updates = 40;
  std::size_t batch = 64;
  double factor = 2;
};

class NetworkTraining final : public Optimizer {
 public:
  /// `scale` of g; empty: factor times the first loss.
  NetworkTraining(std::shared_ptr<const Split> split,
                  const NetworkModel& model,
                  const TrainingOptions& options,
                  std::optional<double> scale,
                  Seed seed,
                  const std::string& stream)
      : Optimizer(Vector()),
        split_(std::move(split)),
        options_(options),
        scale_(scale),
        network_(widths(*split_->images, model), stream_key(seed, "network", stream)),
        adam_(network_.parameters(), model.learning_rate),
        batches_(stream_key(seed, "batches", stream)),
        order_(split_->training) {
    options_.batch = std::min(options_.batch, order_.size());
    next_ = order_.size();  // the first batch starts a pass
    inputs_.resize(split_->validation.rows(), static_cast<Eigen::Index>(options_.batch));
    labels_.resize(options_.batch);
  }

 private:
  static std::vector<Eigen::Index> widths(const ImageData& images, const NetworkModel& model) {
    std::vector<Eigen::Index> all{static_cast<Eigen::Index>(images.pixels)};
    all.insert(all.end(), model.hidden.begin(), model.hidden.end());
    all.push_back(static_cast<Eigen::Index>(images.classes));
    return all;
  }

  /// The next batch of this pass. An incomplete batch at the end of a pass is skipped.
  void read_batch() {
    if (order_.size() - next_ < options_.batch) {
      shuffle(order_, batches_, passes_++ * order_.size());
      next_ = 0;
    }
    for (std::size_t i = 0; i < options_.batch; ++i) {
      const std::size_t image = order_[next_++];
      split_->images->read(image, inputs_.col(static_cast<Eigen::Index>(i)));
      labels_[i] = split_->images->labels[image];
    }
  }

  void advance() override {
    for (std::uint64_t update = 0; update < options_.updates; ++update) {
      read_batch();
      network_.loss_and_gradient(inputs_, labels_, gradient_);
      adam_.step(gradient_, network_.weights());
    }
    value_ = network_.loss(split_->validation, split_->validation_labels);
    // The training diverged: a large finite value ranks the arm last and can be compared.
    if (!std::isfinite(value_)) value_ = 1e300;
    if (!scale_) scale_ = options_.factor * value_;
    bound_ = heuristic_bound(*scale_, steps());
  }

  std::shared_ptr<const Split> split_;
  TrainingOptions options_;
  std::optional<double> scale_;
  NeuralNetwork network_;
  Adam adam_;
  UniformStream batches_;
  std::vector<std::size_t> order_;
  std::size_t next_ = 0;
  std::uint64_t passes_ = 0;
  Eigen::MatrixXd inputs_;
  std::vector<std::uint16_t> labels_;
  Vector gradient_;
};

class DigitArms final : public ArmFamily {
 public:
  DigitArms(ImageData images,
            std::vector<NetworkModel> models,
            double validation,
            const TrainingOptions& options,
            bool common)
      : images_(std::make_shared<const ImageData>(std::move(images))),
        models_(std::move(models)),
        validation_(validation),
        options_(options),
        common_(common) {}

  std::uint32_t size() const override { return static_cast<std::uint32_t>(models_.size()); }

  std::shared_ptr<const ArmSet> arms(const Repetition& repetition,
                                     std::uint64_t budget) const override {
    const auto split = make_split(images_, validation_, repetition.seed);
    std::optional<double> scale;
    if (common_) scale = options_.factor * largest_first_loss(split, repetition.seed);
    auto set = std::make_shared<ArmSet>();
    set->budget = budget;
    for (const auto& model : models_)
      set->arms.push_back({model.name,
                           std::nullopt,
                           [split, model, scale, options = options_, seed = repetition.seed](
                               std::uint32_t instance) -> std::unique_ptr<Optimizer> {
                             return std::make_unique<NetworkTraining>(
                                 split,
                                 model,
                                 options,
                                 scale,
                                 seed,
                                 instance == 0 ? model.name
                                               : fmt::format("{}/copy-{}", model.name, instance));
                           },
                           Certificate::guess});
    return set;
  }

 private:
  /// The largest loss after the first pull of each arm; repeats these pulls.
  double largest_first_loss(const std::shared_ptr<const Split>& split, Seed seed) const {
    double largest = 0;
    for (const auto& model : models_) {
      NetworkTraining first(split, model, options_, std::nullopt, seed, model.name);
      first.step();
      largest = std::max(largest, first.value());
    }
    return largest;
  }

  std::shared_ptr<const ImageData> images_;
  std::vector<NetworkModel> models_;
  double validation_;
  TrainingOptions options_;
  bool common_;
};

std::shared_ptr<const ArmFamily> make_digits(const Parameters& p) {
  auto models = parse_models(p.text("models"), p.real("learning_rate"));
  const std::string& kind = p.text("data");
  ImageData images;
  try {
    const std::string& content = p.file("file");
    images = kind == "digits"    ? parse_digits(content)
             : kind == "cifar10" ? parse_cifar10(content)
                                 : parse_cifar100(content);
    if (images.size() < 2) throw InputError("there is only one image; training needs at least two");
  } catch (const InputError& error) {
    throw InputError(error.what(), "file");
  }
  TrainingOptions options;
  options.updates = static_cast<std::uint64_t>(p.integer("updates"));
  options.batch = static_cast<std::size_t>(p.integer("batch"));
  options.factor = p.real("factor");
  return std::make_shared<DigitArms>(std::move(images),
                                     std::move(models),
                                     p.real_or("validation", kind == "digits" ? 0.2 : 0.1),
                                     options,
                                     p.text("scale") == "common");
}

/// "64-32" of mlp-64-32.
std::vector<Eigen::Index> parse_widths(std::string_view text, const std::string& entry) {
  std::vector<Eigen::Index> widths;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('-', begin), text.size());
    const auto width = parse_number<int>(text.substr(begin, end - begin));
    if (!width || *width < 1 || *width > 10000)
      throw InputError(
          fmt::format("'{}': a width must be a whole number from 1 to 10000", shortened(entry)),
          "models");
    widths.push_back(*width);
    begin = end + 1;
  }
  return widths;
}

}  // namespace

std::vector<NetworkModel> parse_models(const std::string& list, double learning_rate) {
  std::vector<NetworkModel> models;
  for (const auto& entry : word_list(list, "models")) {
    NetworkModel model{entry, {}, learning_rate};
    const std::size_t at = std::min(entry.find('@'), entry.size());
    if (at < entry.size()) {
      const auto rate = parse_number<double>(entry.substr(at + 1));
      if (!rate || !(*rate > 0) || !std::isfinite(*rate))
        throw InputError(
            fmt::format("'{}': the learning rate must be a number above 0", shortened(entry)),
            "models");
      model.learning_rate = *rate;
    }
    const std::string kind = entry.substr(0, at);
    if (kind.starts_with("mlp-"))
      model.hidden = parse_widths(std::string_view(kind).substr(4), entry);
    else if (kind != "softmax")
      throw InputError(fmt::format("'{}' is not a model; allowed: softmax, mlp-WIDTH-WIDTH…, "
                                   "optionally followed by @RATE",
                                   shortened(entry)),
                       "models");
    for (const auto& other : models)
      if (other.name == entry)
        throw InputError(fmt::format("'{}' is listed twice", shortened(entry)), "models");
    models.push_back(std::move(model));
  }
  return models;
}

ArmFamilySpec digit_arms_spec() {
  std::vector<ParameterSpec> parameters{
      {.name = "file",
       .type = ParameterType::file,
       .default_value = std::monostate{},
       .help =
           "the images: digits.csv (Debian's python3-sklearn contains it as digits.csv.gz; unpack "
           "it), or CIFAR's binary records (cat data_batch_*.bin; train.bin)",
       .required = true},
      {.name = "data",
       .type = ParameterType::text,
       .default_value = std::string("digits"),
       .help = "content of the file; digits: any CSV of pixels 0 … 255 and a label",
       .choices = {"digits", "cifar10", "cifar100"}},
      {.name = "models",
       .type = ParameterType::text,
       .default_value = std::string("softmax@0.01, softmax@0.001, mlp-16@0.001, mlp-64@0.001, "
                                    "mlp-64@0.01, mlp-32-32@0.001, mlp-64-64@0.003, "
                                    "mlp-64-64@0.0003"),
       .help = "the arms, separated by commas: softmax or mlp-WIDTH-WIDTH…, optionally followed by "
               "@RATE, the learning rate"},
      {.name = "learning_rate",
       .default_value = 1e-3,
       .help = "learning rate of models without @RATE",
       .min = 0,
       .min_open = true},
      {.name = "updates",
       .type = ParameterType::integer,
       .default_value = std::int64_t{40},
       .help = "Adam updates per pull",
       .min = 1,
       .max = 1000000},
      {.name = "batch",
       .type = ParameterType::integer,
       .default_value = std::int64_t{64},
       .help = "images per update; at most the number of training images",
       .min = 1,
       .max = 1000000},
      {.name = "validation",
       .default_value = std::monostate{},
       .help = "share of the images on which losses are measured; auto: 0.2, for CIFAR 0.1",
       .min = 0,
       .max = 1,
       .min_open = true,
       .max_open = true}};
  for (auto& spec : heuristic_parameters()) parameters.push_back(std::move(spec));
  return {.kind = "digits",
          .summary = "small networks trained on the CPU: a pull is 40 Adam updates",
          .source = "Dorn, Katrutsa, Latypov & Soboleva 2025, section 5.4 and Appendix C",
          .parameters = std::move(parameters),
          .make = make_digits};
}

}  // namespace posse
