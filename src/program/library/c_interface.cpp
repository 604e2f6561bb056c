// SPDX-License-Identifier: Apache-2.0
// The C interface (posse.h): no exception leaves it.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "core/base/parameters.hpp"
#include "program/base/files.hpp"
#include "program/base/text.hpp"
#include "program/base/version.hpp"
#include "program/library/experiment.hpp"
#include "program/library/learner_session.hpp"
#include "program/library/posse.h"
#include "program/results/results_json.hpp"

struct posse_scenario {
  posse::Experiment experiment;
};

struct posse_table {
  posse::MemoryTable table;
};

struct posse_results {
  posse::ExperimentResults results;
  // What was asked for.
  std::map<std::string, posse_table, std::less<>> tables = {};
  std::optional<std::string> fingerprint = {}, json = {}, text = {};
  std::string folder = {};
};

struct posse_learner {
  posse::LearnerSession session;
};

namespace posse {
namespace {

std::string& last_error() {
  static thread_local std::string text;
  return text;
}

/// Remembers the exception that is being handled.
posse_status failed() noexcept {
  const auto remember = [](posse_status status, const char* what) {
    try {
      last_error() = what;
    } catch (const std::bad_alloc&) {
      last_error().clear();
    }
    return status;
  };
  try {
    throw;
  } catch (const FileError& problem) {
    return remember(POSSE_FILES, problem.what());
  } catch (const std::filesystem::filesystem_error& problem) {
    return remember(POSSE_FILES, problem.what());
  } catch (const ScenarioMistakes& problem) {
    return remember(POSSE_INVALID_SCENARIO, problem.what());
  } catch (const InputError& problem) {
    return remember(POSSE_INVALID_SCENARIO, problem.what());
  } catch (const std::invalid_argument& problem) {
    return remember(POSSE_USAGE, problem.what());
  } catch (const std::bad_alloc&) {
    return remember(POSSE_NO_PROGRESS, "out of memory");
  } catch (const std::exception& problem) {
    return remember(POSSE_INTERNAL, problem.what());
  } catch (...) {
    return remember(POSSE_INTERNAL, "an unknown exception");
  }
}

template <class Work>
posse_status status_of(Work work) noexcept {
  try {
    work();
    return POSSE_OK;
  } catch (...) {
    return failed();
  }
}

/// What `work` returns, or null.
template <class Work>
auto made_by(Work work) noexcept -> decltype(work()) {
  try {
    return work();
  } catch (...) {
    failed();
    return nullptr;
  }
}

/// Throws std::invalid_argument for a null pointer.
template <class Object>
Object& given(Object* object, std::string_view what) {
  if (object == nullptr) throw std::invalid_argument(fmt::format("{} is NULL", what));
  return *object;
}
std::string_view given_text(const char* text, std::string_view what) { return &given(text, what); }

int stop_or_go_on(const posse_run_options& options, const ExperimentProgress& progress) {
  const posse_progress told{
      progress.runs, progress.ended, progress.evaluations, progress.expected_evaluations};
  return options.progress(&told, options.user);
}

const MemoryTable::Column* column_at(const posse_table* table, std::size_t column) {
  return table != nullptr && column < table->table.columns.size() ? &table->table.columns[column]
                                                                  : nullptr;
}

}  // namespace
}  // namespace posse

using namespace posse;

const char* posse_version() {
  static const std::string text = version();
  return text.c_str();
}

const char* posse_last_error() { return last_error().c_str(); }

posse_scenario* posse_scenario_load(const char* file) {
  return made_by(
      [&] { return new posse_scenario{Experiment(std::string(given_text(file, "the file")))}; });
}

posse_scenario* posse_scenario_parse(const char* toml, const char* folder) {
  return made_by([&] {
    return new posse_scenario{
        Experiment(given_text(toml, "the scenario"), given_text(folder, "the folder"))};
  });
}

void posse_scenario_free(posse_scenario* scenario) { delete scenario; }

posse_status posse_scenario_set(posse_scenario* scenario, const char* key, const char* value) {
  return status_of([&] {
    given(scenario, "the scenario")
        .experiment.set(given_text(key, "the key"), given_text(value, "the value"));
  });
}

posse_status posse_scenario_check(const posse_scenario* scenario) {
  return status_of([&] { given(scenario, "the scenario").experiment.scenario(); });
}

posse_results* posse_run(const posse_scenario* scenario, const posse_run_options* options) {
  return made_by([&] {
    posse_run_options own{};
    if (options != nullptr)
      std::memcpy(&own, options, std::min<std::size_t>(options->size, sizeof own));
    ExperimentOptions wanted{.threads = own.threads};
    if (own.progress != nullptr)
      wanted.progress = [&](const ExperimentProgress& now) { return stop_or_go_on(own, now) == 0; };
    return new posse_results{given(scenario, "the scenario").experiment.run(wanted)};
  });
}

void posse_results_free(posse_results* results) { delete results; }

posse_status posse_results_status(const posse_results* results) {
  auto status = POSSE_OK;
  const auto failure = status_of([&] {
    status = static_cast<posse_status>(to_int(given(results, "the results").results.exit_code()));
  });
  return failure == POSSE_OK ? status : failure;
}

const char* posse_results_fingerprint(posse_results* results) {
  return made_by([&] {
    auto& own = given(results, "the results");
    if (!own.fingerprint) own.fingerprint = hexadecimal(own.results.fingerprint());
    return own.fingerprint->c_str();
  });
}

const char* posse_results_json(posse_results* results) {
  return made_by([&] {
    auto& own = given(results, "the results");
    if (!own.json) own.json = own.results.json();
    return own.json->c_str();
  });
}

const char* posse_results_text(posse_results* results) {
  return made_by([&] {
    auto& own = given(results, "the results");
    if (!own.text) own.text = own.results.text();
    return own.text->c_str();
  });
}

const char* posse_results_write(posse_results* results, const char* out) {
  return made_by([&] {
    auto& own = given(results, "the results");
    own.folder = own.results.write(given_text(out, "the folder")).string();
    return own.folder.c_str();
  });
}

const posse_table* posse_results_table(posse_results* results, const char* name) {
  return made_by([&]() -> const posse_table* {
    auto& own = given(results, "the results");
    const auto wanted = given_text(name, "the table's name");
    auto found = own.tables.find(wanted);
    if (found == own.tables.end())
      found = own.tables.emplace(wanted, posse_table{own.results.table(wanted)}).first;
    return &found->second;
  });
}

size_t posse_table_rows(const posse_table* table) {
  return table == nullptr ? 0 : table->table.rows();
}

size_t posse_table_columns(const posse_table* table) {
  return table == nullptr ? 0 : table->table.columns.size();
}

const char* posse_table_column_name(const posse_table* table, size_t column) {
  const auto* found = column_at(table, column);
  return found == nullptr ? nullptr : found->name.c_str();
}

size_t posse_table_find(const posse_table* table, const char* name) {
  if (table == nullptr || name == nullptr) return SIZE_MAX;
  const auto* found = table->table.find(name);
  return found == nullptr ? SIZE_MAX : static_cast<size_t>(found - table->table.columns.data());
}

const double* posse_table_reals(const posse_table* table, size_t column) {
  const auto* found = column_at(table, column);
  const auto* reals = found == nullptr ? nullptr : std::get_if<MemoryTable::Reals>(&found->cells);
  return reals == nullptr ? nullptr : reals->data();
}

const char* posse_table_text(const posse_table* table, size_t column, size_t row) {
  const auto* found = column_at(table, column);
  const auto* texts = found == nullptr ? nullptr : std::get_if<MemoryTable::Texts>(&found->cells);
  return texts == nullptr || row >= texts->size() ? nullptr : (*texts)[row].c_str();
}

posse_learner* posse_learner_new(const char* kind,
                                 const char* parameters,
                                 size_t dimension,
                                 const double* low,
                                 const double* high,
                                 uint64_t budget,
                                 uint64_t seed) {
  return made_by([&] {
    Diagnostics diagnostics;
    const Value table =
        parse_toml(parameters == nullptr ? "" : parameters, "parameters", diagnostics);
    throw_mistakes(diagnostics);
    const double* lows = &given(low, "low");
    const double* highs = &given(high, "high");
    return new posse_learner{LearnerSession(given_text(kind, "the kind"),
                                            table,
                                            {{lows, lows + dimension}, {highs, highs + dimension}},
                                            budget,
                                            seed)};
  });
}

void posse_learner_free(posse_learner* learner) { delete learner; }

posse_status posse_learner_ask(posse_learner* learner, double* point) {
  return status_of([&] {
    auto& session = given(learner, "the learner").session;
    double* to = &given(point, "the point");
    const auto next = session.ask();
    std::copy(next.begin(), next.end(), to);
  });
}

posse_status posse_learner_tell(posse_learner* learner, double reward) {
  return status_of([&] { given(learner, "the learner").session.tell(reward); });
}

posse_status posse_learner_recommend(const posse_learner* learner, double* point) {
  return status_of([&] {
    const auto& session = given(learner, "the learner").session;
    double* to = &given(point, "the point");
    const auto best = session.recommend();
    std::copy(best.begin(), best.end(), to);
  });
}

const char* posse_learner_kinds() {
  static const std::string text = fmt::format("{}", fmt::join(learner_kinds(), ","));
  return text.c_str();
}
