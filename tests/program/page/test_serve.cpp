// SPDX-License-Identifier: Apache-2.0
// `posse serve DIR` through the built executable, asked over loopback.
#include <catch2/catch.hpp>
#include <csignal>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "program/page/document.hpp"
#include "program/page/run_index.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/executable.hpp"
#include "tests/support/http_client.hpp"
#include "tests/support/program_folder.hpp"

namespace test_serve {

using namespace posse;
using test::HttpAnswer;
using test::HttpClient;

namespace {

const std::string kSmall =
    R"(name = "small"
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "random"
label = "blind"
[population]
clients = 2
[objective]
kind = "garland"
[budget]
evaluations_per_client = 100
)";

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

class Served {
 public:
  Served(const ProgramFolder& folder, const std::string& what)
      : process_({test::posse_executable(), "serve", what, "--listen=:0"}, folder.path(), "serve") {
    const auto url = process_.line_after("page: http://127.0.0.1:");
    port = static_cast<std::uint16_t>(std::stoul(url));
    REQUIRE(url == std::to_string(port) + "/");
  }
  HttpAnswer get(const std::string& target, const std::string& method = "GET") const {
    HttpClient client(port);
    client.send(test::http_request(port, target, "", method));
    return client.answer();
  }
  Json json(const std::string& target) const { return Json::parse(get(target).body); }
  test::ChildProcess& process() { return process_; }

  std::uint16_t port = 0;

 private:
  test::ChildProcess process_;
};

}  // namespace

TEST_CASE("serve lists the runs below a folder, opens them and finds new ones") {
  const ProgramFolder folder;
  folder.write("small.toml", kSmall);
  REQUIRE(folder.posse("run small.toml --quiet --label first").code == 0);
  Served served(folder, "runs");
  const auto first = served.json("/api/runs");
  REQUIRE(first.size() == 1);  // `latest` isn't a second one
  CHECK(first[0]["name"] == "small");
  CHECK(first[0]["status"] == "finished");
  CHECK(first[0]["parameters"] ==
        "fed-pne, blind, 100 evaluations, no latency, no loss, 2 clients");
  CHECK(first[0]["latest"] == true);
  CHECK(first[0]["seed"] == 1);
  CHECK(first[0]["wall_s"].get<double>() > 0);
  CHECK(first[0]["label"] == "first");
  CHECK_THAT(first[0]["headline"].get<std::string>(), Catch::Matchers::Contains(" best on "));
  const auto id = first[0]["id"].get<std::string>();
  CHECK_THAT(id, Catch::Matchers::StartsWith("small/20"));
  const auto document = served.get("/api/document?run=" + id);
  CHECK(document.status == 200);
  CHECK(document.header("Content-Type") == "application/json");
  CHECK(document.body == compact_json(read_document(folder / "runs" / id)));
  CHECK(Json::parse(document.body)["fingerprint"] == first[0]["fingerprint"]);

  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // starts are given in seconds
  REQUIRE(folder.posse("run small.toml --quiet --seed 2").code == 0);
  const auto second = served.json("/api/runs");
  REQUIRE(second.size() == 2);  // the newest first
  CHECK(second[1]["id"] == id);
  CHECK(second[0]["latest"] == true);
  CHECK(second[1]["latest"] == false);
  CHECK(served.json("/api/document?run=" + second[0]["id"].get<std::string>())["seed"] == 2);
  fs::remove_all(folder / "runs" / id);
  CHECK(served.json("/api/runs").size() == 1);
  CHECK(served.get("/api/document?run=" + id).status == 404);

  served.process().signal(SIGTERM);
  CHECK(served.process().wait(std::chrono::seconds(10)) == 0);
}

TEST_CASE("the policy of serve's page allows only its own script") {
  const ProgramFolder folder;
  fs::create_directory(folder / "runs");
  Served served(folder, "runs");
  const auto page = served.get("/"), again = served.get("/");
  CHECK(page.status == 200);
  CHECK(page.header("Content-Type") == "text/html; charset=utf-8");
  CHECK_THAT(page.body, has("{\"mode\":\"run_index\"}"));
  const auto policy = page.header("Content-Security-Policy");
  CHECK_THAT(policy, has("default-src 'none'"));
  CHECK_THAT(policy, has("frame-ancestors 'none'"));
  CHECK_THAT(policy, !has("unsafe"));
  CHECK(policy != again.header("Content-Security-Policy"));
  const auto at = policy.find("nonce-") + 6;
  const auto nonce = policy.substr(at, policy.find('\'', at) - at);
  CHECK_THAT(page.body, has("nonce=\"" + nonce + "\""));
  CHECK(page.header("X-Content-Type-Options") == "nosniff");
  CHECK(page.header("Referrer-Policy") == "no-referrer");
  CHECK(page.header("Cache-Control") == "no-store");
  CHECK(served.json("/api/runs") == Json::array());
  served.process().signal(SIGINT);
  CHECK(served.process().wait(std::chrono::seconds(10)) == 0);
}

TEST_CASE("serve sends documents of listed runs only") {
  const ProgramFolder folder;
  folder.write("small.toml", kSmall);
  REQUIRE(folder.posse("run small.toml --quiet").code == 0);
  REQUIRE(folder.posse("run small.toml --quiet --out secret").code == 0);
  const auto hidden = fs::read_symlink(folder / "secret/small/latest").string();
  const auto shown = fs::read_symlink(folder / "runs/small/latest").string();
  fs::create_directory_symlink(folder / "secret", folder / "runs/way-out");
  fs::copy(folder / "runs/small" / shown, folder / "runs/small/.tmp-half");
  Served served(folder, "runs");
  REQUIRE(served.json("/api/runs").size() == 1);
  for (const auto& id : {std::string("nothing"),
                         std::string(),
                         std::string("small/latest"),
                         "../secret/small/" + hidden,
                         "way-out/small/" + hidden,
                         std::string("small/.tmp-half"),
                         "small/../small/" + shown,
                         "small//" + shown,
                         "small/" + shown + "/",
                         folder.path() + "/secret/small/" + hidden,
                         "%2e%2e%2fsecret%2fsmall%2f" + hidden,
                         "small/" + shown + "%00"}) {
    const auto answer = served.get("/api/document?run=" + id);
    INFO(id << ": " << answer.body);
    CHECK((answer.status == 404 || answer.status == 400));
    if (answer.status == 404)
      CHECK(Json::parse(answer.body)["error"].get<std::string>().starts_with("there is no run"));
  }
  CHECK(served.get("/api/document?run=small%2F" + shown).status == 200);
  for (const auto* target : {"/runs", "/api", "/api/events", "/../small.toml", "/small.toml"})
    CHECK(served.get(target).status >= 400);
  CHECK(served.get("/api/control", "POST").status == 405);

  folder.write("runs/small/" + shown + "/results.json", "{");
  const auto broken = served.get("/api/document?run=small/" + shown);
  CHECK(broken.status == 422);
  CHECK_THAT(Json::parse(broken.body)["error"].get<std::string>(), has("is not valid JSON"));
}

TEST_CASE("serve takes a run folder itself") {
  const ProgramFolder folder;
  folder.write("small.toml", kSmall);
  REQUIRE(folder.posse("run small.toml --quiet").code == 0);
  Served served(folder, "runs/small/latest");
  const auto runs = served.json("/api/runs");
  REQUIRE(runs.size() == 1);
  CHECK(served.get("/api/document?run=" + runs[0]["id"].get<std::string>()).status == 200);
}

TEST_CASE("serve reports errors of directory, address and port") {
  const ProgramFolder folder;
  fs::create_directory(folder / "runs");
  const Served served(folder, "runs");
  const auto taken = folder.posse("serve runs --listen=" + std::to_string(served.port));
  CHECK(taken.code == 10);
  CHECK_THAT(taken.err, has(std::to_string(served.port)));
  CHECK_THAT(taken.err, has("(exit code 10)"));
  const auto nowhere = folder.posse("serve nowhere");
  CHECK(nowhere.code == 11);
  CHECK_THAT(nowhere.err, has("'nowhere' is not a directory"));
  const auto address = folder.posse("serve runs --listen=everywhere");
  CHECK(address.code == 2);
  CHECK_THAT(address.err, has("everywhere"));
  CHECK_THAT(folder.posse("list exit-codes").out, has("10"));
}

TEST_CASE("serve warns when others can connect") {
  const ProgramFolder folder;
  fs::create_directory(folder / "runs");
  test::ChildProcess process(
      {test::posse_executable(), "serve", "runs", "--listen=0.0.0.0:0"}, folder.path(), "serve");
  process.line_after("page: ");
  CHECK_THAT(process.err(), has("others on the network can connect"));
}

TEST_CASE("a run index keeps a few documents and notices changed folders") {
  const ProgramFolder folder;
  folder.write("small.toml", kSmall);
  for (int i = 0; i < 3; ++i)
    REQUIRE(folder.posse("run small.toml --quiet --seed " + std::to_string(i)).code == 0);
  RunIndex index(folder / "runs", {.documents = 1});
  const auto runs = index.runs();
  REQUIRE(runs.size() == 3);
  for (const auto& run : runs) {
    const auto id = run["id"].get<std::string>();
    const auto text = index.document(id);
    REQUIRE(text);
    CHECK(index.document(id) == text);
    const auto path = folder / "runs" / id / "metadata.json";
    auto metadata = Json::parse(content(path));
    metadata["version"] = "other";
    metadata["status"] = "stalled";
    folder.write("runs/" + id + "/metadata.json", metadata.dump());
    CHECK(Json::parse(*index.document(id))["metadata"]["version"] == "other");
  }
  CHECK(index.runs()[0]["status"] == "stalled");
  folder.write("runs/" + runs[0]["id"].get<std::string>() + "/metadata.json", "]");
  std::size_t unreadable = 0;
  for (const auto& run : index.runs()) unreadable += run["status"] == "unreadable" ? 1 : 0;
  CHECK(unreadable == 1);
}

TEST_CASE("a run index says in which parameters the runs of one name differ") {
  const ProgramFolder folder;
  folder.write("small.toml", kSmall);
  for (const auto* more : {"", " --set population.clients=3 --set 'network.latency=\"20 ms\"'"})
    REQUIRE(folder.posse("run small.toml --quiet" + std::string(more)).code == 0);
  REQUIRE(folder.posse("run small.toml --quiet --set name=other").code == 0);
  RunIndex index(folder / "runs");
  std::multiset<std::string> texts;
  for (const auto& run : index.runs()) texts.insert(run["parameters"]);
  CHECK(texts == std::multiset<std::string>{
                     "no latency, 2 clients",
                     "20 ms, 3 clients",
                     "fed-pne, blind, 100 evaluations, no latency, no loss, 2 clients"});
}

TEST_CASE("a run index has limits of depth and number, and lists the newest runs") {
  const ProgramFolder folder;
  const auto make = [&](const std::string& path, const std::string& start) {
    fs::create_directories(folder / path);
    folder.write(path + "/results.json", "{}");
    folder.write(path + "/scenario.toml", "");
    folder.write(path + "/metadata.json", "{\"start\": \"" + start + "\"}");
  };
  make("a/1", "2026-01-01");
  make("b/2", "2026-01-03");
  make("c/d/3", "2026-01-02");
  make("e/f/g/h/deep", "2026-01-04");
  make("a/1/plots", "2026-01-05");  // within a run
  const auto ids = [&](const RunIndexLimits& limits) {
    std::vector<std::string> list;
    for (const auto& run : RunIndex(folder.path(), limits).runs()) list.push_back(run["id"]);
    return list;
  };
  CHECK(ids({}) == std::vector<std::string>{"b/2", "c/d/3", "a/1"});
  CHECK(ids({.runs = 2}) == std::vector<std::string>{"b/2", "c/d/3"});
  CHECK(ids({.depth = 2}) == std::vector<std::string>{"b/2", "a/1"});
  CHECK(ids({.depth = 5}).size() == 4);
}

}  // namespace test_serve
