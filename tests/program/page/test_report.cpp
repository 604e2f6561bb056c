// SPDX-License-Identifier: Apache-2.0
// `posse report`: one file that opens from disk.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "program/page/document.hpp"
#include "program/page/page.hpp"
#include "program/page/report.hpp"
#include "tests/support/program_folder.hpp"

namespace test_report {

using namespace posse;

namespace {

const std::string kSmall =
    R"(name = "small"
[[algorithm]]
kind = "fed-pne"
[population]
clients = 2
[objective]
kind = "garland"
[budget]
evaluations_per_client = 100
)";

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

/// What the page finds in itself.
Json boot_of(const std::string& html) {
  const std::string tag = "id=\"posse-boot\"";
  const auto from = html.find('>', html.find(tag)) + 1;
  return Json::parse(html.substr(from, html.find("</script>", from) - from));
}

}  // namespace

TEST_CASE("a report has its run's document inside and goes into the run's folder") {
  const ProgramFolder folder;
  folder.write("small.toml", kSmall);
  REQUIRE(folder.posse("run small.toml --quiet").code == 0);
  const auto outcome = folder.posse("report runs/small");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.out == "runs/small/latest/report.html\n");
  CHECK_THAT(outcome.err, has("open it in a browser"));
  const auto boot = boot_of(content(folder / "runs/small/latest/report.html"));
  CHECK(boot["mode"] == "report");
  REQUIRE(boot["documents"].size() == 1);
  CHECK(boot["documents"][0] == Json::parse(compact_json(read_document(folder / "runs/small"))));
}

TEST_CASE("the page that a run writes is what its folder says, arms, cells and traces included") {
  const ProgramFolder folder;
  folder.write("small.toml", kSmall);
  for (const auto* run :
       {"small.toml --trace messages",
        POSSE_SOURCE_DIR "/scenarios/quickstart.toml --set budget.evaluations_per_client=300 "
                         "--set network.loss=0.02 --set network.transport=reliable",
        POSSE_SOURCE_DIR "/scenarios/papers/flcb_piecewise_linear.toml --repeat 1 --set "
                         "budget.pulls=200"}) {
    INFO(run);
    const auto outcome = folder.posse(std::string("run --quiet --out made ") + run);
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    for (const auto& name : fs::directory_iterator(folder / "made")) {
      const auto path = name.path() / "latest";
      const Json written = boot_of(content(path / "report.html"))["documents"][0],
                 read = read_document(path);
      for (const auto& [key, value] : read.items()) {
        INFO(key);
        CHECK(written[key] == value);
      }
      CHECK(written.size() == read.size());
    }
    fs::remove_all(folder / "made");
  }
}

TEST_CASE("a report of several runs has them all, in their order") {
  const ProgramFolder folder;
  folder.write("small.toml", kSmall);
  REQUIRE(folder.posse("run small.toml --quiet --out a").code == 0);
  REQUIRE(folder.posse("run small.toml --quiet --out b --seed 5").code == 0);
  CHECK(folder.posse("report b/small a/small").out == "report.html\n");
  const auto boot = boot_of(content(folder / "report.html"));
  REQUIRE(boot["documents"].size() == 2);
  CHECK(boot["documents"][0]["seed"] == 5);
  CHECK(boot["documents"][1]["seed"] == 1);
  CHECK(folder.posse("report b/small a/small --out x.html").out == "x.html\n");
  CHECK(content(folder / "x.html") == content(folder / "report.html"));
  CHECK(Json::parse(folder.posse("report b/small a/small --json").out) ==
        Json{{"report", "report.html"}, {"runs", {"b/small", "a/small"}}});
  for (const auto& entry : fs::directory_iterator(folder.path()))
    CHECK_THAT(entry.path().string(), !has(".tmp"));
}

TEST_CASE("equal documents give equal reports, others another nonce") {
  Json document;
  document["name"] = "</script><script>alert(1)</script>";
  const auto html = report_html({compact_json(document)});
  CHECK(report_html({compact_json(document)}) == html);
  CHECK_THAT(html, !has("<script>alert"));
  CHECK(boot_of(html)["documents"][0]["name"] == document["name"]);
  const auto nonce = [](const std::string& text) {
    const auto at = text.find("nonce=\"") + 7;
    return text.substr(at, text.find('"', at) - at);
  };
  CHECK(nonce(html).size() == 32);
  document["name"] = "else";
  CHECK(nonce(report_html({compact_json(document)})) != nonce(html));
}

TEST_CASE("a report that can't be read for or written ends with exit code 11 and names the file") {
  const ProgramFolder folder;
  folder.write("small.toml", kSmall);
  REQUIRE(folder.posse("run small.toml --quiet").code == 0);
  const auto check = [&](const std::string& arguments, const std::string& message) {
    const auto outcome = folder.posse("report " + arguments);
    INFO(outcome.err);
    CHECK(outcome.code == 11);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, has(message));
  };
  check("nowhere", "'nowhere' is not a run folder");
  check("runs/small nowhere", "'nowhere' is not a run folder");
  check("runs/small --out nowhere/x.html", "'nowhere/x.html' can't be written");
  check("runs/small --out runs", "'runs' can't be written");
  folder.write("runs/small/latest/metadata.json", "{");
  check("runs/small", "metadata.json' is not valid JSON");
  CHECK(folder.posse("report").code == 2);
}

}  // namespace test_report
