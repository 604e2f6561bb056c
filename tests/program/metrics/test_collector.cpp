// SPDX-License-Identifier: Apache-2.0
// What a scrape sees: valid, exact, and every number of the snapshot in it.
#include <catch2/catch.hpp>
#include <sstream>

#include "program/metrics/collector.hpp"
#include "program/metrics/samples.hpp"
#include "program/metrics/text_format.hpp"
#include "tests/program/metrics/views.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/exposition.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/gunzipped.hpp"
#include "tests/support/http_client.hpp"
#include "tests/support/needed_program.hpp"

namespace test_collector {

using namespace posse;
using namespace posse::test;

namespace {

RunOutcome some_outcome() {
  RunOutcome o;
  o.regret.evaluations = 30;
  o.regret.cumulative = 0.1 + 0.2;  // needs 17 digits
  o.regret.by_client = {1e-300, 12345678.9, 3};
  o.round_durations.add(Duration::nanoseconds(100'000));  // a bound is inclusive
  o.round_durations.add(Duration::nanoseconds(100'001));
  o.round_durations.add(Duration::seconds(0.3));
  o.round_durations.add(Duration::seconds(5000));
  o.last_event = Time{1'234'567'891};
  return o;
}

HttpRequest request(const std::string& method, const std::string& path) {
  HttpRequest r;
  r.method = method;
  r.path = path;
  return r;
}

}  // namespace

TEST_CASE("the text format is valid and holds every sample, exactly") {
  const auto scenario = read_valid(kFedPneText);
  const MetricsCollector collector(
      [&] { return views_of(scenario, view_of(scenario, some_outcome(), RunState::running)); });
  const Exposition exposition(metrics_text(collector), false);
  CHECK(exposition.families.size() == metric_definitions().size());
  for (const auto& definition : metric_definitions()) {
    const auto& family = exposition.families.at(std::string(definition.name));
    CHECK(family.type == to_string(definition.type));
    CHECK(family.help == definition.help);
  }
  const std::string run = "small/fed-pne/0";
  CHECK(exposition.value("posse_cumulative_regret",
                         {{"run", run}, {"algorithm", "fed-pne"}, {"scope", "global"}}) ==
        0.1 + 0.2);
  CHECK(exposition.value("posse_virtual_time_seconds", {{"run", run}}) == 1.234567891);
  const auto bucket = [&](const char* le) {
    return exposition.value("posse_round_duration_seconds_bucket", {{"run", run}, {"le", le}});
  };
  CHECK(bucket("1e-09") == 0);
  CHECK(bucket("0.0001") == 1);
  CHECK(bucket("0.00011") == 2);
  CHECK(bucket("0.28") == 2);
  CHECK(bucket("0.3") == 3);
  CHECK(bucket("1.0") == 3);  // as in OpenMetrics
  CHECK(bucket("4600.0") == 3);
  CHECK(bucket("5000.0") == 4);
  CHECK(bucket("+Inf") == 4);
  CHECK(exposition.value("posse_round_duration_seconds_sum", {{"run", run}}) ==
        Approx(5000.3002).epsilon(1e-9));
  // Every sample of the run, whatever it is.
  const auto view = view_of(scenario, some_outcome(), RunState::running);
  for (const auto& sample : run_samples(scenario, view)) {
    const auto& definition = definition_of(sample.metric);
    ExposedLabels labels;
    for (std::size_t i = 0; i < sample.labels.size(); ++i)
      labels[std::string(definition.labels[i])] = sample.labels[i];
    std::string name(definition.name);
    double expected = 0;
    if (definition.type == MetricType::histogram) {
      name += "_count";
      expected = static_cast<double>(std::get<DurationHistogram>(sample.value).count());
    } else {
      expected = sample.number();
    }
    INFO(name);
    REQUIRE(exposition.points(name, labels).size() == 1);
    const double shown = exposition.value(name, labels);
    CHECK((shown == expected || (std::isnan(shown) && std::isnan(expected))));
  }
}

TEST_CASE(
    "OpenMetrics has the same values as the text format, with units and without time stamps") {
  for (const auto& text : {kFedPneText, kArmsText}) {
    const auto scenario = read_valid(text);
    const MetricsCollector collector(
        [&] { return views_of(scenario, view_of(scenario, some_outcome(), RunState::running)); });
    const Exposition plain(metrics_text(collector), false);
    const auto written = collector.open_metrics();
    CHECK(written.ends_with("\n# EOF\n"));
    const Exposition open(written, true);
    CHECK(open.families.at("posse_build").type == "info");
    CHECK(open.families.at("posse_messages_sent").type == "counter");
    CHECK(open.families.at("posse_message_latency_seconds").unit == "seconds");
    using Series = std::map<std::pair<std::string, ExposedLabels>, double>;
    const auto all = [](const Exposition& exposition) {
      Series found;
      for (const auto& [name, family] : exposition.families)
        for (const auto& [key, points] : family.series) {
          CHECK_FALSE(points.front().time_s.has_value());
          const double value = points.front().value;
          found[key] = std::isnan(value) ? -12345 : value;
        }
      return found;
    };
    CHECK(all(open) == all(plain));
  }
}

TEST_CASE("labels and help with quotes, backslashes and line breaks stay what they are") {
  prometheus::MetricFamily family{
      "a", "\"quoted\" \\ and\nbroken", prometheus::MetricType::Gauge, {}};
  prometheus::ClientMetric metric;
  metric.label = {{"x", "say \"hi\" \\\n{},="}, {"y", ""}};
  metric.gauge.value = -1e-320;
  family.metric = {metric};
  const prometheus::Serializer& serializer = ExactTextSerializer();
  const Exposition exposition(serializer.Serialize({family}), false);
  CHECK(exposition.families.at("a").help == family.help);
  CHECK(exposition.value("a", {{"x", "say \"hi\" \\\n{},="}, {"y", ""}}) == -1e-320);
  CHECK(metric_number(HUGE_VAL) == "+Inf");
  CHECK(metric_number(-HUGE_VAL) == "-Inf");
  CHECK(metric_number(std::nan("")) == "NaN");
}

TEST_CASE("at most 100 runs have series, all are counted") {
  const auto scenario = read_valid(kFedPneText);
  const MetricsCollector collector([&] {
    ScenarioView view{&scenario, {}};
    for (std::uint32_t i = 0; i < 300; ++i)
      view.runs.push_back(std::make_shared<RunView>(view_of(scenario, {}, RunState::over, i)));
    return view;
  });
  const Exposition exposition(metrics_text(collector), false);
  CHECK(exposition.families.at("posse_run_info").series.size() == 100);
  CHECK(exposition.value("posse_runs_total", {{"outcome", "finished"}}) == 300);
  CHECK_FALSE(
      exposition.points("posse_virtual_time_seconds", {{"run", "small/fed-pne/299"}}).empty());
}

TEST_CASE("the handler answers /metrics and says where they are, nothing else") {
  const auto scenario = read_valid(kFedPneText);
  const MetricsCollector collector([&] { return views_of(scenario, view_of(scenario)); });
  int scrapes = 0;
  const auto handler = metrics_handler(collector, [&] { ++scrapes; });
  const auto metrics = handler(request("GET", "/metrics"));
  CHECK(metrics.status == 200);
  CHECK(metrics.content_type == "text/plain; version=0.0.4; charset=utf-8");
  CHECK_NOTHROW(Exposition(metrics.body, false));
  CHECK(scrapes == 1);
  const auto root = handler(request("GET", "/"));
  CHECK(root.status == 200);
  CHECK_THAT(root.body, Catch::Matchers::Contains("/metrics"));
  CHECK(handler(request("GET", "/metrics/")).status == 404);
  CHECK(handler(request("GET", "/etc/passwd")).status == 404);
  CHECK(handler(request("POST", "/metrics")).status == 405);
  CHECK(handler(request("HEAD", "/metrics")).status == 200);
  CHECK(scrapes == 1);
}

TEST_CASE("OpenMetrics is for those who ask for it and don't prefer plain text") {
  for (const std::string accept :
       {"application/openmetrics-text",
        "application/openmetrics-text;version=1.0.0",
        "Application/OpenMetrics-Text; version=\"1.0.0\"; charset=utf-8",
        // Prometheus 2.42
        "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q="
        "0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
        "text/plain, application/openmetrics-text",
        "text/plain;q=0.5, application/openmetrics-text;q=0.6",
        "%%%, application/openmetrics-text, ;;"}) {
    INFO(accept);
    CHECK(prefers_open_metrics(accept));
  }
  for (const std::string accept :
       {"",
        "*/*",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "text/plain",
        "application/*",
        "application/json",
        "application/openmetrics-text;version=0.0.1",
        "application/openmetrics-text;version=2.0.0",
        "application/openmetrics-text;q=0",
        "application/openmetrics-text;q=0.5, text/plain",
        "application/openmetrics-text;q=0.5, */*",
        "application/openmetrics-text;q=high",
        "application/openmetrics-text;q=1;q=2",
        "application/openmetrics-textual",
        "application openmetrics-text",
        "\"application/openmetrics-text\"",
        ",;=,\"",
        "\xff\xfe"}) {
    INFO(accept);
    CHECK_FALSE(prefers_open_metrics(accept));
  }
}

TEST_CASE("a scrape has the format and the encoding that were asked for") {
  const auto scenario = read_valid(kFedPneText);
  const MetricsCollector collector(
      [&] { return views_of(scenario, view_of(scenario, some_outcome(), RunState::running)); });
  const HttpServer server({}, metrics_handler(collector));
  const auto ask = [&](const std::string& headers) {
    HttpClient client(server.port());
    client.send(http_request(server.port(), "/metrics", headers + "Connection: close\r\n"));
    return client.answer();
  };
  const std::string open = "Accept: application/openmetrics-text; version=1.0.0\r\n";
  for (const std::string format : {"", "Accept: nonsense;q=\r\n", open.c_str()}) {
    const bool is_open = format == open;
    const auto plain = ask(format);
    const auto packed = ask(format + "Accept-Encoding: br, gzip;q=0.8\r\n");
    CHECK(plain.status == 200);
    CHECK(plain.header("Content-Type") ==
          (is_open ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                   : "text/plain; version=0.0.4; charset=utf-8"));
    CHECK(plain.header("Content-Encoding").empty());
    CHECK(plain.body == (is_open ? collector.open_metrics() : metrics_text(collector)));
    CHECK(packed.status == 200);
    CHECK(packed.header("Content-Type") == plain.header("Content-Type"));
    CHECK(packed.header("Content-Encoding") == "gzip");
    CHECK(packed.header("Vary") == "Accept, Accept-Encoding");
    CHECK(packed.header("Content-Length") == std::to_string(packed.body.size()));
    CHECK(packed.body.size() < plain.body.size() / 5);
    CHECK(gunzipped(packed.body) == plain.body);
  }
  // Fields that came in several lines are one list.
  const auto lines = ask("Accept: text/html\r\n" + open);
  CHECK(lines.body == collector.open_metrics());
  CHECK(ask("Accept-Encoding: gzip;q=0\r\n").header("Content-Encoding").empty());
  CHECK(ask("Accept-Encoding: ;,;q=gzip\r\n").header("Content-Encoding").empty());
}

TEST_CASE("promtool check metrics reports nothing") {
  const auto promtool = needed_program("promtool");
  const Folder folder;
  for (const auto& text : {kFedPneText, kArmsText}) {
    const auto scenario = read_valid(text);
    auto outcome = some_outcome();
    ArmRecord arm;
    arm.name = "f1";
    outcome.arms.arms = {arm};
    auto view = view_of(scenario, {}, RunState::over);
    RunRecord record;
    record.result.outcome = outcome;
    record.measurements = {{"rounds", "", 3, Bound{4, BoundKind::exact}}};
    view.record = &record;
    const MetricsCollector collector([&] { return views_of(scenario, view); });
    folder.write("metrics.txt", metrics_text(collector));
    ChildProcess check(
        {"/bin/sh", "-c", promtool + " check metrics <metrics.txt"}, folder.path(), "promtool");
    CHECK(check.wait(std::chrono::seconds(20)) == 0);
    CHECK(check.out().empty());
    CHECK(check.err().empty());
  }
}

}  // namespace test_collector
