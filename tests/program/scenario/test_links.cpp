// SPDX-License-Identifier: Apache-2.0
// Links in scenarios: traces over virtual time and wire formats, read, refused and written again.
#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "program/scenario/latency_files.hpp"
#include "program/scenario/network_reader.hpp"
#include "program/scenario/scenario.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_links {
namespace {

using test::errors_in, test::read_text, test::read_valid;

constexpr auto kEcho = R"([[algorithm]]
kind = "echo"
[population]
clients = 3
)";

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

std::string with(const std::string& network) {
  return std::string(kEcho) + "[network]\n" + network + "\n";
}

/// A folder with traces, in which scenarios lie.
struct Traces {
  Traces() {
    folder.write("ping.csv", "virtual_s,latency_ms\n0,20\n0.5,35\n");
    folder.write("day.csv", "virtual_s,factor\n0,1\n1,4\n");
    folder.write("rate.csv", "virtual_s,bits_per_second\n0,1e6\n1,0\n2,8000\n");
  }
  Scenario read(const std::string& text, Diagnostics& diagnostics) const {
    return read_text(text, diagnostics, {}, (folder / "test.toml").string());
  }
  Scenario valid(const std::string& network) const {
    Diagnostics diagnostics;
    auto scenario = read(with(network), diagnostics);
    INFO(diagnostics.text());
    REQUIRE(diagnostics.empty());
    return scenario;
  }
  std::string errors(const std::string& network) const {
    Diagnostics diagnostics;
    read(with(network), diagnostics);
    return diagnostics.text();
  }
  test::Folder folder;
};

}  // namespace

TEST_CASE("traces of latencies, factors and rates are read for links and nodes") {
  const Traces traces;
  const auto scenario = traces.valid(
      "latency = { kind = \"trace\", file = \"ping.csv\", period = \"1 s\" }\n"
      "latency_factor = { file = \"day.csv\" }\n"
      "rate = { file = \"rate.csv\", period = \"1 min\" }\nqueue = \"2 kB\"\n"
      "[[network.link]]\nfrom = \"client-1\"\nlatency_factor = { file = \"day.csv\" }\n"
      "[[network.node]]\nnodes = \"server\"\nqueue = \"3 kB\"\n"
      "rate_up = { file = \"rate.csv\" }\nrate_down = \"1 Mbit/s\"");
  const auto network = test::first_network(scenario);
  const auto& all = network.links[0];
  const auto& latency = *std::get<TraceDuration>(*all.latency).trace;
  CHECK(latency.at(Time{1'600'000'000}) == Duration{35'000'000});
  CHECK(all.latency_factor->factors.at(Time{2'000'000'000}) == 4);
  CHECK(all.rate->queue_bytes == 2000);
  CHECK(all.rate->trace->end_of_transfer(Time{59'900'000'000}, 1000) == Time{60'007'200'000});
  CHECK(network.links[1].latency_factor);
  CHECK_FALSE(network.links[1].latency);
  CHECK(network.nodes[0].rate_up->trace);
  CHECK(network.nodes[0].rate_up->queue_bytes == 3000);
  CHECK(network.nodes[0].rate_down->bits_per_second == 1e6);
}

TEST_CASE("a scenario with traces reads back as itself beside its inputs") {
  const Traces traces;
  const auto scenario = traces.valid(
      "latency = { kind = \"trace\", file = \"ping.csv\" }\n"
      "latency_factor = { file = \"day.csv\", period = \"24 h\" }\n"
      "rate = { file = \"rate.csv\", period = \"1 min\" }\nqueue = \"2 kB\"\n"
      "[[network.node]]\nnodes = \"server\"\nrate_up = { file = \"rate.csv\" }");
  const auto resolved = to_toml(scenario);
  INFO(resolved);
  CHECK_THAT(resolved,
             has("latency_factor = { file = \"inputs/1-day.csv\", period = \"86400 s\" }"));
  std::filesystem::create_directory(traces.folder / "inputs");
  for (const auto& file : scenario.inputs.files()) traces.folder.write(file.stored, *file.content);
  Diagnostics diagnostics;
  const auto again = traces.read(resolved, diagnostics);
  CHECK(diagnostics.text() == "");
  CHECK(to_toml(again) == resolved);
  CHECK(
      std::get<TraceDuration>(*test::first_network(again).links[0].latency).trace->steps().size() ==
      2);
  CHECK(again.network.nodes[0].rule.rate_up->trace->steps().steps().size() == 3);
}

TEST_CASE("a scenario may hold its input files itself") {
  const Traces traces;
  const std::string latency = "latency = { kind = \"trace\", file = \"own.csv\" }\n";
  const auto scenario = traces.valid(latency + R"([inputs]
"own.csv" = "virtual_s,latency_ms\n0,30\n"
)");
  CHECK(
      std::get<TraceDuration>(*test::first_network(scenario).links[0].latency).trace->at(Time{}) ==
      Duration{30'000'000});
  REQUIRE(scenario.inputs.files().size() == 1);
  CHECK(scenario.inputs.files()[0].stored == "inputs/0-own.csv");
  CHECK(*scenario.inputs.files()[0].content == "virtual_s,latency_ms\n0,30\n");
  // It comes before a file with this name.
  CHECK_THAT(traces.errors(R"(latency = { kind = "trace", file = "ping.csv" }
[inputs]
"ping.csv" = ""
)"),
             has("network.latency.file: the file is empty"));
  CHECK_THAT(traces.errors(R"(latency = "1 ms"
[inputs]
"own.csv" = ""
)"),
             has("inputs.own.csv: has no effect: no key names this file"));
  CHECK_THAT(traces.errors(latency + R"([inputs]
"own.csv" = 3
)"),
             has("inputs.own.csv: is not a string"));
  CHECK_THAT(traces.errors(latency + "[[inputs]]\n"), has("inputs: is not a table"));
}

TEST_CASE("a file that is not a trace is refused with its line") {
  for (const auto& [content, problem] :
       {std::pair{"latency_ms\n1\n", "line 1: the columns must be virtual_s,latency_ms"},
        {"s,latency_ms\n0,1\n", "line 1: the columns must be virtual_s,latency_ms"},
        {"virtual_s,latency\n0,1\n", "none of latency_s"},
        {"virtual_s,latency_ms\n", "no data rows"},
        {"virtual_s,latency_ms\n1,1\n", "line 2: the first time is 1, but a trace begins at 0"},
        {"virtual_s,latency_ms\n0,1\n2,1\n2,1\n", "line 4: the time 2 is not after"},
        {"virtual_s,latency_ms\n0,1\nx,1\n", "line 3: 'x' is not a time"},
        {"virtual_s,latency_ms\n-1,1\n", "line 2: '-1' is not a time"},
        {"virtual_s,latency_ms\n0,-1\n", "line 2: '-1' is not a latency"},
        {"virtual_s,latency_ms\n0,nan\n", "line 2: 'nan' is not a latency"},
        {"virtual_s,latency_ms\n0\n", "line 2"}}) {
    INFO(content);
    CHECK_THROWS_WITH(parse_latency_trace(content, {}), has(problem));
  }
  CHECK_THROWS_WITH(parse_factor_trace("virtual_s,factor\n0,0\n", {}), has("'0' is not a factor"));
  CHECK_THROWS_WITH(parse_factor_trace("virtual_s,latency_ms\n0,1\n", {}),
                    has("the columns must be virtual_s,factor"));
  const std::string rate = "virtual_s,bits_per_second\n";
  for (const auto& [content, problem] :
       {std::pair{"0,-1\n", "'-1' is not a rate"},
        {"0,1.5\n", "'1.5' is not a rate (a whole number of bits per second"},
        {"0,1e16\n", "is not a rate"},
        {"0,inf\n", "is not a rate"},
        {"0,5\n1,0\n", "the last rate is 0: the line would stand still for ever"}})
    CHECK_THROWS_WITH(parse_rate_trace(rate + content, {}), has(problem));
  CHECK_THROWS_WITH(parse_rate_trace(rate + "0,0\n1,0\n", Duration::seconds(2)),
                    has("the rate is 0 throughout the period"));
  CHECK(parse_rate_trace(rate + "0,5\n1,0\n", Duration::seconds(2)).steps().size() == 2);
}

TEST_CASE("mistakes in a trace are reported with the key") {
  const Traces traces;
  CHECK_THAT(traces.errors("latency = { kind = \"trace\", file = \"no.csv\" }"),
             has("network.latency.file: there is no file"));
  CHECK_THAT(traces.errors("latency = { kind = \"trace\", file = \"day.csv\" }"),
             has("network.latency.file: line 1: the column 'factor' is none of"));
  CHECK_THAT(traces.errors("latency_factor = { file = \"day.csv\", period = \"0.5 s\" }"),
             has("network.latency_factor.period: line 3: the time 1 is after the period of 0.5 s"));
  CHECK_THAT(traces.errors("latency = { kind = \"trace\", file = \"ping.csv\", period = \"0 s\" }"),
             has("network.latency.period: is out of range"));
  CHECK_THAT(traces.errors("latency_factor = 2"), has("network.latency_factor: is not a table"));
  CHECK_THAT(traces.errors("rate = { period = \"1 s\" }"), has("network.rate.file: is missing"));
  CHECK_THAT(traces.errors("rate = { file = \"rate.csv\", queue = \"1 kB\" }"),
             has("network.rate.queue: unknown key"));
  CHECK_THAT(
      traces.errors("[[network.node]]\nnodes = \"server\"\nrate_up = { file = \"day.csv\" }"),
      has("network.node.0.rate_up.file: line 1: the columns must be virtual_s,bits"));
  CHECK_THAT(traces.errors("[compute]\nevaluation = { kind = \"trace\", file = \"ping.csv\" }"),
             has("compute.evaluation.kind: is unknown"));
}

TEST_CASE("the resolved scenario says that latency is one way") {
  const auto resolved = to_toml(read_valid(with("latency = \"50 ms\"\ntransport = \"reliable\"")));
  CHECK_THAT(resolved, has("[network]\n# latency is one way: a round trip takes two\nlatency = "));
  CHECK_THAT(resolved, has("\nretransmission = { timeout = \"derived\", backoff = 2"));
  CHECK(to_toml(read_valid(resolved)) == resolved);
}

TEST_CASE("a wire format must suit the transport and replaces header_bytes") {
  CHECK(test::first_network(read_valid(with("wire = \"udp\""))).wire == Wire::udp);
  for (const std::string wire : {"tcp", "quic", "grpc"}) {
    const auto text = with("transport = \"reliable\"\nwire = \"" + wire + "\"");
    const auto scenario = read_valid(text);
    CHECK(test::first_network(scenario).wire);
    const auto resolved = to_toml(scenario);
    CHECK_THAT(resolved, has("\nwire = \"" + wire + "\"\n"));
    CHECK(resolved.find("header_bytes") == std::string::npos);
    CHECK(to_toml(read_valid(resolved)) == resolved);
    CHECK_THAT(errors_in(with("wire = \"" + wire + "\"")),
               has("network.wire: doesn't go with transport = \"datagram\"") &&
                   has("allowed: udp; or transport = \"reliable\""));
  }
  CHECK_THAT(errors_in(with("transport = \"reliable\"\nwire = \"udp\"")),
             has("allowed: tcp, quic, grpc; or transport = \"datagram\""));
  CHECK_THAT(errors_in(with("wire = \"upd\"")), has("did you mean 'udp'?"));
  CHECK_THAT(errors_in(with("wire = \"udp\"\nheader_bytes = \"0 B\"")),
             has("network.header_bytes: does nothing: wire = \"udp\" has its own headers"));
}

TEST_CASE("the order of equal times is read, refused and written again") {
  CHECK(test::first_network(read_valid(with("loss = 0"))).ties == Ties{});
  const std::pair<std::string, Ties> all[] = {{"\"source\"", {Ties::Rule::source}},
                                              {"\"reversed\"", {Ties::Rule::reversed}},
                                              {"0", {Ties::Rule::keyed, 0}},
                                              {"17", {Ties::Rule::keyed, 17}}};
  for (const auto& [text, ties] : all) {
    const auto scenario = read_valid(with("ties = " + text));
    CHECK(test::first_network(scenario).ties == ties);
    const auto resolved = to_toml(scenario);
    CHECK_THAT(resolved, has("\nties = " + text + "\n"));
    CHECK(to_toml(read_valid(resolved)) == resolved);
  }
  // What is usual is not written: the keys of stored runs stay.
  CHECK(to_toml(read_valid(with("ties = \"fair\""))) == to_toml(read_valid(with(""))));
  CHECK_THAT(errors_in(with("ties = \"revers\"")),
             has("network.ties: is unknown") && has("did you mean 'reversed'?") &&
                 has("fair, source, reversed; a whole number of at least 0"));
  CHECK_THAT(errors_in(with("ties = -1")), has("network.ties: is below 0"));
  CHECK_THAT(errors_in(with("ties = 1.5")),
             has("network.ties: is neither a string nor a whole number"));
}

}  // namespace posse::test_links
