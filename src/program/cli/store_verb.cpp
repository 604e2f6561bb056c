// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/base/shown_text.hpp"
#include "program/base/output.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/cli/verb.hpp"
#include "program/results/study_json.hpp"
#include "program/sweep/collect.hpp"

namespace posse {
namespace {

struct StoreFlags {
  std::string action, store;
  std::vector<std::string> keys;
  bool stale = false, damaged = false, json = false;

  void add_to(CLI::App& verb) {
    verb.require_subcommand(1);
    const auto add_action = [&](const char* name, const char* help) {
      CLI::App* sub = verb.add_subcommand(name, help)->group("Subcommands");
      sub->add_option("STORE", store, "directory of a sweep's runs")->required();
      sub->add_flag("--json", json, "print it as JSON");
      sub->callback([this, name] { action = name; });
      return sub;
    };
    add_action("list", "the runs that are planned and there, by setting and algorithm");
    add_action("verify", "check every run's files against their checksums");
    auto* remove = add_action("remove", "remove runs");
    remove->add_option("KEY", keys, "keys of runs");
    remove->add_flag("--stale", stale, "runs that the latest sweep does not plan");
    remove->add_flag("--damaged", damaged, "runs with problems that `store verify` finds");
  }
};

std::uintmax_t bytes_below(const std::filesystem::path& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

ExitCode list_store(const RunStore& store, bool json) {
  const StoredPlan plan = read_plan(store);
  std::set<std::string> planned, there;
  for (const auto& entry : store.entries())
    if (entry.kind == StoredKind::run) there.insert(entry.key);
  struct ListedSetting {
    std::vector<Datum> values;
    std::size_t planned = 0, there = 0;
  };
  std::map<std::pair<std::size_t, std::string>, ListedSetting> rows;
  for (const auto& run : plan.runs) {
    planned.insert(run.key);
    auto& row = rows[{run.setting, run.algorithm}];
    row.values = run.values;
    ++row.planned;
    row.there += there.contains(run.key);
  }
  const auto stale = std::count_if(
      there.begin(), there.end(), [&](const auto& key) { return !planned.contains(key); });
  const auto bytes = bytes_below(store.root() / "runs");
  if (json) {
    Json data{{"store", store.root().string()},
              {"runs", there.size()},
              {"stale", stale},
              {"bytes", bytes}};
    data["settings"] = Json::array();
    for (const auto& [at, row] : rows) {
      auto values = Json::object();
      for (std::size_t i = 0; i < plan.axes.size(); ++i)
        values[plan.axes[i].name] = json_of(row.values[i]);
      data["settings"].push_back({{"setting", at.first},
                                  {"values", std::move(values)},
                                  {"algorithm", at.second},
                                  {"planned", row.planned},
                                  {"there", row.there}});
    }
    print_json(data);
    return ExitCode::ok;
  }
  std::vector<std::string> header{"setting"};
  for (const auto& axis : plan.axes) header.push_back(axis.name);
  header.insert(header.end(), {"algorithm", "planned", "there"});
  TextTable table(header);
  for (const auto& [at, row] : rows) {
    std::vector<std::string> cells{fmt::format("{}", at.first)};
    for (const auto& value : row.values) cells.push_back(datum_text(value));
    for (const auto& cell :
         {at.second, fmt::format("{}", row.planned), fmt::format("{}", row.there)})
      cells.push_back(cell);
    table.add(cells);
  }
  print_out("{}{}, {} not planned any more (stale), {}\n",
            table.text(),
            count_text(there.size(), "run", "runs"),
            stale,
            pretty_bytes(static_cast<double>(bytes)));
  return ExitCode::ok;
}

ExitCode verify_store(const RunStore& store, bool json) {
  std::size_t damaged = 0, runs = 0;
  auto found = Json::array();
  for (const auto& entry : store.entries()) {
    std::vector<std::string> problems;
    switch (entry.kind) {
      case StoredKind::foreign:
        problems = {"does not belong to a store"};
        break;
      case StoredKind::other_result:
        problems = {"is another result of a run that the store has"};
        break;
      case StoredKind::run:
        ++runs;
        problems = RunStore::damage(entry);
        break;
    }
    damaged += !problems.empty();
    for (const auto& problem : problems) {
      if (!json) print_out("{}: {}\n", entry.folder.string(), printable(problem));
      found.push_back(
          {{"folder", entry.folder.string()}, {"key", entry.key}, {"problem", problem}});
    }
  }
  if (json)
    print_json({{"store", store.root().string()},
                {"runs", runs},
                {"damaged", damaged},
                {"problems", std::move(found)}});
  else
    print_out("{}, {} with problems\n", count_text(runs, "run", "runs"), damaged);
  return damaged == 0 ? ExitCode::ok : ExitCode::files;
}

ExitCode remove_from_store(const StoreFlags& flags, const RunStore& store) {
  const auto wants = [&](const StoredEntry& entry, const std::set<std::string>& planned) {
    if (entry.kind == StoredKind::foreign) return false;
    const auto named = [&](const std::string& key) { return entry.key == key; };
    if (std::any_of(flags.keys.begin(), flags.keys.end(), named)) return true;
    if (flags.stale && entry.kind == StoredKind::run && !planned.contains(entry.key)) return true;
    if (!flags.damaged) return false;
    return entry.kind == StoredKind::other_result || !RunStore::damage(entry).empty();
  };
  std::set<std::string> planned;
  if (flags.stale)
    for (const auto& run : read_plan(store).runs) planned.insert(run.key);
  std::size_t removed = 0;
  for (const auto& entry : store.entries())
    if (wants(entry, planned)) {
      store.remove(entry);
      ++removed;
    }
  if (flags.json)
    print_json({{"store", store.root().string()}, {"removed", removed}});
  else
    print_out("removed {}\n", count_text(removed, "run", "runs"));
  return ExitCode::ok;
}

ExitCode keep_store(const StoreFlags& flags, const Invocation&) {
  const RunStore store(flags.store);
  if (flags.action == "list") return list_store(store, flags.json);
  if (flags.action == "verify") return verify_store(store, flags.json);
  if (!flags.stale && !flags.damaged && flags.keys.empty()) {
    print_err(
        "store remove: nothing is chosen; allowed: --stale, --damaged, or keys (exit "
        "code 2)\n");
    return ExitCode::usage;
  }
  return remove_from_store(flags, store);
}

}  // namespace

Command store_verb(CLI::App& verb) { return command_of(verb, keep_store); }

}  // namespace posse
