// SPDX-License-Identifier: Apache-2.0
// What one process of a run reports to the one that keeps the accounts: what its nodes have done
// since its report before.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/network/ledger.hpp"
#include "core/role/observation_record.hpp"
#include "core/role/role.hpp"
#include "core/sim/message_record.hpp"
#include "core/sim/message_types.hpp"
#include "core/sim/node_state.hpp"
#include "core/sim/service_sample.hpp"
#include "core/sim/work_record.hpp"
#include "core/sim/world.hpp"

namespace posse {

/// The state of a node; not since the report before, but now.
struct NodeReport {
  NodeId node;
  NodeProgress progress;
  bool busy = false;               // it has something left to do, or waits for something
  std::optional<Waiting> waiting;  // for what; only in a last report
};

/// Copies of one type on one link.
struct LinkReport {
  std::uint32_t link = 0;
  std::uint16_t type = 0;
  LinkLedger::Copies copies;
  std::uint64_t wire_bytes = 0;
};

/// A copy that came from another process, as its sender accounts for it: in case that the sender is
/// lost before it can.
struct Crossing {
  NodeId from, to;
  std::uint16_t type = 0;
  std::uint32_t sequence = 0;  // number of the transmission on the link
  Round round;
  std::uint64_t bytes = 0, header_bytes = 0, values = 0;
};

struct ProcessReport {
  std::uint64_t number = 0;  // of the report, from 1
  Ledger ledger;
  std::uint64_t events = 0, deliveries = 0, ties = 0, evaluations = 0;
  std::uint64_t early_decisions = 0;
  std::uint32_t finished = 0;
  Time finished_at, last_event;
  std::vector<ObservationRecord> observations;
  std::vector<MessageRecord> messages;
  std::vector<WorkRecord> work;
  std::vector<FaultRecord> faults;
  FaultCounts fault_counts;  // of nodes
  std::vector<LostMessage> lost;
  std::string failure;  // of a role: which node and why; empty: none
  bool failed_outside = false;
  std::vector<NodeReport> nodes;
  std::vector<LinkReport> links;
  std::vector<Crossing> came;          // from other members
  std::vector<ServiceSample> service;  // of the whole run; only in a last report
  bool idle = false;                   // nothing is under way here
  bool last = false;
};

/// What a process must know of a node that it takes over.
struct Resumption {
  NodeId node;
  NodeProgress progress;
  std::vector<World::LinkStart> links;
};
std::vector<char> encode_resumptions(std::vector<Resumption>& nodes);
std::optional<std::vector<Resumption>> decode_resumptions(std::span<const char> bytes);

std::vector<char> encode_report(ProcessReport& report);
/// Nothing if the bytes are not those of a report with so many types.
std::optional<ProcessReport> decode_report(std::span<const char> bytes, std::size_t types);
/// Whether all that it names exists in the run: nodes, links, types, clients, arms, faults.
bool fits(const ProcessReport& report, const World& world);

}  // namespace posse
