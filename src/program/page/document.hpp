// A finished run's folder as the document that pages show: one JSON object, schema 1.
//
//   schema, source ("live" or "folder"), name, title, seed, repeat, status, fingerprint
//   objective, heterogeneity, noise   their kinds; "" where nothing is evaluated
//   budget                            evaluations per client, or pulls; null if there is none
//   metadata, scenario_toml           how and what was run
//   thresholds, comparisons           as in results.json
//   algorithms     [{label, kind, clients, finished, not_finished, measurements, totals}]
//   interventions  [{action, run, virtual_s, groups}]: what was done from outside
//   runs           one per algorithm and repetition, the first kMostRunsInDocument of them
//   runs_left_out, runs_without_details   what there was no room for
//
// A run has: id, algorithm (position in `algorithms`), repetition, state, status, report,
// now_virtual_s, evaluations (of all clients), evaluations_expected, rounds, events, wall_s,
// measurements, forecast, regret, ledger, phases (null if unknown), and
//   curves        by metric: columns evaluations, rounds, bytes, virtual_s, value
//   rounds_table  columns; at most kMostRoundsInDocument rows
//   nodes, hub, links   who sent how many copies to whom; by positions in `nodes`
//   cut_links, cut_groups   while it goes on: pairs that are cut by hand, and the groups of the cut
//   cells, children_per_cell, arms, answer, arm_curves
//   messages, message_nodes   the first kMostMessagesInDocument of a trace
//
// Besides the files that every run folder has, these are read where they are:
//   links.csv          algorithm, repetition, from, to, departed, arrived, dropped
//   cells.csv          algorithm, repetition, depth, index, children, round, mean, kept (0 or 1)
//   interventions.csv  run, virtual_s, action, groups; '|' between groups, spaces between nodes:
//                      "server|client-3 client-7"
//   arms.csv, messages.csv.gz
//
// Every number is a JSON number or null. What a folder doesn't have is empty. The details (rounds
// and all below, but arms) are given run by run as long as the whole stays below
// kMostDocumentBytes.
#pragma once

#include <cstddef>
#include <filesystem>

#include "program/page/document_parts.hpp"

namespace posse {

struct DocumentLimits {
  std::size_t runs = kMostRunsInDocument;
  std::size_t bytes = kMostDocumentBytes;  // of the document's text; details give way
};

/// `folder` may also be one that has `latest` in it. Runs that didn't finish are there too. Throws
/// FileError, naming the file, and the line or the key, for whatever is malformed, and for a
/// missing scenario.toml, metadata.json, results.json, regret.csv or rounds.csv, which every run
/// folder has.
Json read_document(const std::filesystem::path& folder, const DocumentLimits& limits = {});

}  // namespace posse
