// SPDX-License-Identifier: Apache-2.0
// posse._posse: what the Python package `posse` is made on.
#include <fmt/format.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/parameters.hpp"
#include "core/base/shown_text.hpp"
#include "core/objective/factories.hpp"
#include "program/base/data_folder.hpp"
#include "program/base/files.hpp"
#include "program/base/text.hpp"
#include "program/base/version.hpp"
#include "program/compare/study_report.hpp"
#include "program/library/experiment.hpp"
#include "program/library/experiment_sweep.hpp"
#include "program/library/learner_session.hpp"
#include "program/live/watching.hpp"
#include "program/page/report.hpp"
#include "program/page/serve.hpp"
#include "program/plot/drawing.hpp"
#include "program/plot/drawn_runs.hpp"
#include "program/plot/picture_kinds.hpp"
#include "program/results/results_json.hpp"
#include "program/results/study_json.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/plugins.hpp"
#include "program/scenario/table_reader.hpp"
#include "program/sweep/study_reader.hpp"
#include "python/user_algorithm.hpp"
#include "python/user_objective.hpp"
#include "python/values.hpp"

namespace posse::python {
namespace py = pybind11;
namespace {

using Results = std::shared_ptr<ExperimentResults>;

/// The runs that go on. When Python ends they are stopped: threads that need its lock then would
/// end the process.
class RunningNow {
 public:
  RunningNow() {
    const std::lock_guard lock(mutex);
    if (ends) throw std::runtime_error("Python ends: no run can start");
    ++count;
  }
  ~RunningNow() {
    const std::lock_guard lock(mutex);
    if (--count == 0) none_left.notify_all();
  }
  RunningNow(const RunningNow&) = delete;
  RunningNow& operator=(const RunningNow&) = delete;

  static bool python_ends() { return ends; }
  /// Waits until all have stopped, or half a minute: a role may never return.
  static void stop_all() {
    const py::gil_scoped_release others;
    std::unique_lock lock(mutex);
    ends = true;
    none_left.wait_for(lock, std::chrono::seconds(30), [] { return count == 0; });
  }

 private:
  static inline std::mutex mutex;
  static inline std::condition_variable none_left;
  static inline std::atomic<bool> ends = false;
  static inline int count = 0;
};

/// Tells `progress` (None or a function of these numbers), prints the addresses once, and lets an
/// interrupt of Python stop the runs.
class Teller {
 public:
  explicit Teller(py::object progress) : progress_(std::move(progress)) {}

  template <class... Numbers>
  bool tell(const std::string& addresses, Numbers... numbers) {
    const py::gil_scoped_acquire gil;
    using namespace py::literals;
    if (RunningNow::python_ends()) return false;
    if (!std::exchange(told_, true) && !addresses.empty())
      py::print(addresses,
                "end"_a = "",
                "file"_a = py::module_::import("sys").attr("stderr"),
                "flush"_a = true);
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (progress_.is_none()) return true;
    const auto go_on = progress_(numbers...);
    if (go_on.is_none()) return true;
    const int truth = PyObject_IsTrue(go_on.ptr());
    if (truth < 0) throw py::error_already_set();
    return truth == 1;
  }

 private:
  py::object progress_;
  bool told_ = false;
};

/// "" is no address.
std::optional<HttpAddress> address_of(const std::string& text, std::uint16_t port) {
  if (text.empty()) return std::nullopt;
  auto address = parse_http_address(text, {.port = port});
  if (!address.loopback() &&
      PyErr_WarnFormat(PyExc_UserWarning,
                       1,
                       "others on the network can connect: %s is not the loopback interface",
                       address.host.c_str()) != 0)
    throw py::error_already_set();
  return address;
}

/// A scenario that was read: what it names is what was meant then.
struct PreparedRun {
  Scenario scenario;
};
struct PreparedSweep {
  SweepPlan plan;
};

Results run(const PreparedRun& prepared,
            std::size_t threads,
            const Text& trace,
            const py::object& progress,
            const Text& page,
            const Text& metrics,
            double pace) {
  const RunningNow running;
  Teller teller(progress);
  ExperimentOptions options{
      .threads = threads,
      .progress =
          [&](const ExperimentProgress& now) {
            return teller.tell(
                now.addresses, now.runs, now.ended, now.evaluations, now.expected_evaluations);
          },
      .pace = pace,
      .page = address_of(page, kPagePort),
      .metrics = address_of(metrics, kMetricsPort)};
  if (!(pace >= 0)) throw py::value_error("pace is below 0");
  if (trace != "none" && trace != "messages" && trace != "all")
    throw py::value_error(fmt::format("trace is '{}', allowed: none, messages, all", trace));
  options.traces.messages = trace != "none";
  options.traces.all = trace == "all";
  Scenario scenario = prepared.scenario;
  const py::gil_scoped_release release;
  return std::make_shared<ExperimentResults>(run_experiment(std::move(scenario), options));
}

/// A scenario that was read, self-contained.
struct PreparedFates {
  std::string text;
};

std::string run_fates(const PreparedFates& prepared,
                      std::uint64_t networks,
                      std::uint64_t seed,
                      std::size_t jobs,
                      const PathText& out,
                      const py::object& progress) {
  const RunningNow running;
  Teller teller(progress);
  const RandomFateOptions options{
      .first = seed, .networks = networks, .jobs = jobs, .property = {}, .folder = out};
  const py::gil_scoped_release release;
  return experiment_fates(prepared.text, options, [&](std::uint64_t done) {
    return teller.tell("", networks, done, 0.0, 0.0);
  });
}

using SweepResults = std::shared_ptr<ExperimentSweepResults>;

SweepResults run_sweep_of(const PreparedSweep& prepared,
                          const PathText& store,
                          std::size_t threads,
                          const py::object& progress,
                          const Text& page) {
  const RunningNow running;
  const SweepPlan& plan = prepared.plan;
  if (!std::filesystem::is_empty(store) && made_in_python(plan))
    throw py::value_error(fmt::format(
        "'{}' is not empty, and the scenario has a function or an algorithm in Python, which may "
        "have changed since: use a new folder",
        store.string()));
  Teller teller(progress);
  const ExperimentSweepOptions options{
      .threads = threads,
      .progress =
          [&](const ExperimentSweepProgress& now) {
            return teller.tell(now.address, now.planned, now.present + now.made, 0.0, 0.0);
          },
      .page = address_of(page, kPagePort)};
  const py::gil_scoped_release release;
  return std::make_shared<ExperimentSweepResults>(run_experiments(plan, store, options));
}

/// What `posse compare` prints, as text and as JSON.
std::pair<std::string, std::string> compare(const std::vector<PathText>& sources,
                                            const Text& measure) {
  auto study = read_study({sources.begin(), sources.end()});
  const auto main = measure.empty() ? std::nullopt : std::optional(parse_measure(measure));
  const StudyReport report = study_report(std::move(study), main);
  return {to_text(report), compact_json(study_json(report))};
}

// --- learners ---

py::list list_of_point(std::span<const double> point) {
  py::list list(point.size());
  for (std::size_t j = 0; j < point.size(); ++j) list[j] = py::float_(point[j]);
  return list;
}

LearnerSession make_learner(const Text& kind,
                            const py::object& domain,
                            std::uint64_t budget,
                            std::uint64_t seed,
                            const py::dict& parameters,
                            bool searches_on) {
  return {kind,
          value_of(parameters),
          box_of(domain),
          budget,
          seed,
          searches_on ? BeyondBudget::search : BeyondBudget::recommendation};
}

using CellNumbers = std::pair<std::uint32_t, std::uint64_t>;
CellNumbers numbers_of(Cell cell) { return {cell.depth, cell.index}; }

/// A list of [low, high] per dimension, or None.
py::object bounds_of(const LearnerSession& learner, CellNumbers cell) {
  const auto box = learner.bounds({cell.first, cell.second});
  if (!box) return py::none();
  py::list bounds;
  for (std::size_t j = 0; j < box->dimension(); ++j) {
    py::list interval;
    interval.append(box->low[j]);
    interval.append(box->high[j]);
    bounds.append(interval);
  }
  return bounds;
}

/// An objective of the catalogue, as a function of points.
struct NativeObjective {
  std::string kind;
  std::shared_ptr<const Objective> function;

  double value(std::span<const double> x) const {
    if (x.size() != function->domain().dimension())
      throw py::value_error(fmt::format("the point has {} coordinates, {} has {}",
                                        x.size(),
                                        kind,
                                        function->domain().dimension()));
    return function->value(x);
  }
};

NativeObjective make_objective(const Text& kind, const py::dict& parameters) {
  const ObjectiveSpec* spec = find_objective_spec(kind);
  const auto known = kinds_of(objectives());
  if (spec == nullptr || spec->make == nullptr)
    throw ScenarioMistakes(fmt::format("'{}' is not an objective of one function{}\n",
                                       shortened(kind),
                                       allowed_names(kind, known)));
  Diagnostics diagnostics;
  const Value table = value_of(parameters);
  TableReader reader(table, "parameters", diagnostics);
  const auto given = reader.parameters(spec->parameters);
  reader.finish();
  throw_mistakes(diagnostics);
  return {kind, std::shared_ptr<const Objective>(spec->make(given))};
}

/// The rewards of a function: of Posse's own, or of Python. Calls use(t, f(x)) for t = 1 … n.
void evaluate(LearnerSession& learner, const py::object& function, std::uint64_t n) {
  constexpr std::uint64_t kBetweenSignals = 4096;
  const auto heed_signals = [](std::uint64_t t) {
    if (t % kBetweenSignals == 0 && PyErr_CheckSignals() != 0) throw py::error_already_set();
  };
  if (py::isinstance<NativeObjective>(function)) {
    const auto native = py::cast<NativeObjective>(function);
    for (std::uint64_t t = 0; t < n; ++t) {
      heed_signals(t);
      learner.tell(native.value(learner.ask()));
    }
    return;
  }
  for (std::uint64_t t = 0; t < n; ++t) {
    heed_signals(t);
    learner.tell(py::cast<double>(function(list_of_point(learner.ask()))));
  }
}

/// Independent learners together: `function` gets the points of all, an array of shape (learners,
/// dimension), and returns as many rewards.
void evaluate_batches(std::vector<LearnerSession*> learners,
                      const py::object& function,
                      std::uint64_t n) {
  for (const auto* learner : learners)
    if (learner == nullptr) throw py::type_error("None is no learner");
  if (learners.empty()) throw py::value_error("there is no learner");
  const auto size = static_cast<py::ssize_t>(learners.size());
  const auto d = static_cast<py::ssize_t>(learners.front()->dimension());
  for (std::uint64_t t = 0; t < n; ++t) {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    py::array_t<double> points({size, d});
    for (py::ssize_t i = 0; i < size; ++i) {
      const auto point = learners[static_cast<std::size_t>(i)]->ask();
      std::copy(point.begin(), point.end(), points.mutable_data(i, 0));
    }
    const auto rewards =
        py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(function(points));
    if (!rewards || rewards.size() != size)
      throw py::value_error(fmt::format("the function is to return {} rewards", size));
    for (py::ssize_t i = 0; i < size; ++i)
      learners[static_cast<std::size_t>(i)]->tell(rewards.data()[i]);
  }
}

/// What `posse plot --kind` draws, with its flags as options; None is the default.
DrawingRequest drawing_request(const std::string& kind, const py::dict& options) {
  DrawingRequest request;
  request.kind = kind;
  for (const auto& [key, value] : options) {
    const auto name = py::cast<std::string>(key);
    if (value.is_none()) continue;
    if (name == "local" || name == "log") {
      (name == "log" ? request.logarithmic : request.local) = py::cast<bool>(value);
    } else if (name == "regret") {
      request.regret = py::cast<double>(value);
    } else if (name == "band") {
      const auto band = py::cast<std::string>(value);
      if (band != "interval" && band != "sd")
        throw py::value_error(fmt::format("band is '{}', allowed: interval, sd", band));
      request.band = band == "sd" ? Band::sd : Band::interval;
    } else {
      bool known = false;
      for (const auto& [option, text] : {std::pair("algorithm", &DrawingRequest::algorithm),
                                         {"x", &DrawingRequest::x},
                                         {"y", &DrawingRequest::y},
                                         {"measure", &DrawingRequest::measure},
                                         {"cost", &DrawingRequest::cost},
                                         {"against", &DrawingRequest::against},
                                         {"columns", &DrawingRequest::columns},
                                         {"rows", &DrawingRequest::rows}}) {
        if (name != option) continue;
        request.*text = py::cast<std::string>(value);
        known = true;
      }
      if (!known) throw py::type_error(fmt::format("there is no option '{}'", name));
    }
  }
  return request;
}

}  // namespace

PYBIND11_MODULE(_posse, m) {
  m.doc() = "What the package posse is made on; not meant to be used directly.";
  m.attr("version") = version();

  py::register_exception<ScenarioMistakes>(m, "ScenarioError", PyExc_ValueError);
  py::register_exception<FileError>(m, "FileError", PyExc_OSError);
  // pybind11 asks for this signature. NOLINTNEXTLINE(performance-unnecessary-value-param)
  py::register_exception_translator([](std::exception_ptr problem) {
    try {
      if (problem) std::rethrow_exception(problem);
    } catch (const InputError& wrong) {
      PyErr_SetString(PyExc_ValueError, shown_error(wrong.what()).c_str());
    } catch (const std::system_error& failed) {
      PyErr_SetString(PyExc_OSError, failed.what());
    }
  });

  py::class_<MemoryTable, std::shared_ptr<MemoryTable>>(m, "Table")
      .def_property_readonly("names",
                             [](const MemoryTable& table) {
                               std::vector<std::string> names;
                               for (const auto& column : table.columns)
                                 names.push_back(column.name);
                               return names;
                             })
      .def("__len__", &MemoryTable::rows)
      .def(
          "column",
          [](const std::shared_ptr<MemoryTable>& table, const Text& name) {
            return column_of(table, name);
          },
          py::arg("name"));

  py::class_<ExperimentResults, std::shared_ptr<ExperimentResults>>(m, "Results")
      .def_property_readonly(
          "fingerprint",
          [](const ExperimentResults& results) { return hexadecimal(results.fingerprint()); })
      .def_property_readonly(
          "exit_code", [](const ExperimentResults& results) { return to_int(results.exit_code()); })
      .def_property_readonly(
          "name", [](const ExperimentResults& results) { return results.scenario().name; })
      .def("json", &ExperimentResults::json)
      .def("text", &ExperimentResults::text)
      .def(
          "plot",
          [](const ExperimentResults& results, const Text& kind, const py::dict& options) {
            return results.plot(drawing_request(kind, options));
          },
          py::arg("kind"),
          py::arg("options"))
      .def(
          "table",
          [](const ExperimentResults& results, const Text& name) {
            return std::make_shared<MemoryTable>(results.table(name));
          },
          py::arg("name"))
      .def(
          "write",
          [](const ExperimentResults& results, const PathText& out) {
            return results.write(out).string();
          },
          py::arg("out"));
  m.attr("table_names") = ExperimentResults::table_names();

  py::class_<Experiment>(m, "Experiment")
      .def_static(
          "load", [](const PathText& file) { return Experiment(file); }, py::arg("file"))
      .def_static(
          "parse",
          [](const Text& toml, const PathText& folder) {
            return Experiment(std::string_view(toml), folder);
          },
          py::arg("toml"),
          py::arg("folder"))
      .def_static(
          "build",
          [](const py::dict& tree, const PathText& folder) {
            return Experiment(value_of(tree), folder);
          },
          py::arg("tree"),
          py::arg("folder"))
      .def(
          "set",
          [](Experiment& experiment, const Text& key, const py::object& value) {
            if (value.is_none())
              experiment.set(key, "");
            else
              experiment.set_value(key, value_of(value, key));
          },
          py::arg("key"),
          py::arg("value"))
      .def("toml", &Experiment::toml)
      .def("check", [](const Experiment& experiment) { experiment.scenario(); })
      .def("copy", [](const Experiment& experiment) { return experiment; })
      .def("prepare",
           [](const Experiment& experiment) { return PreparedRun{experiment.scenario()}; })
      .def("prepare_fates",
           [](const Experiment& experiment) {
             return PreparedFates{experiment.self_contained_toml()};
           })
      .def("prepare_sweep",
           [](const Experiment& experiment) { return PreparedSweep{experiment.sweep_plan()}; });
  py::class_<PreparedRun>(m, "PreparedRun")
      .def("run",
           &run,
           py::arg("threads"),
           py::arg("trace"),
           py::arg("progress"),
           py::arg("page"),
           py::arg("metrics"),
           py::arg("pace"));
  py::class_<PreparedFates>(m, "PreparedFates")
      .def("run",
           &run_fates,
           py::arg("networks"),
           py::arg("seed"),
           py::arg("jobs"),
           py::arg("out"),
           py::arg("progress"));
  py::class_<PreparedSweep>(m, "PreparedSweep")
      .def("run",
           &run_sweep_of,
           py::arg("store"),
           py::arg("threads"),
           py::arg("progress"),
           py::arg("page"));

  py::class_<ExperimentSweepResults, SweepResults>(m, "Sweep")
      .def_property_readonly(
          "store", [](const ExperimentSweepResults& results) { return results.store().string(); })
      .def_property_readonly(
          "planned",
          [](const ExperimentSweepResults& results) { return results.outcome().planned; })
      .def_property_readonly(
          "made", [](const ExperimentSweepResults& results) { return results.outcome().made; })
      .def_property_readonly(
          "failed",
          [](const ExperimentSweepResults& results) { return results.outcome().failed.size(); })
      .def("text", &ExperimentSweepResults::text)
      .def(
          "plot",
          [](const ExperimentSweepResults& results, const Text& kind, const py::dict& options) {
            return results.plot(drawing_request(kind, options));
          },
          py::arg("kind"),
          py::arg("options"))
      .def("summary", [](const ExperimentSweepResults& results) {
        return std::make_shared<MemoryTable>(results.summary());
      });
  py::class_<FinishedPage>(m, "Page")
      .def(py::init([](const PathText& folder, const Text& address) {
             return std::make_unique<FinishedPage>(folder, *address_of(address, 0));
           }),
           py::arg("folder"),
           py::arg("address"))
      .def_property_readonly("url", &FinishedPage::url);
  m.def(
      "draw",
      [](const std::vector<std::string>& sources, const Text& kind, const py::dict& options) {
        DrawnRuns runs(sources, {});
        return compact_json(drawing_json(draw(drawing_request(kind, options), runs)));
      },
      py::arg("sources"),
      py::arg("kind"),
      py::arg("options"));
  m.def("compare", &compare, py::arg("sources"), py::arg("measure"));
  m.def(
      "report",
      [](const std::vector<std::string>& runs, const std::string& out) {
        return report_runs(runs, out).string();
      },
      py::arg("runs"),
      py::arg("out"));

  py::class_<NativeObjective>(m, "Objective")
      .def(py::init(&make_objective), py::arg("kind"), py::arg("parameters"))
      .def_readonly("kind", &NativeObjective::kind)
      .def_property_readonly("domain",
                             [](const NativeObjective& f) { return list_of(f.function->domain()); })
      .def_property_readonly("maximum",
                             [](const NativeObjective& f) { return f.function->maximum(); })
      .def(
          "__call__",
          [](const NativeObjective& f, const std::vector<double>& x) { return f.value(x); },
          py::arg("x"));

  py::class_<LearnerSession>(m, "Learner")
      .def(py::init(&make_learner),
           py::arg("kind"),
           py::arg("domain"),
           py::arg("budget"),
           py::arg("seed"),
           py::arg("parameters"),
           py::arg("searches_on") = false)
      .def("__deepcopy__",
           [](const LearnerSession& learner, const py::dict&) { return LearnerSession(learner); })
      .def("cell", [](const LearnerSession& learner) { return numbers_of(learner.cell()); })
      .def("recommended_cell",
           [](const LearnerSession& learner) { return numbers_of(learner.recommended_cell()); })
      .def("bounds", &bounds_of, py::arg("cell"))
      .def("ask", [](LearnerSession& learner) { return list_of_point(learner.ask()); })
      .def("tell", &LearnerSession::tell, py::arg("reward"))
      .def("recommend",
           [](const LearnerSession& learner) { return list_of_point(learner.recommend()); })
      .def_property_readonly("dimension", &LearnerSession::dimension)
      .def_property_readonly("budget", &LearnerSession::budget)
      .def_property_readonly("evaluations", &LearnerSession::evaluations)
      .def_property_readonly("tree_depth",
                             [](const LearnerSession& learner) -> std::optional<std::uint32_t> {
                               const auto tree = learner.tree();
                               return tree ? std::optional(tree->depth) : std::nullopt;
                             })
      .def_property_readonly("tree_cells",
                             [](const LearnerSession& learner) -> std::optional<std::uint64_t> {
                               const auto tree = learner.tree();
                               return tree ? std::optional(tree->cells) : std::nullopt;
                             })
      .def("run", &evaluate, py::arg("function"), py::arg("n"));
  m.def("run_together", &evaluate_batches, py::arg("learners"), py::arg("function"), py::arg("n"));
  add_objective(python_objective_spec());
  m.def("add_function",
        &add_function,
        py::arg("function"),
        py::arg("domain"),
        py::arg("maximum"),
        py::arg("batched"));
  bind_algorithms(m);
  m.def("remove_function", &remove_function, py::arg("number"));
  py::module_::import("atexit").attr("register")(py::cpp_function(&RunningNow::stop_all));
  m.def("learner_kinds", &learner_kinds);
  m.def("data_folder", [] { return data_folder().string(); });
  m.def(
      "load_plugin", [](const PathText& file) { load_plugin(file); }, py::arg("file"));
}

}  // namespace posse::python
