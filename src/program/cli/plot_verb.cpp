// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "program/base/signals.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/plot/plot_runs.hpp"

namespace posse {
namespace {

struct PlotFlags {
  PlotRequest request;
  std::string band = "interval";

  void add_to(CLI::App& verb) {
    add_external_flag(verb);
    verb.add_option(
            "RUN",
            request.sources,
            "run folders, directories that contain `latest`, or stores of sweeps; several are "
            "drawn together, named by what differs")
        ->required();
    std::vector<std::string> kinds;
    for (const auto& kind : picture_kinds()) kinds.push_back(kind.name);
    verb.add_option("--kind",
                    request.drawing.kind,
                    fmt::format("{} (default: all that the data allow)", fmt::join(kinds, " | ")))
        ->type_name(fmt::format("KIND:{{{}}}", fmt::join(kinds, ",")));
    verb.add_flag(
        "--local", request.drawing.local, "plot local regret: against each client's own maximum");
    verb.add_option("--algorithm",
                    request.drawing.algorithm,
                    "which algorithms are drawn: fed-pne,parallel or hct-* (default: all); arms, "
                    "heat-map and sequence show one (default: the first)");
    verb.add_option(
        "--x", request.drawing.x, "sweep, heat-map: swept key (default: the one with most values)");
    verb.add_option("--y", request.drawing.y, "heat-map: second swept key");
    verb.add_option("--measure",
                    request.drawing.measure,
                    "sweep, heat-map, break-even: what is measured: " + measures_for_help());
    for (const auto& [flag, place] : {std::pair("--columns", &request.drawing.columns),
                                      std::pair("--rows", &request.drawing.rows)})
      verb.add_option(flag,
                      *place,
                      fmt::format("panels side by side{}: a swept key, algorithm or measure (of "
                                  "--measure A,B)",
                                  place == &request.drawing.rows ? ", one below another" : ""));
    verb.add_option("--against",
                    request.drawing.against,
                    "heat-map: show the ratio to this algorithm's measure");
    verb.add_option("--cost",
                    request.drawing.cost,
                    "pareto, break-even: evaluations, rounds, messages, payload_bytes or virtual_s "
                    "(default: payload_bytes)");
    verb.add_option("--where",
                    request.where,
                    "only settings with this value or name: loss=0.05, clients=10,100, '5 % loss'")
        ->allow_extra_args(false);
    verb.add_option("--repetition",
                    request.drawing.repetition,
                    "sequence: repetition, counted from 0 (default: 0)");
    verb.add_option(
        "--rounds", request.drawing.rounds, "sequence: a round, or from a round to another: 3..5");
    verb.add_option(
        "--from", request.drawing.from, "sequence: begin at this virtual time, e.g. 20ms");
    verb.add_option("--until", request.drawing.until, "sequence: end at this virtual time");
    verb.add_flag("--log", request.drawing.logarithmic, "logarithmic axes");
    verb.add_option("--band",
                    band,
                    "bands and bars: interval, the 95 % interval of the mean (default), or sd, one "
                    "standard deviation to either side")
        ->check(CLI::IsMember({"interval", "sd"}));
    verb.add_option("--regret",
                    request.drawing.regret,
                    "regret to reach, for time-to-regret and speed-up (default: the smallest that "
                    "all reach)")
        ->check(number_from(0, true));
    verb.add_option("--out",
                    request.out,
                    "SVG or PDF file; without --kind a directory (default: RUN/plots, for several "
                    "runs plots)");
    verb.add_flag("--pdf", request.pdf, "PDF instead of SVG");
    verb.add_option(
        "--width", request.width, "width of charts: 3.3in, 84mm, 600px (default: 760px)");
    verb.add_option("--font-size", request.font_size, "of charts: 8pt (default: 9pt)");
    verb.add_flag(
        "--no-title", request.no_title, "without title and subtitle, for a caption instead");
    verb.add_flag("--json", request.json, "print the files' names as JSON");
  }
};

ExitCode plot_as_asked(const PlotFlags& flags, const Invocation& invocation) {
  catch_signals();
  PlotRequest request = flags.request;
  request.drawing.band = flags.band == "sd" ? Band::sd : Band::interval;
  request.drawing.execution = execution_options({}, false, invocation);
  return plot_runs(request);
}

}  // namespace

Command plot_verb(CLI::App& verb) { return command_of(verb, plot_as_asked); }

}  // namespace posse
