// SPDX-License-Identifier: Apache-2.0
// Programs that evaluate points, the good and the bad.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "program/scenario/external_objective.hpp"
#include "program/scenario/line_process.hpp"
#include "program/scenario/scenario.hpp"
#include "tests/support/executable.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_external_objective {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

/// Answers x1, in plain shell; what is done before each answer can be put in front.
std::string echo_of(const std::string& before = "") {
  return "while read -r l; do id=${l#*:}; id=${id%%,*}; x=${l#*[}; x=${x%%]*}; " + before +
         " echo \"{\\\"id\\\":$id,\\\"value\\\":$x}\"; done";
}

using test::Folder;

ExternalObjective external(const std::string& command,
                           const std::string& folder = "/",
                           std::size_t workers = 1,
                           std::chrono::nanoseconds timeout = 20s) {
  return ExternalObjective(
      Box::cube(1, 0, 1),
      {.command = command, .folder = folder, .workers = workers, .timeout = timeout});
}

double at(const Objective& f, double x) { return f.value(std::vector<double>{x}); }

/// What a program's failure at 0.25 says.
std::string failure(const std::string& command, std::chrono::nanoseconds timeout = 20s) {
  const auto f = external(command, "/", 1, timeout);
  try {
    at(f, 0.25);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// False for zombies, too: orphans are reaped by the system, if at all.
bool alive(const std::string& pid) {
  std::ifstream in("/proc/" + pid + "/stat");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto name_end = text.rfind(") ");
  return name_end != std::string::npos && text[name_end + 2] != 'Z';
}

/// After SIGKILL, which the system delivers when it gets to it.
bool dies(const std::string& pid) {
  for (int i = 0; i < 2000 && alive(pid); ++i) std::this_thread::sleep_for(5ms);
  return !alive(pid);
}

}  // namespace

TEST_CASE("a program's answers are the values, requested once per point") {
  const Folder folder;
  const auto f = external(echo_of("echo $x >> asked;"), folder.path());
  CHECK(at(f, 0.25) == 0.25);
  CHECK(at(f, 1.0 / 3) == 1.0 / 3);  // to the last bit
  CHECK(at(f, 1e-7) == 1e-7);
  for (int i = 0; i < 5; ++i) CHECK(at(f, 0.25) == 0.25);
  CHECK(folder.content("asked") == "0.25\n0.3333333333333333\n1e-07\n");
  CHECK(f.points() == 3);
}

TEST_CASE("factor and offset make rewards of losses, and the maximum is the user's") {
  const ExternalObjective f(
      Box::cube(1, 0, 1),
      {.command = echo_of(), .folder = "/", .factor = -2, .offset = 1, .maximum = 0.75});
  CHECK(at(f, 0.25) == 0.5);
  CHECK(f.conventional_maximum() == 0.75);
  CHECK(f.expensive());
  CHECK_FALSE(f.value_range().within_unit_interval());
}

TEST_CASE("a program that fails is named, with the point and its output") {
  const auto says = [](const std::string& command, const std::string& what) {
    INFO(command);
    const auto text = failure(command);
    CHECK_THAT(text, has("the program '" + command + "' "));
    CHECK_THAT(text, has("(asked for x = (0.25))"));
    CHECK_THAT(text, has(what));
  };
  says("exit 3", "exited with status 3 without an answer");
  says("no-such-program-here", "exited with status 127");
  says("no-such-program-here", "on standard error: \"/bin/sh");
  says("echo one >&2; echo two >&2; exit 1", "on standard error: \"one / two\"");
  says("kill -SEGV $$", "was killed by signal 11");
  says("read l; exec >&-; sleep 20", "closed its standard output");
  says("read l; printf half; exit 0",
       "exited with status 0 without an answer; its last output: \"half\"");
  says("read l; echo hello", "wrote \"hello\", which is not an answer");
  says("read l; echo hello", "logs belong on standard error");
  says("read l; echo", "wrote \"\"");
  says("read l; echo '[1]'", "wrote \"[1]\"");
  says("read l; printf '\\001\\377\\n'", "which is not an answer");
  says("read l; echo '{\"id\":1,\"value\":NaN}'", "which is not an answer");
  says("read l; echo '{\"id\":1,\"value\":1e999}'", "which is not an answer");
  says("read l; echo '{\"id\":1,\"value\":null}'", "which has no number as value");
  says("read l; echo '{\"id\":1,\"value\":\"0.5\"}'", "which has no number as value");
  says("read l; echo '{\"id\":1,\"value\":true}'", "which has no number as value");
  says("read l; echo '{\"id\":1}'", "which has no number as value");
  says("read l; echo '{\"id\":2,\"value\":0.5}'", "but id 1 was requested");
  says("read l; echo '{\"value\":0.5}'", "but id 1 was requested");
  says("read l; echo '{\"id\":\"1\",\"value\":0.5}'", "but id 1 was requested");
  says("read l; echo '{\"id\":1,\"error\":\"diverged\"}'", "reports an error: \"\"diverged\"\"");
  says(
      "read l; printf '{\"id\":1,\"error\":'; head -c 30000 /dev/zero | tr '\\0' '[';"
      "head -c 30000 /dev/zero | tr '\\0' ']'; echo '}'",
      "nested too deeply");
  says("head -c 70000 /dev/zero | tr '\\0' y; sleep 20", "wrote more than 65536 bytes");
  CHECK_THAT(failure("sleep 20", 200ms), has("gave no answer within 0.2 s"));
}

TEST_CASE("a folder that isn't there is named") {
  const auto f = external("true", "/no/such/folder");
  CHECK_THROWS_WITH(at(f, 0.25), has("can't be started in the folder '/no/such/folder'"));
}

TEST_CASE("an answer may come in pieces, with other members, and logs don't block") {
  CHECK(failure(
            "read l; printf '{\"id\":1,'; sleep 0.1; printf '\"note\":[],\"value\":1}'; sleep 0.1; "
            "echo; sleep 20")
            .empty());
  CHECK(failure("read l; head -c 1000000 /dev/zero >&2; echo '{\"id\":1,\"value\":1}'; sleep 20")
            .empty());
}

TEST_CASE("requests of a thousand dimensions arrive whole, however slowly they are read") {
  const ExternalObjective f(
      Box::cube(1000, 0, 1),
      {.command = "sleep 0.2; read l; echo \"{\\\"id\\\":1,\\\"value\\\":${#l}}\"", .folder = "/"});
  std::vector<double> x(1000, 1.0 / 3);  // 18 characters each, and a comma
  CHECK(f.value(x) == 7 + 1 + 6 + 1000 * 18 + 999 + 1);
}

TEST_CASE("a program that closes its input is detected without a signal") {
  const auto f = external("read l; exec <&-; echo '{\"id\":1,\"value\":1}'; sleep 20");
  CHECK(at(f, 0.5) == 1);
  CHECK_THROWS_WITH(at(f, 0.25), has("has closed its standard input"));
}

TEST_CASE("a failed point fails again, others are requested from a new process") {
  const Folder folder;
  const auto f = external(echo_of("echo $x >> asked; [ $x = 0.5 ] && exit 4;"), folder.path());
  CHECK(at(f, 0.25) == 0.25);
  CHECK_THROWS_WITH(at(f, 0.5), has("exited with status 4"));
  CHECK_THROWS_WITH(at(f, 0.5), has("exited with status 4"));
  CHECK(at(f, 0.75) == 0.75);
  CHECK(folder.content("asked") == "0.25\n0.5\n0.75\n");
}

TEST_CASE("a program that fails three times in a row is given up") {
  const Folder folder;
  const auto f = external("echo started >> starts; exit 1", folder.path());
  for (const double x : {0.1, 0.2, 0.3}) CHECK_THROWS_WITH(at(f, x), has("exited with status 1"));
  for (const double x : {0.4, 0.5}) CHECK_THROWS_WITH(at(f, x), has("given up after 3 failures"));
  CHECK(folder.content("starts") == "started\nstarted\nstarted\n");
}

TEST_CASE("many threads get the same values from few programs") {
  const Folder folder;
  const auto f = external("echo started >> starts; " + echo_of(), folder.path(), 3);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 40; ++i) {
        const double x = ((i * 7 + t * 3) % 50) / 64.0;
        if (at(f, x) != x) ++wrong;
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(f.points() == 50);
  CHECK(folder.content("starts").size() <= 3 * std::string("started\n").size());
}

TEST_CASE("no process is left of a program and its children") {
  const Folder folder;
  {
    const auto f = external(
        "trap '' TERM; sleep 1000 & echo $! > child; echo $$ > self; " + echo_of(), folder.path());
    CHECK(at(f, 0.5) == 0.5);
    CHECK(alive(folder.line_of("self")));
  }
  CHECK_FALSE(alive(folder.line_of("self")));
  CHECK(dies(folder.line_of("child")));  // an orphan: reaped by the system, not by us
  {
    const auto f = external("echo $$ > hung; sleep 1000", folder.path(), 1, 300ms);
    CHECK_THROWS_WITH(at(f, 0.5), has("no answer"));
    CHECK_FALSE(alive(folder.line_of("hung")));
  }
}

TEST_CASE("a program inherits none of our files and no blocked signals") {
  std::vector<int> ours;
  for (int i = 0; i < 5; ++i) ours.push_back(open("/dev/null", O_RDONLY));  // no O_CLOEXEC
  sigset_t pipe, before;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  // The folder that is listed is open too.
  const auto f = external(
      "read l; set -- /proc/$$/fd/*; blocked=$(grep SigBlk /proc/$$/status); "
      "echo \"$blocked\" > /dev/stderr; echo \"{\\\"id\\\":1,\\\"value\\\":$#}\"; "
      "read l; exit 1");
  CHECK(at(f, 0.5) <= 4);
  CHECK_THROWS_WITH(at(f, 0.25), has("0000000000000000"));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  for (const int fd : ours) close(fd);
}

namespace {

/// Random search of one player, three repetitions of five points.
std::string scenario_with(const std::string& command) {
  return "name = \"x\"\nrepeat = 3\n[[algorithm]]\nkind = \"random\"\n[population]\nclients = 1\n"
         "[budget]\nevaluations_per_client = 5\n[objective]\nkind = \"external\"\ncommand = '''" +
         command + "'''\n";
}

int run_posse(const Folder& folder, const std::string& more = "") {
  // With a plain command in the background the shell's $! is posse itself.
  const auto command = "cd '" + folder.path() + "' || exit 99; '" + test::posse_executable() +
                       "' run x.toml --threads 1 >out.txt 2>err.txt" + more;
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a long command is shortened in its error") {
  const Folder folder;
  folder.write("x.toml", scenario_with("exit 9; : " + std::string(100'000, 'x')));
  CHECK(run_posse(folder) == 7);
  const auto errors = folder.content("err.txt");
  CHECK_THAT(errors, has("the program 'exit 9; : xxx"));
  CHECK(errors.size() < 5000);
}

TEST_CASE("when a program dies midway, finished runs are kept and the failed one says why") {
  const Folder folder;
  folder.write("x.toml", scenario_with("n=0; " + echo_of("n=$((n+1)); [ $n = 13 ] && exit 9;")));
  CHECK(run_posse(folder) == 7);
  const auto errors = folder.content("err.txt");
  CHECK_THAT(errors, has("random, repetition 2: failed (exit code 7)"));
  CHECK_THAT(errors, has(" failed at 0 s: the program '"));
  CHECK_THAT(errors, has("exited with status 9 without an answer"));
  CHECK_THAT(errors, has("results: runs/x/"));
  CHECK_THAT(folder.content("out.txt"), has("2 of 3 runs finished"));
  const auto results = folder.content("runs/x/latest/results.json");
  CHECK_THAT(results, has("\"finished\": 2"));
  CHECK_THAT(results, has("exited with status 9"));
  CHECK_THAT(folder.content("runs/x/latest/regret.csv"), has("random,1,"));
}

TEST_CASE("a signal doesn't wait for a program that hangs") {
  const Folder folder;
  folder.write("x.toml", scenario_with("echo $$ > pid; sleep 1000"));
  int code = 0;
  std::thread posse([&] { code = run_posse(folder, " & echo $! > posse; wait $!"); });
  const auto program = folder.line_of("pid");
  const auto start = std::chrono::steady_clock::now();
  kill(std::stoi(folder.line_of("posse")), SIGTERM);
  posse.join();
  CHECK(code == 143);
  CHECK(std::chrono::steady_clock::now() - start < 30s);
  CHECK(dies(program));
  CHECK_THAT(folder.content("err.txt"), has("stopped by a signal"));
  CHECK_FALSE(folder.content("runs/x/latest/results.json").empty());
}

TEST_CASE(
    "a command of a run folder's scenario, or of another user's, is started only if allowed") {
  const Folder folder;
  folder.write("x.toml", scenario_with(echo_of("")));
  REQUIRE(run_posse(folder) == 0);
  const auto posse = "cd '" + folder.path() + "' && '" + test::posse_executable() + "' ";
  const auto code_of = [&](const std::string& arguments) {
    return WEXITSTATUS(std::system((posse + arguments + " >out.txt 2>err.txt").c_str()));
  };
  CHECK(code_of("run runs/x/latest/scenario.toml --out again") == 7);
  CHECK_THAT(folder.content("err.txt"),
             has("objective.command isn't started: the scenario lies in"));
  CHECK(code_of("run runs/x/latest/scenario.toml --out again --allow-external") == 0);
  CHECK(code_of("replay runs/x") != 0);
  CHECK(code_of("replay runs/x --allow-external") == 0);
  if (chown((folder.path() + "/x.toml").c_str(), 12345, static_cast<gid_t>(-1)) != 0)
    return;  // root
  CHECK(run_posse(folder) == 7);
  CHECK_THAT(folder.content("err.txt"), has("the scenario belongs to another user"));
}

TEST_CASE("what a scenario says of an external program is checked before it is started") {
  CHECK(test::errors_in(scenario_with("exit 1")).empty());
  CHECK_THAT(test::errors_in(scenario_with(" ")), has("objective.command: is empty"));
  CHECK_THAT(test::errors_in(scenario_with("true") + "workers = 0\n"), has("objective.workers"));
  CHECK_THAT(test::errors_in(scenario_with("true") + "timeout = \"0 s\"\n"),
             has("objective.timeout"));
  CHECK_THAT(test::errors_in(scenario_with("true") + "factor = 0\n"), has("factor: must not be 0"));
  CHECK_THAT(test::errors_in(scenario_with("true") + "folder = \"nowhere\"\n"),
             has("there is no directory '/"));
  CHECK_THAT(test::errors_in(scenario_with("true") + "noise = { kind = \"beta\" }\n"),
             has("the objective has them anywhere"));
  Diagnostics diagnostics;
  const auto resolved =
      to_toml(test::read_text(scenario_with("true"), diagnostics, {}, "/tmp/x.toml"));
  CHECK(diagnostics.empty());
  CHECK_THAT(resolved, has("folder = \"/tmp/"));  // absolute: the run folder's copy runs too
}

}  // namespace posse::test_external_objective
