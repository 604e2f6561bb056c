// SPDX-License-Identifier: Apache-2.0
#include "program/results/perfetto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "program/base/files.hpp"

namespace posse {
namespace {

std::string microseconds(Time time) {
  return fmt::format("{}.{:03}", time.ns / 1000, time.ns % 1000);
}
std::string microseconds(Duration duration) { return microseconds(Time{} + duration); }

/// Streams the events of one run after another.
class TraceWriter {
 public:
  explicit TraceWriter(const std::filesystem::path& path)
      : path_(path), out_(path, std::ios::binary) {
    text_ = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
  }

  void write(const RunRecord& run, const std::string& name) {
    run_ = &run;
    ++process_;
    event(R"("ph":"M","name":"process_name","args":{{"name":"{}"}})", name);
    const auto& names = run.start.names;
    for (std::uint32_t node = 0; node < names.size(); ++node) {
      on_lane(
          {node}, R"("ph":"M","name":"thread_name","args":{{"name":"{}"}})", names.name({node}));
      on_lane({node}, R"("ph":"M","name":"thread_sort_index","args":{{"sort_index":{}}})", node);
    }
    for (const WorkRecord& work : run.result.work)
      on_lane(work.node,
              R"("ph":"X","cat":"work","name":"work","ts":{},"dur":{})",
              microseconds(work.from),
              microseconds(work.until - work.from));
    for (const MessageRecord& message : run.result.messages) write(message);
    for (const FaultRecord& fault : run.result.faults)
      if (fault.of == FaultOf::nodes)
        on_lane(fault.node,
                R"("ph":"i","s":"t","cat":"fault","name":"{}","ts":{})",
                fault.begins ? "stands still" : "goes on",
                microseconds(fault.at));
    write_rounds();
    write_regret();
  }

  void close() {
    text_ += "\n]}\n";
    flush();
    out_.close();
    if (!out_) fail();
  }

 private:
  template <class... Values>
  void event(fmt::format_string<Values...> format, Values&&... values) {
    text_ += first_ ? "{" : ",\n{";
    first_ = false;
    fmt::format_to(std::back_inserter(text_), "\"pid\":{},", process_);
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += "}";
    if (text_.size() > 1 << 16) flush();
  }
  template <class... Values>
  void on_lane(NodeId node, fmt::format_string<Values...> format, Values&&... values) {
    event(R"("tid":{},{})", node.value + 1, fmt::format(format, std::forward<Values>(values)...));
  }

  void write(const MessageRecord& m) {
    ++flow_;
    const auto args = fmt::format(
        R"("args":{{"type":"{}","round":{},"from":"{}","to":"{}","bytes":{},"outcome":"{}"}})",
        m.type,
        m.round.value,
        run_->result.name_of(m.from),
        run_->result.name_of(m.to),
        m.bytes,
        to_string(m.outcome));
    on_lane(m.from,
            R"("ph":"X","cat":"message","name":"{} to {}","ts":{},"dur":0,"bind_id":"{:#x}",)"
            R"("flow_out":true,{})",
            m.type,
            run_->result.name_of(m.to),
            microseconds(m.sent),
            flow_,
            args);
    const bool dropped = m.outcome == MessageOutcome::dropped;
    const Time end = m.arrived() ? m.delivered : dropped ? m.sent : last_event();
    const auto what = dropped ? fmt::format("dropped ({}): {}", to_string(m.cause), m.type)
                      : m.outcome == MessageOutcome::in_flight
                          ? fmt::format("on the way at the end: {}", m.type)
                      : m.outcome == MessageOutcome::discarded
                          ? fmt::format("discarded: {}", m.type)
                          : fmt::format("{} from {}", m.type, run_->result.name_of(m.from));
    on_lane(
        dropped ? m.from : m.to,
        R"("ph":"X","cat":"{}","name":"{}","ts":{},"dur":0,"bind_id":"{:#x}","flow_in":true,{})",
        dropped ? "drop" : "message",
        what,
        microseconds(end),
        flow_,
        args);
  }

  /// Of the run, or of a message, if that left later.
  Time last_event() const {
    const RunOutcome& outcome = run_->result.outcome;
    Time last = std::max(outcome.last_event, outcome.finished_at);
    if (!run_->result.messages.empty()) last = std::max(last, run_->result.messages.back().sent);
    return last;
  }

  void write_rounds() {
    for (const RoundRecord& round : run_->result.outcome.rounds) {
      event(R"("tid":0,"ph":"b","cat":"round","name":"round","id":"{:#x}","ts":{},)"
            R"("args":{{"round":{},"active_cells":{}}})",
            round.round.value,
            microseconds(round.began),
            round.round.value,
            round.active_cells);
      event(R"("tid":0,"ph":"e","cat":"round","name":"round","id":"{:#x}","ts":{})",
            round.round.value,
            microseconds(round.ended));
      if (round.active_cells > 0)
        event(R"("tid":0,"ph":"C","name":"active cells","ts":{},"args":{{"cells":{}}})",
              microseconds(round.began),
              round.active_cells);
    }
  }

  void write_regret() {
    for (const RegretPoint& point : run_->result.regret_curve)
      if (std::isfinite(point.value))
        event(R"("tid":0,"ph":"C","name":"{}","ts":{:.3f},"args":{{"regret":{}}})",
              point.metric,
              point.virtual_s * 1e6,
              point.value);
  }

  void flush() {
    out_ << text_;
    text_.clear();
    if (!out_) fail();
  }
  [[noreturn]] void fail() const {
    throw FileError(path_, fmt::format("can't be written: {}", std::strerror(errno)));
  }

  std::filesystem::path path_;
  std::ofstream out_;
  std::string text_;
  bool first_ = true;
  const RunRecord* run_ = nullptr;
  std::uint32_t process_ = 0;
  std::uint64_t flow_ = 0;
};

}  // namespace

void write_perfetto(const std::filesystem::path& path,
                    const Scenario& scenario,
                    const ScenarioResult& result) {
  TraceWriter out(path);
  for (const RunRecord& run : result.runs)
    if (run.started)
      out.write(run,
                fmt::format(
                    "{}, repetition {}", scenario.algorithms[run.algorithm].label, run.repetition));
  out.close();
}

}  // namespace posse
