// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/table_reader.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/base/shown_text.hpp"
#include "program/base/units.hpp"
#include "program/scenario/schema.hpp"

namespace posse {
namespace {

const Table& no_table() {
  static const Table empty;
  return empty;
}

bool in_range(const ParameterSpec& spec, double x) {
  return (spec.min_open ? x > spec.min : x >= spec.min) &&
         (spec.max_open ? x < spec.max : x <= spec.max);
}

/// A whole number, also as 1e5.
std::optional<std::int64_t> whole_of(const Value& value) {
  constexpr double kExact = 9007199254740992;
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) return *whole;
  if (const auto* real = std::get_if<double>(&value.data))
    if (std::rint(*real) == *real && std::abs(*real) <= kExact)
      return static_cast<std::int64_t>(*real);
  return std::nullopt;
}

/// Squares of other numbers over- or underflow, and what divides by them is not finite.
bool is_of_workable_size(double x) {
  constexpr double kSmallest = 1e-150, kLargest = 1e150;
  return x == 0 || (std::abs(x) >= kSmallest && std::abs(x) <= kLargest);
}
constexpr auto kWorkableSizes = "0, or a number from 1e-150 to 1e150 in size";

std::vector<std::string> strings(const std::vector<std::string_view>& views) {
  return {views.begin(), views.end()};
}

std::string range(double min, double max) {
  if (std::isinf(min) && std::isinf(max)) return "a finite number";
  if (std::isinf(max)) return fmt::format("at least {}", min);
  if (std::isinf(min)) return fmt::format("at most {}", max);
  return fmt::format("{} to {}", min, max);
}

/// The allowed values for an error; for a file also its content.
std::string allowed_text(const ParameterSpec& spec) {
  const std::string text = range_text(spec);
  return spec.type == ParameterType::file ? fmt::format("{}: {}", text, spec.help) : text;
}

}  // namespace

TableReader::TableReader(const Value& value, std::string path, Diagnostics& diagnostics)
    : TableReader(value, path, find_section(path), diagnostics) {}

TableReader::TableReader(const Value& value,
                         std::string path,
                         const SectionSpec* section,
                         Diagnostics& diagnostics)
    : diagnostics_(diagnostics),
      path_(std::move(path)),
      section_(section),
      location_(value.location),
      table_(value.table()) {
  if (table_ != nullptr) return;
  table_ = &no_table();
  diagnostics_.add({location_, path_, "is not a table", describe(value), "a table of keys", ""});
}

std::string TableReader::path_of(std::string_view key) const {
  if (key.empty()) return path_;
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

const SectionSpec& TableReader::section() const {
  POSSE_CHECK(section_ != nullptr, "the schema has no section {}", path_);
  return *section_;
}

const Value* TableReader::find(std::string_view key) {
  POSSE_CHECK(section_ == nullptr || section_->any_key || section_->has_parameters ||
                  section_->key(key) != nullptr,
              "the schema has no key {} in [{}]",
              key,
              section_ == nullptr ? "" : section_->path);
  known_.emplace(key);
  const auto it = table_->find(key);
  return it == table_->end() ? nullptr : &it->second;
}

void TableReader::error(std::string_view key,
                        std::string problem,
                        std::string allowed,
                        std::string nearest) {
  wrong_.emplace(key);
  const auto it = table_->find(key);
  const bool given = it != table_->end();
  diagnostics_.add({given ? it->second.location : location_,
                    path_of(key),
                    std::move(problem),
                    given && !it->second.table() && !it->second.array() ? describe(it->second) : "",
                    std::move(allowed),
                    std::move(nearest)});
}

void TableReader::require(std::string_view key, std::string allowed) {
  if (find(key) == nullptr) error(key, "is missing", std::move(allowed));
}

std::optional<std::string> TableReader::text(std::string_view key) {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* s = std::get_if<std::string>(&value->data)) return *s;
  error(key, "is not a string", "a string in quotes");
  return std::nullopt;
}

std::optional<std::string> TableReader::choice(std::string_view key,
                                               const std::vector<std::string>& choices,
                                               std::string_view also) {
  auto given = text(key);
  if (!given) return std::nullopt;
  for (const auto& choice : choices)
    if (*given == choice) return given;
  error(key,
        "is unknown",
        also.empty() ? names_text(choices) : fmt::format("{}; {}", names_text(choices), also),
        nearest_name(*given, choices));
  return std::nullopt;
}

const KeySpec& TableReader::spec(std::string_view key, KeyType type) const {
  const KeySpec* spec = section_ == nullptr ? nullptr : section_->key(key);
  POSSE_CHECK(spec != nullptr && spec->type == type, "the schema has another {} in {}", key, path_);
  return *spec;
}

std::optional<std::string> TableReader::choice(std::string_view key) {
  return choice(key, strings(spec(key, KeyType::choice).choices));
}

std::optional<std::int64_t> TableReader::integer(std::string_view key) {
  const KeySpec& of = spec(key, KeyType::whole);
  return integer(key,
                 static_cast<std::int64_t>(of.min),
                 std::isinf(of.max) ? std::numeric_limits<std::int64_t>::max()
                                    : static_cast<std::int64_t>(of.max));
}

std::optional<double> TableReader::real(std::string_view key) {
  const KeySpec& of = spec(key, KeyType::number);
  const auto x = real(key, of.min, of.max);
  if (!x || ((!of.min_open || *x > of.min) && (!of.max_open || *x < of.max))) return x;
  error(key,
        fmt::format(
            "must be {} {}", *x <= of.min ? "above" : "below", *x <= of.min ? of.min : of.max));
  return std::nullopt;
}

std::optional<bool> TableReader::boolean(std::string_view key) {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (const auto* b = std::get_if<bool>(&value->data)) return *b;
  error(key, "is not true or false", "true, false");
  return std::nullopt;
}

std::optional<std::int64_t> TableReader::integer(std::string_view key,
                                                 std::int64_t min,
                                                 std::int64_t max) {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto allowed = fmt::format("a whole number, {} to {}", min, max);
  const auto i = whole_of(*value);
  if (!i) {
    error(key, "is not a whole number", allowed);
    return std::nullopt;
  }
  if (*i < min || *i > max) {
    error(key, "is out of range", allowed);
    return std::nullopt;
  }
  return *i;
}

std::optional<double> TableReader::real(std::string_view key, double min, double max) {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  double x = 0;
  if (const auto* d = std::get_if<double>(&value->data)) {
    x = *d;
  } else if (const auto* i = std::get_if<std::int64_t>(&value->data)) {
    x = static_cast<double>(*i);
  } else {
    error(key, "is not a number", range(min, max));
    return std::nullopt;
  }
  if (!std::isfinite(x) || x < min || x > max) {
    error(key, std::isfinite(x) ? "is out of range" : "is not a finite number", range(min, max));
    return std::nullopt;
  }
  if (!is_of_workable_size(x)) {
    error(key, "is too large, or too close to 0, to compute with", kWorkableSizes);
    return std::nullopt;
  }
  return x;
}

std::optional<std::vector<double>> TableReader::numbers(std::string_view key,
                                                        double min,
                                                        double max) {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto* list = value->array();
  const Array one{*value};
  std::vector<double> numbers;
  const auto allowed = fmt::format("a number or a list of numbers, each {}", range(min, max));
  for (const Value& element : list ? *list : one) {
    double x = std::numeric_limits<double>::quiet_NaN();
    if (const auto* d = std::get_if<double>(&element.data)) x = *d;
    if (const auto* i = std::get_if<std::int64_t>(&element.data)) x = static_cast<double>(*i);
    if (!std::isfinite(x) || x < min || x > max) {
      error(key, list ? fmt::format("has the element {}", describe(element)) : "is wrong", allowed);
      return std::nullopt;
    }
    if (!is_of_workable_size(x)) {
      error(key, "is too large, or too close to 0, to compute with", kWorkableSizes);
      return std::nullopt;
    }
    numbers.push_back(x);
  }
  if (numbers.empty()) {
    error(key, "is an empty list", allowed);
    return std::nullopt;
  }
  return numbers;
}

template <class T, class Parse>
std::optional<T> TableReader::with_unit(std::string_view key, Parse parse, std::string_view units) {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto allowed = fmt::format("a string with a unit: {}", units);
  const auto* s = std::get_if<std::string>(&value->data);
  if (s == nullptr) {
    const bool number = std::holds_alternative<std::int64_t>(value->data) ||
                        std::holds_alternative<double>(value->data);
    error(key, number ? "has no unit" : "is not a string with a unit", allowed);
    return std::nullopt;
  }
  auto parsed = parse(*s);
  if (!parsed.value) error(key, parsed.problem, allowed);
  return parsed.value;
}

std::optional<Duration> TableReader::duration(std::string_view key) {
  const auto duration = with_unit<Duration>(key, parse_duration, kDurationUnits);
  const KeySpec* of = section_ == nullptr ? nullptr : section_->key(key);
  if (!duration || of == nullptr || !of->min_open || duration->ns > 0) return duration;
  error(key, "must be above 0", "a duration above 0");
  return std::nullopt;
}
std::optional<std::uint64_t> TableReader::size(std::string_view key) {
  return with_unit<std::uint64_t>(key, parse_size, kSizeUnits);
}
std::optional<double> TableReader::rate(std::string_view key) {
  return with_unit<double>(key, parse_rate, kRateUnits);
}

std::vector<Value> TableReader::tables(std::string_view key) {
  const Value* value = find(key);
  if (value == nullptr) return {};
  if (const auto* array = value->array()) return *array;
  error(key, "is not a list of tables", "");
  return {};
}

Parameters TableReader::parameters(const std::vector<ParameterSpec>& specs, InputFiles* files) {
  Parameters parameters = default_parameters(specs);
  for (const auto& spec : specs) {
    const Value* value = find(spec.name);
    if (value == nullptr) {
      if (spec.required) error(spec.name, "is missing", allowed_text(spec));
      // A default path too starts at the scenario's folder.
      if (spec.type == ParameterType::folder && files != nullptr)
        parameters.set(spec.name, files->folder(parameters.text(spec.name)));
      continue;
    }
    // "auto" means the same as an absent key; resolved scenarios may have it.
    if (!spec.required && std::holds_alternative<std::monostate>(spec.default_value) &&
        std::holds_alternative<std::string>(value->data) &&
        std::get<std::string>(value->data) == "auto")
      continue;
    const auto reject_range = [&] { error(spec.name, "is out of range", range_text(spec)); };
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    switch (spec.type) {
      case ParameterType::boolean:
        if (const auto b = boolean(spec.name)) parameters.set(spec.name, *b);
        break;
      case ParameterType::integer: {
        const auto i = whole_of(*value);
        if (!i)
          error(spec.name, "is not a whole number", range_text(spec));
        else if (!in_range(spec, static_cast<double>(*i)))
          reject_range();
        else
          parameters.set(spec.name, *i);
        break;
      }
      case ParameterType::real:
        if (const auto x = real(spec.name, -kInfinity, kInfinity)) {
          if (in_range(spec, *x))
            parameters.set(spec.name, *x);
          else
            reject_range();
        }
        break;
      case ParameterType::text:
        if (spec.choices.empty()) {
          if (auto s = text(spec.name)) parameters.set(spec.name, std::move(*s));
        } else if (auto s = choice(spec.name, strings(spec.choices))) {
          parameters.set(spec.name, std::move(*s));
        }
        break;
      case ParameterType::duration:
        if (const auto d = duration(spec.name)) {
          if (in_range(spec, d->to_seconds()))
            parameters.set(spec.name, *d);
          else
            reject_range();
        }
        break;
      case ParameterType::size_bytes:
        if (const auto bytes = size(spec.name)) {
          if (in_range(spec, static_cast<double>(*bytes)))
            parameters.set(spec.name, static_cast<std::int64_t>(*bytes));
          else
            reject_range();
        }
        break;
      case ParameterType::numbers:
        if (auto list = numbers(spec.name, spec.min, spec.max))
          parameters.set(spec.name, std::move(*list));
        break;
      case ParameterType::file:
      case ParameterType::folder:
        POSSE_CHECK(files != nullptr, "no reader for the file of {}", spec.name);
        if (const auto name = text(spec.name)) {
          try {
            if (spec.type == ParameterType::file)
              parameters.set(spec.name, files->load(*name));
            else
              parameters.set(spec.name, files->folder(*name));
          } catch (const InputError& problem) {
            error(spec.name, problem.what(), allowed_text(spec));
          }
        }
        break;
    }
  }
  return parameters;
}

void TableReader::finish() {
  const std::vector<std::string> names(known_.begin(), known_.end());
  for (const auto& [key, value] : *table_) {
    if (known_.contains(key)) continue;
    auto nearest = nearest_name(key, names);
    const bool of_scenario = path_of(key) == key && known_.contains("population");
    if (nearest.empty() && of_scenario) nearest = full_key(key);
    diagnostics_.add({value.location,
                      path_of(key),
                      std::string(kUnknownKey),
                      "",
                      fmt::format("{}", fmt::join(names, ", ")),
                      std::move(nearest)});
  }
}

std::string range_text(const ParameterSpec& spec) {
  if (!spec.choices.empty()) return fmt::format("{}", fmt::join(spec.choices, " | "));
  const auto number = [&](double x) -> std::string {
    if (spec.type == ParameterType::duration) return format_duration(Duration::seconds(x));
    if (spec.type == ParameterType::size_bytes) return format_size(static_cast<std::uint64_t>(x));
    return fmt::format("{}", x);
  };
  std::string text;
  if (!std::isinf(spec.min)) text = (spec.min_open ? "above " : "at least ") + number(spec.min);
  if (!std::isinf(spec.max))
    text += (text.empty() ? "" : ", ") + std::string(spec.max_open ? "below " : "at most ") +
            number(spec.max);
  switch (spec.type) {
    case ParameterType::boolean:
      return "true | false";
    case ParameterType::integer:
      return text.empty() ? "a whole number" : "a whole number, " + text;
    case ParameterType::real:
      return text.empty() ? "a number" : text;
    case ParameterType::text:
      return "a string";
    case ParameterType::duration:
      return text.empty() ? "a duration" : "a duration, " + text;
    case ParameterType::size_bytes:
      return text.empty() ? "a size" : "a size, " + text;
    case ParameterType::numbers:
      return "a number or a list of numbers" + (text.empty() ? "" : ", each " + text);
    case ParameterType::file:
    case ParameterType::folder:
      return "a path, from the scenario's folder";
  }
  return text;
}

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      out += c;
  }
  return out + '"';
}

std::string format_real(double value) {
  auto text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string format_value(const ParameterSpec& spec, const ParameterValue& value) {
  struct Visitor {
    const ParameterSpec& spec;
    std::string operator()(std::monostate) const { return "auto"; }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const {
      return spec.type == ParameterType::size_bytes
                 ? toml_string(format_size(static_cast<std::uint64_t>(i)))
                 : fmt::format("{}", i);
    }
    std::string operator()(double d) const { return format_real(d); }
    std::string operator()(const std::string& s) const { return toml_string(s); }
    std::string operator()(Duration d) const { return toml_string(format_duration(d)); }
    std::string operator()(const InputText& file) const { return toml_string(file.stored); }
    std::string operator()(const std::vector<double>& numbers) const {
      if (numbers.size() == 1) return format_real(numbers.front());
      std::string list;
      for (const double x : numbers) list += (list.empty() ? "" : ", ") + format_real(x);
      return "[" + list + "]";
    }
  };
  return std::visit(Visitor{spec}, value);
}

}  // namespace posse
