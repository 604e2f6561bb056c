// SPDX-License-Identifier: Apache-2.0
// The live page in a real browser, against the program itself.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/browser.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/executable.hpp"
#include "tests/support/folder.hpp"

namespace posse::test_live_page {
namespace {

using Json = nlohmann::json;
using test::Browser;
using test::BrowserPage;

constexpr const char* kScenario = R"(name = "watched"
seed = 5
[[algorithm]]
kind = "fed-pne"
nu1 = 1.4
rho = 0.70710678
c = 0.1
[population]
clients = 4
[objective]
kind = "garland"
noise = { kind = "uniform", half_width = 0.1 }
[budget]
evaluations_per_client = 6000
[network]
latency = { kind = "exponential", mean = "40 ms", floor = "10 ms" }
transport = "reliable"
retransmission = { timeout = "200 ms", backoff = 2.0, max_timeout = "1 s" }
[compute]
evaluation = "1 ms"
)";

/// A paced run with its page, in a folder of its own.
class WatchedRun {
 public:
  explicit WatchedRun(const std::string& pace, bool paused = false)
      : process_({test::posse_executable(),
                  "run",
                  folder_.write("watched.toml", kScenario).string(),
                  "--serve=127.0.0.1:0",
                  "--pace=" + pace,
                  "--linger=60s",
                  paused ? "--paused" : "--quiet",
                  "--out",
                  (folder_ / "runs").string()},
                 folder_.path(),
                 "posse"),
        url_(process_.line_after("page: ")) {}
  const std::string& url() const { return url_; }  // with the token
  std::string address() const { return url_.substr(0, url_.find('#')); }
  void kill() { process_.signal(SIGKILL); }
  Json results() const { return Json::parse(folder_.content("runs/watched/latest/results.json")); }

 private:
  test::Folder folder_;
  test::ChildProcess process_;
  std::string url_;
};

/// Points of one line of a chart.
Json points_of(const Json& chart, const std::string& label) {
  for (const auto& series : chart)
    if (series.at("label") == label) return series.at("points");
  return nullptr;
}

constexpr const char* kPoints = "((posse.charts().regret || [])[0] || {points: []}).points";
constexpr const char* kNow = "posse.document().runs[0].now_virtual_s";
constexpr const char* kRounds = "posse.document().runs[0].rounds";
constexpr const char* kEvents = "posse.document().runs[0].events";
constexpr const char* kPaused = "(posse.document() || {}).status === 'paused'";

/// Presses a button once it can be.
void press(BrowserPage& page, const std::string& key) {
  const std::string button = "document.querySelector('[data-key=\"" + key + "\"]')";
  INFO(key);
  REQUIRE(page.becomes_true("(" + button + " || {disabled: true}).disabled === false"));
  page.evaluate(button + ".click()");
}

void choose(BrowserPage& page, const std::string& key, const std::string& value) {
  page.evaluate("(() => { const s = document.querySelector('[data-key=" + key + "]'); s.value = '" +
                value + "'; s.dispatchEvent(new Event('change', {bubbles: true})); })()");
}

}  // namespace

TEST_CASE(
    "a run is observed, paused, stepped and cut from its page, and ends with the results' "
    "numbers",
    "[browser]") {
  Browser& browser = Browser::shared();
  WatchedRun run("2", true);
  BrowserPage page(browser);
  page.open(run.url());

  // The token leaves the address; what is drawn grows.
  CHECK(page.evaluate("location.href") == run.address());
  REQUIRE(page.becomes_true(kPaused));
  CHECK(page.evaluate(kNow) == 0);
  // A step goes on for one round.
  const auto step = [&] {
    const auto rounds = page.evaluate(kRounds).get<int>();
    press(page, "step");
    REQUIRE(page.becomes_true(std::string(kRounds) + " > " + std::to_string(rounds)));
    REQUIRE(page.becomes_true(kPaused));
    page.settle();
    CHECK(page.evaluate(kRounds) == rounds + 1);
  };
  step();
  step();
  const auto events = page.evaluate(kEvents).get<int>();
  press(page, "step-event");
  REQUIRE(page.becomes_true(std::string(kEvents) + " > " + std::to_string(events)));
  REQUIRE(page.becomes_true(kPaused));
  CHECK(page.evaluate(kEvents) == events + 1);
  CHECK(
      page.becomes_true(std::string(kPoints) + ".length >= 2"));  // charts have pauses of their own
  // What is known before the run is a ceiling, never an estimate.
  const std::string overview = page.evaluate("document.getElementById('overview').innerText");
  CHECK(overview.find(" (ceiling)") != std::string::npos);
  CHECK(overview.find("≈") == std::string::npos);

  // A cut link drops what is sent over it; and this run can't end while it is cut.
  choose(page, "network-link", "server ↔ client-1");
  press(page, "cut");
  REQUIRE(page.becomes_true("document.querySelector('#network .cutmark')"));
  // The key of the button that says Resume now; in a field it would be a letter.
  const auto type = [&](const std::string& where) {
    page.evaluate(where +
                  ".dispatchEvent(new KeyboardEvent('keydown', {key: ' ', bubbles: true}))");
  };
  page.evaluate("document.querySelector('[data-key=network-link]').focus()");
  type("document.activeElement");
  page.settle();
  CHECK(page.evaluate(kPaused) == true);
  type("document.body");
  REQUIRE(page.becomes_true(std::string("!(") + kPaused + ")"));
  REQUIRE(page.becomes_true("document.querySelector('[data-key=sent-what]')"));
  choose(page, "sent-what", "fates-by-type");
  const std::string dropped =
      "(posse.charts().communication.find((s) => s.label === 'dropped by a partition') || {points: "
      "[]}).points.reduce((sum, p) => sum + p.y, 0)";
  REQUIRE(page.becomes_true(dropped + " > 0"));
  const std::string on_link =
      "posse.charts().network[0].points.filter((p) => p.x.includes('client-1')).reduce((sum, p) => "
      "sum + p.dropped, 0)";
  CHECK(page.becomes_true(on_link + " > 0"));

  // A pause stops virtual time.
  press(page, "pause");
  REQUIRE(page.becomes_true(kPaused));
  page.settle();
  const Json paused_at = page.evaluate(kNow);
  CHECK(paused_at.get<double>() > 0);
  page.evaluate("new Promise((done) => setTimeout(() => done(0), 2600))");
  CHECK(page.evaluate(kNow) == paused_at);  // and its last charts are sent

  // A reload keeps the history, and the cut with it.
  const Json before = page.evaluate(kPoints);
  page.reload();
  REQUIRE(page.becomes_true(std::string(kPoints) + ".length > 0"));
  CHECK(page.evaluate(kPoints) == before);
  choose(page, "network-link", "server ↔ client-1");
  press(page, "restore");
  REQUIRE(page.becomes_true("!document.querySelector('#network .cutmark')"));
  step();
  choose(page, "network-node", "client-2");
  press(page, "crash");
  REQUIRE(page.becomes_true("document.querySelector('#network .stopmark')"));
  press(page, "restart");
  REQUIRE(page.becomes_true("!document.querySelector('#network .stopmark')"));
  press(page, "pause");  // says Resume now

  // Everything that was done is listed with its virtual time, and the end is that of the folder.
  REQUIRE(page.becomes_true("posse.ended()", std::chrono::seconds(40)));
  page.settle();
  Json actions = Json::array();
  double last = 0;
  const Json interventions = page.evaluate("posse.document().interventions");
  for (const auto& done : interventions) {
    actions.push_back(done.at("action"));
    CHECK(done.at("virtual_s").get<double>() >= last);
    last = done.at("virtual_s");
  }
  CHECK(last > paused_at.get<double>());
  CHECK(actions == Json::array({"pause",
                                "step",
                                "step",
                                "step",
                                "cut",
                                "resume",
                                "pause",
                                "restore",
                                "step",
                                "crash",
                                "restart",
                                "resume"}));
  CHECK(page.evaluate("posse.document().source") == "folder");
  const Json results = run.results(), outcome = results.at("runs").at(0);
  CHECK(page.evaluate("posse.document().fingerprint") == results.at("fingerprint"));
  CHECK(page.evaluate(kPoints).back().at("y") == outcome.at("regret").at("cumulative_regret"));
  choose(page, "sent-what", "fates-by-type");
  page.settle();
  const Json charts = page.evaluate("posse.charts()");
  for (const auto& account : outcome.at("ledger")) {
    const std::string arrow = account.at("direction") == "up" ? " ↑" : " ↓";
    const std::string name = account.at("type").get<std::string>() + arrow;
    for (const auto& point : points_of(charts.at("communication"), "delivered"))
      if (point.at("x") == name) CHECK(point.at("y") == account.at("delivered"));
    for (const auto& point : points_of(charts.at("communication"), "dropped by a partition"))
      if (point.at("x") == name) CHECK(point.at("y") == account.at("dropped").at("partition"));
  }

  CHECK(page.complaints() == std::vector<std::string>{});
  for (const auto& url : page.requests()) CHECK(url.starts_with(run.address()));
}

TEST_CASE("without the token the page only observes, and it reports a lost server", "[browser]") {
  Browser& browser = Browser::shared();
  WatchedRun run("1", true);  // and so it stays
  BrowserPage first(browser), second(browser);
  first.open(run.address());
  second.open(run.address());
  for (auto* page : {&first, &second}) {
    page->bring_to_front();
    REQUIRE(page->becomes_true(kPaused));
    CHECK(page->becomes_true("document.querySelector('#pause:disabled')"));
    CHECK(page->evaluate("document.getElementById('controls').innerText.includes('#token=')") ==
          true);
    CHECK(page->complaints() == std::vector<std::string>{});
  }
  first.bring_to_front();
  // A wrong token is refused, and the page says so.
  first.evaluate("sessionStorage.setItem('posse-token', 'wrong')");
  first.reload();
  press(first, "pause");
  CHECK(first.becomes_true("!document.getElementById('said').hidden"));
  CHECK(first.becomes_true("document.querySelector('#pause:disabled')"));

  run.kill();
  for (auto* page : {&first, &second}) {
    page->bring_to_front();
    CHECK(
        page->becomes_true("document.getElementById('state').innerText.includes('disconnected')"));
    CHECK(page->evaluate("posse.document().name") == "watched");
  }
}

}  // namespace posse::test_live_page
