// SPDX-License-Identifier: Apache-2.0
// The page of a sweep, while it runs and of a finished store: over HTTP, and in a real browser.
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/browser.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/executable.hpp"
#include "tests/support/http_client.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_sweep_page {
namespace {

using Json = nlohmann::json;

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

const std::string kScenario = "name = \"swept\"\nseed = 1\nrepeat = 3\n" + test::kTwoAlgorithms +
                              R"([sweep]
"population.clients" = [2, 4]
)";

test::HttpAnswer answer_of(const std::string& address, const std::string& target) {
  const auto colon = address.rfind(':');
  const auto port = static_cast<std::uint16_t>(std::stoul(address.substr(colon + 1)));
  test::HttpClient client(port);
  client.send(test::http_request(port, target, "", "GET"));
  return client.answer();
}
Json get(const std::string& address, const std::string& target) {
  return Json::parse(answer_of(address, target).body);
}

}  // namespace

TEST_CASE("a sweep's page counts its runs, those that were there too, and compares them") {
  const ProgramFolder folder;
  folder.write("swept.toml", kScenario);
  REQUIRE(folder.posse("sweep swept.toml --quiet --repeat 1").code == 0);
  test::ChildProcess sweep(
      {test::posse_executable(), "sweep", "swept.toml", "--serve=127.0.0.1:0", "--linger", "60s"},
      folder.path(),
      "sweep");
  const auto address = sweep.line_after("page: ");
  Json progress;
  for (int i = 0; i < 2000; ++i) {
    progress = get(address, "/api/sweep");
    if (progress["state"] == "finished") break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(progress["state"] == "finished");
  CHECK(progress["planned"] == 12);
  CHECK(progress["there"] == 12);
  CHECK(progress["made"] == 8);
  CHECK(progress["failures"] == 0);
  CHECK(progress["algorithms"] == Json({"fed-pne", "random"}));
  REQUIRE(progress["rows"].size() == 2);
  CHECK(progress["rows"][0]["name"] == "2 clients");
  // The runs that were there are read in a thread of their own.
  for (int i = 0; i < 2000 && progress["rows"][1]["finished"] != Json({3, 3}); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    progress = get(address, "/api/sweep");
  }
  CHECK(progress["rows"][1]["finished"] == Json({3, 3}));
  const Json study = get(address, "/api/study");
  CHECK_THAT(study["title"].get<std::string>(), has("2 settings × 2 algorithms, 3 repetitions"));
  CHECK(get(address, "/api/nothing").contains("error"));
  sweep.signal(SIGINT);
  CHECK(sweep.wait(std::chrono::seconds(20)) == 0);

  // The store alone tells the same.
  test::ChildProcess served(
      {test::posse_executable(), "serve", "sweeps/swept", "--listen=127.0.0.1:0"},
      folder.path(),
      "serve");
  const auto again = served.line_after("page: ");
  progress = get(again, "/api/sweep");
  CHECK(progress["state"] == "finished");
  CHECK(progress["there"] == 12);
  CHECK(get(again, "/api/study") == study);
  auto compared = Json::parse(folder.posse("compare sweeps/swept --json").out);
  for (const auto* unused : {"measures", "settings"}) compared.erase(unused);
  CHECK(compared == study);
}

TEST_CASE("a sweep's page has every setting's means by keys and measures, and its runs") {
  const ProgramFolder folder;
  folder.write("swept.toml", kScenario);
  REQUIRE(folder.posse("sweep swept.toml --quiet").code == 0);
  test::ChildProcess served(
      {test::posse_executable(), "serve", "sweeps/swept", "--listen=127.0.0.1:0"},
      folder.path(),
      "serve");
  const auto address = served.line_after("page: ");
  const Json explored = get(address, "/api/explored");
  CHECK(explored["algorithms"] == Json({"fed-pne", "random"}));
  REQUIRE(explored["keys"].size() == 1);
  CHECK(explored["keys"][0]["label"] == "clients");
  CHECK(explored["keys"][0]["at"] == Json({2, 4}));
  CHECK(explored["cells"]["finished"] == Json({3, 3, 3, 3}));

  const Json runs = get(address, "/api/runs?setting=1&algorithm=0");
  REQUIRE(runs.size() == 3);
  CHECK(runs[2] == Json{{"repetition", 2}, {"finished", true}});
  const auto page = answer_of(address, "/run?setting=1&algorithm=0&repetition=2");
  CHECK(page.status == 200);
  CHECK_THAT(page.body, has("\"mode\":\"report\"") && has("\"clients\":4"));
  CHECK(get(address, "/api/runs?setting=7&algorithm=0") == Json::array());
  for (const auto* wrong : {"setting=1", "setting=x&algorithm=0", "setting=-1&algorithm=0", ""})
    CHECK(answer_of(address, std::string("/api/runs?") + wrong).status == 422);
  CHECK(answer_of(address, "/run?setting=1&algorithm=0&repetition=9").status == 404);
  CHECK(answer_of(address, "/run?setting=../..&algorithm=0&repetition=0").status == 422);
}

TEST_CASE("the report of a store is its page in one file") {
  const ProgramFolder folder;
  folder.write("swept.toml", kScenario);
  REQUIRE(folder.posse("sweep swept.toml --quiet").code == 0);
  const auto made = folder.posse("report sweeps/swept");
  INFO(made.err);
  REQUIRE(made.out == "sweeps/swept/report.html\n");
  const auto html = content(folder / "sweeps/swept/report.html");
  for (const auto* part : {"\"mode\":\"sweep\"", "\"explored\":", "\"there\":12"})
    CHECK_THAT(html, has(part));
  REQUIRE(folder.posse("run swept.toml --set sweep= --quiet").code == 0);
  const auto mixed = folder.posse("report sweeps/swept runs/swept");
  CHECK(mixed.code == 11);
  CHECK_THAT(mixed.err, has("is a store"));
}

TEST_CASE("a sweep that can't be served is refused before its first run") {
  const ProgramFolder folder;
  folder.write("swept.toml", kScenario);
  const auto shard = folder.posse("sweep swept.toml --serve --shard 1/2");
  CHECK(shard.code == 2);
  CHECK_THAT(shard.err, has("can't be used with --shard"));
  CHECK(folder.posse("sweep swept.toml --serve=nowhere:x").code == 2);
  CHECK(folder.posse("sweep swept.toml --linger 5s").code == 2);
  CHECK(folder.posse("sweep swept.toml --serve --linger soon").code == 2);
  test::ChildProcess other(
      {test::posse_executable(), "serve", ".", "--listen=127.0.0.1:0"}, folder.path(), "other");
  auto taken = other.line_after("page: http://");
  taken.pop_back();  // the slash
  CHECK(folder.posse("sweep swept.toml --serve=" + taken).code == 10);
  CHECK_FALSE(std::filesystem::exists(folder / "sweeps/swept/plan.csv"));
}

TEST_CASE("the page of a store shows the comparison and what is there, on narrow screens too",
          "[browser]") {
  test::Browser& browser = test::Browser::shared();
  const ProgramFolder folder;
  folder.write("swept.toml", kScenario);
  REQUIRE(folder.posse("sweep swept.toml --quiet").code == 0);
  test::ChildProcess served(
      {test::posse_executable(), "serve", "sweeps/swept", "--listen=127.0.0.1:0"},
      folder.path(),
      "serve");
  test::BrowserPage page(browser);
  page.open(served.line_after("page: "));
  REQUIRE(page.becomes_true("document.querySelectorAll('#comparison tbody tr').length > 2"));
  CHECK(page.evaluate("document.querySelectorAll('#sweep tbody tr').length") == 2);
  CHECK(page.evaluate("document.getElementById('name').textContent") == "swept");
  CHECK(page.evaluate("document.getElementById('state').textContent") == "finished");
  CHECK(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth") == true);
  // The settings can be explored: charts, averages, lines that are kept, runs.
  const auto rows = "document.querySelectorAll('.explored tbody tr').length";
  CHECK(page.evaluate(rows) == 4);
  CHECK(page.evaluate("Object.keys(window.posse.charts()).join()") == "explored 1,effect 1");
  page.evaluate(
      "const filter = document.querySelector('[data-key=\"filter algorithm\"]');"
      "filter.value = '1'; filter.dispatchEvent(new Event('change'))");
  CHECK(page.evaluate(rows) == 2);
  CHECK(page.evaluate("window.posse.charts()['explored 1'].length") == 1);
  page.evaluate("document.querySelector('[data-key=\"all\"]').click()");
  CHECK(page.evaluate(rows) == 4);
  page.evaluate("document.querySelector('.explored tbody button').click()");
  CHECK(page.becomes_true("document.querySelectorAll('.explored .noterow a').length === 3"));
  CHECK(page.complaints() == std::vector<std::string>{});
}

}  // namespace posse::test_sweep_page
