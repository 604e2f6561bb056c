// SPDX-License-Identifier: Apache-2.0
// The tables of a scenario, described for `posse describe network`: the text is docs/scenario.md,
// embedded at build time. A new key or kind is a row there.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace posse {

/// docs/scenario.md in pieces, for the name "markdown".
std::span<const std::string_view> scenario_reference(std::string_view name);

/// One table of a scenario.
struct SectionPage {
  std::string name;     // "network.link"
  std::string summary;  // one line
  std::string text;     // as printed
  /// Paths of the keys: "network.retransmission.timeout".
  std::vector<std::string> keys;
};

/// All tables, in the order of the document.
const std::vector<SectionPage>& section_pages();
/// The page of a section and of those below it: "network" has network.link. Empty if there is none.
std::string describe_section(std::string_view name);
/// The keys with this name, or with it as one of their choices, and their sections. Empty if there
/// are none.
std::string describe_key(std::string_view name);

}  // namespace posse
