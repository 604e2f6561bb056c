// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "program/cli/verb.hpp"
#include "program/page/serve.hpp"

namespace posse {
namespace {

struct ServeFlags {
  std::string folder, address;

  void add_to(CLI::App& verb) {
    verb.add_option("DIR", folder, "directory that contains run folders, a run folder, or a store")
        ->required();
    verb.add_option("--listen", address, "address of the page; default 127.0.0.1:8470")
        ->type_name("ADDR");
  }
};

ExitCode serve_folder(const ServeFlags& flags, const Invocation&) {
  return serve_runs(flags.folder, flags.address);
}

}  // namespace

Command serve_verb(CLI::App& verb) { return command_of(verb, serve_folder); }

}  // namespace posse
