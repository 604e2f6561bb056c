// SPDX-License-Identifier: Apache-2.0
// A run folder as the document that pages show.
#include <fmt/format.h>
#include <zlib.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/base/gzip_lines.hpp"
#include "program/base/version.hpp"
#include "program/page/document.hpp"
#include "program/page/round_blocks.hpp"
#include "program/plot/kinds.hpp"
#include "program/results/run_tables.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/results_json.hpp"

namespace test_document {

using namespace posse;

namespace {

const std::string kTwo =
    R"(name = "two"
repeat = 3
seed = 7
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "random"
[population]
clients = 3
[objective]
kind = "garland"
heterogeneity = { kind = "shift" }
[budget]
evaluations_per_client = 300
[network]
latency = "5 ms"
)";
const std::string kArms =
    R"(name = "arms"
[[algorithm]]
kind = "f-lcb"
[[arm]]
kind = "noisy"
[budget]
pulls = 60
)";

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

/// A column of texts of a table.
std::vector<std::string> texts_of(const Json& column) {
  std::vector<std::string> texts;
  for (const auto& at : column["at"]) texts.push_back(column["texts"][at.get<std::size_t>()]);
  return texts;
}

constexpr std::size_t kMostMessages = 400;

std::vector<std::vector<std::string>> csv_rows(const fs::path& path) {
  const auto text = content(path);
  CsvReader csv(text);
  std::vector<std::vector<std::string>> rows{csv.columns()};
  while (csv.next()) rows.push_back(csv.cells());
  return rows;
}

/// A folder with the least that a run folder has.
struct HandMade {
  ProgramFolder folder;
  fs::path path = folder / "run";

  HandMade() {
    fs::create_directory(path);
    write("scenario.toml", R"(name = "x"
[objective]
kind = "sine"
[budget]
pulls = 9
)");
    write("metadata.json", "{\"version\": \"0.1\", \"run_wall_s\": [0.5]}");
    write("results.json",
          test::kResultsHead +
              "\"name\": \"x\", \"status\": \"finished\", \"runs\": [{\"algorithm\": \"a\", "
              "\"clients\": 2, \"repetition\": 0, \"status\": \"stalled\", \"rounds\": 1, "
              "\"topology\": \"star\", \"groups\": [{\"name\": \"server\", \"size\": 1, "
              "\"numbered\": false, \"first_number\": 0}, {\"name\": \"client\", \"size\": 2, "
              "\"numbered\": true, \"first_number\": 0}]}]}");
    write("regret.csv",
          "algorithm,repetition,client,evaluations_per_client,rounds,bytes,virtual_s,measure,"
          "value\n");
    write("rounds.csv", rounds_header());
  }
  static std::string rounds_header() {
    std::string header;
    append_csv(stored_columns(run_table("rounds")), header);
    return header;
  }
  void write(const std::string& name, const std::string& text) const {
    folder.write("run/" + name, text);
  }
  Json read(const DocumentLimits& limits = {}) const { return read_document(path, limits); }
  /// What reading it complains about; "" if it doesn't.
  std::string problem() const {
    try {
      read();
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }
};

void write_gzip(const fs::path& path, const std::string& text) {
  const auto file = gzopen(path.c_str(), "wb");
  REQUIRE(gzwrite(file, text.data(), unsigned(text.size())) == int(text.size()));
  REQUIRE(gzclose(file) == Z_OK);
}

}  // namespace

TEST_CASE("a run's document has the numbers of its results.json") {
  const ProgramFolder folder;
  folder.write("two.toml", kTwo);
  REQUIRE(folder.posse("run two.toml --quiet").code == 0);
  const auto document = read_document(folder / "runs/two");
  const auto results = Json::parse(content(folder / "runs/two/latest/results.json"));
  CHECK(document["source"] == "folder");
  CHECK_THAT(document["title"].get<std::string>(), Catch::Matchers::StartsWith("two/20"));
  for (const auto* key : {"name", "seed", "repeat", "status", "fingerprint", "thresholds"}) {
    INFO(key);
    CHECK(document[key] == results[key]);
  }
  CHECK(document["study"]["headline"] == results["study"]["headline"]);
  CHECK_THAT(document["study"]["conditions"].get<std::string>(), has(" one way, "));
  CHECK(document["study"]["tables"] == results["study"]["tables"]);
  CHECK(document["objective"] == "garland");
  CHECK(document["heterogeneity"] == "shift");
  CHECK(document["noise"] == "uniform");
  CHECK(document["budget"] == 300);
  CHECK(document["scenario_toml"] == content(folder / "runs/two/latest/scenario.toml"));
  CHECK(document["metadata"]["command_line"][1] == "run");
  CHECK(document["metadata"]["exit_code"] == 0);

  REQUIRE(document["algorithms"].size() == 2);
  for (std::size_t a = 0; a < 2; ++a) {
    const auto& summary = results["summary"][a];
    CHECK(document["algorithms"][a]["label"] == summary["algorithm"]);
    CHECK(document["algorithms"][a]["clients"] == 3);
    CHECK(document["algorithms"][a]["finished"] == 3);
    for (std::size_t f = 0; f < summary["measurements"].size(); ++f)
      CHECK(document["algorithms"][a]["measurements"][f]["measured"]["mean"] ==
            summary["measurements"][f]["measured"]["mean"]);
  }
  REQUIRE(document["runs"].size() == 6);
  std::set<std::string> ids;
  for (std::size_t i = 0; i < 6; ++i) {
    const Json& run = document["runs"][i];
    const Json& result = results["runs"][i];
    ids.insert(run["id"]);
    CHECK(run["id"] == fmt::format("two/{}/{}", result["algorithm"].get<std::string>(), i / 2));
    CHECK(run["algorithm"] == i % 2);
    CHECK(run["state"] == "over");
    CHECK(run["status"] == "finished");
    CHECK(run["now_virtual_s"] == result["virtual_s"]);
    CHECK(run["evaluations"] == 900);
    CHECK(run["evaluations_expected"] == 900);
    for (const auto* key : {"repetition", "rounds", "events", "regret", "ledger"}) {
      INFO(key);
      CHECK(run[key] == result[key]);
    }
    for (std::size_t f = 0; f < result["measurements"].size(); ++f)
      CHECK(run["measurements"][f]["verdict"] == result["measurements"][f]["verdict"]);
    CHECK(run["wall_s"].is_number());
  }
  CHECK(ids.size() == 6);
}

TEST_CASE("every bound says whether it is vacuous, in results.json as in the document") {
  const ProgramFolder folder;
  // So few evaluations that the bound on the simple regret, 3 nu1 rho^h, is above 1.
  folder.write("few.toml",
               R"(name = "few"
repeat = 2
[[algorithm]]
kind = "parallel"
nu1 = 1.4
rho = 0.70710678
[population]
clients = 3
[objective]
kind = "garland"
heterogeneity = { kind = "none" }
noise = { kind = "uniform", half_width = 0.1 }
[budget]
evaluations_per_client = 60
)");
  REQUIRE(folder.posse("run few.toml --quiet").code == 0);
  const auto document = read_document(folder / "runs/few");
  const auto results = Json::parse(content(folder / "runs/few/latest/results.json"));
  std::size_t vacuous = 0;
  const auto check = [&](const Json& measurements, const Json& shown) {
    REQUIRE(measurements.size() == shown.size());
    for (std::size_t f = 0; f < measurements.size(); ++f) {
      const Json& bound = measurements[f]["bound"];
      if (bound.is_null()) continue;
      INFO(measurements[f]["name"]);
      REQUIRE(bound["vacuous"].is_boolean());
      CHECK(shown[f]["bound"]["vacuous"] == bound["vacuous"]);
      CHECK(bound["vacuous"] == (measurements[f]["name"] == "simple regret"));
      if (measurements[f].contains("verdict"))
        CHECK((measurements[f]["verdict"] == "vacuous") == bound["vacuous"].get<bool>());
      vacuous += bound["vacuous"].get<bool>() ? 1 : 0;
    }
  };
  check(results["summary"][0]["measurements"], document["algorithms"][0]["measurements"]);
  for (std::size_t r = 0; r < 2; ++r)
    check(results["runs"][r]["measurements"], document["runs"][r]["measurements"]);
  CHECK(vacuous == 3);
}

TEST_CASE(
    "a document's charts are those of its run folder, and its rounds the rows of rounds.csv") {
  const ProgramFolder folder;
  folder.write("two.toml", kTwo);
  REQUIRE(folder.posse("run two.toml --quiet").code == 0);
  const auto document = read_document(folder / "runs/two/latest");
  const auto run_of = [&](const std::vector<std::string>& row) -> const Json& {
    for (const auto& run : document["runs"])
      if (run["id"] == fmt::format("two/{}/{}", row[0], row[1])) return run;
    FAIL("no run " << row[0]);
    return document;
  };
  std::set<std::string> ids;
  const auto data = read_run(folder / "runs/two/latest");
  for (const auto& chart : document["charts"]) {
    const std::string id = chart["id"];
    INFO(id);
    CHECK(ids.insert(id).second);
    const bool local = id.ends_with("-local");
    const auto drawn = make_plot(data,
                                 {.kind = local ? id.substr(0, id.size() - 6) : id,
                                  .scope = local ? Scope::local : Scope::global});
    REQUIRE(drawn);
    CHECK(chart == chart_json(*drawn));
  }
  CHECK(ids.contains("regret"));
  CHECK(ids.contains("simple-regret-bytes-local"));
  CHECK(ids.contains("communication-rounds"));

  std::map<std::string, std::size_t> next;  // row of a run
  const auto rounds = csv_rows(folder / "runs/two/latest/rounds.csv");
  const auto column = [&](const char* name) {
    return std::size_t(std::find(rounds[0].begin(), rounds[0].end(), name) - rounds[0].begin());
  };
  for (std::size_t r = 1; r < rounds.size(); ++r) {
    const auto& row = rounds[r];
    const Json& table = run_of(row)["rounds_table"];
    const auto at = next[row[0] + row[1]]++;
    for (const auto* name : {"round",
                             "began_virtual_s",
                             "sum_waiting_virtual_s",
                             "arrived",
                             "path_propagation_virtual_s"})
      CHECK(table[name][at] == std::strtod(row[column(name)].c_str(), nullptr));
    CHECK(texts_of(table["waited_for"])[at] == row[column("waited_for")]);
  }
}

TEST_CASE("a document has the beginning of a trace, message by message") {
  const ProgramFolder folder;
  folder.write("two.toml", kTwo);
  REQUIRE(folder
              .posse("run two.toml --quiet --trace messages --set network.latency='\"5 ms\"' "
                     "--set network.loss='{ kind = \"bernoulli\", p = 0.2 }' --set "
                     "network.transport=reliable")
              .code == 0);
  const auto document = read_document(folder / "runs/two");
  GzipLines lines(folder / "runs/two/latest/messages.csv.gz");
  std::string line;
  lines.next(line);
  std::map<std::string, std::size_t> next;
  std::size_t dropped = 0, all = 0;
  while (lines.next(line)) {
    std::vector<std::string> cells;
    std::istringstream in(line + ",");
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    const auto id = fmt::format("two/{}/{}", cells[0], cells[1]);
    const auto at = next[id]++;
    if (at >= kMostMessages) continue;
    for (const auto& run : document["runs"]) {
      if (run["id"] != id) continue;
      const Json& m = run["sequence"]["arrows"];
      for (const auto& [name, cell] : {std::pair{"type", 3}, {"outcome", 10}, {"cause", 11}}) {
        const Json& column = m[name];
        CHECK(column["texts"][column["at"][at].get<std::size_t>()] == cells[cell]);
      }
      for (const auto& [name, cell] : {std::pair{"from", 5}, {"to", 6}})
        CHECK(run["sequence"]["lanes"][m[name][at].get<std::size_t>()] == cells[cell]);
      CHECK(m["bytes"][at] == std::strtod(cells[7].c_str(), nullptr));
      CHECK(m["sent_virtual_s"][at] == std::strtod(cells[8].c_str(), nullptr));
      if (cells[9].empty())
        CHECK(m["arrived_virtual_s"][at].is_null());
      else
        CHECK(m["arrived_virtual_s"][at] == std::strtod(cells[9].c_str(), nullptr));
      dropped += cells[10] == "dropped" ? 1 : 0;
      ++all;
    }
  }
  CHECK(dropped > 0);
  std::size_t shown = 0;
  for (const auto& run : document["runs"]) {
    const Json& sequence = run["sequence"];
    shown += sequence["arrows"]["bytes"].size();
    CHECK(sequence["nodes"] == sequence["lanes"].size());
    CHECK(sequence["from_virtual_s"] == sequence["arrows"]["sent_virtual_s"][0]);
    CHECK(!sequence["rounds"]["round"].empty());
    CHECK(sequence["curves"][1]["name"] == "cumulative regret");
  }
  CHECK(shown == all);
}

TEST_CASE("a document of arms has every arm's values, and a line for each") {
  const ProgramFolder folder;
  folder.write("arms.toml", kArms);
  REQUIRE(folder.posse("run arms.toml --quiet").code == 0);
  const auto document = read_document(folder / "runs/arms");
  const auto results = Json::parse(content(folder / "runs/arms/latest/results.json"));
  const Json& run = document["runs"][0];
  CHECK(document["budget"] == 60);
  CHECK(run["arms"] == results["runs"][0]["arms"]);
  REQUIRE(run["arms"]["arms"].size() == 3);
  for (const auto& chart : document["charts"]) {
    if (chart["id"] != "arm-pulls") continue;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto& arm = results["runs"][0]["arms"]["arms"][a];
      CHECK(chart["series"][a]["label"] == arm["name"]);
      CHECK(chart["series"][a]["y"].back() == arm["pulls"]);
    }
    return;
  }
  FAIL("no arm-pulls");
}

TEST_CASE("a stalled run is shown with its state and report") {
  const ProgramFolder folder;
  folder.write("two.toml", kTwo);
  REQUIRE(folder
              .posse("run two.toml --quiet --repeat 1 --set network.loss='{ kind = "
                     "\"bernoulli\", p = 0.2 }'")
              .code == 7);
  const auto document = read_document(folder / "runs/two");
  CHECK(document["status"] == "stalled");
  CHECK(document["algorithms"][0]["not_finished"] == 1);
  const Json& run = document["runs"][0];
  CHECK(run["status"] == "stalled");
  CHECK(run["state"] == "over");
  CHECK_THAT(run["report"].get<std::string>(), has("has waited for"));
  const auto results = Json::parse(content(folder / "runs/two/latest/results.json"));
  CHECK(run["now_virtual_s"] == results["runs"][0]["last_event_virtual_s"]);
  CHECK(run["now_virtual_s"].get<double>() > 0);
}

TEST_CASE("links, cells and interventions come from files that not every run has") {
  HandMade run;
  CHECK(run.problem().empty());
  const auto without = run.read();
  CHECK(!without["runs"][0].contains("links"));
  CHECK(without["runs"][0]["nodes"] == Json({"server", "client-0", "client-1"}));
  CHECK(without["runs"][0]["hub"] == 0);
  CHECK(without["runs"][0]["wall_s"] == 0.5);
  CHECK(without["interventions"].empty());
  run.write("links.csv",
            "algorithm,repetition,from,to,departed,arrived,dropped,wire_bytes\n"
            "a,0,server,client-0,5,4,1,50\na,0,server,client-1,3,3,0,30\n"
            "a,0,client-0,server,2,1,1,20\n");
  run.write("cells.csv",
            "algorithm,repetition,depth,index,children,round,mean,kept\n"
            "a,0,1,1,2,1,0.5,1\na,0,1,2,2,1,nan,0\n");
  run.write("interventions.csv",
            "run,virtual_s,action,amount,unit,groups\nx/a/0,1.5,cut,,,server|client-0 client-1\n"
            "x/a/0,2,until,7,round,\n");
  run.write(
      "rounds.csv",
      HandMade::rounds_header() +
          "a,0,1,0,0.25,,,4,0,0,0,1,2,client-0 client-1,6,100,12,100,12,0,0,1,2,3,4,5,,,,,,,,,"
          "\n");
  const auto document = run.read();
  const Json& shown = document["runs"][0];
  CHECK(texts_of(shown["links"]["from"]) ==
        std::vector<std::string>{"server", "server", "client-0"});
  CHECK(texts_of(shown["links"]["to"]) ==
        std::vector<std::string>{"client-0", "client-1", "server"});
  CHECK(shown["links"]["dropped"] == Json({1, 0, 1}));
  CHECK(shown["cells"]["kept"] == Json({true, false}));
  CHECK(shown["cells"]["mean"] == Json({0.5, nullptr}));
  CHECK(texts_of(shown["rounds_table"]["late"]) == std::vector<std::string>{"client-0 client-1"});
  CHECK(shown["rounds_table"]["sum_waiting_virtual_s"] == Json::parse("[5]"));
  CHECK(shown["rounds_table"]["path_timer_virtual_s"] == Json::parse("[null]"));
  CHECK(document["interventions"] ==
        Json::parse(
            R"([{"action": "cut", "run": "x/a/0", "virtual_s": 1.5, "amount": null, "unit": "",
                         "groups": [["server"], ["client-0", "client-1"]]},
                        {"action": "until", "run": "x/a/0", "virtual_s": 2.0, "amount": 7.0,
                         "unit": "round", "groups": []}])"));
}

TEST_CASE("a run's links carry its ledger's copies, and its cells tile what they divide") {
  const ProgramFolder folder;
  folder.write("two.toml", kTwo);
  REQUIRE(folder
              .posse("run two.toml --quiet --set network.transport=reliable --set "
                     "network.loss='{ kind = \"bernoulli\", p = 0.1 }'")
              .code == 0);
  const auto document = read_document(folder / "runs/two");
  for (const auto& run : document["runs"]) {
    INFO(run["id"]);
    REQUIRE(run["nodes"].size() >= 4);
    CHECK(run["hub"] == 0);
    std::uint64_t on_links = 0, in_ledger = 0, dropped = 0, lost = 0;
    for (const auto& count : run["links"]["departed"]) on_links += count.get<std::uint64_t>();
    for (const auto& count : run["links"]["dropped"]) dropped += count.get<std::uint64_t>();
    for (const auto& account : run["ledger"]) {
      for (const auto* key : {"sent", "retransmitted", "duplicated"})
        in_ledger += account[key].get<std::uint64_t>();
      lost += account["dropped"]["loss"].get<std::uint64_t>();
    }
    CHECK(on_links == in_ledger);
    CHECK(dropped == lost);
  }
  const Json& cells = document["runs"][0]["cells"];  // of Fed-PNE
  CHECK(document["runs"][0]["children_per_cell"] == 2);
  REQUIRE(!cells["depth"].empty());
  std::set<std::pair<std::uint64_t, std::uint64_t>> kept, all;
  for (std::size_t i = 0; i < cells["depth"].size(); ++i) {
    const std::pair cell{cells["depth"][i].get<std::uint64_t>(),
                         cells["index"][i].get<std::uint64_t>()};
    CHECK(all.insert(cell).second);
    if (cells["kept"][i] == true) kept.insert(cell);
  }
  CHECK(kept.size() < all.size());
}

TEST_CASE("a star of two nodes has a hub, a mesh has none") {
  const ProgramFolder folder;
  folder.write("two.toml", kTwo);
  REQUIRE(folder.posse("run two.toml --quiet --repeat 1 --set population.clients=1").code == 0);
  CHECK(read_document(folder / "runs/two")["runs"][0]["hub"] == 0);
  folder.write("mesh.toml", kTwo.substr(0, kTwo.find("[[algorithm]]")) + R"([[algorithm]]
kind = "parallel"
)" + kTwo.substr(kTwo.find("[population]")));
  REQUIRE(
      folder.posse("run mesh.toml --quiet --repeat 1 --set population.clients=2 --out mesh").code ==
      0);
  CHECK(read_document(folder / "mesh/two")["runs"][0]["hub"].is_null());
}

TEST_CASE("nodes that a folder claims are counted before they are named") {
  HandMade run;
  const auto with_groups = [&](const std::string& topology, const std::string& groups) {
    run.write("results.json",
              test::kResultsHead +
                  "\"name\": \"x\", \"runs\": [{\"algorithm\": \"a\", \"clients\": 1, "
                  "\"repetition\": 0, \"status\": \"stalled\", \"topology\": \"" +
                  topology + "\", \"groups\": [" + groups + "]}]}");
    return run.read()["runs"][0];
  };
  const std::string server = R"({"name": "s", "size": 1, "numbered": false, "first_number": 0})";
  const auto many = [](const std::string& size) {
    return R"({"name": "c", "numbered": true, "first_number": 0, "size": )" + size + "}";
  };
  CHECK(with_groups("star", server + "," + many("4294967294"))["nodes"].empty());
  CHECK_THROWS_AS(with_groups("star", server + "," + many("4294967295")), FileError);
  CHECK(with_groups("hierarchy", server)["above"].empty());
  CHECK(with_groups("hierarchy", server + "," + many("3"))["above"].empty());
  CHECK(with_groups("ring", server + "," + many("3"))["hub"].is_null());
  CHECK(with_groups("star", "")["nodes"].empty());
  CHECK_THROWS_AS(
      with_groups("star", R"({"name": "s", "size": 3, "numbered": false, "first_number": 0})"),
      FileError);
  CHECK(with_groups("star", server + "," + many("2"))["nodes"] == Json({"s", "c-0", "c-1"}));
}

TEST_CASE("a hierarchy's document says which node is above which") {
  const ProgramFolder folder;
  folder.write("two.toml", kTwo);
  REQUIRE(folder
              .posse("run two.toml --quiet --set population.clients=5 --set "
                     "algorithm.fed-pne.edges=2")
              .code == 0);
  const auto document = read_document(folder / "runs/two");
  const Json& run = document["runs"][0];
  CHECK(run["nodes"] == Json({"server",
                              "edge-0",
                              "edge-1",
                              "client-0",
                              "client-1",
                              "client-2",
                              "client-3",
                              "client-4"}));
  CHECK(run["hub"] == 0);
  CHECK(run["above"] == Json({nullptr, 0, 0, 1, 1, 2, 2, 2}));
  CHECK(document["runs"][1]["above"].empty());
}

TEST_CASE("a malformed folder is refused with the file and the error") {
  HandMade run;
  const auto damaged =
      [&](const std::string& file, const std::string& text, const std::string& message) {
        const auto path = run.path / file;
        const bool was_there = fs::exists(path);
        const auto whole = was_there ? content(path) : "";
        run.write(file, text);
        const auto problem = run.problem();
        INFO(problem);
        CHECK_THAT(problem, has(file + "' "));
        CHECK_THAT(problem, has(message));
        if (was_there)
          run.write(file, whole);
        else
          fs::remove(path);
      };
  damaged("results.json", "", "is not valid JSON");
  damaged("results.json", "[1]", "is not a JSON object");
  damaged("results.json",
          "{\"name\": \"x\"}",
          "has no results version, and this version of Posse reads");
  damaged(
      "results.json", "{\"results_version\": 1, \"name\": \"x\"}", "has results version 1, and");
  damaged("results.json", "{\"results_version\": \"1\"}", "results_version is not a count");
  damaged("results.json", test::kResultsHead + "\"name\": 7}", "name is not a string");
  damaged("results.json", test::kResultsHead + "\"name\": \"x\"}", "runs is missing");
  damaged("results.json",
          test::kResultsHead + "\"name\": \"x\", \"runs\": [3]}",
          "runs[0] is not an object");
  damaged("results.json",
          test::kResultsHead + "\"name\": \"x\", \"runs\": [{}]}",
          "runs[0].algorithm is missing");
  const std::string one =
      test::kResultsHead + "\"name\": \"x\", \"runs\": [{\"algorithm\": \"a\", \"clients\": 1, ";
  damaged("results.json", one + "\"repetition\": -1}]}", "runs[0].repetition is not a count");
  damaged("results.json",
          one + "\"repetition\": 0, \"status\": \"stalled\", \"ledger\": 5}]}",
          "runs[0].ledger is not a list");
  damaged(
      "results.json",
      one +
          "\"repetition\": 0, \"status\": \"finished\"}, {\"algorithm\": \"a\", \"clients\": 1, "
          "\"repetition\": 0, \"status\": \"finished\"}]}",
      "runs[1].repetition appears twice for this algorithm");
  damaged("results.json",
          one +
              "\"repetition\": 0, \"status\": \"stalled\"}], \"summary\": [{\"algorithm\": "
              "\"b\"}]}",
          "summary[0].algorithm 'b' is in no run");
  damaged("results.json",
          test::kResultsHead + "\"name\": " + std::string(100'000, '[') +
              std::string(100'000, ']') + "}",
          "is nested too deeply");
  damaged("metadata.json", "{", "is not valid JSON");
  damaged("metadata.json", "{\"threads\": []}", "threads is not a number");
  damaged("scenario.toml", "= =", "is not valid TOML");
  damaged("regret.csv", "", "the file is empty");
  const std::string header =
      "algorithm,repetition,client,evaluations_per_client,rounds,bytes,virtual_s,measure,value\n";
  damaged("regret.csv",
          header + "a,0,all,x,0,0,0,m,1\n",
          "line 2: evaluations_per_client is 'x', not a finite number");
  damaged(
      "regret.csv", header + "b,0,all,1,0,0,0,m,1\n", "line 2: results.json has no algorithm 'b'");
  damaged("regret.csv", header + "a,0,all\n", "line 2: 3 columns");
  damaged("rounds.csv", "algorithm,repetition\n", "there is no column 'round'");
  damaged("links.csv", "algorithm,repetition,from,to\n", "there is no column 'departed'");
  damaged("cells.csv",
          "algorithm,repetition,depth,index,children,round,mean,kept\na,0,1,1,2,1,0,yes\n",
          "line 2: kept is 'yes', not 0 or 1");
  damaged("arms.csv", "algorithm,repetition,arm\n", "there is no column 'pulls'");
  damaged("interventions.csv",
          "run,virtual_s,action,amount,unit,groups\nx,?,cut,,,\n",
          "line 2: virtual_s is '?'");
  for (const auto* file : {"results.json", "regret.csv", "rounds.csv", "metadata.json"}) {
    const auto whole = content(run.path / file);
    fs::remove(run.path / file);
    CHECK_THAT(run.problem(), has(file));
    run.write(file, whole);
  }
  CHECK(run.problem().empty());
}

TEST_CASE("a damaged trace is refused with its line") {
  HandMade run;
  const auto path = run.path / "messages.csv.gz";
  std::string header;
  append_csv(stored_columns(run_table("messages")), header);
  const std::string good = "a,0,0,Plan,1,server,client-0,8,0.5,1,delivered,,0,0,0,1,00\n";
  const auto check = [&](const std::string& text, const std::string& message) {
    write_gzip(path, text);
    INFO(run.problem());
    CHECK_THAT(run.problem(), has(message));
  };
  write_gzip(path, header + good);
  CHECK(run.problem().empty());
  check("", "line 1: the columns aren't");
  check(header + good + "a,0,1,Plan\n", "line 3: 4 columns instead of 17");
  check(header + "b" + good.substr(1), "has no algorithm 'b'");
  check(header + "nonsense\n", "line 2: begins with no run");
  check(header + "a,0,0,Plan,1,server,client-0,8,soon,1,delivered,,0,0,0,1,00\n",
        "line 2: sent_virtual_s is 'soon', not a number");
  check(header + "a,0,0,Plan,1,server,client-0,8,-1,1,delivered,,0,0,0,1,00\n",
        "line 2: sent_virtual_s is -1: not a virtual time");
  check(header + "a,0,0,Plan,1,server,client-0,8,1e300,1,delivered,,0,0,0,1,00\n",
        "line 2: sent_virtual_s is 1e+300: not a virtual time");
  check(header + "a,0,0,Plan,1,server,client-2,8,0,1,delivered,,0,0,0,1,00\n",
        "line 2: there is no node 'client-2'");
  check(header + "a,0,0,Plan,1,server,client,8,0,1,delivered,,0,0,0,1,00\n",
        "line 2: there is no node 'client'");
  check(header + "a,0,0,Plan,1,server,client-0,8,0,1,eaten,,0,0,0,1,00\n",
        "line 2: outcome is 'eaten'");
  check(header + "a,0,0,Plan,1,server,client-0,8,0,,delivered,,0,0,0,1,00\n",
        "line 2: delivered_virtual_s is empty");
  check(header + good + std::string(100'000, 'a'), "line 3: is longer than");
  std::string many = header;
  for (int i = 0; i < 20'000; ++i)
    many += fmt::format("a,0,{},Plan,1,server,client-0,{},0.5,1,delivered,,0,0,0,1,00\n", i, i);
  write_gzip(path, many);
  CHECK(run.read()["runs"][0]["sequence"]["arrows"]["bytes"].size() == kMostMessages);
  fs::resize_file(path, 60);  // the beginning alone
  CHECK_THAT(run.problem(), has("can't be unpacked"));
}

TEST_CASE("hostile names are data in a document") {
  HandMade run;
  const std::string name = "</script><img src=x onerror=alert(1)>";
  run.write("results.json",
            Json({{"results_version", kResultsVersion},
                  {"name", name},
                  {"status", name},
                  {"runs",
                   Json::array({{{"algorithm", name},
                                 {"clients", 1},
                                 {"repetition", 0},
                                 {"status", "stalled"},
                                 {"report", "\xff\xfe bytes"}}})}})
                .dump(-1, ' ', false, Json::error_handler_t::ignore));
  run.write("regret.csv",
            "algorithm,repetition,client,evaluations_per_client,rounds,bytes,virtual_s,measure,"
            "value\n\"" +
                name + "\",0,all,1,0,0,0.5,cumulative_regret,1\n");
  run.write("links.csv",
            "algorithm,repetition,from,to,departed,arrived,dropped,wire_bytes\n\"" + name +
                "\",0,\xff,<b>,1,1,0,9\n");
  const auto document = run.read();
  CHECK(document["runs"][0]["id"] == name + "/" + name + "/0");
  CHECK(document["charts"][0]["series"][0]["label"] == name + ", repetition 0 (stalled)");
  const auto text = compact_json(document);
  CHECK(Json::parse(text)["runs"][0]["links"]["from"]["texts"] == Json({"\uFFFD"}));
  CHECK(Json::parse(text)["runs"][0]["links"]["to"]["texts"] == Json({"<b>"}));
}

TEST_CASE("of many runs the first are shown, and of large ones those whose details have room") {
  const ProgramFolder folder;
  folder.write("two.toml", kTwo);
  REQUIRE(folder.posse("run two.toml --quiet --trace messages").code == 0);
  const auto whole = read_document(folder / "runs/two");
  CHECK(whole["runs_left_out"] == 0);
  CHECK(!whole["runs"][0].contains("details_left_out"));
  const auto few = read_document(folder / "runs/two", {.runs = 2});
  CHECK(few["runs"].size() == 2);
  CHECK(few["runs_left_out"] == 4);
  CHECK(few["algorithms"][0]["finished"] == 3);  // of all
  const auto none = read_document(folder / "runs/two", {.bytes = 0});
  for (const auto& run : none["runs"]) CHECK(run["details_left_out"] == true);
  CHECK(!none["runs"][0].contains("sequence"));
  CHECK(none["charts"] == whole["charts"]);
  CHECK(few["charts"] == whole["charts"]);  // of all runs
  const auto half = (compact_json(whole).size() + compact_json(none).size()) / 2;
  const auto some = read_document(folder / "runs/two", {.bytes = half});
  CHECK(compact_json(some).size() <= half);
  CHECK(some["runs"][0] == whole["runs"][0]);
  CHECK(some["runs"][5]["details_left_out"] == true);
}

TEST_CASE("of a long run the rounds are in blocks, and the messages are the first") {
  RunOutcome outcome;
  std::vector<RoundRecord> rounds(1000);
  for (std::uint32_t i = 0; i < rounds.size(); ++i) {
    rounds[i].round = {i + 1};
    rounds[i].began = Time{1'000'000'000L * i};
    rounds[i].ended = Time{1'000'000'000L * (i + 1)};
    rounds[i].bytes = i % 10 == 9 ? 1000 : 0;
  }
  rounds[0].late = {{1}, {7}};
  std::vector<MessageRecord> messages(1000);
  for (std::uint32_t i = 0; i < messages.size(); ++i) messages[i].bytes = i;
  messages[0].outcome = MessageOutcome::dropped;
  const auto name_of = [](NodeId node) { return fmt::format("node-{}", node.value); };
  const Json entry = Json::object();
  DocumentTables tables({{}, "", entry});
  tables.add({outcome, rounds, {}, {}, messages, name_of});
  Json run;
  tables.put_into(run);
  put_sequence({2, name_of, Transport::datagram, {}, messages, {}, {}, {}, {}}, run);
  const Json& table = run["rounds_table"];
  const auto blocks = table["round"].size();
  CHECK(blocks == 250);
  // Each round is in one block; what is sent in every tenth round is neither lost nor all.
  double bytes = 0;
  unsigned next = 1;
  for (std::size_t b = 0; b < blocks; ++b) {
    const auto first = table["round"][b].get<unsigned>(),
               last = table["last_round"][b].get<unsigned>();
    CHECK(first == next);
    CHECK(last == first + 3);
    CHECK(table["began_virtual_s"][b] == first - 1.0);
    CHECK(table["ended_virtual_s"][b] == double(last));
    bytes += 4 * table["bytes"][b].get<double>();
    next = last + 1;
  }
  CHECK(next == 1001);
  CHECK(bytes == Approx(100'000));
  CHECK(texts_of(table["late"]).front() == "");  // not all rounds of the block
  const Json& arrows = run["sequence"]["arrows"];
  CHECK(arrows["bytes"].size() == kMostMessages);
  CHECK(arrows["bytes"].back() == kMostMessages - 1);
  CHECK(arrows["arrived_virtual_s"].front().is_null());
}

TEST_CASE("a block of rounds ends where rounds are missing") {
  const std::vector<Column> columns{{"round", ColumnType::count}, {"bytes", ColumnType::count}};
  std::vector<TableRow> rows;
  for (std::uint64_t round = 1; round <= 600; ++round) rows.push_back({round, round});
  for (const std::uint64_t round : {700, 701, 1000, 4000}) rows.push_back({round, round});
  const Json table = round_blocks(columns, rows);
  const auto blocks = table["round"].size();
  CHECK(blocks == 203);
  CHECK(table["round"][blocks - 3] == 700);
  CHECK(table["last_round"][blocks - 3] == 701);
  CHECK(table["bytes"][blocks - 3] == 700.5);
  CHECK(table["round"][blocks - 1] == 4000);
  CHECK(table["last_round"][blocks - 1] == 4000);
  CHECK(round_blocks(columns, {})["round"].empty());
  CHECK(round_blocks(columns, {{Datum(), std::uint64_t{1}}, {Datum(), Datum()}})["round"].size() ==
        2);
}

TEST_CASE("cells of a plane lie where the partition has them, and unknown ones nowhere") {
  const Json entry = Json::parse(
      R"({"children_per_cell": 4,
          "plane": {"low": [0, -1], "high": [10, 1], "partition": "dimwise", "optima": []}})");
  const Partition partition({{0, -1}, {10, 1}}, PartitionKind::dimwise, 4);
  RunOutcome outcome;
  outcome.children_per_cell = 4;
  const std::vector<Cell> cells = {{1, 2}, {1, 3}, {2, 7}, {2, 16}, {2, 17}};
  for (const Cell cell : cells) outcome.cells.push_back({cell, Round{1}, 0.5, true});
  DocumentTables tables({{}, "", entry});
  tables.add({outcome, {}, {}, {}, {}, {}});
  Json run;
  tables.put_into(run);
  for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
    const Box box = partition.bounds(cells[i]);
    CHECK(run["cells"]["low_1"][i] == box.low[0]);
    CHECK(run["cells"]["high_1"][i] == box.high[0]);
    CHECK(run["cells"]["low_2"][i] == box.low[1]);
    CHECK(run["cells"]["high_2"][i] == box.high[1]);
  }
  CHECK(run["cells"]["low_1"].back().is_null());
  for (const auto* plane : {R"({"low": [0, "x"], "high": [10, 1], "partition": "cyclic"})",
                            R"({"low": [0, 1], "high": [10, 1], "partition": "cyclic"})",
                            R"({"low": [0], "high": [10], "partition": "cyclic"})"}) {
    Json damaged = entry;
    damaged["plane"] = Json::parse(plane);
    CHECK_THROWS_AS(DocumentTables({{}, "", damaged}), FileError);
  }
}

}  // namespace test_document
