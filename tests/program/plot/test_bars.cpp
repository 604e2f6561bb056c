// SPDX-License-Identifier: Apache-2.0
// What was sent, as bars: of runs put together by hand.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "program/plot/bars.hpp"
#include "tests/support/xml.hpp"

namespace posse::test_bars {
namespace {

LedgerRow account(const std::string& type, const std::string& direction, double sent) {
  LedgerRow row{.type = type, .direction = direction, .sent = sent};
  row.retransmitted = 1;
  row.delivered = sent;
  row.lost = 1;
  row.values = 4 * sent;
  row.bytes = 40 * sent;
  row.header_bytes = 8 * sent;
  row.wire_bytes = 40 * (sent + 1);
  return row;
}

RepetitionData run_with(std::vector<LedgerRow> ledger, const std::string& status = "finished") {
  RepetitionData run;
  run.status = status;
  run.ledger = std::move(ledger);
  return run;
}

/// Two algorithms: one sends plans, means and acknowledgements, the other means.
RunData two_algorithms() {
  RunData run;
  run.name = "by-hand";
  run.algorithms.resize(2);
  run.algorithms[0].label = "one";
  run.algorithms[0].kind = "fed-pne";
  run.algorithms[0].repetitions = {
      run_with({account("PhasePlan", "down", 10), account("Ack", "up", 10)}),
      run_with({account("PhasePlan", "down", 20), account("Ack", "up", 10)})};
  run.algorithms[0].unfinished = {run_with({account("PhasePlan", "down", 1000)}, "stalled")};
  run.algorithms[1].label = "two";
  run.algorithms[1].unfinished = {run_with({account("Other", "peer", 5)}, "running")};
  return run;
}

Bars bars_of(const std::string& kind) { return std::get<Bars>(make_bars(two_algorithms(), kind)); }

}  // namespace

TEST_CASE("bars are means over the finished runs, or what the others have sent so far") {
  const Bars bars = bars_of("messages-by-type");
  REQUIRE(bars.bars.size() == 3);
  CHECK(bars.bars[0].label == "one · PhasePlan ↓");
  CHECK(bars.bars[1].label == "one · Ack ↑");
  CHECK(bars.bars[2].label == "two · Other ↔");
  CHECK(bars.bars[2].algorithm == 1);
  CHECK(bars.parts[0].values == std::vector<double>{15, 10, 5});
  CHECK(bars.parts[1].values == std::vector<double>{1, 1, 1});
}

TEST_CASE("the parts of the bytes add up to those on the wire, and acknowledgements are headers") {
  const Bars bars = bars_of("bytes-by-type");
  CHECK(bars.parts[0].values == std::vector<double>{32 * 15, 0, 32 * 5});
  CHECK(bars.parts[1].values == std::vector<double>{8 * 15, 40 * 10, 8 * 5});
  CHECK(bars.parts[2].values == std::vector<double>{40, 40, 40});
}

TEST_CASE("every copy has a fate, and dropped ones are marked as such") {
  const Bars bars = bars_of("fates-by-type");
  CHECK(bars.parts[0].values == std::vector<double>{15, 10, 5});
  for (const auto& part : bars.parts) {
    INFO(part.label);
    const bool lost = part.label == "lost";
    CHECK((part.values == std::vector<double>{1, 1, 1}) == lost);
    CHECK(part.dropped == (lost || part.label.starts_with("dropped")));
  }
}

TEST_CASE("message types have colours of their own, acknowledgements none") {
  const Bars bars = bars_of("values-by-type");
  CHECK(bars.bars[0].style == 0);
  CHECK_FALSE(bars.bars[1].style);
  CHECK(bars.bars[2].style == 1);
  const auto json = bars_json(bars);
  CHECK(json["bars"][1]["style"].is_null());
  CHECK(json["parts"][0]["values"] == nlohmann::json({60, 40, 20}));
}

TEST_CASE("bars are drawn as rectangles, and written as a table") {
  const Bars bars = bars_of("messages-by-type");
  const auto svg = to_svg(bars);
  CHECK(xml_problem(svg).empty());
  std::size_t solid = 0;
  for (const auto& opacity : xml_attributes(svg, "rect", "fill-opacity")) solid += opacity == "1";
  CHECK(solid == 4);  // three bars and the legend
  CHECK(to_csv(bars) ==
        "bar,type,direction,messages,retransmissions,duplicates made by the network\n"
        "one · PhasePlan ↓,PhasePlan,down,15,1,0\none · Ack ↑,Ack,up,10,1,0\n"
        "two · Other ↔,Other,peer,5,1,0\n");
  CHECK(std::get<std::string>(make_bars(RunData{}, "bytes-by-type")) ==
        "needs runs that send messages");
}

}  // namespace posse::test_bars
