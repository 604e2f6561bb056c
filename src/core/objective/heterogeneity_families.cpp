// SPDX-License-Identifier: Apache-2.0
#include "core/objective/heterogeneity_families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/csv.hpp"
#include "core/base/shown_text.hpp"
#include "core/objective/expression.hpp"
#include "core/objective/factories.hpp"

namespace posse {
namespace {

std::string box_text(const Box& box) {
  return fmt::format("[{}] to [{}]", fmt::join(box.low, ", "), fmt::join(box.high, ", "));
}

bool needs_parameters(const ObjectiveSpec& spec) {
  return spec.make == nullptr || std::any_of(spec.parameters.begin(),
                                             spec.parameters.end(),
                                             [](const auto& p) { return p.required; });
}

std::shared_ptr<const Objective> of_kind(const ObjectiveSpec& spec, std::size_t dimension) {
  if (needs_parameters(spec))
    throw InputError(
        fmt::format("{} has required parameters and cannot be used in this list", spec.kind),
        "functions");
  auto parameters = default_parameters(spec.parameters);
  if (parameters.all().contains("dimension"))
    parameters.set("dimension", static_cast<std::int64_t>(dimension));
  return spec.make(parameters);
}

std::shared_ptr<const Objective> of_text(const std::string& text, const Box& box) {
  if (const auto* spec = find_objective(text)) {
    auto f = of_kind(*spec, box.dimension());
    if (f->domain().low != box.low || f->domain().high != box.high)
      throw InputError(fmt::format("{} is defined on {}, the objective on {}",
                                   text,
                                   box_text(f->domain()),
                                   box_text(box)),
                       "functions");
    return f;
  }
  try {
    return std::make_shared<Expression>(text, box);
  } catch (const InputError& error) {
    std::string kinds;
    for (const auto& spec : objective_specs())
      if (!needs_parameters(spec)) kinds += (kinds.empty() ? "" : ", ") + std::string(spec.kind);
    throw InputError(fmt::format("'{}' is neither a function without parameters ({}) nor an "
                                 "expression: {}",
                                 shortened(text),
                                 kinds,
                                 error.what()),
                     "functions");
  }
}

std::uint64_t whole(const CsvReader& csv, std::size_t column) {
  const auto number = parse_number<std::uint64_t>(csv.cell(column));
  if (!number)
    throw InputError(fmt::format("line {}: {} is '{}', not a whole number >= 0",
                                 csv.line(),
                                 csv.columns()[column],
                                 csv.shown(column)),
                     "file");
  return *number;
}

}  // namespace

std::vector<std::shared_ptr<const Objective>> mixed_functions(std::shared_ptr<const Objective> base,
                                                              std::string_view text) {
  const Box box = base->domain();
  std::vector<std::shared_ptr<const Objective>> functions{std::move(base)};
  const char separator = text.find(';') == std::string_view::npos ? ',' : ';';
  for (bool more = true; more;) {
    const auto end = std::min(text.find(separator), text.size());
    std::string_view word = text.substr(0, end);
    more = end < text.size();
    text.remove_prefix(more ? end + 1 : end);
    constexpr std::string_view kBlanks = " \t\n";
    const auto first = word.find_first_not_of(kBlanks);
    if (first == std::string_view::npos)
      throw InputError("an entry is empty; separate functions by single commas", "functions");
    word = word.substr(first, word.find_last_not_of(kBlanks) - first + 1);
    functions.push_back(of_text(std::string(word), box));
  }
  return functions;
}

ValueRange Mixture::value_range() const {
  ValueRange all = functions_.front()->value_range();
  for (const auto& f : functions_) {
    const ValueRange range = f->value_range();
    all = {std::min(all.low, range.low), std::max(all.high, range.high)};
  }
  return all;
}

std::vector<std::shared_ptr<const Objective>> Mixture::clients(std::uint32_t clients,
                                                               const Repetition&) const {
  std::vector<std::shared_ptr<const Objective>> all;
  for (std::uint32_t m = 0; m < clients; ++m) all.push_back(functions_[m % functions_.size()]);
  return all;
}

ShiftTable::ShiftTable(std::shared_ptr<const Objective> base,
                       std::string_view csv_text,
                       Boundary boundary)
    : base_(std::move(base)), boundary_(boundary) {
  const std::size_t d = base_->domain().dimension();
  try {
    CsvReader csv(csv_text);
    const std::size_t seed = csv.column("seed");
    const std::size_t client = csv.column("client");
    std::vector<std::size_t> columns;
    for (std::size_t j = 1; j <= d; ++j) columns.push_back(csv.column(fmt::format("s{}", j)));
    if (csv.columns().size() != d + 2)
      throw InputError(fmt::format("line 1: the columns must be seed, client and {}, but are {}",
                                   d == 1 ? "s1" : fmt::format("s1 … s{}", d),
                                   names_text(csv.columns())));
    while (csv.next()) {
      std::vector<double> shift;
      for (const std::size_t column : columns) {
        const auto s = parse_number<double>(csv.cell(column));
        if (!s || !std::isfinite(*s))
          throw InputError(fmt::format("line {}: {} is '{}', not a finite number",
                                       csv.line(),
                                       csv.columns()[column],
                                       csv.shown(column)));
        shift.push_back(*s);
      }
      const std::pair key{whole(csv, seed), whole(csv, client)};
      if (!shifts_.emplace(key, std::move(shift)).second)
        throw InputError(fmt::format(
            "line {}: seed {}, client {} is listed twice", csv.line(), key.first, key.second));
    }
  } catch (const InputError& error) {
    throw InputError(error.what(), "file");
  }
  if (shifts_.empty()) throw InputError("the file has no rows", "file");
}

const std::vector<double>& ShiftTable::shift(std::uint32_t client,
                                             const Repetition& repetition) const {
  const auto row = shifts_.find({repetition.number, client});
  if (row == shifts_.end())
    throw InputError(
        fmt::format("there is no row for seed {} and client {}", repetition.number, client),
        "file");
  return row->second;
}

void ShiftTable::check(std::uint32_t clients, const Repetition& repetition) const {
  for (std::uint32_t m = 0; m < clients; ++m) shift(m, repetition);
}

std::vector<std::shared_ptr<const Objective>> ShiftTable::clients(
    std::uint32_t clients, const Repetition& repetition) const {
  std::vector<std::shared_ptr<const Objective>> all;
  for (std::uint32_t m = 0; m < clients; ++m)
    all.push_back(std::make_shared<Shifted>(base_, shift(m, repetition), boundary_));
  return all;
}

}  // namespace posse
