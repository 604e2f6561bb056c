// SPDX-License-Identifier: Apache-2.0
// A small document for the page with every part filled in, and by known numbers.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program/page/document_parts.hpp"

namespace posse::test {

inline nlohmann::json sample_measurement(const std::string& name, double value, double bound) {
  return {{"name", name},
          {"unit", ""},
          {"measured", {{"n", 2}, {"mean", value}, {"sd", 0.5}, {"min", value}, {"max", value}}},
          {"bound",
           {{"value", bound},
            {"side", "upper"},
            {"kind", "exact"},
            {"strength", "always"},
            {"vacuous", false},
            {"note", "the formula of " + name}}},
          {"exceeded_in", 0}};
}

/// A column of texts: the different ones, and positions in them.
inline nlohmann::json sample_texts(const std::vector<std::string>& column) {
  std::vector<std::string> texts;
  nlohmann::json at = nlohmann::json::array();
  for (const auto& text : column) {
    const auto found = std::find(texts.begin(), texts.end(), text);
    at.push_back(found - texts.begin());
    if (found == texts.end()) texts.push_back(text);
  }
  return {{"texts", texts}, {"at", at}};
}

/// Numbers differ by algorithm and repetition, so that a mix-up shows.
inline nlohmann::json sample_run(int algorithm, int repetition) {
  using Json = nlohmann::json;
  const double shift = 10 * algorithm + repetition;
  const std::string label = algorithm == 0 ? "one" : "two";
  return {
      {"id", "sample/" + label + "/" + std::to_string(repetition)},
      {"algorithm", algorithm},
      {"repetition", repetition},
      {"state", "over"},
      {"status", "finished"},
      {"report", ""},
      {"now_virtual_s", 4 + shift},
      {"evaluations", 24},
      {"evaluations_expected", 24},
      {"rounds", 2},
      {"events", 99},
      {"queued_events", 0},
      {"wall_s", 0.001},
      {"measurements", Json::array()},
      {"forecast", {{"evaluations", 24}, {"rounds", 2}, {"messages", 4}, {"payload_bytes", 250}}},
      {"regret",
       {{"cumulative_regret", 3.5 + shift},
        {"local_cumulative_regret", 7 + shift},
        {"simple_regret", 0.35 + shift},
        {"local_simple_regret", 0.7 + shift},
        {"recommendation", {2.5, 0.75}}}},
      {"ledger",
       {{{"type", "Plan"},
         {"direction", "down"},
         {"sent", 3},
         {"retransmitted", 1},
         {"duplicated", 0},
         {"delivered", 3},
         {"discarded", 0},
         {"dropped", {{"loss", 1}, {"queue", 0}, {"partition", 0}, {"crash", 0}}},
         {"in_flight", 0},
         {"values", 12},
         {"bytes", 120},
         {"header_bytes", 24},
         {"wire_bytes", 160}}}},
      {"phases",
       {{"sum_compute_virtual_s", 1},
        {"sum_queueing_virtual_s", 0},
        {"sum_transfer_virtual_s", 0.5},
        {"sum_propagation_virtual_s", 0.25},
        {"sum_waiting_virtual_s", 2}}},
      {"rounds_table",
       {{"round", {1, 2}},
        {"began_virtual_s", {0, 2}},
        {"ended_virtual_s", {2, 4}},
        {"messages", {2, 2}},
        {"bytes", {100, 150}},
        {"values", {4, 8}},
        {"bytes_so_far", {100, 250}},
        {"active_cells", {2, 3}},
        {"sum_compute_virtual_s", {0.5, 0.5}},
        {"sum_queueing_virtual_s", {0, 0}},
        {"sum_transfer_virtual_s", {0.25, 0.25}},
        {"sum_propagation_virtual_s", {0.125, 0.125}},
        {"sum_waiting_virtual_s", {1, 1}},
        {"arrived", {2, 1}},
        {"expected", {2, 2}},
        {"late", sample_texts({"", "client-1"})}}},
      {"nodes", {"server", "client-0", "client-1"}},
      {"hub", 0},
      {"links",
       {{"from", sample_texts({"server", "server", "client-0"})},
        {"to", sample_texts({"client-0", "client-1", "server"})},
        {"departed", {3, 4, 5}},
        {"arrived", {3, 3, 5}},
        {"dropped", {0, 1, 0}}}},
      {"cut_links", {{0, 2}}},
      {"arms",
       {{"direction", "minimize"},
        {"answer", "f1"},
        {"arms",
         {{{"name", "f1"},
           {"optimum", 0.5},
           {"pulls", 7},
           {"best", 0.75},
           {"last", 0.8},
           {"bound", 1.5}},
          {{"name", "f2"},
           {"optimum", nullptr},
           {"pulls", 3},
           {"best", 2},
           {"last", 2.5},
           {"bound", 4}}}}}},
      {"cells",
       {{"depth", {1, 1, 2, 2}},
        {"index", {1, 2, 1, 2}},
        {"round", {1, 1, 2, 2}},
        {"mean", {0.5, 0.25, 0.5, 0.75}},
        {"kept", {true, false, true, true}},
        {"low_1", {0, 5, 0, 0}},
        {"high_1", {5, 10, 5, 5}},
        {"low_2", {-1, -1, -1, 0}},
        {"high_2", {1, 1, 0, 1}}}},
      {"children_per_cell", 2},
      {"plane",
       {{"low", {0, -1}}, {"high", {10, 1}}, {"partition", "cyclic"}, {"optima", {{2.5, 0.5}}}}},
      {"sequence",
       {{"from_virtual_s", 0},
        {"until_virtual_s", 1.5},
        {"nodes", 3},
        {"lanes", {"server", "client-0", "client-1"}},
        {"arrows",
         {{"type", sample_texts({"Plan", "Plan", "Means"})},
          {"round", {1, 1, 1}},
          {"from", {0, 0, 1}},
          {"to", {1, 2, 0}},
          {"bytes", {60, 60, 40}},
          {"sent_virtual_s", {0, 0, 1}},
          {"arrived_virtual_s", {0.5, nullptr, 1.5}},
          {"outcome", sample_texts({"delivered", "dropped", "delivered"})},
          {"cause", sample_texts({"", "loss", ""})},
          {"repeated", {false, false, false}}}},
        {"rounds", {{"round", {1}}, {"began_virtual_s", {0}}, {"ended_virtual_s", {1.5}}}},
        {"curves", {{{"name", "cumulative regret"}, {"x", {0, 1}}, {"y", {1, 2}}}}}}}};
}

/// Two repetitions of the algorithm "one", and one of "two".
inline RunData sample_run_data() {
  RunData data;
  data.name = "sample";
  data.arms = {"f1"};
  for (const int algorithm : {0, 1}) {
    auto& of = data.algorithms.emplace_back();
    of.label = algorithm == 0 ? "one" : "two";
    of.clients = 3;
    for (int number = 0; number < 2 - algorithm; ++number) {
      const double shift = 10 * algorithm + number;
      RepetitionData run;
      run.repetition = static_cast<std::uint32_t>(number);
      run.status = "finished";
      run.evaluations_per_client = 8;
      for (const auto& [metric, scale] : {std::pair("cumulative_regret", 1.0),
                                          {"local_cumulative_regret", 2.0},
                                          {"simple_regret", 0.1},
                                          {"local_simple_regret", 0.2}}) {
        run.curves[metric] = {{1, 0, 0, 0.5, scale},
                              {2, 1, 100 + shift, 1.25, 2 * scale + shift},
                              {4, 1, 100 + shift, 2.5, 3 * scale + shift},
                              {8, 2, 250 + shift, 4 + shift, 3.5 * scale + shift}};
        run.finals[metric] = 3.5 * scale + shift;
      }
      run.finals["payload_bytes"] = 250 + shift;
      run.finals["rounds"] = 2;
      run.rounds = {{1, 2, 100 + shift, 4}, {2, 4, 250 + shift, 12}};
      run.values = 12;
      LedgerRow plan{.type = "Plan", .direction = "down", .sent = 3, .retransmitted = 1};
      plan.delivered = 3;
      plan.lost = 1;
      plan.values = 12;
      plan.bytes = 120;
      plan.header_bytes = 24;
      plan.wire_bytes = 160;
      run.ledger.push_back(plan);
      run.arms["f1"] = {{1, 1, 1, 9}, {7, 10, 0.8, 1.5}};
      if (algorithm == 0)
        run.bounds.push_back(
            {"cumulative regret", "exact", "always", false, 5, 3.5 + shift, false});
      of.repetitions.push_back(std::move(run));
    }
  }
  return data;
}

inline nlohmann::json sample_document() {
  using Json = nlohmann::json;
  Json algorithms = Json::array();
  for (const auto* label : {"one", "two"})
    algorithms.push_back(
        {{"label", label},
         {"kind", "fed-pne"},
         {"clients", 3},
         {"finished", 2},
         {"not_finished", 0},
         {"measurements",
          {sample_measurement("rounds", 2, 3), sample_measurement("cumulative regret", 4, 5)}},
         {"totals", Json::array()}});
  Json document{
      {"source", "folder"},
      {"name", "sample"},
      {"title", "runs/sample/20260102T030405Z-0123abcd"},
      {"seed", 7},
      {"repeat", 2},
      {"status", "finished"},
      {"fingerprint", "0123456789abcdef"},
      {"objective", "garland"},
      {"heterogeneity", "shift"},
      {"noise", "uniform"},
      {"budget", 8},
      {"metadata",
       {{"version", "0.1.0"},
        {"commit", "abc"},
        {"start", "2026-01-02T03:04:05Z"},
        {"end", "2026-01-02T03:04:06Z"},
        {"wall_s", 0.5},
        {"command_line", {"posse", "run"}},
        {"threads", 2},
        {"kernel", "actors"},
        {"exit_code", 0}}},
      {"scenario_toml", "name = \"sample\"\n"},
      {"thresholds", {{{"measure", "rounds"}, {"condition", "max <= 3"}, {"verdict", "held"}}}},
      {"algorithms", algorithms},
      {"message_types", {"Plan", "Means"}},
      {"study",
       {{"title", "sample: 2 algorithms, 2 repetitions, paired by seed"},
        {"headline", {"one is best on rounds."}},
        {"warnings", {"only 2 repetitions"}},
        {"legend", "±: half an interval"},
        {"tables", {{{"", "one", "two"}, {"rounds", "1", "2"}}}}}},
      {"interventions",
       {{{"action", "cut"},
         {"run", "sample/one/0"},
         {"virtual_s", 1.25},
         {"groups", {{"server"}, {"client-1"}}}}}},
      {"runs", {sample_run(0, 0), sample_run(0, 1), sample_run(1, 0)}}};
  document.update(drawn_json(sample_run_data()));
  return document;
}

}  // namespace posse::test
