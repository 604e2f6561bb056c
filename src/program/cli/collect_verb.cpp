// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "program/base/output.hpp"
#include "program/base/text.hpp"
#include "program/cli/comparison_output.hpp"
#include "program/cli/verb.hpp"

namespace posse {
namespace {

struct CollectFlags {
  std::vector<std::string> stores;
  std::string out;
  bool json = false, quiet = false;

  void add_to(CLI::App& verb) {
    verb.add_option("STORE", stores, "stores of one sweep")->required();
    verb.add_option("--out", out, "directory for the tables (default: the first store)");
    verb.add_flag("--json", json, "print the summary as JSON");
    verb.add_flag("--quiet", quiet, "print no summary");
  }
};

ExitCode collect_stores(const CollectFlags& flags, const Invocation&) {
  std::vector<RunStore> stores;
  for (const auto& root : flags.stores) stores.emplace_back(root);
  const std::filesystem::path out =
      flags.out.empty() ? stores.front().root() : std::filesystem::path(flags.out);
  const Collection collection = collect(stores, out);
  if (collection.twice > 0)
    print_err("{} in several stores, with equal results\n",
              count_text(collection.twice, "run is", "runs are"));
  report_collection(collection, out);
  if (!flags.quiet || flags.json) print_comparison({out}, "", "", flags.json);
  return collection.unfinished > 0 ? ExitCode::some_failed : ExitCode::ok;
}

}  // namespace

Command collect_verb(CLI::App& verb) { return command_of(verb, collect_stores); }

}  // namespace posse
