// SPDX-License-Identifier: Apache-2.0
// What pages show: one JSON object, schema 3.
//
//   schema, source ("live" or "folder"), name, title, seed, repeat, status, fingerprint
//   objective, heterogeneity, noise   their kinds; "" where nothing is evaluated
//   budget                            evaluations per client, or pulls; null if there is none
//   metadata, scenario_toml           how and what was run
//   thresholds                        as in results.json
//   study                             the algorithms compared: the sentences and tables of
//                                     results.json; null if there is nothing to compare
//   charts                            what is drawn of all runs that have details (chart.hpp), on
//                                     a live page of those that it has: regrets, communication,
//                                     arms; with ids
//   bars                              what they sent, by type of message (bars.hpp); with ids
//   algorithms     [{label, kind, clients, finished, not_finished, measurements, totals}]
//   message_types  names, in the order of the algorithms: the order of their colours
//   interventions  what a user did (live_page.hpp): [{action, run, virtual_s, amount, unit,
//   groups}] validation     of `posse validate`: [{run, quantity, simulated, measured, verdict,
//   holds}] runs           one per algorithm and repetition, the first kMostRunsInDocument of them
//   runs_left_out  how many more there are
//
// A run has: id, algorithm (position in `algorithms`), repetition, state, status, report,
// now_virtual_s, evaluations (of all clients), evaluations_expected, wall_s; from its entry in
// results.json rounds, events, tied_rounds, measurements, forecast, regret, ledger, phases,
// critical_paths, arms, plane, children_per_cell; and
//   nodes, hub, above   of small runs: names, the hub's position, by node that of the node above it
//   rounds_table, links, cells   tables; the first as round_blocks.hpp says
//   sequence                     the diagram of the run's first messages (sequence.hpp), of a live
//                                run of its latest
//   details_left_out        true if tables and diagram are left out for the document's size
//   queued_events           live only
//   cut_links, cut_groups   live only: pairs whose links the user has cut, and the cut's groups
//   stopped_nodes           live only: [{node, action, groups}], those that the user has stopped
//
// A table is an object of columns with the names of the CSV files; a column of texts is {"texts":
// different ones, "at": positions in them}. Numbers are JSON numbers, null, or "inf", "-inf" and
// "nan". What a run does not have is null, empty or not there. Details (tables
// and the diagram) are included run by run while the whole stays below kMostDocumentBytes.
#pragma once

#include <cstddef>
#include <filesystem>

#include "program/page/document_parts.hpp"
#include "program/results/execution.hpp"

namespace posse {

struct DocumentLimits {
  std::size_t runs = kMostRunsInDocument;
  std::size_t bytes = kMostDocumentBytes;  // of the document's text; details are left out first
};

/// "quickstart/20261121T062740Z-a0df6d5f", for any path to the run's folder, which need not exist.
std::string run_title(const std::filesystem::path& folder);

/// `folder` may also be one that contains `latest`. Unfinished runs are included. Throws FileError,
/// naming the file and the line or the key, for malformed content, and for a
/// missing scenario.toml, metadata.json, results.json, regret.csv or rounds.csv, which every run
/// folder has.
Json read_document(const std::filesystem::path& folder, const DocumentLimits& limits = {});

/// Of runs that have ended, without reading what their folder holds of them; `folder` may have a
/// validation.csv. Throws FileError.
Json document_of(const Scenario& scenario,
                 const Execution& execution,
                 const std::filesystem::path& folder,
                 const DocumentLimits& limits = {});

}  // namespace posse
