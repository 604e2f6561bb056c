// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "program/base/files.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/scenario.hpp"
#include "program/scenario/scenario_tree.hpp"
#include "program/scenario/schema.hpp"
#include "program/scenario/table_reader.hpp"
#include "tests/fuzz/commands/inputs.hpp"

namespace posse::fuzz {
namespace fs = std::filesystem;
namespace {

std::string times(std::string_view part, std::size_t n) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += part;
  return text;
}

bool is_valid(const Value& root, const fs::path& file) {
  Diagnostics mistakes;
  read_scenario(root, file.string(), mistakes);
  return mistakes.empty();
}

/// Makes a scenario small, as far as it stays valid.
void make_small(Value& root, const fs::path& file) {
  const auto try_to_set = [&](const std::string& assignment) {
    Value changed = root;
    Diagnostics mistakes;
    apply_override(changed, assignment, "", mistakes);
    if (mistakes.empty() && is_valid(changed, file)) root = std::move(changed);
  };
  for (const auto* assignment : {"sweep=",
                                 "thresholds=",
                                 "repeat=1",
                                 "population.clients=3",
                                 "algorithm.*.clients=3",
                                 "algorithm.*.rounds=3",
                                 "budget.evaluations_per_client=30",
                                 "budget.pulls=30",
                                 "limits={ events = 20000, wall_time = \"1 s\" }"})
    try_to_set(assignment);
}

/// The parameters of the component that a table at this path is, if it is one.
const std::vector<ParameterSpec>* parameters_at(const std::string& path, const std::string& kind) {
  const std::string_view category = path == "algorithm"                 ? "algorithms"
                                    : path == "objective"               ? "objectives"
                                    : path == "arm"                     ? "arms"
                                    : path == "objective.heterogeneity" ? "heterogeneity"
                                    : path == "objective.noise"         ? "noises"
                                    : path.ends_with("loss")            ? "losses"
                                                                        : "latencies";
  static const auto all = catalog();
  for (const auto& entry : all)
    if (entry.category == category && entry.kind == kind) return entry.parameters;
  return nullptr;
}

/// Numbers at and just beyond the ends of a range.
std::vector<std::string> ends_of(double min, double max) {
  std::vector<std::string> values;
  for (const double end : {min, max})
    if (std::isfinite(end))
      for (const double to : {end - 1, end, end + 1})
        values.push_back(format_real(to == end ? end : std::nextafter(end, to)));
  return values;
}

class KeyInputs {
 public:
  explicit KeyInputs(fs::path folder) : folder_(std::move(folder)) {}

  std::vector<KeyInput> all() {
    std::vector<fs::path> files;
    const fs::path shipped = fs::path(POSSE_SOURCE_DIR) / "scenarios";
    for (const auto& entry : fs::recursive_directory_iterator(shipped)) {
      if (entry.path().parent_path().filename() == "claims") continue;  // no scenarios
      if (entry.path().extension() == ".toml")
        files.push_back(entry.path());
      else if (entry.is_regular_file())  // beside the scenarios that name it
        fs::copy_file(
            entry.path(), folder_ / entry.path().filename(), fs::copy_options::overwrite_existing);
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) add_scenario(file);
    for (const auto& [name, text] : others()) {
      Diagnostics mistakes;
      add_bases(parse_toml(text, name, mistakes), name);
    }
    add_components_without_scenario();
    add_sections_without_scenario();
    return std::move(inputs_);
  }

 private:
  /// Components whose data the repository doesn't hold, and sections that no shipped scenario has.
  static std::vector<std::pair<std::string, std::string>> others() {
    std::string landmine = "field,split,row,label,x1,x2,x3,x4,x5,x6,x7,x8,x9\n";
    for (const auto* half : {"train", "test"})
      for (int row = 0; row < 4; ++row)
        landmine += fmt::format("1,{},{},{},{},0,1,0,1,0,1,0,1\n", half, row, row % 2, row);
    const std::string agent = "[[algorithm]]\nkind = \"f-lcb\"\n[budget]\npulls = 20\n[[arm]]\n";
    return {{"landmine",
             "[[algorithm]]\nkind = \"fed-pne\"\n[population]\nclients = 1\n[budget]\n"
             "evaluations_per_client = 10\n[objective]\nkind = \"landmine\"\nfile = \"l.csv\"\n"
             "grid = 2\n[inputs]\n\"l.csv\" = \"\"\"\n" +
                 landmine + "\"\"\"\n"},
            {"curves",
             agent + "kind = \"curves\"\nfile = \"c.csv\"\n[inputs]\n\"c.csv\" = \"\"\"\n" +
                 "arm,loss\na,3\na,2\nb,4\nb,1\n\"\"\"\n"},
            {"digits",
             agent + "kind = \"digits\"\nfile = \"d.csv\"\nmodels = \"softmax\"\n[inputs]\n" +
                 "\"d.csv\" = \"\"\"\np1,p2,label\n0,9,0\n9,0,1\n1,9,0\n9,1,1\n\"\"\"\n"}};
  }

  void add_scenario(const fs::path& file) {
    Diagnostics mistakes;
    add_bases(load_toml(file.string(), mistakes), file.stem().string());
  }

  /// A scenario of each of its algorithms alone, if keys of it are new.
  void add_bases(const Value& root, const std::string& name) {
    const Table* table = root.table();
    if (table == nullptr || !table->contains("algorithm")) return;
    const auto* algorithms = table->at("algorithm").array();
    for (std::size_t i = 0; algorithms != nullptr && i < algorithms->size(); ++i) {
      Value base = root;
      std::get<Table>(base.data).at("algorithm") = array_value({(*algorithms)[i]});
      if (!add_base(base, fmt::format("{}-{}", name, i)) && i == 0) add_base(root, name);
    }
  }

  bool add_base(Value base, const std::string& name) {
    const fs::path file = folder_ / (name + ".toml");
    make_small(base, file);
    if (!is_valid(base, file)) return false;
    file_ = file.string();
    const auto before = inputs_.size();
    visit(base, "");
    if (inputs_.size() > before) write_file(file, toml_text(base));
    const Table& sections = *base.table();
    if (federation_.empty() && sections.contains("population") && sections.contains("objective")) {
      federation_ = file_;
      write_file(file, toml_text(base));
    }
    return true;
  }

  static std::string without_numbers(const std::string& path) {
    std::string out;
    for (std::size_t begin = 0; begin < path.size();) {
      const auto end = std::min(path.find('.', begin), path.size());
      const auto part = path.substr(begin, end - begin);
      if (std::isdigit(static_cast<unsigned char>(part.front())) == 0)
        out += (out.empty() ? "" : ".") + part;
      begin = end + 1;
    }
    return out;
  }

  void visit(const Value& value, const std::string& path) {
    if (const auto* array = value.array())
      for (std::size_t i = 0; i < array->size(); ++i)
        visit((*array)[i], fmt::format("{}.{}", path, i));
    const Table* table = value.table();
    if (table == nullptr) return;
    const auto generic = without_numbers(path);
    if (const auto* section = find_section(path)) {
      seen_.insert(generic);
      for (const auto& key : section->keys)
        add(path, generic, std::string(key.name), ends_of(key.min, key.max));
    }
    const auto kind = table->find("kind");
    if (kind != table->end())
      if (const auto* name = std::get_if<std::string>(&kind->second.data))
        if (const auto* parameters = parameters_at(generic, *name)) {
          components_.insert(parameters);
          for (const auto& spec : *parameters)
            add(path,
                fmt::format("{}({})", generic, *name),
                std::string(spec.name),
                ends_of(spec.min, spec.max));
        }
    for (const auto& [key, child] : *table) visit(child, path.empty() ? key : path + "." + key);
  }

  void add(const std::string& path,
           const std::string& owner,
           const std::string& key,
           const std::vector<std::string>& more) {
    const auto name = owner.empty() ? key : owner + "." + key;
    if (!done_.insert(name).second) return;
    const auto full = path.empty() ? key : path + "." + key;
    for (const auto* values : {&nasty_values(), &more})
      for (const auto& value : *values) inputs_.push_back({file_, name, full + "=" + value});
  }

  /// Durations, losses and others that no scenario uses.
  void add_components_without_scenario() {
    file_ = federation_;
    for (const auto& entry : catalog()) {
      if (entry.parameters == nullptr || components_.contains(entry.parameters)) continue;
      const auto path = entry.category == "latencies"       ? "network.latency"
                        : entry.category == "losses"        ? "network.loss"
                        : entry.category == "noises"        ? "objective.noise"
                        : entry.category == "heterogeneity" ? "objective.heterogeneity"
                        : entry.category == "objectives"    ? "objective"
                                                            : "";
      if (*path == '\0') continue;  // algorithms and arms are all in scenarios
      for (const auto& spec : *entry.parameters)
        for (const auto& value : nasty_values())
          inputs_.push_back({file_,
                             fmt::format("{}({}).{}", path, entry.kind, spec.name),
                             fmt::format("{}={{ kind = \"{}\"{}, {} = {} }}",
                                         path,
                                         entry.kind,
                                         required(*entry.parameters, spec.name),
                                         spec.name,
                                         value)});
    }
  }

  static std::string required(const std::vector<ParameterSpec>& specs, std::string_view but) {
    std::string text;
    for (const auto& spec : specs)
      if (spec.required && spec.name != but)
        text += fmt::format(", {} = {}",
                            spec.name,
                            spec.type == ParameterType::duration ? "\"1 ms\""
                            : spec.type == ParameterType::text   ? "\"x\""
                                                                 : "0.5");
    return text;
  }

  void add_sections_without_scenario() {
    file_ = federation_;
    for (const auto& section : scenario_sections()) {
      const std::string path(section.path);
      if (seen_.contains(path)) continue;
      if (path == "sweep.*") {
        for (const auto& key : section.keys) {
          std::string others;
          for (const auto* other : {"from = 1", "to = 2", "steps = 2"})
            if (!std::string_view(other).starts_with(key.name)) others += std::string(other) + ", ";
          for (const auto& value : nasty_values())
            inputs_.push_back(
                {file_,
                 fmt::format("sweep.*.{}", key.name),
                 fmt::format("sweep.population.clients={{ {}{} = {} }}", others, key.name, value),
                 true});
        }
        continue;
      }
      for (const auto& value : nasty_values()) {
        for (const auto& key : section.keys)
          inputs_.push_back({file_,
                             fmt::format("{}.{}", path, key.name),
                             section.array
                                 ? fmt::format("{}=[{{ {} = {} }}]", path, key.name, value)
                                 : fmt::format("{}.{}={}", path, key.name, value),
                             path == "sweep"});
        if (section.any_key)
          for (const auto* key : {"rounds", "population.clients", "x"})
            inputs_.push_back({file_,
                               fmt::format("{}.*", path),
                               fmt::format("{}.{}={}", path, key, value),
                               path == "sweep"});
      }
    }
  }

  fs::path folder_;
  std::vector<KeyInput> inputs_;
  std::set<std::string> done_, seen_;
  std::set<const std::vector<ParameterSpec>*> components_;
  std::string file_, federation_;
};

}  // namespace

const std::vector<std::string>& nasty_values() {
  static const std::vector<std::string> all{// numbers
                                            "nan",
                                            "inf",
                                            "-inf",
                                            "-0.0",
                                            "0",
                                            "-1",
                                            "1",
                                            "2",
                                            "5e-324",
                                            "1e-300",
                                            "1e-9",
                                            "0.5",
                                            "1e9",
                                            "1e308",
                                            "-1e308",
                                            "4294967296",
                                            "9223372036854775807",
                                            "-9223372036854775807",
                                            // texts
                                            "\"\"",
                                            "\" \"",
                                            "\"x\"",
                                            "\"*\"",
                                            "\"auto\"",
                                            "\"" + times("x", 100'000) + "\"",
                                            "\"a\\u202Eb\"",
                                            "\"a\\u0000b\"",
                                            "\"\\u001B[2J\\n\"",
                                            "\"../..\"",
                                            "\"/dev/zero\"",
                                            "\"/proc/self/mem\"",
                                            "\"client-0, client-1\"",
                                            // quantities
                                            "\"0 s\"",
                                            "\"1 ns\"",
                                            "\"-1 ms\"",
                                            "\"1e400 s\"",
                                            "\"9e9 s\"",
                                            "\"0 B\"",
                                            "\"1e300 GB\"",
                                            "\"1e-300 bit/s\"",
                                            "\"100%\"",
                                            "\"0%\"",
                                            "\"1e-320%\"",
                                            // others
                                            "true",
                                            "1979-05-27T07:32:00Z",
                                            "07:32:00",
                                            "[]",
                                            "{}",
                                            "[[]]",
                                            "[nan]",
                                            "[1, 2, 3]",
                                            "[\"x\"]",
                                            "[{}]",
                                            "{ kind = \"x\" }",
                                            "{ kind = 1 }",
                                            "{ from = 1 }",
                                            times("[", 70) + times("]", 70)};
  return all;
}

std::vector<KeyInput> key_inputs(const fs::path& folder) { return KeyInputs(folder).all(); }

std::string small_scenario(const fs::path& file) {
  Diagnostics mistakes;
  Value root = load_toml(file.string(), mistakes);
  make_small(root, file);
  if (!mistakes.empty() || !is_valid(root, file)) return "";
  const Scenario scenario = read_scenario(root, file.string(), mistakes);
  hold_inputs(root, scenario.inputs);
  return toml_text(root);
}

void Tally::add(const Tally& other) {
  tried += other.tried;
  accepted += other.accepted;
  out_of_time += other.out_of_time;
  findings.insert(findings.end(), other.findings.begin(), other.findings.end());
}

void try_key(const KeyInput& input, const fs::path& folder, const Limits& limits, Tally& tally) {
  ++tally.tried;
  const auto attempt = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--set", input.assignment});
    const Ended ended = run_program(words, folder, limits);
    tally.out_of_time += ended.out_of_time ? 1 : 0;
    if (const auto fault = fault_in(ended); !fault.empty()) {
      for (auto& word : words)  // a shell takes no longer ones
        if (word.size() > 1000) word = word.substr(0, 100) + "… (shortened)";
      tally.findings.push_back(fmt::format("{}: {}\n  {}", input.key, fault, command_text(words)));
    }
    return ended.code == 0;
  };
  if (!attempt({"check", input.file})) return;
  ++tally.accepted;
  attempt({"plan", input.file});
  const auto results = (folder / "results").string();
  if (input.swept)
    attempt({"sweep", input.file, "--store", results, "--progress", "none"});
  else
    attempt({"run", input.file, "--quiet", "--out", results, "--progress", "none"});
  std::error_code ignored;
  fs::remove_all(results, ignored);
}

}  // namespace posse::fuzz
