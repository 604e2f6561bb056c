// SPDX-License-Identifier: Apache-2.0
// The page in a real browser, with its data inside, as report.html has it.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "program/base/text.hpp"
#include "program/page/page.hpp"
#include "tests/program/page/sample_document.hpp"
#include "tests/support/browser.hpp"
#include "tests/support/folder.hpp"

namespace posse::test_page {
namespace {

using Json = nlohmann::json;
using test::Browser;
using test::BrowserPage;

std::string report_of(const std::vector<Json>& documents) {
  Json boot{{"mode", "report"}};
  boot["documents"] = documents;
  return page_html(boot.dump(), "n0nce");
}

/// A report on disk, opened.
class Report {
 public:
  Report(Browser& browser, const std::vector<Json>& documents) : page(browser) { show(documents); }
  void show(const std::vector<Json>& documents) {
    page.open("file://" + folder_.write("report.html", report_of(documents)).string());
  }
  /// Selects `value` in the select with that key, as a user does.
  void pick(const std::string& key, const std::string& value) {
    page.evaluate("(() => { const s = document.querySelector('select[data-key=\"" + key +
                  "\"]'); s.value = '" + value +
                  "'; s.dispatchEvent(new Event('change', {bubbles: true})); })()");
  }
  void press(const std::string& key) {
    page.evaluate("document.querySelector('[data-key=\"" + key + "\"]').click()");
  }
  Json charts() { return page.evaluate("posse.charts()"); }

 private:
  test::Folder folder_;

 public:
  BrowserPage page;
};

/// The points of one line, without their spread.
Json line(const Json& chart, const std::string& label) {
  for (const auto& series : chart) {
    if (series["label"] != label) continue;
    Json points = Json::array();
    for (const auto& p : series["points"]) points.push_back({p["x"], p["y"]});
    return points;
  }
  return nullptr;
}

/// The document's chart with that id.
const Json& chart_of(const Json& document, const std::string& id) {
  for (const auto& chart : document["charts"])
    if (chart["id"] == id) return chart;
  FAIL("no chart " << id);
  return document;
}

/// The points of a series of a chart.
Json points_of(const Json& series) {
  Json points = Json::array();
  for (std::size_t i = 0; i < series["x"].size(); ++i)
    points.push_back({series["x"][i], series["y"][i]});
  return points;
}

}  // namespace

TEST_CASE("regret is drawn from exactly the document's points, for every abscissa", "[browser]") {
  Browser& browser = Browser::shared();
  const Json document = test::sample_document();
  Report report(browser, {document});
  for (const std::string metric : {"cumulative", "simple"}) {
    report.press("regret" + metric);
    for (const std::string scope : {"global", "local"}) {
      report.press("scope" + scope);
      for (const auto& [abscissa, suffix] : {std::pair<std::string, std::string>{"evaluations", ""},
                                             {"rounds", "-rounds"},
                                             {"bytes", "-bytes"},
                                             {"virtual_s", "-virtual-time"}}) {
        report.pick("regret-x", abscissa);
        // A logarithmic axis has no place for 0.
        for (const auto* log : {"regret-logx", "regret-logy"})
          if (report.page.evaluate("document.querySelector('[data-key=" + std::string(log) +
                                   "]').checked"))
            report.press(log);
        const auto id = (metric == "simple" ? "simple-" : "") + std::string("regret") + suffix +
                        (scope == "local" ? "-local" : "");
        INFO(id);
        const auto& chart = chart_of(document, id);
        for (const auto& series : chart["series"])
          CHECK(line(report.charts().at("regret"), series["label"]) == points_of(series));
      }
    }
  }
  report.press("regretcumulative");
  report.pick("regret-x", "rounds");
  report.press("regret-logx");
  const auto all = points_of(chart_of(document, "regret-rounds-local")["series"][1]);
  CHECK(line(report.charts().at("regret"), "two").size() + 1 == all.size());
  CHECK(report.page.complaints() == std::vector<std::string>{});
}

TEST_CASE("repetitions are drawn as their mean and its 95 % interval", "[browser]") {
  Browser& browser = Browser::shared();
  const Json document = test::sample_document();
  Report report(browser, {document});
  const Json drawn = report.charts().at("regret")[0];
  REQUIRE(drawn["label"] == "one");
  REQUIRE(drawn["points"].size() == 5);
  // At 8 evaluations 3.5 and 4.5: t(0.975; 1) |a - b| / 2.
  const Json& last = drawn["points"][4];
  CHECK(last["x"] == 8);
  CHECK(last["y"].get<double>() == 4);
  CHECK(last["high"].get<double>() == Approx(4 + 12.7062 / 2));
  CHECK(last["low"].get<double>() == Approx(4 - 12.7062 / 2));
}

TEST_CASE("runs that have not finished have lines of their own", "[browser]") {
  Browser& browser = Browser::shared();
  auto runs = test::sample_run_data();
  auto& one = runs.algorithms[0];
  one.unfinished.push_back(one.repetitions[1]);
  one.unfinished[0].status = "limit_reached";
  one.repetitions.pop_back();
  Json document = test::sample_document();
  document.update(drawn_json(runs));
  Report report(browser, {document});
  const Json drawn = report.charts().at("regret");
  CHECK(line(drawn, "one").back() == Json({8, 3.5}));
  CHECK(line(drawn, "one, repetition 1 (limit reached)").back() == Json({8, 4.5}));
  CHECK(report.page.evaluate("document.body.innerText")
            .get<std::string>()
            .find("Dashed: runs that have not finished, which are in no mean.") !=
        std::string::npos);
}

TEST_CASE("a bound is drawn where it is, or named beside a picture that it would flatten",
          "[browser]") {
  Browser& browser = Browser::shared();
  Json document = test::sample_document();
  Report report(browser, {document});
  const auto bounds = [&] {
    std::set<double> heights;
    const Json drawn = report.charts().at("regret");
    for (const auto& series : drawn)
      if (series.value("bound", false)) heights.insert(series["points"][0]["y"].get<double>());
    return heights;
  };
  CHECK(bounds() == std::set<double>{5});
  auto runs = test::sample_run_data();
  for (auto& repetition : runs.algorithms[0].repetitions) repetition.bounds[0].value = 1e6;
  document.update(drawn_json(runs));
  report.show({document});
  CHECK(bounds() == std::set<double>{});
  const std::string far = "bound at the end, one: " + pretty(1e6, "");
  REQUIRE(report.page.evaluate("document.body.innerText").get<std::string>().find(far) !=
          std::string::npos);
  report.press(far);
  CHECK(bounds() == std::set<double>{1e6});
}

TEST_CASE("messages, rounds, links, cells and arms are drawn as the document has them",
          "[browser]") {
  Browser& browser = Browser::shared();
  Report report(browser, {test::sample_document()});
  const Json charts = report.charts();
  const Json names = {"one · Plan ↓", "two · Plan ↓"};
  const Json& bytes = charts.at("communication");  // bytes come first
  CHECK(line(bytes, "payload, first transmissions") ==
        Json::array({Json::array({names[0], 96}), Json::array({names[1], 96})}));
  CHECK(line(bytes, "headers, first transmissions") ==
        Json::array({Json::array({names[0], 24}), Json::array({names[1], 24})}));
  CHECK(line(bytes, "retransmissions and duplicates") ==
        Json::array({Json::array({names[0], 40}), Json::array({names[1], 40})}));
  report.pick("sent-what", "fates-by-type");
  const Json outcomes = report.charts().at("communication");
  CHECK(line(outcomes, "delivered") ==
        Json::array({Json::array({names[0], 3}), Json::array({names[1], 3})}));
  CHECK(line(outcomes, "lost") ==
        Json::array({Json::array({names[0], 1}), Json::array({names[1], 1})}));
  CHECK(line(charts.at("traffic"), "two") == Json{{1, 0}, {2, 110}, {4, 120}, {8, 120}});
  CHECK(line(charts.at("rounds"), "compute") == Json{{1, 0.5}, {2, 0.5}});
  CHECK(line(charts.at("rounds"), "waiting") == Json{{1, 1}, {2, 1}});
  CHECK(line(charts.at("rounds"), "active cells") == Json{{1, 2}, {2, 3}});
  CHECK(line(charts.at("network"), "links") ==
        Json::array({Json::array({"server → client-0", 3}),
                     Json::array({"client-0 → server", 5}),
                     Json::array({"server → client-1", 4})}));
  CHECK(line(charts.at("tree"), "cells") == Json{{1, 1}, {2, 1}, {1, 2}, {2, 2}});
  // The first cut is along the first dimension, the second along the second.
  CHECK(line(charts.at("plane"), "cells") == Json{{0, -1}, {5, -1}, {0, -1}, {0, 0}});
  CHECK(line(charts.at("plane"), "optima") == Json::array({Json{2.5, 0.5}}));
  CHECK(line(charts.at("plane"), "recommendation") == Json::array({Json{2.5, 0.75}}));
  CHECK(report.page.evaluate("document.querySelectorAll('#tree .plane-mark').length") == 2);
  CHECK(line(charts.at("sequence"), "messages") == Json{{0, 0.5}, {0, nullptr}, {1, 1.5}});
  CHECK(charts.at("arms")[0]["points"][0]["low"].get<double>() == Approx(0.8 - 1.5));
  CHECK(line(charts.at("arm_curves"), "f1") == Json{{1, 1}, {10, 7}});
  // As many elements as things: cells, arrows, nodes, links (one of them cut).
  CHECK(report.page.evaluate("document.querySelectorAll('#tree .icicle rect[data-tip]').length") ==
        4);
  CHECK(report.page.evaluate("document.querySelectorAll('#sequence .arrow').length") == 3);
  CHECK(report.page.evaluate("document.querySelectorAll('#network circle').length") == 3);
  CHECK(report.page.evaluate("document.querySelectorAll('#network .cutmark').length") == 1);
  // Another run of the document is a choice away.
  report.press("run/sample/two/0");
  report.page.settle();
  CHECK(report.page.evaluate("document.querySelector('select[data-key=run]').value") == "2");
  CHECK(report.page.complaints() == std::vector<std::string>{});
}

TEST_CASE("cells whose place is not known are drawn in the tree alone", "[browser]") {
  Browser& browser = Browser::shared();
  Json document = test::sample_document();
  for (const auto* column : {"low_1", "high_1", "low_2", "high_2"})
    document["runs"][0]["cells"].erase(column);
  Report report(browser, {document});
  CHECK_FALSE(report.charts().contains("plane"));
  CHECK(report.charts().contains("tree"));
}

TEST_CASE("a message type has one colour everywhere", "[browser]") {
  Browser& browser = Browser::shared();
  Json document = test::sample_document();
  document["message_types"] = {"Other", "Means", "Plan"};  // others were not sent
  document["runs"][1]["ledger"].push_back(document["runs"][1]["ledger"][0]);
  document["runs"][1]["ledger"][1]["type"] = "Means";
  Report report(browser, {document});
  const std::string arrows =
      "new Set([...document.querySelectorAll('#sequence .arrow')].map((a) => "
      "a.lastElementChild.getAttribute('fill')).filter(Boolean))";
  const std::string swatch =
      "document.querySelector('#communication details svg rect').getAttribute('fill')";
  CHECK(report.page.evaluate(swatch) == "#009E73");  // the second of the palette
  CHECK(report.page.evaluate("[..." + arrows + "]") == Json({"#009E73", "#0072B2"}));
  CHECK(report.page.complaints() == std::vector<std::string>{});
}

TEST_CASE("large networks are drawn as a summary, and their messages between some nodes",
          "[browser]") {
  Browser& browser = Browser::shared();
  Json document = test::sample_document();
  Json& run = document["runs"][0];
  document["algorithms"][0]["clients"] = 100'000;
  run["nodes"] = Json::array();
  for (const auto* column : {"from", "to", "departed", "arrived", "dropped"})
    run["links"][column] = Json::array();
  std::vector<MessageRecord> messages(300);
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    messages[i].type = "Plan";
    messages[i].to = {i + 1};
    messages[i].delivered = Time{} + Duration::seconds(1);
  }
  const auto name_of = [](NodeId node) {
    return node.value == 0 ? "server" : "client-" + std::to_string(node.value - 1);
  };
  nlohmann::ordered_json diagram;
  put_sequence({100'001, name_of, Transport::datagram, {}, messages, {}, {}, {}, {}}, diagram);
  run["sequence"] = diagram["sequence"];
  Report report(browser, {document});
  CHECK(report.charts().at("network")[0]["points"] ==
        Json::array({{{"x", "down"}, {"y", 4}, {"dropped", 1}, {"bytes", 160}}}));
  CHECK(line(report.charts().at("sequence"), "messages").size() == 39);
  for (const auto* chart : {"network", "sequence"}) {
    INFO(chart);
    CHECK(report.page
              .evaluate("document.querySelector('[data-chart=" + std::string(chart) +
                        "]').getBoundingClientRect().height")
              .get<double>() < 1000);
  }
  CHECK(report.page.complaints() == std::vector<std::string>{});
}

TEST_CASE("tables show measurements with their bounds, and a note opens by keyboard and stays",
          "[browser]") {
  Browser& browser = Browser::shared();
  Json document = test::sample_document();
  document["algorithms"][1]["measurements"][0]["exceeded_in"] = 1;
  document["algorithms"][1]["measurements"][1]["bound"]["vacuous"] = true;
  Json messages = test::sample_measurement("messages", 202, 202);
  messages["bound"]["side"] = "equal";
  document["algorithms"][0]["measurements"].push_back(messages);
  Report report(browser, {document});
  const std::string text = report.page.evaluate("document.body.innerText");
  for (const auto* part : {"2 ± 4.5",
                           "≤ 3",
                           "✓ held",
                           "✗ violated in 1 of 2",
                           "≤ 5 vacuous",
                           "= 202\tformula\t✓",
                           "one is best on rounds.",
                           "Warning: only 2 repetitions",
                           "server | client-1",
                           "max <= 3",
                           "0123456789abcdef"}) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(text.find("the formula of rounds") == std::string::npos);
  // Identities have a group of their own, below the bounds.
  CHECK(report.page.evaluate("[...document.querySelectorAll('.quantities')].map((table) => "
                             "[...table.querySelectorAll('tbody th')].map((name) => "
                             "name.textContent.split(' ')[0]))") ==
        Json::parse(
            R"([["rounds", "cumulative", "identity", "messages"], ["rounds", "cumulative"]])"));
  const std::string kind = "document.querySelector('button.kind')";
  report.page.evaluate(kind + ".focus()");
  for (const auto* type : {"rawKeyDown", "char", "keyUp"})
    report.page.command("Input.dispatchKeyEvent",
                        {{"type", type},
                         {"key", "Enter"},
                         {"code", "Enter"},
                         {"text", "\r"},
                         {"windowsVirtualKeyCode", 13}});
  CHECK(report.page.becomes_true("document.body.innerText.includes('the formula of rounds')"));
  CHECK(report.page.evaluate("document.activeElement === " + kind) == true);
  CHECK(report.page.evaluate(kind + ".getAttribute('aria-expanded')") == "true");
}

TEST_CASE("the page makes no other requests", "[browser]") {
  Browser& browser = Browser::shared();
  Report report(browser, {test::sample_document()});
  report.page.settle();
  REQUIRE_FALSE(report.page.requests().empty());
  for (const auto& url : report.page.requests())
    CHECK((url == report.page.requests().front() || url.starts_with("data:")));
  CHECK(report.page.requests().front().starts_with("file:///"));
  // Not even by injected markup: no scripts, pictures or requests.
  report.page.evaluate(R"js((() => {
    document.body.insertAdjacentHTML('beforeend', '<img src="http://127.0.0.1:9/a.png"><b onclick="window.taken = 1" id="b">');
    document.getElementById('b').click();
    const script = document.createElement('script');
    script.textContent = 'window.taken = 2';
    document.body.append(script);
    return fetch('http://127.0.0.1:9/').catch(() => 0);
  })())js");
  CHECK(report.page.evaluate("typeof window.taken") == "undefined");
  CHECK(report.page.complaints().size() >= 4);
  for (const auto& complaint : report.page.complaints()) {
    INFO(complaint);
    CHECK(complaint.find("Content Security Policy") != std::string::npos);
  }
}

TEST_CASE("names and texts are shown as text only", "[browser]") {
  Browser& browser = Browser::shared();
  const std::string hostile =
      "</script><script>window.taken = 1</script><img src=x onerror='window.taken = 2'>"
      "<!--<script>@NONCE@ \" onload=\"window.taken = 3\" javascript:window.taken=4";
  // Every string of the document, but those that only select how something is drawn.
  const std::set<std::string> kept = {"state", "source", "id", "kind", "side", "direction"};
  const std::function<void(Json&, const std::string&)> poison = [&](Json& value,
                                                                    const std::string& key) {
    if (value.is_string() && !kept.contains(key)) {
      value = value.get<std::string>() + hostile;
    } else if (value.is_structured()) {
      for (auto& [name, item] : value.items()) poison(item, value.is_object() ? name : key);
    }
  };
  Json document = test::sample_document();
  poison(document, "");
  document["runs"][0]["report"] = hostile;
  Report report(browser, {document});
  report.page.settle();
  CHECK(report.page.evaluate("typeof window.taken") == "undefined");
  CHECK(report.page.evaluate(
            "document.querySelectorAll('img, iframe, object, b[onload]').length") == 0);
  CHECK(report.page.evaluate("document.scripts.length") == 3);
  CHECK(report.page.evaluate("posse.document().name") == document["name"]);
  CHECK(report.page.evaluate("document.getElementById('name').textContent") == document["name"]);
  CHECK(report.page.complaints() == std::vector<std::string>{});
}

TEST_CASE("an empty document and one that lacks any of its parts, or has another there, is shown",
          "[browser]") {
  Browser& browser = Browser::shared();
  const Json whole = test::sample_document();
  Report report(browser, {});
  const auto fine = [&](const std::string& what) {
    INFO(what);
    CHECK(report.page.evaluate("document.getElementById('name').textContent.length > 0") == true);
    CHECK(report.page.complaints() == std::vector<std::string>{});
  };
  fine("no document");
  CHECK(report.page.evaluate("document.getElementById('empty').hidden") == false);
  report.show({Json::object()});
  fine("an empty document");
  report.show({Json{{"runs", {nullptr, 7, "x", Json::object(), {{"algorithm", 3}}}},
                    {"algorithms", {nullptr, Json::object()}}}});
  fine("runs that are none");
  // Key by key: the document lacks it, one run lacks another, one has nothing there, one nonsense.
  std::vector<std::string> keys, keys_of_run;
  for (const auto& [key, value] : whole.items()) keys.push_back(key);
  for (const auto& [key, value] : whole["runs"][0].items()) keys_of_run.push_back(key);
  for (std::size_t i = 0; i < std::max(keys.size(), keys_of_run.size()); ++i) {
    const auto& key = keys[i % keys.size()];
    const auto& key_of_run = keys_of_run[i % keys_of_run.size()];
    const bool array = whole["runs"][0][key_of_run].is_structured();
    Json document = whole;
    document["runs"][0].erase(key_of_run);
    document["runs"][1][key_of_run] = nullptr;
    document["runs"][2][key_of_run] = array ? Json(5) : Json::array({1});
    document.erase(key);
    report.show({document});
    fine("without " + key + ", and a run without " + key_of_run);
  }
}

TEST_CASE("the page fits a phone, in light and dark, and remembers which", "[browser]") {
  Browser& browser = Browser::shared();
  Report report(browser, {test::sample_document()});
  BrowserPage& page = report.page;
  const std::string ground = "getComputedStyle(document.body).backgroundColor";
  for (const int width : {390, 500, 768, 1280}) {
    page.look_like(width, 844);
    report.page.reload();
    page.settle();
    INFO(width);
    // The status stays in view on a narrow page, and is there once.
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
    CHECK(page.evaluate("(() => { const b = document.getElementById('state_below')"
                        ".getBoundingClientRect(); return b.width > 0 && b.top >= 0 && "
                        "b.bottom < 60 && b.right <= window.innerWidth; })()") == (width <= 700));
    CHECK(page.evaluate("getComputedStyle(document.getElementById('state')).position") ==
          (width <= 700 ? "absolute" : "static"));
    CHECK(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth") == true);
    // Nothing sticks out but what scrolls inside its own box.
    CHECK(page.evaluate("[...document.querySelectorAll('main *')].filter((e) => "
                        "!e.closest('.scroll') && e.getBoundingClientRect().right > "
                        "window.innerWidth + 1).map((e) => e.outerHTML.slice(0, 80))") ==
          Json::array());
  }
  CHECK(page.evaluate(ground) == "rgb(245, 246, 247)");
  page.look_like(1280, 900, true);
  page.settle();
  CHECK(page.evaluate(ground) == "rgb(16, 19, 22)");
  page.evaluate("document.getElementById('theme').click()");
  CHECK(page.evaluate(ground) == "rgb(245, 246, 247)");
  page.reload();
  CHECK(page.evaluate(ground) == "rgb(245, 246, 247)");
  page.evaluate("document.getElementById('theme').click()");
  CHECK(page.evaluate(ground) == "rgb(16, 19, 22)");
  page.evaluate("localStorage.clear()");
  CHECK(page.complaints() == std::vector<std::string>{});
}

TEST_CASE("several documents are drawn side by side, labelled with their runs", "[browser]") {
  Browser& browser = Browser::shared();
  Json first = test::sample_document(), second = first;
  first["title"] = "a";
  second["title"] = "b";
  REQUIRE(second["charts"][0]["id"] == "regret");
  for (auto& value : second["charts"][0]["series"][1]["y"]) value = value.get<double>() + 100;
  Report report(browser, {first, second});
  const Json regret = report.charts().at("regret");
  for (const auto* label : {"one · a", "two · a", "one · b", "two · b"}) {
    INFO(label);
    CHECK_FALSE(line(regret, label).is_null());
  }
  CHECK(line(regret, "two · b")[0][1] == 100);
  CHECK(line(regret, "two · a")[0][1] == 0);
  CHECK(report.page.complaints() == std::vector<std::string>{});
}

TEST_CASE("of several documents the page says which settings differ, whatever they are called",
          "[browser]") {
  Browser& browser = Browser::shared();
  Json first = test::sample_document(), second = first;
  first["title"] = "a";
  second["title"] = "b";
  first["scenario_toml"] = R"(seed = 1
[population]
clients = 3
[__proto__]
x = 1
)";
  second["scenario_toml"] = R"(seed = 1
[population]
clients = 40
[__proto__]
x = 2
)";
  Report report(browser, {first, second});
  const std::string rows =
      "[...document.querySelectorAll('[data-scroll=differing] tbody tr')].map((row) => "
      "[...row.children].map((cell) => cell.textContent))";
  CHECK(report.page.evaluate(rows) ==
        Json{{"population.clients", "3", "40"}, {"__proto__.x", "1", "2"}});
  CHECK(report.page.complaints() == std::vector<std::string>{});
}

TEST_CASE("runs that never started or were stopped are labelled so, and the head isn't green",
          "[browser]") {
  Browser& browser = Browser::shared();
  Json document = test::sample_document();
  document["runs"][0]["status"] = "stopped";
  document["runs"][1]["state"] = "waiting";
  document["runs"][1]["status"] = "not_started";
  document["status"] = "stopped";
  Report report(browser, {document});
  const std::string runs = report.page.evaluate(
      "[...document.querySelectorAll('tr .badge')].map((badge) => badge.textContent).join(', ')");
  CHECK_THAT(runs,
             Catch::Matchers::Contains("stopped") && Catch::Matchers::Contains("not started"));
  CHECK(runs.find("waiting") == std::string::npos);
  CHECK(report.page.evaluate("document.getElementById('state').className") == "badge bad");
}

TEST_CASE("what is left out for the page's size is said, and isn't called not recorded",
          "[browser]") {
  Json document = test::sample_document();
  document["runs_left_out"] = 3;
  for (const auto* details : {"rounds_table", "links", "cells", "sequence"})
    document["runs"][0].erase(details);
  document["runs"][0]["details_left_out"] = true;
  Report report(Browser::shared(), {document});
  const std::string text = report.page.evaluate("document.body.innerText");
  CHECK_THAT(text,
             Catch::Matchers::Contains("3 runs; rounds, messages, links and cells of 1 run") &&
                 Catch::Matchers::Contains("are left out to keep the page small"));
  CHECK_THAT(text, !Catch::Matchers::Contains("recorded"));
  CHECK(report.page.complaints() == std::vector<std::string>{});
}

TEST_CASE("the arrow keys move through the partition tree, and the position is announced",
          "[browser]") {
  Browser& browser = Browser::shared();
  Report report(browser, {test::sample_document()});
  const auto after = [&](const std::string& key) {
    report.page.evaluate(
        "document.querySelector('[data-key=icicle]').dispatchEvent("
        "new KeyboardEvent('keydown', {key: '" +
        key + "', bubbles: true}))");
    report.page.settle();
    const std::string said = report.page.evaluate("document.querySelector('.tip').textContent");
    return said.substr(0, said.find(')') + 1);
  };
  report.page.evaluate("document.querySelector('[data-key=icicle]').focus()");
  // The cells of depth 2 are the children of the first one of depth 1.
  after("ArrowUp");
  const std::pair<const char*, const char*> walk[] = {{"ArrowUp", "cell (1, 1)"},
                                                      {"ArrowDown", "cell (2, 1)"},
                                                      {"ArrowRight", "cell (2, 2)"},
                                                      {"ArrowRight", "cell (2, 2)"},
                                                      {"ArrowUp", "cell (1, 1)"},
                                                      {"ArrowRight", "cell (1, 2)"},
                                                      {"ArrowDown", "cell (1, 2)"},
                                                      {"ArrowLeft", "cell (1, 1)"}};
  for (const auto& [key, cell] : walk) {
    INFO(key);
    CHECK(after(key) == cell);
  }
  CHECK(report.page.complaints() == std::vector<std::string>{});
}

TEST_CASE("script and style run by nonce only, and nothing else may be loaded or framed") {
  const auto policy = content_security_policy("abc123");
  for (const auto* part : {"default-src 'none'",
                           "script-src 'nonce-abc123'",
                           "style-src 'nonce-abc123'",
                           "connect-src 'self'",
                           "img-src data:",
                           "base-uri 'none'",
                           "form-action 'none'",
                           "frame-ancestors 'none'"}) {
    INFO(part);
    CHECK(policy.find(part) != std::string::npos);
  }
  CHECK(policy.find("unsafe") == std::string::npos);
  const auto html = page_html("{}", "abc123");
  CHECK(html.find("@") == html.find("@media"));  // no part is left open: the style's is the first
  CHECK(html.find("Released under the MIT License") != std::string::npos);
  for (const auto* bad : {"", "a b", "x'; script-src *", "\"><script>"})
    CHECK_THROWS(page_html("{}", bad));
}

}  // namespace posse::test_page
