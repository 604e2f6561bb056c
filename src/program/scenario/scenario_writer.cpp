// SPDX-License-Identifier: Apache-2.0
// The resolved scenario as TOML: what the fields of the schema's keys write.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "program/scenario/fields.hpp"

namespace posse {
namespace {

class ScenarioWriter {
 public:
  explicit ScenarioWriter(const Scenario& scenario) : s_(scenario) {}

  std::string write() {
    keys("", s_);
    for (const auto& sentence : s_.left_out) comment(sentence);
    for (const auto& entry : s_.algorithms) {
      section("algorithm", entry);
      parameters(entry.parameters, entry.spec->parameters);
    }
    section("population", s_);
    workload();
    heading("network");
    comment("latency is one way: a round trip takes two");
    keys("network", s_.network);
    sections("network.link", s_.network.links);
    sections("network.node", s_.network.nodes);
    sections("network.drop", s_.network.drops);
    section("compute", s_);
    sections("compute.stragglers", s_.stragglers);
    sections("compute.service", s_.service);
    if (s_.policy) section("server", *s_.policy);
    sections("fault", s_.faults);
    section("limits", s_.limits);
    thresholds();
    return std::move(out_);
  }

  std::string write_workload() {
    out_ = fmt::format("seed = {}\nclients = {}\n", s_.seed, s_.algorithms.front().clients);
    workload();
    return std::move(out_);
  }

 private:
  void comment(std::string_view text) { out_ += fmt::format("# {}\n", text); }

  void heading(std::string_view path) {
    const bool array = find_section(path)->array;
    out_ += fmt::format("\n{}{}{}\n", array ? "[[" : "[", path, array ? "]]" : "]");
  }

  void lines(const std::vector<WrittenKey>& keys) {
    for (const auto& [key, value] : keys) out_ += fmt::format("{} = {}\n", key, value);
  }

  template <class Object>
  void keys(std::string_view path, const Object& from) {
    lines(written_keys(path, from));
  }

  /// A section, unless it has no keys.
  template <class Object>
  void section(std::string_view path, const Object& from) {
    const auto keys = written_keys(path, from);
    if (keys.empty()) return;
    heading(path);
    lines(keys);
  }

  template <class Objects>
  void sections(std::string_view path, const Objects& all) {
    for (const auto& each : all) section(path, each);
  }

  void parameters(const Parameters& parameters, const std::vector<ParameterSpec>& specs) {
    for (const auto& spec : specs) {
      const auto& value = parameters.all().find(spec.name)->second;
      if (std::holds_alternative<std::monostate>(value))
        comment(fmt::format("{} = auto: {}", spec.name, spec.help));
      else
        out_ += fmt::format("{} = {}\n", spec.name, format_value(spec, value));
    }
  }

  void workload() {
    if (s_.problem) {
      section("objective", *s_.problem);
      parameters(s_.problem->objective.parameters, *s_.problem->objective.specs);
    }
    if (s_.arms)
      for (const auto& entry : s_.arms->entries) {
        section("arm", entry);
        parameters(entry.arms.parameters, *entry.arms.specs);
      }
    section("budget", s_);
  }

  void thresholds() {
    if (s_.thresholds.empty()) return;
    heading("thresholds");
    std::map<std::string, std::vector<std::string>> conditions;
    for (const auto& threshold : s_.thresholds)
      conditions[threshold.algorithm ? toml_string(*threshold.algorithm + "." + threshold.measure)
                                     : threshold.measure]
          .push_back(threshold.condition);
    for (const auto& [key, texts] : conditions)
      out_ += fmt::format("{} = {}\n", key, one_or_several_toml(texts));
  }

  const Scenario& s_;
  std::string out_;
};

}  // namespace

std::string inline_table(const std::vector<WrittenKey>& keys) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : keys) parts.push_back(fmt::format("{} = {}", key, value));
  return fmt::format("{{ {} }}", fmt::join(parts, ", "));
}

std::string texts_toml(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const auto& text : texts) quoted.push_back(toml_string(text));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

std::string one_or_several_toml(const std::vector<std::string>& texts) {
  if (texts.empty()) return "";
  return texts.size() == 1 ? toml_string(texts.front()) : texts_toml(texts);
}

bool sets_property(const LinkConfig& link) {
  const SectionSpec& section = *find_section("network.link");
  return std::ranges::any_of(written_keys(section.path, link), [&](const WrittenKey& written) {
    return !section.key(written.first)->selects();
  });
}

std::string to_toml(const Scenario& scenario) { return ScenarioWriter(scenario).write(); }
std::string workload_toml(const Scenario& scenario) {
  return ScenarioWriter(scenario).write_workload();
}

}  // namespace posse
