// SPDX-License-Identifier: Apache-2.0
// The page of `posse serve` in a real browser: finished runs are listed, opened and compared.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/browser.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/executable.hpp"
#include "tests/support/program_folder.hpp"

namespace posse::test_run_index_page {
namespace {

using Json = nlohmann::json;

constexpr const char* kScenario = R"(name = "shelved"
seed = 1
[[algorithm]]
kind = "fed-pne"
[population]
clients = 2
[objective]
kind = "garland"
[budget]
evaluations_per_client = 200
)";

}  // namespace

TEST_CASE("finished runs are listed, opened, and compared side by side", "[browser]") {
  test::Browser& browser = test::Browser::shared();
  ProgramFolder folder;
  folder.write("shelved.toml", kScenario);
  for (const auto* seed : {"1", "2"})
    REQUIRE(folder.posse("run shelved.toml --out runs --seed " + std::string(seed)).code == 0);
  test::ChildProcess server(
      {test::posse_executable(), "serve", "runs", "--listen=127.0.0.1:0"}, folder.path(), "serve");
  const auto address = server.line_after("page: ");
  test::BrowserPage page(browser);
  page.open(address);

  REQUIRE(page.becomes_true("document.querySelectorAll('[data-key^=\"open/\"]').length === 2"));
  CHECK(page.evaluate("posse.sections().overview") == "hidden");

  // One of them: what is drawn ends where its results do.
  page.evaluate("document.querySelector('[data-key^=\"open/\"]').click()");
  REQUIRE(page.becomes_true("(posse.charts().regret || []).length > 0"));
  const std::string title = page.evaluate("posse.document().title");
  const auto path = "runs/" + title.substr(title.find("shelved/")) + "/results.json";
  const Json results = Json::parse(folder.Folder::content(path));
  CHECK(page.evaluate("posse.document().fingerprint") == results.at("fingerprint"));
  CHECK(page.evaluate("posse.charts().regret[0].points").back().at("y") ==
        results.at("runs").at(0).at("regret").at("cumulative_regret"));

  // The browser's Back button leads to the list, Forward to the run again.
  page.evaluate("history.back()");
  REQUIRE(page.becomes_true("posse.sections().overview === 'hidden'"));
  page.evaluate("history.forward()");
  REQUIRE(page.becomes_true(
      "posse.sections().overview !== 'hidden' && posse.document().title === '" + title + "'"));
  page.evaluate("history.back()");
  REQUIRE(page.becomes_true("posse.sections().overview === 'hidden'"));

  // Both: each line says whose it is, and a reload opens both again.
  const std::string ticks = "[...document.querySelectorAll('[data-key^=\"tick/\"]')]";
  for (const auto* i : {"0", "1"}) page.evaluate(ticks + "[" + i + "].click()");
  page.evaluate("document.querySelector('[data-key=compare]').click()");
  for (const bool again : {false, true}) {
    if (again) page.reload();
    REQUIRE(page.becomes_true("posse.documents().length === 2 && posse.charts().regret"));
    page.settle();
    const Json labels =
        page.evaluate("posse.charts().regret.filter((s) => !s.bound).map((s) => s.label)");
    REQUIRE(labels.size() == 2);
    CHECK(labels[0] != labels[1]);
    for (const std::string label : labels) CHECK(label.starts_with("fed-pne · "));
  }
  CHECK(page.complaints() == std::vector<std::string>{});
  for (const auto& url : page.requests()) CHECK(url.starts_with(address));
}

}  // namespace posse::test_run_index_page
