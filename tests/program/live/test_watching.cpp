// SPDX-License-Identifier: Apache-2.0
// `posse run` with observers: the flags, refused requests, unchanged results.
#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "tests/support/child_process.hpp"
#include "tests/support/executable.hpp"
#include "tests/support/plain_http.hpp"
#include "tests/support/program_folder.hpp"

namespace posse::test_watching {
namespace {

using Catch::Matchers::Contains;
using namespace std::chrono_literals;

const std::string kQuickstart = std::string(POSSE_SOURCE_DIR) + "/scenarios/quickstart.toml";

std::string fingerprint_of(const fs::path& run_folder) {
  return nlohmann::json::parse(content(run_folder / "results.json"))["fingerprint"];
}

/// A run with metrics and page, on free ports.
class WatchedRun {
 public:
  explicit WatchedRun(std::vector<std::string> more = {}) {
    std::vector<std::string> command{test::posse_executable(),
                                     "run",
                                     kQuickstart,
                                     "--repeat",
                                     "1",
                                     "--quiet",
                                     "--serve=:0",
                                     "--metrics=:0"};
    command.insert(command.end(), more.begin(), more.end());
    process_ = std::make_unique<test::ChildProcess>(command, fs::path(folder_.path()), "posse");
    metrics_ = port_in(process_->line_after("metrics: "));
    const auto page = process_->line_after("page: ");
    page_ = port_in(page);
    token_ = page.substr(page.find("token=") + 6);
  }
  std::uint16_t page() const { return page_; }
  std::uint16_t metrics() const { return metrics_; }
  test::ChildProcess& process() { return *process_; }
  fs::path results() const { return fs::path(folder_.path()) / "runs" / "quickstart" / "latest"; }

  std::string scrape() const { return test::ask_http(metrics_, "/metrics").body; }
  nlohmann::json document() const {
    return nlohmann::json::parse(test::ask_http(page_, "/api/document").body);
  }
  test::HttpAnswer control(const std::string& body,
                           const std::string& token,
                           const std::string& more = "") const {
    test::HttpClient client(page_);
    client.send(test::http_request(
        page_, "/api/control", "Authorization: Bearer " + token + "\r\n" + more, "POST", body));
    return client.answer();
  }
  unsigned control(const std::string& body) const { return control(body, token_).status; }
  const std::string& token() const { return token_; }

  /// Until `holds(document)`; fails the test if that doesn't come.
  template <class Condition>
  nlohmann::json wait_for(const Condition& holds) const {
    for (int i = 0; i < 600; ++i) {
      auto now = document();
      if (holds(now)) return now;
      std::this_thread::sleep_for(50ms);
    }
    FAIL("it never came to that");
    return {};
  }

 private:
  static std::uint16_t port_in(const std::string& url) {
    const auto colon = url.find(':', 6);
    return static_cast<std::uint16_t>(std::stoi(url.substr(colon + 1)));
  }
  test::Folder folder_;
  std::unique_ptr<test::ChildProcess> process_;
  std::uint16_t page_ = 0, metrics_ = 0;
  std::string token_;
};

std::string plain_fingerprint() {
  const ProgramFolder folder;
  REQUIRE(folder.posse("run '" + kQuickstart + "' --repeat 1 --quiet").code == 0);
  return fingerprint_of(fs::path(folder.path()) / "runs/quickstart/latest");
}

}  // namespace

TEST_CASE("a port that is taken ends the run before it begins") {
  WatchedRun first({"--paused"});
  const ProgramFolder folder;
  for (const std::string flag : {"--metrics=", "--serve="}) {
    const auto port = std::to_string(flag == "--metrics=" ? first.metrics() : first.page());
    const auto refused = folder.posse("run '" + kQuickstart + "' " + flag + port);
    CHECK(refused.code == 10);
    CHECK_THAT(refused.err, Contains("127.0.0.1:" + port) && Contains("Address already in use"));
    CHECK(fs::is_empty(fs::path(folder.path()) / "runs/quickstart"));
  }
}

TEST_CASE("a run with a page that ended says how to look at it afterwards") {
  const ProgramFolder folder;
  const auto run = "run '" + kQuickstart + "' --repeat 1 --serve=:0";
  CHECK_THAT(folder.posse(run).err,
             Contains(" serve runs/quickstart/") && Contains("--linger 60s next time"));
  CHECK_THAT(folder.posse(run + " --linger 1ms").err, !Contains("next time"));
}

TEST_CASE("results are kept if the Pushgateway does not exist") {
  const ProgramFolder folder;
  const auto pushed =
      folder.posse("run '" + kQuickstart + "' --repeat 1 --push http://127.0.0.1:9");
  CHECK(pushed.code == 11);
  CHECK_THAT(pushed.err, Contains("http://127.0.0.1:9") && Contains("the results are in runs/"));
  CHECK(fingerprint_of(fs::path(folder.path()) / "runs/quickstart/latest").size() == 16);
}

TEST_CASE(
    "wrong values of --metrics, --serve, --push and --linger are refused with the allowed ones") {
  const ProgramFolder folder;
  const auto run = [&](const std::string& flags) {
    return folder.posse("run '" + kQuickstart + "' " + flags);
  };
  for (const auto& [flags, said] :
       {std::pair<std::string, std::string>{"--metrics=example.org:80", "--metrics: "},
        {"--serve=127.0.0.1:70000", "--serve: "},
        {"--push gateway", "--push: "},
        {"--linger 30s", "without --metrics or --serve"},
        {"--serve=:0 --linger until-scraped", "without --metrics"},
        {"--metrics=:0 --linger soon", "until-scraped, or a time"},
        {"--paused", "--serve"},
        {"--serve=:0 --kernel serial", "need actors"},
        {"--serve=:0 --light", "leave out --kernel and --light"}}) {
    INFO(flags);
    const auto refused = run(flags);
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Contains(said));
  }
}

TEST_CASE("the flags --metrics and --serve without an address don't take the scenario for one") {
  const ProgramFolder folder;
  const auto refused = folder.posse("run --metrics --serve no-such-file.toml");
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err, Contains("no-such-file.toml"));
}

TEST_CASE("listening beyond the loopback interface gives a warning") {
  const ProgramFolder folder;
  const auto run = folder.posse("run '" + kQuickstart + "' --repeat 1 --quiet --serve=0.0.0.0:0");
  CHECK(run.code == 0);
  CHECK_THAT(run.err, Contains("others"));
}

TEST_CASE("idle, slow and broken connections disturb neither a run nor other observers") {
  WatchedRun run({"--pace", "8"});
  std::vector<std::unique_ptr<test::HttpClient>> idle;
  for (const auto port : {run.metrics(), run.page()})
    for (int i = 0; i < 200; ++i) idle.push_back(std::make_unique<test::HttpClient>(port));
  for (const auto port : {run.metrics(), run.page()})
    for (const std::string& garbage : {std::string("\0\xff\r\n\r\n", 6),
                                       std::string("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
                                       std::string(100'000, 'a'),
                                       std::string("POST / HTTP/1.1\r\n")}) {
      idle.push_back(std::make_unique<test::HttpClient>(port));
      idle.back()->send(garbage);
    }
  const auto start = std::chrono::steady_clock::now();
  CHECK_THAT(run.scrape(), Contains("posse_events_total{run=\"quickstart/fed-pne/0\"}"));
  CHECK(run.document()["name"] == "quickstart");
  CHECK(std::chrono::steady_clock::now() - start < 2s);
  REQUIRE(run.process().wait(60s) == 0);
  CHECK(fingerprint_of(run.results()) == plain_fingerprint());
}

TEST_CASE("control needs the token and is refused from pages of other origins") {
  WatchedRun run({"--paused"});
  const std::string resume = R"({"action":"resume"})";
  CHECK(run.control(resume, "").status == 401);
  CHECK(run.control(resume, std::string(32, '0')).status == 401);
  CHECK(run.control(resume, run.token() + "0").status == 401);
  CHECK(run.control(resume, run.token(), "Origin: http://evil.example\r\n").status == 403);
  CHECK(run.control(resume, run.token(), "Sec-Fetch-Site: cross-site\r\n").status == 403);
  test::HttpClient rebound(run.page());
  rebound.send("POST /api/control HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer " +
               run.token() + "\r\nContent-Length: 2\r\n\r\n{}");
  CHECK(rebound.answer().status == 421);
  for (const std::string nonsense : {"",
                                     "[]",
                                     "{}",
                                     R"({"action":"stop"})",
                                     R"({"action":"cut"})",
                                     R"({"action":"cut","groups":[["server"]]})",
                                     R"({"action":"cut","groups":[["server"],[7]]})",
                                     R"({"action":"cut","groups":[["server"],["nobody"]]})",
                                     R"({"action":"resume","run":7})",
                                     R"({"action":"resume","run":["quickstart/fed-pne/0"]})",
                                     R"({"action":"resume","Run":"quickstart/fed-pne/0"})",
                                     R"({"action":["resume"]})",
                                     R"({"action":"resume","amount":1})",
                                     R"({"action":"step","amount":0})",
                                     R"({"action":"step","amount":1.5})",
                                     R"({"action":"step","amount":"1"})",
                                     R"({"action":"step","unit":"rounds"})",
                                     R"({"action":"step","unit":7})",
                                     R"({"action":"until"})",
                                     R"({"action":"until","unit":"event"})",
                                     R"({"action":"until","unit":"event","amount":1e300})",
                                     R"({"action":"until","unit":"virtual_s","amount":-1})",
                                     R"({"action":"until","unit":"virtual_s","amount":null})",
                                     R"({"action":"pace"})",
                                     R"({"action":"pace","amount":-1})",
                                     R"({"action":"pace","amount":1e-300})",
                                     R"({"action":"pace","amount":1,"unit":"round"})"})
    CHECK(run.control(nonsense, run.token()).status == 400);
  CHECK(run.control(R"({"action":"pause","run":"quickstart/nobody/0"})") == 409);
  run.wait_for([](const auto& now) { return now["status"] == "paused"; });
}

TEST_CASE("all observers get the same updates, and repeated requests do not delay them") {
  WatchedRun run({"--pace", "1"});
  std::vector<std::unique_ptr<test::HttpClient>> observers;
  for (int i = 0; i < 3; ++i) {
    observers.push_back(std::make_unique<test::HttpClient>(run.page()));
    observers.back()->send(test::http_request(run.page(), "/api/events"));
  }
  std::atomic<bool> stop{false};
  std::thread asks([&] {
    while (!stop) {
      run.document();
      std::this_thread::sleep_for(100ms);
    }
  });
  for (auto& observer : observers)
    CHECK_THAT(observer->read_until("event: run\n", 10s), Contains("event: run\n"));
  stop = true;
  asks.join();
  run.process().signal(SIGTERM);
  CHECK(run.process().wait(30s) == 143);
  const auto results = nlohmann::json::parse(content(run.results() / "results.json"));
  CHECK(results["runs"][0]["status"] == "stopped");
}

TEST_CASE("pausing stops virtual time, a step ends one round, and neither changes the results") {
  WatchedRun run({"--paused", "--threads", "2"});
  const auto paused = [](const nlohmann::json& document) {
    return document["runs"][0]["state"] == "paused" && document["runs"][1]["state"] == "paused";
  };
  run.wait_for(paused);
  for (unsigned round = 1; round <= 2; ++round) {
    REQUIRE(run.control(R"({"action":"step"})") == 204);
    const auto stepped = run.wait_for([&](const nlohmann::json& now) {
      return paused(now) && now["runs"][0]["rounds"] == round && now["runs"][1]["rounds"] == round;
    });
    std::this_thread::sleep_for(600ms);
    const auto later = run.document();
    CHECK(later["runs"][0]["now_virtual_s"] == stepped["runs"][0]["now_virtual_s"]);
    CHECK(later["runs"][1]["events"] == stepped["runs"][1]["events"]);
  }
  REQUIRE(run.control(R"({"action":"resume"})") == 204);
  REQUIRE(run.process().wait(60s) == 0);
  CHECK(fingerprint_of(run.results()) == plain_fingerprint());
  CHECK_THAT(content(run.results() / "interventions.csv"),
             Contains("quickstart/fed-pne/0,0,pause,") && Contains("quickstart/fed-pne/0,0,step,"));
}

TEST_CASE("a run goes on by an event or until a goal, at the pace that is asked for") {
  WatchedRun run({"--paused", "--threads", "2", "--pace", "0.5"});
  const std::string of = R"(,"run":"quickstart/fed-pne/0"})";
  const auto wait_for_paused = [&](const auto& is) {
    return run.wait_for([&](const nlohmann::json& now) {
      return now["runs"][0]["state"] == "paused" && is(now["runs"][0]);
    });
  };
  const auto any = [](const nlohmann::json&) { return true; };
  CHECK(wait_for_paused(any)["runs"][0]["pace"] == 0.5);
  REQUIRE(run.control(R"({"action":"pace","amount":0})") == 204);
  for (unsigned event = 1; event <= 3; ++event) {
    REQUIRE(run.control(R"({"action":"step","unit":"event")" + of) == 204);
    wait_for_paused([&](const auto& now) { return now["events"] == event; });
  }
  REQUIRE(run.control(R"({"action":"until","unit":"event","amount":100)" + of) == 204);
  wait_for_paused([](const auto& now) { return now["events"] == 100; });
  REQUIRE(run.control(R"({"action":"until","unit":"round","amount":7)" + of) == 204);
  const auto at_round = wait_for_paused([](const auto& now) { return now["rounds"] == 7; });
  CHECK(at_round["runs"][0]["pace"] == 0);
  const double seconds = at_round["runs"][0]["now_virtual_s"].get<double>() + 0.4;
  REQUIRE(run.control(fmt::format(
              R"({{"action":"until","unit":"virtual_s","amount":{}{})", seconds, of)) == 204);
  const auto there = wait_for_paused(
      [&](const auto& now) { return now["events"] > at_round["runs"][0]["events"]; });
  CHECK(there["runs"][0]["now_virtual_s"].get<double>() <= seconds);
  // What is past can't be waited for.
  for (const auto* goal : {R"("unit":"event","amount":100)",
                           R"("unit":"round","amount":7)",
                           R"("unit":"virtual_s","amount":0.001)"})
    CHECK(run.control(std::string(R"({"action":"until",)") + goal + of) == 409);
  REQUIRE(run.control(R"({"action":"resume"})") == 204);
  REQUIRE(run.process().wait(60s) == 0);
  CHECK(fingerprint_of(run.results()) == plain_fingerprint());
  const auto done = content(run.results() / "interventions.csv");
  CHECK_THAT(done, Contains("run,virtual_s,action,amount,unit,groups\n"));
  CHECK_THAT(done, Contains(",pace,0,,\n") && Contains(",step,1,event,\n"));
  CHECK_THAT(done, Contains(",until,100,event,\n") && Contains(",until,7,round,\n"));
  CHECK_THAT(content(run.results() / "results.json"), !Contains("changed by hand"));
}

TEST_CASE("links cut by a user drop messages, and the run can be repeated with the cuts") {
  WatchedRun run({"--paused", "--pace", "20"});
  const std::string of_run =
      R"("run":"quickstart/fed-pne/0","groups":[["server"],["client-3","client-4"]]})";
  run.wait_for([](const auto& now) { return now["runs"][0]["state"] == "paused"; });
  REQUIRE(run.control(R"({"action":"step","run":"quickstart/fed-pne/0"})") == 204);
  run.wait_for([](const auto& now) { return now["runs"][0]["rounds"] == 1; });
  REQUIRE(run.control(R"({"action":"cut",)" + of_run) == 204);
  REQUIRE(run.control(R"({"action":"resume"})") == 204);
  const auto cut = run.wait_for([](const auto& now) {
    std::uint64_t dropped = 0;
    for (const auto& account : now["runs"][0]["ledger"])
      dropped += account["dropped"]["partition"].template get<std::uint64_t>();
    return dropped > 0;
  });
  CHECK(cut["runs"][0]["cut_links"] == nlohmann::json({{0, 4}, {0, 5}}));
  CHECK(cut["runs"][0]["cut_groups"][1] == nlohmann::json({{"client-3", "client-4"}, {"server"}}));
  CHECK_THAT(run.scrape(), !Contains("{run=\"quickstart/fed-pne/0\",cause=\"partition\"} 0\n"));
  // Whatever the order of its groups a cut is undone, once; what was never cut can't be.
  CHECK(run.control(R"({"action":"restore","run":"quickstart/fed-pne/0",
                        "groups":[["server"],["client-3"]]})") == 409);
  const std::string turned = R"({"action":"restore","run":"quickstart/fed-pne/0",
                                 "groups":[["client-4","client-3"],["server"]]})";
  REQUIRE(run.control(turned) == 204);
  CHECK(run.control(turned) == 409);
  REQUIRE(run.process().wait(60s) == 0);
  CHECK_THAT(content(fs::canonical(run.results()) / "scenario.toml"), Contains("\nfor = "));
  CHECK(fingerprint_of(run.results()) != plain_fingerprint());
  CHECK_THAT(content(run.results() / "results.json"),
             Contains("was changed by hand while it ran: cut between "));

  const ProgramFolder folder;
  const auto scenario = fs::canonical(run.results()) / "scenario.toml";
  CHECK_THAT(content(scenario), Contains("[[fault]]") && Contains("repetition = 0"));
  REQUIRE(folder.posse("run '" + scenario.string() + "' --quiet").code == 0);
  CHECK(fingerprint_of(fs::path(folder.path()) / "runs/quickstart/latest") ==
        fingerprint_of(run.results()));
}

TEST_CASE("a signal ends the wait for a silent Pushgateway, and results are kept") {
  std::atomic<bool> asked{false}, stop{false};
  test::LoopbackListener silent([&](const test::LoopbackSocket&) {
    asked = true;
    while (!stop) std::this_thread::sleep_for(5ms);
  });
  WatchedRun run({"--push", "http://127.0.0.1:" + std::to_string(silent.port())});
  while (!asked && run.process().running()) std::this_thread::sleep_for(5ms);
  REQUIRE(asked);
  run.process().signal(SIGINT);
  CHECK(run.process().wait(4s) == 11);  // the wait is 5 s
  CHECK(fs::exists(run.results() / "results.json"));
  stop = true;
}

TEST_CASE("lingering ends when the metrics have been scraped") {
  WatchedRun run({"--linger", "until-scraped"});
  run.process().line_after("waiting until the metrics are scraped");
  CHECK(run.process().running());
  CHECK_THAT(run.scrape(), Contains("posse_runs_total{outcome=\"finished\"} 2\n"));
  CHECK(run.process().wait(10s) == 0);
}

TEST_CASE("lingering ends with a signal, and the run's exit code stays") {
  WatchedRun run({"--linger", "1 h"});
  run.process().line_after("serving for another");
  CHECK(run.document()["source"] == "folder");
  run.process().signal(SIGTERM);
  CHECK(run.process().wait(10s) == 0);
}

}  // namespace posse::test_watching
