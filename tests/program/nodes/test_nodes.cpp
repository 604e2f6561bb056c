// SPDX-License-Identifier: Apache-2.0
// Runs in wall time and over several processes, as users start them.
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "actors/host/group_member.hpp"
#include "core/base/outside_failure.hpp"
#include "program/base/files.hpp"
#include "program/compare/summary.hpp"
#include "program/nodes/node_host.hpp"
#include "program/nodes/own_token.hpp"
#include "program/nodes/run_description.hpp"
#include "program/results/results.hpp"
#include "program/results/stored_run.hpp"
#include "program/scenario/external_objective.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/needed_program.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace test_nodes {

using namespace posse;
using namespace std::chrono_literals;

namespace {

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

/// A scenario of tests/golden with links that lose and take nothing, and evaluations that take no
/// time.
Scenario ideal(const std::filesystem::path& file) {
  std::vector<Override> overrides{{"test", "network.latency=\"0 us\""},
                                  {"test", "network.loss={ kind = \"none\" }"}};
  if (read_file(file).find("[compute]") != std::string::npos)
    overrides.push_back({"test", "compute="});
  Diagnostics diagnostics;
  auto scenario = load_scenario(file.string(), overrides, diagnostics);
  INFO(diagnostics.text());
  REQUIRE(diagnostics.empty());
  return scenario;
}

/// Numbers of messages and bytes by type, and what was decided.
std::string decisions(const Scenario& scenario, const ScenarioResult& result) {
  const auto json = nlohmann::json::parse(results_json(scenario, result, {}));
  std::string text;
  for (const auto& run : json.at("runs")) {
    text += fmt::format("{} {} rounds {}",
                        run.at("algorithm").dump(),
                        run.at("status").dump(),
                        run.at("rounds").dump());
    for (const auto& account : run.at("ledger"))
      text += fmt::format("\n  {} {} sent {} bytes {} values {}",
                          account.at("type").dump(),
                          account.at("direction").dump(),
                          account.at("sent").dump(),
                          account.at("bytes").dump(),
                          account.at("values").dump());
    text += fmt::format("\n  regret {}", run.at("regret").dump());
    if (run.contains("arms") && run.at("arms").is_object())
      text += fmt::format("\n  arm {}", run.at("arms").value("answer", nlohmann::json()).dump());
    text += "\n";
  }
  return text;
}

std::string run_text(const Scenario& scenario, const RunOptions& options) {
  RunMonitor monitor(number_of_runs(scenario, options));
  return decisions(scenario, run_scenario(scenario, options, monitor));
}

std::string text_over_processes(const Scenario& scenario, std::size_t members) {
  GroupOptions options;
  options.members = members;
  auto host = std::make_unique<NodeHost>(options, Traces{});
  std::vector<std::jthread> others;
  for (std::size_t i = 0; i < members; ++i)
    others.emplace_back([port = host->port()] {
      MemberOptions member;
      member.address.port = port;
      take_part(member, [](const std::string& text) { return make_described_run(text, nullptr); });
    });
  RunOptions run;
  run.kernel = Kernel::wall;
  run.host = host.get();
  auto text = run_text(scenario, run);
  host.reset();  // sends the members home
  return text;
}

class Nodes : public ProgramFolder {
 public:
  /// The user's own token is in the folder.
  Nodes() { setenv("XDG_STATE_HOME", (path() + "/state").c_str(), 1); }
  std::unique_ptr<test::ChildProcess> start(const std::string& name,
                                            std::vector<std::string> words) {
    words.insert(words.begin(), test::posse_executable());
    return std::make_unique<test::ChildProcess>(words, path(), name);
  }
  /// The port is any free one. Waits until it listens.
  std::string listen(std::vector<std::string> words) {
    words.insert(words.begin(), {"node", "--listen", "127.0.0.1:0"});
    listener = start("listener", std::move(words));
    const auto line = listener->line_after("listening at ");
    return line.substr(0, line.find(';'));
  }
  std::unique_ptr<test::ChildProcess> listener;
};

const std::string kFederation = R"(
name = "federation"
[[algorithm]]
kind = "fed-pne"
[population]
clients = 3
[objective]
kind = "garland"
[budget]
evaluations_per_client = 100000
[network]
latency = "1 ms"
[compute]
evaluation = "1 ms"
)";

}  // namespace

TEST_CASE("every algorithm decides and sends over five processes what it does in a simulation") {
  // Where the order of arrivals is part of the algorithm, only its amount is the same.
  const std::set<std::string> by_arrival{"asha"};
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(POSSE_SOURCE_DIR) / "tests/golden/algorithms")) {
    if (entry.path().extension() != ".toml") continue;
    const auto scenario = ideal(entry.path());
    if (by_arrival.contains(scenario.name)) continue;
    INFO(scenario.name);
    const auto simulated = run_text(scenario, {});
    CHECK(run_text(scenario, {.threads = 2, .kernel = Kernel::wall}) == simulated);
    CHECK(text_over_processes(scenario, 4) == simulated);
    ++compared;
  }
  CHECK(compared >= 40);
}

TEST_CASE_METHOD(Nodes, "a run in wall time has no fingerprint, and says so") {
  const auto file = write("a.toml", kFederation);
  const std::vector<std::string> quick{"--set", "budget.evaluations_per_client=40"};
  auto run = start("run", {"run", file, "--clock", "wall", quick[0], quick[1]});
  REQUIRE(run->wait(20s) == 0);
  CHECK_THAT(run->out(), has("no fingerprint: wall-time runs are not reproducible"));
  const std::filesystem::path folder = path() + "/runs/federation/latest";
  const auto results = nlohmann::json::parse(read_file(folder / "results.json"));
  CHECK(results.at("fingerprint") == "none");
  CHECK(results.at("runs")[0].at("fingerprint") == "none");
  CHECK(nlohmann::json::parse(read_file(folder / "metadata.json")).at("clock") == "wall");
  CHECK(std::filesystem::exists(folder / "report.html"));
  auto replay = start("replay", {"replay", folder.string()});
  replay->wait(20s);
  CHECK_THAT(replay->out(), has("it ran in wall time"));

  for (const std::string flag : {"--pace=2", "--trace=all", "--kernel=serial"}) {
    auto refused = start("refused", {"run", file, "--clock", "wall", flag});
    CHECK(refused->wait(20s) == 2);
    CHECK_THAT(refused->err(), has("needs virtual time, not the wall clock"));
  }
}

TEST_CASE_METHOD(Nodes, "nodes that are started one by one run a scenario together") {
  const auto file = write("a.toml", kFederation);
  const auto address = listen(
      {file, "--members", "2", "--set", "budget.evaluations_per_client=40", "--trace", "messages"});
  auto one = start("one", {"node", "--connect", address, "--name", "client-1"});
  auto two = start("two", {"node", "--connect", address});
  CHECK(listener->wait(20s) == 0);
  CHECK(one->wait(10s) == 0);
  CHECK(two->wait(10s) == 0);
  CHECK_THAT(listener->err(), has("member 1 has joined"));
  const StoredRun stored(path() + "/runs/federation/latest");
  CHECK(stored.runs().front().status == "finished");
  CHECK(std::filesystem::exists(stored.folder() / "messages.csv.gz"));
}

TEST_CASE_METHOD(Nodes, "a run ends and names the node whose process was killed") {
  const auto file = write("a.toml", kFederation);
  const auto address = listen({file, "--members", "2", "--rejoin", "200 ms"});
  auto stays = start("stays", {"node", "--connect", address, "--name", "client-0..1"});
  auto killed = start("killed", {"node", "--connect", address, "--name", "client-2"});
  listener->line_after("member 2 has joined");
  std::this_thread::sleep_for(300ms);
  killed->signal(SIGKILL);
  CHECK(listener->wait(20s) == 7);
  CHECK_THAT(listener->err(), has("client-2 has been down since"));
  CHECK(stays->wait(10s) == 0);
}

TEST_CASE_METHOD(Nodes,
                 "members end when the process that listens is killed, or wait for another") {
  const auto file = write("a.toml", kFederation);
  const auto address = listen({file, "--members", "2"});
  auto plain = start("plain", {"node", "--connect", address, "--name", "client-0"});
  auto patient = start("patient", {"node", "--connect", address, "--patience", "20 s"});
  plain->line_after("joined the node at ");
  patient->line_after("joined the node at ");
  listener->signal(SIGKILL);
  CHECK(plain->wait(10s) == 7);
  CHECK_THAT(plain->err(), has("is lost"));
  patient->line_after("trying again");
  auto next = start(
      "next", {"node", "--listen", address, file, "--set", "budget.evaluations_per_client=9"});
  CHECK(next->wait(20s) == 0);
  CHECK(patient->wait(10s) == 0);
}

TEST_CASE_METHOD(Nodes, "a node says what is wrong with its flags") {
  const auto file = write("a.toml", kFederation);
  const auto refusal = [&](std::vector<std::string> words, int code = 2) {
    words.insert(words.begin(), "node");
    auto refused = start("refused", words);
    CHECK(refused->wait(20s) == code);
    return refused->err();
  };
  CHECK_THAT(refusal({file}), has("give either --listen ADDR or --connect ADDR"));
  CHECK_THAT(refusal({"--listen", "127.0.0.1:0"}), has("--listen needs a scenario"));
  CHECK_THAT(refusal({"--listen", "somewhere", file}), has("somewhere"));
  CHECK_THAT(refusal({"--listen", "0.0.0.0:0", file}), has("needs --certificate, --key and --ca"));
  CHECK_THAT(refusal({"--connect", "192.0.2.1:9"}), has("needs --certificate, --key and --ca"));
  CHECK_THAT(refusal({"--listen", "127.0.0.1:0", file, "--key", "k.pem"}), has("belong together"));
  CHECK_THAT(refusal({"--listen", "127.0.0.1:0", file, "--token-file", "none"}, 11), has("none"));
  CHECK_THAT(refusal({"--listen", "127.0.0.1:0", file, "--patience", "long"}), has("--patience"));
  CHECK_THAT(refusal({"--connect", "127.0.0.1:1"}, 10), has("can't connect to 127.0.0.1:1"));
  CHECK_THAT(refusal({"--connect", "127.0.0.1:1", "--name", "client-1", "--name", "client-1"}),
             has("--name client-1 is there twice"));
  CHECK_THAT(refusal({"--connect", "127.0.0.1:1", "none.toml"}, 3), has("none.toml"));
}

TEST_CASE_METHOD(Nodes, "a member that asks for a node that isn't there learns which there are") {
  const auto file = write("a.toml", kFederation);
  const auto address = listen({file, "--set", "budget.evaluations_per_client=40"});
  for (const std::string name : {"client-3", "server", "clients"}) {
    auto refused = start("refused", {"node", "--connect", address, "--name", name});
    CHECK(refused->wait(20s) == 10);
    CHECK_THAT(refused->err(),
               has("refused: no member can be '" + name + "': there are client-0..2"));
  }
  auto member = start("member", {"node", "--connect", address, "--name", "client-0..2"});
  CHECK(listener->wait(20s) == 0);
  CHECK(member->wait(10s) == 0);
}

TEST_CASE_METHOD(Nodes, "bytes that ended a listener end nothing but their connection") {
  const auto file = write("a.toml", kFederation);
  const auto address = listen({file, "--set", "budget.evaluations_per_client=40"});
  boost::asio::io_context io;
  boost::asio::ip::tcp::socket stranger(io);
  stranger.connect({boost::asio::ip::address_v4::loopback(),
                    static_cast<std::uint16_t>(std::stoi(address.substr(address.find(':') + 1)))});
  // A header of the handshake of CAF 0.17, without its content.
  std::string bytes(32, '\0');
  bytes[15] = 3;
  boost::asio::write(stranger, boost::asio::buffer(bytes));
  std::string answer;
  boost::system::error_code end;
  boost::asio::read(stranger, boost::asio::dynamic_buffer(answer), end);
  CHECK(answer.empty());
  auto member = start("member", {"node", "--connect", address});
  CHECK(listener->wait(20s) == 0);
  CHECK(member->wait(10s) == 0);
}

TEST_CASE_METHOD(Nodes, "TLS lets in those with a certificate of the authority, and the token") {
  const auto openssl = test::needed_program("openssl");
  const auto make = [&](const std::vector<std::string>& words) {
    std::vector<std::string> command{openssl};
    command.insert(command.end(), words.begin(), words.end());
    test::ChildProcess process(command, path(), "openssl");
    INFO(process.err());
    REQUIRE(process.wait(30s) == 0);
  };
  const auto self_signed = [&](const std::string& name) {
    make({"req",
          "-x509",
          "-newkey",
          "rsa:2048",
          "-nodes",
          "-days",
          "2",
          "-subj",
          "/CN=" + name,
          "-keyout",
          name + ".key",
          "-out",
          name + ".pem"});
  };
  self_signed("authority");
  self_signed("stranger");
  make({"req",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        "/CN=node",
        "-keyout",
        "node.key",
        "-out",
        "node.csr"});
  make({"x509",
        "-req",
        "-in",
        "node.csr",
        "-CA",
        "authority.pem",
        "-CAkey",
        "authority.key",
        "-CAcreateserial",
        "-days",
        "2",
        "-out",
        "node.pem"});
  write("token", "a secret\n");
  write("wrong", "another\n");
  const auto file = write("a.toml", kFederation);
  const auto with = [](std::vector<std::string> words,
                       const std::string& who,
                       const std::string& authority,
                       const std::string& token) {
    for (const auto& word : {std::string("--certificate"),
                             who + ".pem",
                             std::string("--key"),
                             who + ".key",
                             std::string("--ca"),
                             authority + ".pem",
                             std::string("--token-file"),
                             token})
      words.push_back(word);
    return words;
  };
  const auto address = listen(
      with({file, "--set", "budget.evaluations_per_client=40"}, "node", "authority", "token"));
  const std::vector<std::string> connect{"node", "--connect", address};
  const auto refusal = [&](const std::vector<std::string>& words) {
    auto refused = start("refused", words);
    CHECK(refused->wait(20s) == 10);
    return refused->err();
  };
  CHECK_THAT(refusal({"node", "--connect", address, "--token-file", "token"}),
             has("with TLS on both sides or on neither"));
  refusal(with(connect, "stranger", "stranger", "token"));
  refusal(with(connect, "stranger", "authority", "token"));
  CHECK_THAT(refusal(with(connect, "node", "authority", "wrong")),
             has("the token is not the one of this run"));
  CHECK(listener->running());
  auto member = start("member", with(connect, "node", "authority", "token"));
  CHECK(listener->wait(20s) == 0);
  CHECK(member->wait(10s) == 0);
}

TEST_CASE_METHOD(Nodes,
                 "a user's own token is made once, and is used only if nobody else can read it") {
  namespace fs = std::filesystem;
  const fs::path file = path() + "/state/posse/node-token";
  const auto token = own_token();
  CHECK(token.size() >= 32);
  CHECK(own_token() == token);
  CHECK(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  fs::permissions(file, fs::perms::group_read, fs::perm_options::add);
  CHECK(own_token().empty());
  fs::remove(file);
  fs::create_symlink("/etc/hostname", file);
  CHECK(own_token().empty());
  fs::remove(file);
  CHECK(own_token() != token);
  setenv("XDG_STATE_HOME", "/dev/null", 1);
  CHECK(own_token().empty());
}

TEST_CASE("a described run is the same run, and starts no program by itself") {
  const auto golden = std::filesystem::path(POSSE_SOURCE_DIR) / "tests/golden/algorithms";
  const auto scenario = ideal(golden / "fed-pne.toml");
  const auto text = describe_run(scenario, {0, 3, true});
  const auto run = make_described_run(text, nullptr);
  CHECK(run->spec().seed.value == repetition_seed(scenario.seed, 3).value);
  CHECK(run->spec().trace_messages);
  CHECK(scenario_hash(scenario) == scenario_hash(ideal(golden / "fed-pne.toml")));
  CHECK(scenario_hash(scenario) != scenario_hash(ideal(golden / "pf-pne.toml")));
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, text.size() - 1})
    CHECK_THROWS_AS(make_described_run(text.substr(0, size), nullptr), OutsideFailure);

  Diagnostics diagnostics;
  const auto external = read_scenario(parse_toml(R"(name = "e"
[[algorithm]]
kind = "random"
[population]
clients = 1
[objective]
kind = "external"
command = "touch somebody"
low = [0]
high = [1]
[budget]
evaluations_per_client = 2
)",
                                                 "e.toml",
                                                 diagnostics),
                                      "e.toml",
                                      diagnostics);
  INFO(diagnostics.text());
  REQUIRE(diagnostics.empty());
  CHECK_THROWS_WITH(make_described_run(describe_run(external, {}), nullptr),
                    has("--allow-external"));
}

}  // namespace test_nodes
