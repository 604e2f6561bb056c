// SPDX-License-Identifier: Apache-2.0
// `posse list`, `posse describe` and `posse new`: pages made from the catalogue.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "program/base/json.hpp"
#include "program/scenario/catalog.hpp"

namespace posse {

/// The catalogue, the sections of a scenario, the kinds of faults, the metrics, the sections of a
/// claims file, the kinds of its checks, the papers' figures and the exit codes.
/// Figures come from files, which are read only if they are `listed`.
enum class Figures { listed, left_out };
std::vector<CatalogEntry> everything_listed(Figures figures = Figures::listed);
/// The categories of everything_listed(), in its order.
std::vector<std::string> categories_listed();

/// A network's parts: a name for several categories.
inline constexpr std::string_view kNetworks = "networks";

/// One line per entry of a category, or of all (""). Throws FileError if that of figures is asked
/// for and they can't be read.
std::string list_page(const std::string& category);
/// The description of a kind in every category that has it; nothing if none has.
std::optional<std::string> describe_page(const std::string& kind);
/// The pages as data: list_page has a row per entry, describe_page an entry per category.
Json list_json(const std::string& category);
Json describe_json(const std::string& kind);
/// A commented scenario of this name that passes `check` and runs within a second.
std::string new_scenario(const std::string& name);

}  // namespace posse
