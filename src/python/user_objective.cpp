// SPDX-License-Identifier: Apache-2.0
#include "python/user_objective.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/base/outside_failure.hpp"
#include "core/base/shown_text.hpp"
#include "core/objective/memo.hpp"
#include "python/values.hpp"

namespace posse::python {
namespace py = pybind11;
namespace {

struct Function {
  py::object call;
  Box domain;
  std::optional<double> maximum;
  bool batched = false;

  /// The values at the points.
  std::vector<double> values(std::span<const std::vector<double>> points) const {
    const py::gil_scoped_acquire lock;
    const auto where = fmt::format(
        "({}){}", fmt::join(points.front(), ", "), points.size() > 1 ? " and other points" : "");
    try {
      auto values = batched ? of_array(points) : of_lists(points);
      for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]))
          throw OutsideFailure(fmt::format(
              "the Python function returned {} at ({})", values[i], fmt::join(points[i], ", ")));
      return values;
    } catch (const py::error_already_set& problem) {
      throw OutsideFailure(
          fmt::format("the Python function failed at {}: {}", where, shown_error(problem.what())));
    } catch (const py::cast_error&) {
      throw OutsideFailure(fmt::format("the Python function returned no number at {}", where));
    }
  }

 private:
  std::vector<double> of_lists(std::span<const std::vector<double>> points) const {
    std::vector<double> values;
    for (const auto& x : points) values.push_back(py::cast<double>(call(x)));
    return values;
  }
  std::vector<double> of_array(std::span<const std::vector<double>> points) const {
    const auto d = domain.dimension();
    py::array_t<double> array({points.size(), d});
    for (std::size_t i = 0; i < points.size(); ++i)
      std::copy(points[i].begin(), points[i].end(), array.mutable_data() + i * d);
    std::vector<double> values;
    for (const auto value : py::list(call(array)))
      values.push_back(py::float_(py::reinterpret_borrow<py::object>(value)));
    if (values.size() != points.size())
      throw OutsideFailure(fmt::format(
          "the Python function returned {} values for {} points", values.size(), points.size()));
    return values;
  }
};
using SharedFunction = std::shared_ptr<const Function>;

class Functions {
 public:
  std::uint64_t add(SharedFunction function) {
    const std::lock_guard lock(mutex_);
    all_.emplace(++latest_, std::move(function));
    return latest_;
  }
  void remove(std::uint64_t number) {
    SharedFunction function;  // released without the lock: that may run Python
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(number);
    if (found == all_.end()) return;
    function = std::move(found->second);
    all_.erase(found);
  }
  SharedFunction find(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(number);
    return found == all_.end() ? nullptr : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, SharedFunction> all_;
  std::uint64_t latest_ = 0;
};

Functions& functions() {
  static auto* all = new Functions;  // Python may be gone before statics are
  return *all;
}

class PythonObjective final : public Objective {
 public:
  explicit PythonObjective(SharedFunction function) : function_(std::move(function)) {}
  const Box& domain() const override { return function_->domain; }
  double value(std::span<const double> x) const override {
    return values_.get(x, [&] {
      const std::vector<double> point(x.begin(), x.end());
      return function_->values(std::span(&point, 1)).front();
    });
  }
  bool batched() const override { return function_->batched; }
  void prepare(std::span<const std::vector<double>> points) const override {
    if (!function_->batched) return;
    values_.prepare(points, [&](const auto& unknown) { return function_->values(unknown); });
  }
  ValueRange value_range() const override {
    constexpr double kAnywhere = std::numeric_limits<double>::infinity();
    return {-kAnywhere, kAnywhere};
  }
  bool expensive() const override { return true; }
  std::optional<double> conventional_maximum() const override { return function_->maximum; }

 private:
  SharedFunction function_;
  mutable Memo values_;
};

}  // namespace

std::uint64_t add_function(const py::object& function,
                           const py::object& domain,
                           std::optional<double> maximum,
                           bool batched) {
  if (PyCallable_Check(function.ptr()) == 0) throw py::type_error("the objective can't be called");
  if (maximum && !std::isfinite(*maximum)) throw py::value_error("the maximum is not finite");
  Box box = box_of(domain);
  for (std::size_t j = 0; j < box.dimension(); ++j)
    if (!std::isfinite(box.low[j]) || !std::isfinite(box.high[j]) || !(box.low[j] < box.high[j]))
      throw py::value_error(fmt::format("the domain of dimension {} is empty or not finite", j));
  // The last owner may be a thread without the interpreter lock.
  const auto release = [](const Function* last) {
    const py::gil_scoped_acquire lock;
    delete last;
  };
  return functions().add(
      SharedFunction(new Function{function, std::move(box), maximum, batched}, release));
}

void remove_function(std::uint64_t number) { functions().remove(number); }

ObjectiveSpec python_objective_spec() {
  return {.kind = "python",
          .summary = "a function of the Python program that runs the scenario",
          .source = "",
          .parameters = {{.name = "function",
                          .type = ParameterType::integer,
                          .default_value = {},
                          .help = "number of the function in this Python program",
                          .min = 1,
                          .max = 1e15,
                          .required = true}},
          .make = [](const Parameters& parameters) -> std::unique_ptr<Objective> {
            auto function =
                functions().find(static_cast<std::uint64_t>(parameters.integer("function")));
            if (function == nullptr)
              throw InputError("is not a function of this Python program", "function");
            return std::make_unique<PythonObjective>(std::move(function));
          },
          .noise = "none",
          .foreign_mathematics = "Python"};
}

}  // namespace posse::python
