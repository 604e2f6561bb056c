// SPDX-License-Identifier: Apache-2.0
#include "rules.hpp"

#include "run_check.hpp"

namespace message_log {

void RunCheck::all() {
  ++report_.runs;
  report_.rows += run_.copies.size();
  if (run_.results.value("status", "") == "not_started") return;
  const bool finished = run_.results.value("status", "") == "finished";
  end_ = seconds_of(run_.results, finished ? "virtual_s" : "last_event_virtual_s");
  number_nodes();
  collect_faults();
  check_schedule_of_faults();
  if (!collect_links()) {
    skip("all others", "the numbers on the links are wrong");
    return;
  }
  check_rows();
  classify();
  follow_copies();
  check_order_on_links();
  check_order_at_nodes();
  check_lines_of_receivers();
  check_acknowledgements();
  check_retransmissions();
  check_hand_over();
  check_ledger();
  check_links_table();
  check_after_finish();
  check_fingerprint();
}

void check(const RunFolder& folder, Report& report) {
  ++report.logs;
  for (const auto& run : folder.runs) RunCheck(folder.network, run, report).all();
}

}  // namespace message_log
