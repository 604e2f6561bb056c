// SPDX-License-Identifier: Apache-2.0
// The program while calls of the system fail (preload.cpp): at the first ones, then at growing
// distances. POSSE_INJECT_FIRST=N: at each of the first N (tools/inject).
//
// Whatever fails: the exit code is a documented one, standard error has a sentence if it isn't 0,
// no folder looks whole and isn't, and what was finished before is as it was.
#include <signal.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/hash.hpp"
#include "program/base/exit_codes.hpp"
#include "program/page/document.hpp"
#include "program/sweep/run_store.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/http_client.hpp"
#include "tests/support/program_folder.hpp"

namespace test_inject {

using namespace posse;
using namespace std::chrono_literals;

namespace {

constexpr const char* kScenario = R"(
name = "small"
repeat = 2
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "hct-central"
recommendation = "most-pulled"
[population]
clients = 3
[objective]
kind = "garland"
heterogeneity = { kind = "shift", scale = 0.01 }
noise = { kind = "uniform", half_width = 0.1 }
[budget]
evaluations_per_client = 40
[network]
latency = "10 ms"
loss = 0.05
transport = "reliable"
)";

constexpr std::string_view kSweep = R"([sweep]
"network.loss" = [0, 0.1]
)";

long first_points() {
  const char* text = std::getenv("POSSE_INJECT_FIRST");
  return text == nullptr ? 2 : std::max(1L, std::atol(text));
}

/// 1, 2, …, first, then a growing distance to the last.
std::vector<long> points(long last) {
  const long first = first_points();
  const double factor = first > 100 ? 1.05 : 8;
  std::vector<long> all;
  for (long n = 1; n <= last;
       n = n < first ? n + 1 : std::max(n + 1, static_cast<long>(static_cast<double>(n) * factor)))
    all.push_back(n);
  return all;
}

std::uint64_t hash_of_files(const fs::path& folder) {
  std::map<std::string, std::uint64_t> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files[entry.path().string()] = hash_name(content(entry.path()));
  std::uint64_t hash = 0;
  for (const auto& [name, of] : files) hash = hash_combine(hash_combine(hash, hash_name(name)), of);
  return hash;
}

/// Run folders below `out`, but not those that are being written.
std::vector<fs::path> run_folders(const fs::path& out) {
  std::vector<fs::path> found;
  if (!fs::exists(out)) return found;
  for (const auto& entry : fs::directory_iterator(out))
    if (entry.is_directory() && !entry.is_symlink() &&
        !entry.path().filename().string().starts_with('.'))
      found.push_back(entry.path());
  return found;
}

class Injected : public ProgramFolder {
 public:
  /// The targets that a page is asked for, of programs that serve one.
  explicit Injected(std::vector<std::string> asked_for = {}) : asked_for_(std::move(asked_for)) {
    write("small.toml", kScenario);
    write("many.toml", std::string(kScenario) + std::string(kSweep));
    REQUIRE(posse("run small.toml --quiet --out before").code == 0);
    REQUIRE(posse("sweep many.toml --quiet --store store").code == 0);
    finished_ = hash_of_files(path() + "/before");
  }

  /// How often `arguments` make each kind of call.
  std::map<std::string, long> counts(const std::string& arguments) {
    clear();
    const int code = work_with("POSSE_INJECT_COUNTS=counts", arguments).code;
    REQUIRE((code == 0 || code == to_int(ExitCode::terminated)));
    std::map<std::string, long> numbers;
    std::istringstream lines(Folder::content("counts"));
    std::string kind;
    for (long number = 0; lines >> kind >> number;) numbers[kind] = number;
    REQUIRE(numbers.size() == 13);
    return numbers;
  }

  /// Calls of `arguments` fail; returns the number of points.
  std::size_t survive(const std::string& arguments) {
    std::size_t made = 0;
    for (const auto& [kind, last] : counts(arguments)) {
      // In the default suite files fail only without a page, which takes its time.
      const bool of_pages = kind == "malloc" || kind == "thread" || kind == "accept" ||
                            kind == "receive" || kind == "send";
      if (!asked_for_.empty() && first_points() < 100 && !of_pages) continue;
      for (const long n : points(last))
        for (const std::string onwards : {"", "+"}) {
          if (!onwards.empty() && (kind == "kill" || kind == "short" || kind == "clock")) continue;
          const auto what = kind + ":" + std::to_string(n) + onwards;
          clear();
          const auto outcome = work_with("POSSE_INJECT=" + what, arguments);
          INFO(what << " of posse " << arguments << "\nexit code " << outcome.code << "\n"
                    << outcome.err);
          check(outcome, kind == "kill");
          ++made;
        }
    }
    if (first_points() >= 100) WARN(made << " points of posse " << arguments);
    return made;
  }

 private:
  void clear() {
    for (const char* name : {"/out", "/new", "/x.html", "/plots"}) fs::remove_all(path() + name);
    fs::remove_all(path() + "/sweeps");
  }

  /// Serves a page if there are things to ask it for.
  Outcome work_with(const std::string& variable, const std::string& arguments) const {
    std::vector<std::string> command{
        "/usr/bin/env", variable, "LD_PRELOAD=" POSSE_INJECT_LIBRARY, test::posse_executable()};
    std::istringstream words(arguments);
    for (std::string word; words >> word;) command.push_back(word);
    test::ChildProcess process(command, path(), "posse");
    if (!asked_for_.empty()) ask(process, variable);
    const auto code = process.wait(60s);
    INFO(variable << " " << arguments << "\n" << process.err());
    REQUIRE(code.has_value());
    return {*code, process.out(), process.err()};
  }

  /// Asks the page, if it comes, for everything twice, and ends the program by a signal. A single
  /// failing call may cost a single answer.
  void ask(test::ChildProcess& process, const std::string& variable) const {
    INFO(variable);
    const bool onwards = variable.ends_with('+');
    const std::string prefix = "page: http://127.0.0.1:";
    std::string line;
    test::comes_true([&] {
      const bool ended = !process.running();
      const auto text = process.err();
      if (const auto at = text.find(prefix); at != std::string::npos)
        line = text.substr(at + prefix.size());
      return line.find('\n') != std::string::npos || ended;
    });
    if (line.empty()) return;
    const auto port = static_cast<std::uint16_t>(std::stoul(line));
    int unanswered = 0;
    for (int time = 0; time < 2; ++time)
      for (const auto& target : asked_for_) {
        if (answers(port, target, onwards ? 300ms : 10s)) continue;
        if (process.wait(200ms)) return;
        if (onwards) return process.signal(SIGTERM);
        ++unanswered;
      }
    CHECK(unanswered <= 1);
    process.signal(SIGTERM);
  }

  static bool answers(std::uint16_t port,
                      const std::string& target,
                      std::chrono::milliseconds patience) {
    try {
      test::HttpClient client(port);
      client.send(test::http_request(port, target));
      return client.read_until("\r\n\r\n", patience).starts_with("HTTP/1.1 ");
    } catch (const boost::system::system_error&) {
      return false;  // nobody listens
    }
  }

  void check(const Outcome& outcome, bool killed) const {
    const bool documented =
        std::any_of(kExitCodes.begin(), kExitCodes.end(), [&](const ExitCodeText& known) {
          return to_int(known.code) == outcome.code;
        });
    CHECK((documented || (killed && outcome.code == 128 + 9)));
    if (outcome.code != 0 && outcome.code != 128 + 9) CHECK(!outcome.err.empty());
    for (const auto& folder : run_folders(path() + "/out/small")) {
      INFO(folder);
      CHECK_NOTHROW(read_document(folder));
      if (outcome.err.find("report") == std::string::npos)
        CHECK(fs::exists(folder / "report.html"));
    }
    const RunStore store(path() + "/new");
    if (store.exists())
      for (const auto& entry : store.entries()) {
        INFO(entry.folder);
        CHECK(RunStore::damage(entry).empty());
      }
    for (const auto& entry : RunStore(path() + "/store").entries())
      CHECK(RunStore::damage(entry).empty());
    CHECK(hash_of_files(path() + "/before") == finished_);
  }

  std::vector<std::string> asked_for_;
  std::uint64_t finished_ = 0;
};

}  // namespace

TEST_CASE("run survives failing calls of the system") {
  Injected injected;
  CHECK(injected.survive("run small.toml --threads 2 --out out --trace all") > 20);
}

TEST_CASE("sweep survives failing calls of the system") {
  Injected injected;
  CHECK(injected.survive("sweep many.toml --jobs 2 --store new") > 20);
}

TEST_CASE("collect survives failing calls of the system") {
  Injected injected;
  CHECK(injected.survive("collect store") > 20);
}

TEST_CASE("plot survives failing calls of the system") {
  Injected injected;
  CHECK(injected.survive("plot before/small --out plots") > 20);
}

TEST_CASE("report survives failing calls of the system") {
  Injected injected;
  CHECK(injected.survive("report before/small --out x.html") > 20);
}

TEST_CASE("serve survives failing calls of the system") {
  Injected injected({"/", "/api/runs", "/api/study", "/none"});
  CHECK(injected.survive("serve before --listen=:0") > 20);
}

TEST_CASE("a run with its page survives failing calls of the system") {
  Injected injected({"/", "/api/document", "/api/events"});
  CHECK(injected.survive("run small.toml --out out --serve=:0 --pace 1 --quiet") > 20);
}

TEST_CASE(
    "without threads a run works on the program's own, with few on half of them, and says so") {
  const ProgramFolder folder;
  folder.write("small.toml", kScenario);
  const auto told = [&](const std::string& what) {
    const auto command = "cd '" + folder.path() + "' && POSSE_INJECT=" + what +
                         " LD_PRELOAD='" POSSE_INJECT_LIBRARY "' '" + test::posse_executable() +
                         "' run small.toml --quiet --threads 4 >/dev/null 2>err.txt";
    CHECK(std::system(command.c_str()) == 0);
    return folder.content("err.txt");
  };
  CHECK_THAT(told("thread:1+"), Catch::Matchers::Contains("1 of 4 threads can be had"));
  CHECK_THAT(told("thread:4+"), Catch::Matchers::Contains("going on with 2"));
}

}  // namespace test_inject
