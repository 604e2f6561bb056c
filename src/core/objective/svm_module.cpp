// SPDX-License-Identifier: Apache-2.0
#include "core/objective/svm_module.hpp"

#include <libsvm/svm.h>

#include <algorithm>
#include <memory>

#include "core/base/module.hpp"

namespace posse {
namespace {

/// Rows in libsvm's format: pairs of index and value, ended by the index -1.
class SvmRows {
 public:
  explicit SvmRows(const std::vector<LandmineRow>& rows) {
    nodes_.reserve(rows.size() * (kLandmineFeatures + 1));
    for (const auto& row : rows) {
      for (std::size_t j = 0; j < kLandmineFeatures; ++j)
        nodes_.push_back({static_cast<int>(j) + 1, row.x[j]});
      nodes_.push_back({-1, 0});
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows_.push_back(&nodes_[i * (kLandmineFeatures + 1)]);
  }
  std::vector<svm_node*>& rows() { return rows_; }

 private:
  std::vector<svm_node> nodes_;
  std::vector<svm_node*> rows_;
};

svm_parameter svm_options(std::size_t rows, double c, double gamma, double eps) {
  svm_parameter options{};
  options.svm_type = C_SVC;
  options.kernel_type = RBF;
  options.gamma = gamma;
  options.C = c;
  options.eps = eps;
  options.shrinking = 1;
  // Large enough for the whole matrix of 4-byte numbers, so that no column is computed twice.
  const auto n = static_cast<double>(rows);
  options.cache_size = std::min(100.0, 1 + 4 * n * n * 0x1p-20);
  return options;
}

/// Silences libsvm, which writes its progress to standard output; the setting is global.
void silence_libsvm() {
  [[maybe_unused]] static const bool silent = [] {
    svm_set_print_string_function([](const char*) {});
    return true;
  }();
}

std::vector<double> scores(const LandmineField& field, double c, double gamma, double eps) {
  silence_libsvm();
  SvmRows train(field.train);
  std::vector<double> labels;
  labels.reserve(field.train.size());
  for (const auto& row : field.train) labels.push_back(row.mine ? 1 : -1);
  const svm_problem problem{static_cast<int>(labels.size()), labels.data(), train.rows().data()};
  const svm_parameter options = svm_options(labels.size(), c, gamma, eps);
  struct Free {
    void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
  };
  const std::unique_ptr<svm_model, Free> model(svm_train(&problem, &options));
  // Positive scores are for the class that comes first in the data.
  const double sign = model->label[0] == 1 ? 1 : -1;
  SvmRows test(field.test);
  std::vector<double> scores;
  scores.reserve(field.test.size());
  for (const svm_node* row : test.rows()) {
    double score = 0;
    svm_predict_values(model.get(), row, &score);
    scores.push_back(sign * score);
  }
  return scores;
}

}  // namespace
}  // namespace posse

POSSE_MODULE(posse::SvmModule){posse::scores};
