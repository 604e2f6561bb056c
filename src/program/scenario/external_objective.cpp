// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/external_objective.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/outside_failure.hpp"
#include "core/base/shown_text.hpp"
#include "core/objective/user_objectives.hpp"
#include "program/base/json.hpp"
#include "program/base/signals.hpp"

namespace posse {
namespace {

constexpr std::size_t kMostShownOfCommand = 200;  // characters, in errors
constexpr int kFailuresInARow = 3;
std::atomic<bool> g_allowed{false};
constexpr auto kGraceForAnswer = std::chrono::seconds(1);

}  // namespace

ExternalObjective::ExternalObjective(Box domain, ExternalOptions options)
    : domain_(std::move(domain)), options_(std::move(options)), workers_(options_.workers) {
  POSSE_CHECK(!workers_.empty());
  for (auto& worker : workers_) idle_.push_back(&worker);
}

ExternalObjective::~ExternalObjective() {
  // All programs get the same time to end.
  for (auto& worker : workers_)
    if (worker.process) worker.process->hang_up();
}

ValueRange ExternalObjective::value_range() const {
  constexpr double kAnywhere = std::numeric_limits<double>::infinity();
  return {-kAnywhere, kAnywhere};
}

std::size_t ExternalObjective::points() const {
  const std::lock_guard lock(mutex_);
  return answers_.size();
}

double ExternalObjective::value(std::span<const double> x) const {
  std::unique_lock lock(mutex_);
  const auto [it, first] = answers_.try_emplace(std::vector<double>(x.begin(), x.end()));
  Answer& answer = it->second;
  if (!first) {
    changed_.wait(lock, [&] { return answer.state != Answer::State::asked; });
    if (answer.state == Answer::State::failed) throw OutsideFailure(answer.failure);
    return answer.value;
  }
  Worker* worker = nullptr;
  try {
    worker = &free_worker(lock);
    lock.unlock();
    answer.value = ask(*worker, x);
    lock.lock();
    failures_in_a_row_ = 0;
    answer.state = Answer::State::known;
  } catch (const std::exception& problem) {
    if (worker != nullptr) {
      worker->process.reset();  // may take time: without the lock
      lock.lock();
      ++failures_in_a_row_;
    }
    answer.failure = fmt::format("the program '{}' {} (asked for x = ({}))",
                                 shortened(options_.command, kMostShownOfCommand),
                                 problem.what(),
                                 fmt::join(x, ", "));
    answer.state = Answer::State::failed;
  }
  if (worker != nullptr) idle_.push_back(worker);
  lock.unlock();
  changed_.notify_all();
  if (answer.state == Answer::State::failed) throw OutsideFailure(answer.failure);
  return answer.value;
}

ExternalObjective::Worker& ExternalObjective::free_worker(
    std::unique_lock<std::mutex>& lock) const {
  changed_.wait(lock, [&] { return !idle_.empty(); });
  if (failures_in_a_row_ >= kFailuresInARow)
    throw ProcessFailure(fmt::format("was given up after {} failures in a row", kFailuresInARow));
  throw_if_stopping();
  Worker& worker = *idle_.back();
  idle_.pop_back();
  return worker;
}

void ExternalObjective::throw_if_stopping() const {
  if (pending_signal() == 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (!stopping_since_) stopping_since_ = now;
  if (now - *stopping_since_ > kGraceForAnswer) throw ProcessFailure("was stopped by a signal");
}

double ExternalObjective::ask(Worker& worker, std::span<const double> x) const {
  if (!worker.process) {
    worker.process = std::make_unique<LineProcess>(options_.command, options_.folder);
    worker.asked = 0;
  }
  const std::uint64_t id = ++worker.asked;
  const auto line = worker.process->ask(
      fmt::format("{{\"id\":{},\"x\":[{}]}}", id, fmt::join(x, ",")), options_.timeout);
  return parse_answer(line, id, options_.factor, options_.offset);
}

double parse_answer(const std::string& line, std::uint64_t id, double factor, double offset) {
  // Deeper answers are refused: quoting an error recurses over its levels.
  constexpr int kDeepest = 64;
  const auto check_depth = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest)
      throw ProcessFailure(
          fmt::format("answered {}, which is nested too deeply", quoted_excerpt(line)));
    return true;
  };
  const auto json = Json::parse(line, check_depth, false);
  if (json.is_discarded() || !json.is_object())
    throw ProcessFailure(fmt::format(
        "wrote {}, which is not an answer: expected JSON like {{\"id\":{},\"value\":0.7}}, "
        "finite numbers, one answer per line; logs belong on standard error",
        quoted_excerpt(line),
        id));
  const auto answered = json.find("id");
  if (answered == json.end() || !answered->is_number_integer() || *answered != id)
    throw ProcessFailure(
        fmt::format("answered {}, but id {} was requested", quoted_excerpt(line), id));
  if (const auto error = json.find("error"); error != json.end())
    throw ProcessFailure("reports an error: " + quoted_excerpt(error->dump()));
  const auto value = json.find("value");
  if (value == json.end() || !value->is_number())
    throw ProcessFailure(
        fmt::format("answered {}, which has no number as value", quoted_excerpt(line)));
  const double f = offset + factor * value->get<double>();
  if (!std::isfinite(f))
    throw ProcessFailure(
        fmt::format("answered {}, which makes a value of {}", quoted_excerpt(line), f));
  return f;
}

void allow_external_programs() { g_allowed = true; }
bool external_programs_allowed() { return g_allowed; }

void refuse_foreign_command(const std::string& scenario_file) {
  struct stat file {};
  if (g_allowed || stat(scenario_file.c_str(), &file) != 0) return;
  const auto refuse = [](std::string_view why) {
    throw OutsideFailure(fmt::format(
        "objective.command isn't started: the scenario {}. Read the command; --allow-external "
        "starts it",
        why));
  };
  if (file.st_uid != geteuid()) refuse("belongs to another user");
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::path(scenario_file).parent_path() / "results.json",
                              error))
    refuse("lies in a run folder, which may come from somebody else");
}

ObjectiveSpec external_objective_spec() {
  std::vector<ParameterSpec> parameters{
      {.name = "command",
       .type = ParameterType::text,
       .default_value = std::string(),
       .help =
           "command for /bin/sh -c. For every line {\"id\":1,\"x\":[0.25,3]} on standard input it "
           "writes {\"id\":1,\"value\":0.7} to standard output and flushes it; equal x must give "
           "equal values. Logs belong on standard error",
       .required = true},
      {.name = "folder",
       .type = ParameterType::folder,
       .default_value = std::string("."),
       .help = "its working directory"}};
  for (auto& spec : box_parameters()) parameters.push_back(std::move(spec));
  parameters.push_back({.name = "workers",
                        .type = ParameterType::integer,
                        .default_value = std::int64_t{1},
                        .help = "largest number of processes; more than --threads has no effect",
                        .min = 1,
                        .max = 256});
  parameters.push_back({.name = "timeout",
                        .type = ParameterType::duration,
                        .default_value = Duration::seconds(60),
                        .help = "wall time for one evaluation; a program that takes longer is "
                                "killed, and the run fails",
                        .min = 0,
                        .max = 1e7,
                        .min_open = true});
  parameters.push_back({.name = "maximum",
                        .default_value = 1.0,
                        .help = "the maximum that regrets refer to, since the true one is unknown; "
                                "differences between algorithms do not depend on it"});
  for (auto& spec : reward_parameters()) parameters.push_back(std::move(spec));
  return {.kind = "external",
          .summary = "values come from an external program: tuning, simulators",
          .source = "Posse",
          .parameters = std::move(parameters),
          .make = [](const Parameters& p) -> std::unique_ptr<Objective> {
            if (p.text("command").find_first_not_of(" \t\n") == std::string::npos)
              throw InputError("is empty", "command");
            if (p.text("command").find('\0') != std::string::npos)
              throw InputError("has a zero byte", "command");
            if (p.real("factor") == 0) throw InputError("must not be 0", "factor");
            return std::make_unique<ExternalObjective>(
                box_of(p),
                ExternalOptions{.command = p.text("command"),
                                .folder = p.text("folder"),
                                .workers = static_cast<std::size_t>(p.integer("workers")),
                                .timeout = std::chrono::nanoseconds(p.duration("timeout").ns),
                                .factor = p.real("factor"),
                                .offset = p.real("offset"),
                                .maximum = p.real("maximum")});
          },
          .noise = "none",
          .foreign_mathematics = "an external program"};
}

}  // namespace posse
