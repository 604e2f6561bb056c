// SPDX-License-Identifier: Apache-2.0
#include "program/base/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <deque>
#include <mutex>
#include <tuple>

#include "core/base/parameters.hpp"
#include "core/base/shown_text.hpp"

namespace posse {
namespace {

/// Columns of tables of runs that are no quantities.
constexpr std::array<std::string_view, 6> kColumns{
    "algorithm", "repetition", "seed", "status", "report", "fingerprint"};

constexpr std::size_t kLongestText = 200;

using Order = std::tuple<std::string_view, std::string_view, Better>;
Order order(const Quantity& quantity) { return {quantity.name, quantity.unit, quantity.better}; }

/// The own measures that this process met. They live for good, as their texts do.
class OwnQuantities {
 public:
  const Quantity& at(std::size_t index) {
    const std::lock_guard lock(mutex_);
    return all_[index].quantity;
  }

  std::size_t index_of(const OwnMeasure& measure) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (order(all_[i].quantity) == Order(measure.name, measure.unit, measure.better)) return i;
    Own& own = all_.emplace_back();
    own.name = measure.name;
    own.unit = measure.unit;
    own.meaning = measure.meaning;
    own.quantity = {.name = own.name,
                    .label = own.name,
                    .unit = own.unit,
                    .meaning = own.meaning,
                    .better = measure.better,
                    .in_headline = false,
                    .is_own = true};
    return all_.size() - 1;
  }

  void define(std::size_t index) {
    const std::lock_guard lock(mutex_);
    all_[index].defined = ++definitions_;
  }

  std::optional<std::size_t> find(std::string_view name) {
    const std::lock_guard lock(mutex_);
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].name != name) continue;
      const auto before = [&](const Own& a, const Own& b) {
        return a.defined != b.defined ? a.defined > b.defined
                                      : order(a.quantity) < order(b.quantity);
      };
      if (!found || before(all_[i], all_[*found])) found = i;
    }
    return found;
  }

  std::vector<std::string> names() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> names;
    for (const auto& own : all_) names.push_back(own.name);
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

 private:
  struct Own {
    std::string name, unit, meaning;
    Quantity quantity;
    std::uint64_t defined = 0;  // later ones are larger
  };
  std::mutex mutex_;
  std::deque<Own> all_;  // elements stay where they are
  std::uint64_t definitions_ = 0;
};

OwnQuantities& known_own() {
  static OwnQuantities all;
  return all;
}

}  // namespace

const Quantity& quantity_at(std::size_t position) {
  return position < kQuantities.size() ? kQuantities[position]
                                       : known_own().at(position - kQuantities.size());
}

bool is_name_in_results(std::string_view name) {
  return std::ranges::find(kQuantities, name, &Quantity::name) != kQuantities.end() ||
         std::ranges::find(kColumns, name) != kColumns.end();
}

std::size_t own_quantity(const OwnMeasure& measure) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
  if (measure.name.empty() || !std::ranges::all_of(measure.name, plain))
    throw InputError(
        fmt::format("the name of the measure '{}' has something else than letters, "
                    "digits, '_' and '-'",
                    shortened(measure.name)));
  if (is_name_in_results(measure.name))
    throw InputError(
        fmt::format("'{}' can't be an own measure: results have one of this name", measure.name));
  for (const auto text : {measure.unit, measure.meaning})
    if (text.size() > kLongestText ||
        std::ranges::any_of(text, [](unsigned char c) { return std::iscntrl(c) != 0; }))
      throw InputError(
          fmt::format("the measure '{}' has a unit or a meaning of more than {} bytes, or with "
                      "control characters",
                      measure.name,
                      kLongestText));
  return kQuantities.size() + known_own().index_of(measure);
}

void define_quantity(std::size_t position) {
  if (position >= kQuantities.size()) known_own().define(position - kQuantities.size());
}

std::optional<std::size_t> quantity_named(std::string_view name) {
  for (std::size_t q = 0; q < kQuantities.size(); ++q)
    if (kQuantities[q].name == name) return q;
  const auto own = known_own().find(name);
  return own ? std::optional(kQuantities.size() + *own) : std::nullopt;
}

std::vector<std::string> quantity_names() {
  std::vector<std::string> names;
  for (const auto& quantity : kQuantities) names.emplace_back(quantity.name);
  for (auto& name : known_own().names()) names.push_back(std::move(name));
  return names;
}

void sort_quantities(std::vector<std::size_t>& positions) {
  std::ranges::sort(positions, [](std::size_t a, std::size_t b) {
    if (a < kQuantities.size() || b < kQuantities.size()) return a < b;
    return order(quantity_at(a)) < order(quantity_at(b));
  });
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
}

}  // namespace posse
