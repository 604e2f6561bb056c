// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/base/shown_text.hpp"

namespace posse {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = d[i - 1][j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() > 60 || candidates.size() > 1000) return "";
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  constexpr std::size_t kFewestLetters = 4;
  if (!best.empty() || name.size() < kFewestLetters) return best;
  for (const auto& candidate : candidates)  // "bytes" of "payload_bytes"
    if (candidate.find(name) != std::string::npos &&
        (best.empty() || candidate.size() < best.size()))
      best = candidate;
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const auto nearest = nearest_name(name, candidates);
  return nearest.empty() ? "" : fmt::format("    did you mean '{}'?\n", nearest);
}

std::string allowed_names(std::string_view name, const std::vector<std::string>& candidates) {
  const auto nearest = nearest_name(name, candidates);
  return fmt::format("\n    allowed: {}{}",
                     fmt::join(candidates, ", "),
                     nearest.empty() ? "" : fmt::format("\n    did you mean '{}'?", nearest));
}

void Diagnostics::add(Diagnostic diagnostic) {
  constexpr std::size_t kLongestKey = 200;
  diagnostic.key = shortened(diagnostic.key, kLongestKey);
  for (auto* text :
       {&diagnostic.problem, &diagnostic.given, &diagnostic.allowed, &diagnostic.nearest})
    *text = shown_error(*text);
  all_.push_back(std::move(diagnostic));
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  auto sorted = all_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.location.file, a.location.line) < std::tie(b.location.file, b.location.line);
  });
  return sorted;
}

std::string Diagnostics::text() const {
  std::string text;
  for (const auto& d : sorted()) {
    text += shown_error(d.location.text()) + ": error: ";
    text += d.key.empty() ? d.problem : fmt::format("{}: {}", d.key, d.problem);
    if (!d.given.empty()) text += fmt::format("\n    given:   {}", d.given);
    if (!d.allowed.empty()) text += fmt::format("\n    allowed: {}", d.allowed);
    if (!d.nearest.empty()) text += fmt::format("\n    did you mean '{}'?", d.nearest);
    text += '\n';
  }
  return text;
}

}  // namespace posse
