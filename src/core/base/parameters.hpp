// SPDX-License-Identifier: Apache-2.0
// Parameters of algorithms, objectives and other components. Each is declared once, with default,
// range and unit; validation, help and the resolved scenario follow from the declaration.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/check.hpp"
#include "core/base/time.hpp"

namespace posse {

/// An error in a user's parameters or files that a range check cannot find. The text is shown to
/// the user.
class InputError : public std::runtime_error {
 public:
  /// `parameter`: the name of the parameter whose value is wrong, or empty.
  explicit InputError(const std::string& text, std::string parameter = {})
      : std::runtime_error(text), parameter_(std::move(parameter)) {}
  const std::string& parameter() const { return parameter_; }

 private:
  std::string parameter_;
};

/// A file named by a parameter. It is read before the run starts: the core opens no files.
struct InputText {
  std::string path;    // as given
  std::string stored;  // path of the copy in the run folder
  std::shared_ptr<const std::string> content;
  bool operator==(const InputText& other) const { return path == other.path; }
};

/// monostate means "auto": a default that depends on the run, such as delta = 1/n.
using ParameterValue = std::variant<std::monostate,
                                    bool,
                                    std::int64_t,
                                    double,
                                    std::string,
                                    Duration,
                                    InputText,
                                    std::vector<double>>;

/// numbers: a number or a list of numbers. folder: a path, made absolute when read.
enum class ParameterType {
  boolean,
  integer,
  real,
  text,
  duration,
  size_bytes,
  file,
  numbers,
  folder
};

struct ParameterSpec {
  std::string_view name;
  ParameterType type = ParameterType::real;
  ParameterValue default_value;  // monostate: "auto", explained in `help`
  std::string_view help;         // meaning, symbol, source, what auto is
  std::string_view unit = "";    // "" for pure numbers
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool min_open = false;                       // value must be > min
  bool max_open = false;                       // value must be < max
  std::vector<std::string_view> choices = {};  // for text
  bool required = false;
};

/// Validated values by name; every declared parameter is present.
class Parameters {
 public:
  void set(std::string_view name, ParameterValue value) {
    values_.insert_or_assign(std::string(name), std::move(value));
  }
  bool is_auto(std::string_view name) const {
    return std::holds_alternative<std::monostate>(at(name));
  }
  bool boolean(std::string_view name) const { return get<bool>(name); }
  std::int64_t integer(std::string_view name) const { return get<std::int64_t>(name); }
  double real(std::string_view name) const { return get<double>(name); }
  const std::string& text(std::string_view name) const { return get<std::string>(name); }
  Duration duration(std::string_view name) const { return get<Duration>(name); }
  const std::vector<double>& numbers(std::string_view name) const {
    return get<std::vector<double>>(name);
  }
  /// The content of a file.
  const std::string& file(std::string_view name) const { return *get<InputText>(name).content; }
  const InputText& input(std::string_view name) const { return get<InputText>(name); }
  double real_or(std::string_view name, double if_auto) const {
    return is_auto(name) ? if_auto : real(name);
  }
  const std::map<std::string, ParameterValue, std::less<>>& all() const { return values_; }

 private:
  const ParameterValue& at(std::string_view name) const {
    const auto it = values_.find(name);
    POSSE_CHECK(it != values_.end(), "parameter {} was not declared", name);
    return it->second;
  }
  template <class T>
  const T& get(std::string_view name) const {
    const T* value = std::get_if<T>(&at(name));
    POSSE_CHECK(value != nullptr, "parameter {} has another type", name);
    return *value;
  }
  std::map<std::string, ParameterValue, std::less<>> values_;
};

/// Every declared parameter at its default.
inline Parameters default_parameters(const std::vector<ParameterSpec>& specs) {
  Parameters parameters;
  for (const auto& spec : specs) parameters.set(spec.name, spec.default_value);
  return parameters;
}

}  // namespace posse
