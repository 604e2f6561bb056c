// SPDX-License-Identifier: Apache-2.0
// `posse describe network`: every key that a scenario may have is described.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/network/wire.hpp"
#include "program/cli/help_pages.hpp"
#include "program/cli/section_pages.hpp"
#include "program/metrics/definitions.hpp"
#include "program/scenario/fault_reader.hpp"
#include "program/scenario/key_tables.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_section_pages {
namespace {

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

constexpr auto kEcho = R"([[algorithm]]
kind = "echo"
[population]
clients = 3
)";
constexpr auto kFedPne =
    R"([[algorithm]]
kind = "fed-pne"
[population]
clients = 5
bogus = 1
[objective]
kind = "garland"
[budget]
evaluations_per_client = 100
bogus = 1
)";
constexpr auto kArms =
    R"([[algorithm]]
kind = "f-lcb"
[[arm]]
kind = "smooth"
[budget]
pulls = 9
bogus = 1
)";

/// The keys that the reader knows where a key is unknown, by path of the table without numbers.
void add_known(const std::string& text, std::map<std::string, std::set<std::string>>& known) {
  Diagnostics diagnostics;
  test::read_text(text, diagnostics);
  for (const auto& each : diagnostics.all()) {
    if (each.problem != "unknown key") continue;
    auto table = std::regex_replace(each.key, std::regex("\\.[0-9]+"), "");
    table.erase(table.rfind('.'));
    std::istringstream names(std::regex_replace(each.allowed, std::regex(","), " "));
    for (std::string name; names >> name;) known[table].insert(name);
  }
}

}  // namespace

TEST_CASE("every key that the reader accepts is described, and no other") {
  std::map<std::string, std::set<std::string>> known;
  const std::string rest =
      R"([network]
bogus = 1
transport = "reliable"
retransmission = { bogus = 1 }
[[network.link]]
bogus = 1
[[network.node]]
bogus = 1
[[network.drop]]
bogus = 1
[compute]
bogus = 1
[[compute.stragglers]]
bogus = 1
[[compute.service]]
bogus = 1
[server]
bogus = 1
[limits]
bogus = 1
[[fault]]
bogus = 1
)";
  add_known(kFedPne + rest, known);
  add_known(kArms, known);
  for (const auto& kind : fault_kinds())
    for (const auto* times : {"at = \"1 s\"\n", "mean_between = \"1 s\"\n"})
      add_known(kFedPne + (R"([[fault]]
bogus = 1
algorithm = "fed-pne"
)" + std::string(times)) +
                    "kind = \"" + std::string(kind.name) + "\"\n",
                known);
  for (const auto* how : {"constant", "noise"})
    add_known(kFedPne + ("[[fault]]\nbogus = 1\nkind = \"corrupt\"\nat = \"1 s\"\nhow = \"" +
                         std::string(how) + "\"\n"),
              known);
  std::set<std::string> accepted, described;
  const std::set<std::string> sections{"network",
                                       "network.link",
                                       "network.node",
                                       "network.drop",
                                       "compute",
                                       "server",
                                       "fault",
                                       "limits",
                                       "population",
                                       "budget"};
  for (const auto& [table, names] : known)
    for (const auto& name : names) accepted.insert(table + "." + name);
  // These are tables with keys of their own.
  for (const auto* table :
       {"network.link", "network.node", "network.drop", "compute.stragglers", "compute.service"})
    CHECK(accepted.erase(table) == 1);
  for (const auto& section : scenario_sections()) {
    const std::string path(section.path);
    if (!sections.contains(path) && !sections.contains(path.substr(0, path.find('.')))) continue;
    for (const auto& row : key_rows(section))
      for (const auto name : row.names) described.insert(path + "." + std::string(name));
  }
  CHECK(accepted == described);
}

TEST_CASE("a section is described with its key's meaning, values and default, a line each") {
  const auto network = describe_page("network").value();
  CHECK_THAT(network, has("[network] (section of a scenario)\n"));
  CHECK_THAT(network, has("Latency is one way: a round trip takes two."));
  CHECK_THAT(
      network,
      has("\n    duplication      probability that the network duplicates a transmission; 0 to "
          "1; default: 0.0\n"));
  CHECK_THAT(network, has("time without an acknowledgement before the first retransmission"));
  CHECK_THAT(network, has("[[network.link]] (section of a scenario)\n"));
  CHECK_THAT(network, has("| tcp | 0 | 40 |"));
  CHECK_THAT(network, has("RFC 9293"));
  CHECK_THAT(describe_page("fault").value(), has("| partition | messages that a node"));
  CHECK_THAT(describe_page("server").value(), has("deadline"));
  CHECK_FALSE(describe_page("networks"));
  const auto list = list_page("sections");
  for (const auto& section : scenario_sections()) {
    if (section.path.empty() || section.path == "sweep.*") continue;
    INFO(section.path);
    CHECK_FALSE(section.summary.empty());
    CHECK_THAT(list, has(std::string(section.path)));
    CHECK_THAT(list, has(without_markup(section.summary)));
    const auto text = describe_page(std::string(section.path)).value();
    CHECK_THAT(text, has(std::string(section.path)));
    CHECK(text.find("](") == std::string::npos);
    CHECK(text.find('`') == std::string::npos);
    for (const auto& row : key_rows(section))
      for (const auto name : row.names) CHECK_THAT(text, has(std::string(name)));
  }
}

TEST_CASE("a key is described with its default, also where its section's type says it") {
  CHECK_THAT(describe_page("network.retransmission.backoff").value(), has("\n  default: 2.0\n"));
  CHECK_THAT(describe_page("network.transport").value(), has("\n  default: \"datagram\"\n"));
  CHECK_THAT(describe_page("network.latency").value(), has("\n  default: \"0 s\"\n"));
  CHECK_THAT(describe_page("server.quorum").value(), has("\n  must be given with quorum"));
}

TEST_CASE("kinds of faults and metrics are listed and described") {
  const auto faults = list_page("faults"), section = describe_page("fault").value();
  for (const auto& kind : fault_kinds()) {
    INFO(kind.name);
    CHECK_THAT(faults, has(std::string(kind.name) + " "));
    CHECK_THAT(section, has("| " + std::string(kind.name) + " |"));
    CHECK_THAT(describe_page(std::string(kind.name)).value(), has(std::string(kind.summary)));
  }
  const auto metrics = list_page("metrics");
  for (const auto& metric : metric_definitions()) {
    INFO(metric.name);
    CHECK_THAT(metrics, has(std::string(metric.name) + " "));
  }
  CHECK_THAT(describe_page("posse_messages_sent_total").value(),
             has("\n  type: counter\n  labels: run, type, direction\n"));
  CHECK_THAT(describe_page("posse_runs_active").value(), has("  labels: none\n"));
}

TEST_CASE("the described bytes of wire formats are those that are counted") {
  const auto network = describe_page("network").value();
  for (const Wire wire : kWires) {
    const auto& format = wire_format(wire);
    const std::regex row("\n +\\| " + std::string(format.name) +
                         " \\| ([0-9]+) \\| ([0-9]+) \\| ([0-9]+) \\| ([0-9]+) \\| ([0-9]+) \\| "
                         "([0-9]+) \\|\n");
    std::smatch cells;
    REQUIRE(std::regex_search(network, cells, row));
    const auto number = [&](std::size_t i) { return std::stoull(cells[i]); };
    CHECK(number(1) == format.size_bytes(1) - 1 - format.segment_header);
    CHECK(number(2) == format.segment_header);
    CHECK(number(3) == format.largest_segment);
    CHECK(number(4) == format.acknowledgement);
    CHECK(number(5) == format.opening);
    CHECK(number(6) == format.accepting);
  }
}

}  // namespace posse::test_section_pages
