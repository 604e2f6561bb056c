// SPDX-License-Identifier: Apache-2.0
// A finished run's folder as the document that pages show: one JSON object, schema 1.
//
//   schema, source ("live" or "folder"), name, title, seed, repeat, status, fingerprint
//   objective, heterogeneity, noise   their kinds; "" where nothing is evaluated
//   budget                            evaluations per client, or pulls; null if there is none
//   metadata, scenario_toml           how and what was run
//   thresholds                        as in results.json
//   study                             the algorithms compared: the sentences and tables of
//                                     results.json; null if there is nothing to compare
//   algorithms     [{label, kind, clients, finished, not_finished, measurements, totals}]
//   message_types  names, in the order of the algorithms: the order of their colours
//   interventions  [{action, run, virtual_s, groups}]: pauses, steps, cuts and restores by a user
//   runs           one per algorithm and repetition, the first kMostRunsInDocument of them
//   runs_left_out, runs_without_details   how many exceed the limits of size
//
// A run has: id, algorithm (position in `algorithms`), repetition, state, status, report,
// now_virtual_s, evaluations (of all clients), evaluations_expected, rounds, events,
// tied_rounds (in which ties decided who counted), early_decisions (made before the evaluations
// that they rest on were done), wall_s, measurements, forecast, regret, ledger, phases (null if
// unknown), and
//   curves        by metric: columns evaluations, rounds, bytes, virtual_s, value
//   rounds_table  columns; at most kMostRoundsInDocument rows
//   nodes, hub, links   numbers of copies per link; ends are positions in `nodes`
//   above               of a hierarchy, by node: the position of the node above it
//   cut_links, cut_groups   live only: pairs whose links the user has cut, and the cut's groups
//   stopped_nodes   live only: [{node, action, groups}], those that the user has stopped
//   plane   of arms with two dimensions: low, high, partition, optima; else null
//   cells, children_per_cell, arms, answer, arm_curves (the first kMostArmCurves)
//   messages, message_nodes   the first kMostMessagesInDocument of a trace
//
// Besides the files that every run folder has, these are read if they exist:
//   links.csv          algorithm, repetition, from, to, departed, arrived, dropped
//   cells.csv          algorithm, repetition, depth, index, children, round, mean, kept (0 or 1)
//   interventions.csv  run, virtual_s, action, groups; '|' between groups, spaces between nodes:
//                      "server|client-3 client-7"
//   arms.csv, messages.csv.gz
//
// Every number is a JSON number or null. Parts that a folder does not have are empty. Details
// (rounds_table and all below it, except arms) are included run by run while the whole stays below
// kMostDocumentBytes.
#pragma once

#include <cstddef>
#include <filesystem>

#include "program/page/document_parts.hpp"

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

}  // namespace posse
