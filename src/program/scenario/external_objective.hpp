// SPDX-License-Identifier: Apache-2.0
// An objective whose values come from an external program.
//
// Messages are JSON objects, one per line: {"id":1,"x":[0.25,3]} on the program's standard input,
// {"id":1,"value":0.7} on its standard output within the time limit; {"id":1,"error":"…"} if it
// can't evaluate the point. Other members of an answer are ignored. Standard error is free for
// logs. f = offset + factor * value.
//
// Every point is requested once and its value is kept for all clients and repetitions. If values
// depend on the point alone, results are reproducible. Up to `workers` processes run at the same
// time, started when first needed.
//
// An unusable answer (none, end of file, no JSON, another id, no finite number) fails the run that
// requested the point, and all later runs that request it; the program is restarted for other
// points. After three failures in a row it is not restarted. After a signal, evaluations in
// progress have one more second.
//
// The maximum is unknown. Regrets refer to a number that the user gives (1 by default); no point is
// evaluated to compute regrets. Values have no range.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/objective/factories.hpp"
#include "core/objective/objective.hpp"
#include "program/scenario/line_process.hpp"

namespace posse {

struct ExternalOptions {
  std::string command;  // for /bin/sh -c
  std::string folder;   // its working directory
  std::size_t workers = 1;
  std::chrono::nanoseconds timeout = std::chrono::seconds(60);
  double factor = 1;
  double offset = 0;
  double maximum = 1;
};

class ExternalObjective final : public Objective {
 public:
  ExternalObjective(Box domain, ExternalOptions options);
  ~ExternalObjective() override;

  const Box& domain() const override { return domain_; }
  /// Throws std::runtime_error that names the program, the point and the answer.
  double value(std::span<const double> x) const override;
  ValueRange value_range() const override;
  bool expensive() const override { return true; }
  std::optional<double> conventional_maximum() const override { return options_.maximum; }

  /// Number of points requested.
  std::size_t points() const;

 private:
  struct Answer {
    enum class State { asked, known, failed } state = State::asked;
    double value = 0;
    std::string failure;
  };
  struct Worker {
    std::unique_ptr<LineProcess> process;
    std::uint64_t asked = 0;  // the latest id
  };

  double ask(Worker& worker, std::span<const double> x) const;
  void throw_if_stopping() const;
  Worker& free_worker(std::unique_lock<std::mutex>& lock) const;

  Box domain_;
  ExternalOptions options_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable std::map<std::vector<double>, Answer> answers_;  // references stay valid
  mutable std::vector<Worker> workers_;
  mutable std::vector<Worker*> idle_;
  mutable std::optional<std::chrono::steady_clock::time_point> stopping_since_;
  mutable int failures_in_a_row_ = 0;
};

/// The value in a program's answer to request `id`: offset + factor * value. Throws ProcessFailure
/// if the line is not a usable answer.
double parse_answer(const std::string& line, std::uint64_t id, double factor, double offset);

ObjectiveSpec external_objective_spec();

/// The user trusts the commands of all scenarios (--allow-external).
void allow_external_programs();
bool external_programs_allowed();
/// Commands of scenarios could do whatever the user can. Throws OutsideFailure unless they are
/// allowed, or the file belongs to the user and doesn't lie in a run folder, which may come from
/// somebody else. A scenario without a file is the caller's own.
void refuse_foreign_command(const std::string& scenario_file);

}  // namespace posse
