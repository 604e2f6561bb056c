// SPDX-License-Identifier: Apache-2.0
// Finished runs on other networks: what is re-timed from the record is what really happens there.
#include <zlib.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>

#include "program/base/files.hpp"
#include "program/base/gzip_file.hpp"
#include "program/replay/what_if.hpp"
#include "tests/support/program_folder.hpp"

namespace posse::test_what_if {
namespace {

using Catch::Matchers::Contains;

ExecutionOptions quiet_options() {
  ExecutionOptions options;
  options.run.threads = 2;
  options.progress = ProgressStyle::none;
  return options;
}

std::string scenario_text(const std::string& algorithm) {
  return R"(name = "recorded"
seed = 5
[[algorithm]]
)" + algorithm +
         R"(
[population]
clients = 5
[objective]
kind = "garland"
[budget]
evaluations_per_client = 200
[network]
latency = "3 ms"
transport = "reliable"
[compute]
evaluation = { kind = "exponential", mean = "1 ms" }
)";
}

/// Runs the scenario with its actions recorded; the folder is `runs/recorded/latest`.
fs::path record(const ProgramFolder& folder,
                const std::string& scenario,
                const std::string& flags = "--trace all") {
  folder.write("recorded.toml", scenario);
  const auto run = folder.posse("run recorded.toml --quiet " + flags);
  INFO(run.err);
  REQUIRE((run.code == 0 || run.code == 7));
  return folder / "runs" / "recorded" / "latest";
}

/// The first run of the recorded scenario with overrides, really run.
NetworkFigures really(const fs::path& run, const std::vector<Override>& overrides) {
  Diagnostics diagnostics;
  const auto scenario = load_scenario((run / "scenario.toml").string(), overrides, diagnostics);
  INFO(diagnostics.text());
  REQUIRE(diagnostics.empty());
  RunMonitor monitor(1);
  return figures_of(run_scenario(scenario, {}, monitor).runs.front().result.outcome);
}

/// Random networks on which every message arrives in the end.
class Networks {
 public:
  explicit Networks(std::uint64_t seed) : random_(seed) {}

  std::vector<Override> draw(const std::string& group) {
    std::vector<Override> all{{"test", "network.retransmission.max_tries=1000"},
                              {"test", "network.latency=" + duration()},
                              {"test", "compute.evaluation=" + duration()}};
    const auto maybe = [&](const std::string& assignment) {
      if (random_() % 2 == 0) all.push_back({"test", assignment});
    };
    maybe("network.loss=" + number(30));
    maybe("network.duplication=" + number(10));
    maybe("network.order=\"fifo\"");
    maybe("network.rate=\"" + std::to_string(1 + random_() % 1000) + " kB/s\"");
    maybe("network.header_bytes=\"" + std::to_string(random_() % 100) + " B\"");
    maybe("compute.stragglers=[{ nodes = \"" + group + "-" + std::to_string(random_() % 5) +
          "\", factor = " + std::to_string(1 + random_() % 9) + " }]");
    maybe("fault=[{ kind = \"pause\", nodes = [\"" + group +
          "\"], at = \"0 s\", mean_between = \"50 ms\", "
          "mean_for = \"20 ms\", until = \"10 s\" }]");
    return all;
  }

 private:
  std::string number(std::uint64_t most_percent) {
    return "0." + std::to_string(100 + random_() % most_percent).substr(1);
  }
  std::string milliseconds() { return "\"" + std::to_string(1 + random_() % 40) + " ms\""; }
  std::string duration() {
    switch (random_() % 3) {
      case 0:
        return milliseconds();
      case 1:
        return "{ kind = \"uniform\", min = \"100 us\", max = " + milliseconds() + " }";
      default:
        return "{ kind = \"lognormal\", median = " + milliseconds() +
               ", sigma = 0.7, floor = \"100 us\" }";
    }
  }
  std::mt19937_64 random_;
};

std::string unzipped(const fs::path& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  std::string text;
  char buffer[4096];
  for (int n = 0; (n = gzread(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  gzclose(file);
  return text;
}

void zip(const fs::path& path, const std::string& text) {
  GzipFile file(path);
  file.write(text);
  file.close();
}

}  // namespace

TEST_CASE("whatif of 100 random networks is a real run on them, to the nanosecond", "[long]") {
  const std::vector<std::string> algorithms{
      "kind = \"fed-pne\"",
      "kind = \"fed-pne\"\ncompact_plan = true",
      "kind = \"pf-pne\"",
      "kind = \"parallel\"",
      "kind = \"parallel\"\nexchange = \"tree\"\nsums = \"exact\"",
  };
  Networks networks(1);
  for (const auto& algorithm : algorithms) {
    const ProgramFolder folder;
    const auto run = record(folder, scenario_text(algorithm));
    const RecordedNetwork recorded(run);
    for (int number = 0; number < 20; ++number) {
      const auto overrides = networks.draw(algorithm.find("parallel") < 20 ? "player" : "client");
      INFO(algorithm);
      for (const auto& override : overrides) UNSCOPED_INFO(override.assignment);
      Diagnostics diagnostics;
      const auto answer = recorded.with(overrides, false, quiet_options(), diagnostics);
      INFO(diagnostics.text());
      REQUIRE(answer);
      CHECK(answer->runs.front().ran_again_because == "");
      CHECK(answer->runs.front().figures == really(run, overrides));
    }
  }
}

TEST_CASE("whatif runs again where the network decides more than times, and says why") {
  struct Refusal {
    std::string algorithm, more, override, because;
  };
  const std::vector<Refusal> refusals{
      {"kind = \"fed-pne\"",
       "",
       "network.transport=datagram network.retransmission= network.loss=0.3",
       "messages were lost"},
      {"kind = \"fed-pne\"",
       R"([server]
policy = "quorum"
quorum = 3
)",
       "network.latency=1ms",
       "in fed-pne the order in which messages arrive decides"},
      {"kind = \"fed-pne\"",
       R"([server]
policy = "deadline"
deadline = "1 s"
)",
       "network.latency=1ms",
       "in fed-pne the order in which messages arrive decides"},
      {"kind = \"fed-pne\"",
       "",
       "network.transport=datagram network.retransmission= network.duplication=0.5",
       "messages were duplicated"},
      {"kind = \"fed-pne\"", "", "limits.events=60", "the run did not finish"},
      {"kind = \"fed-pne\"", "", "seed=6", "seed decides more than times"},
      {"kind = \"fed-pne\"",
       "",
       "server.policy=quorum server.quorum=3",
       "server.policy decides more than times"},
      {"kind = \"fed-pne\"",
       "",
       "fault=[{kind=\"corrupt\",nodes=[\"client-0\"],how=\"constant\",value=0.5,at=\"0s\"}]",
       "nodes lie"},
      {"kind = \"fed-pne\"",
       "",
       "fault=[{kind=\"crash\",nodes=[\"client-0\"],state=\"lost\",at=\"100ms\",for=\"10ms\"}]",
       "nodes may lose their state"},
      {"kind = \"fn-ucb\"\nwidth = 4",
       "",
       "network.latency=1ms",
       "in fn-ucb the order in which messages arrive decides"},
  };
  for (const auto& [algorithm, more, assignments, because] : refusals) {
    INFO(algorithm << " " << more << " " << assignments);
    const ProgramFolder folder;
    const auto run = record(folder, scenario_text(algorithm) + more);
    std::vector<Override> overrides;
    std::istringstream words(assignments);
    for (std::string word; words >> word;) overrides.push_back({"test", word});
    Diagnostics diagnostics;
    const auto answer = RecordedNetwork(run).with(overrides, false, quiet_options(), diagnostics);
    INFO(diagnostics.text());
    REQUIRE(answer);
    CHECK(answer->runs.front().ran_again_because == because);
    CHECK(answer->runs.front().figures == really(run, overrides));
  }
}

TEST_CASE("whatif of a run without its actions, or whose record is lossy, runs it again") {
  const ProgramFolder folder;
  const auto without = record(folder, scenario_text("kind = \"fed-pne\""), "--trace messages");
  Diagnostics diagnostics;
  const std::vector<Override> faster{{"test", "network.latency=1ms"}};
  auto answer = RecordedNetwork(without).with(faster, false, quiet_options(), diagnostics);
  CHECK(answer->runs.front().ran_again_because == "it was recorded without --trace all");
  CHECK(answer->runs.front().figures == really(without, faster));
  const auto lossy = record(folder,
                            scenario_text("kind = \"fed-pne\""),
                            "--trace all --set network.transport=datagram --set network.loss=0.3");
  answer = RecordedNetwork(lossy).with(faster, false, quiet_options(), diagnostics);
  CHECK(answer->runs.front().ran_again_because == "messages were lost");
}

TEST_CASE("whatif derives time-outs anew for each network, unless it is told to keep them") {
  const ProgramFolder folder;
  const auto run = record(folder, scenario_text("kind = \"fed-pne\""), "--trace all");
  const RecordedNetwork recorded(run);
  const auto with = [&](std::vector<std::string> assignments, bool keep) {
    std::vector<Override> overrides;
    for (const auto& assignment : assignments) overrides.push_back({"test", assignment});
    Diagnostics diagnostics;
    const auto answer = recorded.with(overrides, keep, quiet_options(), diagnostics);
    INFO(diagnostics.text());
    REQUIRE(answer);
    return answer->runs.front().figures;
  };
  const std::string slow = "network.latency=100 ms";
  CHECK(with({slow}, false) == with({slow, "network.retransmission="}, false));
  // The recorded time-outs are shorter than the new round trips.
  CHECK(with({slow}, true).transmissions > 1.5 * with({slow}, false).transmissions);
  CHECK(with({"network.loss=0.0"}, true) == with({"network.loss=0.0"}, false));
  Diagnostics diagnostics;
  const auto derives = [&](std::vector<Override> overrides) {
    return recorded.with(overrides, false, quiet_options(), diagnostics)->derives_timeouts;
  };
  CHECK(derives({}));
  CHECK(!derives({{"test", "network.retransmission.timeout=1 s"}}));
}

TEST_CASE("a longer latency never shortens a run without losses") {
  const ProgramFolder folder;
  const auto run = record(folder,
                          scenario_text("kind = \"fed-pne\""),
                          "--trace all --set network.loss=0 --set 'network.rate=\"1 Mbit/s\"'");
  const RecordedNetwork recorded(run);
  double before = 0;
  for (const int ms : {1, 2, 4, 8, 16, 32, 64, 128}) {
    Diagnostics diagnostics;
    const auto answer = recorded.with(
        {{"test", fmt::format("network.latency={} ms", ms)}}, false, quiet_options(), diagnostics);
    REQUIRE(answer);
    CHECK(answer->runs.front().figures.virtual_s > before);
    before = answer->runs.front().figures.virtual_s;
  }
}

TEST_CASE("whatif prints a table of networks, and every run as JSON") {
  const ProgramFolder folder;
  record(folder,
         scenario_text("kind = \"fed-pne\"") + R"([limits]
events = 1000000
)",
         "--trace all --repeat 2");
  const auto table = folder.posse(
      "whatif runs/recorded --each 'network.latency=[\"1 ms\", \"20 ms\"]' --each "
      "'network.loss=[0.0, 0.1]'");
  INFO(table.err);
  CHECK(table.code == 0);
  CHECK_THAT(table.out,
             Contains("fed-pne, means of 2 repetitions") && Contains("as recorded") &&
                 Contains("network.latency, network.loss") && Contains("20 ms, 0.1") &&
                 Contains("re-timed from the record, exactly"));
  const auto json = nlohmann::json::parse(
      folder.posse("whatif runs/recorded --set network.latency=1ms --json").out);
  REQUIRE(json.size() == 2);
  CHECK(json[1]["repetition"] == 1);
  CHECK(json[1]["networks"][0]["exact_from_the_record"] == true);
  CHECK(json[1]["networks"][0]["virtual_s"] < json[1]["recorded"]["virtual_s"]);
  CHECK(json[1]["networks"][0]["simple_regret"] == json[1]["recorded"]["simple_regret"]);
}

TEST_CASE("whatif tells of networks on which the stated time-out repeats what was not lost") {
  const ProgramFolder folder;
  const auto run =
      record(folder, scenario_text("kind = \"fed-pne\"\n") + R"([network.retransmission]
timeout = "20 ms"
)");
  const auto with = [&](const std::string& latency) {
    const auto answer =
        folder.posse("whatif " + run.string() + " --set 'network.latency=\"" + latency + "\"'");
    INFO(answer.err);
    REQUIRE(answer.code == 0);
    return answer.out;
  };
  CHECK_THAT(with("50 ms"), Contains(" retransmissions of 45 messages although"));
  CHECK_THAT(with("4 ms"), !Contains("warning"));
  const auto each = folder.posse("whatif " + run.string() +
                                 " --each 'network.latency=[\"4 ms\", \"15 ms\", \"50 ms\"]'");
  INFO(each.err);
  REQUIRE(each.code == 0);
  const std::string repeats = " retransmissions of 45 messages although nothing was lost";
  CHECK_THAT(each.out,
             Contains("warning: 15 ms: 45" + repeats) && Contains("warning: 50 ms: 80" + repeats));
  CHECK_THAT(each.out, Contains("shorter than a round trip"));
  CHECK_THAT(each.out, !Contains("warning: 4 ms") && !Contains("warning: as recorded"));
  // A time-out that is derived repeats some in any case: that of another network does not count.
  const auto timeouts =
      folder.posse("whatif " + run.string() +
                   " --each 'network.retransmission.timeout=[\"3 ms\", \"derived\"]'");
  INFO(timeouts.err);
  CHECK_THAT(timeouts.out, Contains("warning: 3 ms: ") && !Contains("warning: derived"));
}

TEST_CASE("whatif with a wrong command line says what is wrong") {
  const ProgramFolder folder;
  record(folder, scenario_text("kind = \"fed-pne\""));
  CHECK_THAT(folder.posse("whatif runs/recorded").err,
             Contains("nothing to change") && Contains("(exit code 2)"));
  for (const char* each : {"network.latency",
                           "=[1]",
                           "network.loss=[]",
                           "network.loss=0.1",
                           "network.loss=[0.1",
                           "network.loss=[0.1]\nx=1"}) {
    const auto wrong = folder.posse(std::string("whatif runs/recorded --each '") + each + "'");
    CHECK(wrong.code == 2);
    CHECK_THAT(wrong.err, Contains("is not KEY=[VALUE"));
  }
  const auto mistake = folder.posse("whatif runs/recorded --set network.latency=3");
  CHECK(mistake.code == 3);
  CHECK_THAT(mistake.err, Contains("network.latency"));
  CHECK(folder.posse("whatif nothing --set seed=1").code == 11);
}

TEST_CASE("whatif with a damaged record says so, whatever the damage") {
  const ProgramFolder folder;
  const auto run = record(folder, scenario_text("kind = \"fed-pne\""));
  const auto path = run / "actions.csv.gz";
  const auto text = unzipped(path);
  const auto refused = [&] {
    try {
      const RecordedNetwork recorded(run);
    } catch (const FileError& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  CHECK(refused() == "");
  zip(path, "");
  CHECK_THAT(refused(), Contains("does not begin with"));
  zip(path, text.substr(0, text.size() / 2));
  CHECK_THAT(refused(), Contains("actions.csv.gz"));
  auto other = text;
  other.replace(other.find(",evaluate,"), 10, ",evaluate2");
  zip(path, other);
  CHECK_THAT(refused(), Contains("actions.csv.gz"));
  other = text;  // a group of several nodes without numbers
  const auto group = other.find(",group,");
  other.replace(group, other.find('\n', group) - group, ",group,,,3,,,server,,,");
  zip(path, other);
  CHECK_THAT(refused(), Contains("a group without numbers is one node"));
  other = text;  // a round that asked more clients than there are
  const auto end = other.find(",end,server,client-0,") + 21;
  other.insert(end, "9");
  zip(path, other);
  CHECK_THAT(refused(), Contains("'count' does not fit 'peer'"));
  write_file(path, "no gzip at all\n");
  CHECK_THAT(refused(), Contains("actions.csv.gz"));

  std::mt19937_64 random(7);
  const auto header = text.find('\n') + 1;
  for (int number = 0; number < 300; ++number) {
    auto damaged = text;
    const auto at = header + random() % (text.size() - header);
    switch (random() % 3) {
      case 0:
        damaged[at] = static_cast<char>(random() % 256);
        break;
      case 1:
        damaged.erase(at, 1 + random() % 40);
        break;
      default:
        damaged.insert(at, "9");
    }
    if (damaged == text) continue;
    zip(path, damaged);
    INFO("damage " << number << " at " << at);
    const auto problem = refused();
    CHECK((problem.empty() || problem.find("actions.csv.gz") != std::string::npos));
  }
}

}  // namespace posse::test_what_if
