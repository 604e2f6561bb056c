#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is the simulation right? Runs algorithms for real and simulated (`posse validate`) and writes what
came out as tables (Markdown) and a picture (SVG).

    tools/nodes/validation.py POSSE FOLDER

POSSE is the program, FOLDER gets validation.csv, equal.md, times.md and times.svg. It takes some
minutes, on a machine that does nothing else.

- Equal: every algorithm of tests/golden/algorithms, 5 processes, without loss and latency: rounds,
  messages, numbers, payload and decisions of both.
- Times: ten of them, behind a proxy that adds 0, 5 and 50 ms each way: the time of a round (where
  an algorithm has no rounds, of the run), simulated with the latencies and service times that were
  measured, beside the measured one.
"""

import csv
import math
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENARIOS = ROOT / "tests" / "golden" / "algorithms"
EXACT = ["rounds", "messages", "numbers in them", "payload", "decisions"]
TIMED = ["echo", "fed-pne", "pf-pne", "fed-pne-variance", "parallel", "blin", "hct-batched",
         "fed1-ucb", "f-lcb", "hct-central"]
DELAYS = [0, 5, 50]  # ms, each way
COLOURS = {0: "#0072b2", 5: "#d55e00", 50: "#009e73"}


def overrides(scenario):
    words = ["--set", 'network.latency="0 us"', "--set", 'network.loss={ kind = "none" }']
    if "[compute]" in scenario.read_text():
        words += ["--set", "compute="]
    return words


def validate(posse, scenario, folder, more):
    """The lines of validation.csv by run and quantity."""
    command = [posse, "validate", str(scenario), "--processes", "5", "--progress", "none",
               "--out", str(folder / "runs"), *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    found = None
    for line in done.stderr.splitlines():
        if line.startswith("results: "):
            found = pathlib.Path(line[len("results: "):].split(";")[0])
    if found is None:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    lines = {}
    with open(found / "validation.csv", newline="") as file:
        for row in csv.DictReader(file):
            lines.setdefault(row["run"], {})[row["quantity"]] = row
    return lines


def shown(row, side):
    value = row[side]
    if row["unit"] == "text":
        return value[:8]
    return f"{float(value):,.0f}".replace(",", " ")


def equal_table(posse, folder):
    rows = ["| algorithm | rounds | messages | numbers | payload, B | decisions | equal |",
            "| --- | --- | --- | --- | --- | --- | --- |"]
    unequal = 0
    for scenario in sorted(SCENARIOS.glob("*.toml")):
        for run, lines in validate(posse, scenario, folder, overrides(scenario)).items():
            both = []
            for quantity in EXACT:
                simulated, measured = (shown(lines[quantity], side)
                                       for side in ("simulated", "measured"))
                both.append(measured if simulated == measured else f"{simulated} / {measured}")
            equal = all(lines[quantity]["verdict"] == "equal" for quantity in EXACT)
            unequal += not equal
            rows.append(f"| {run} | {' | '.join(both)} | {'yes' if equal else '**no**'} |")
            print(rows[-1], flush=True)
    (folder / "equal.md").write_text("\n".join(rows) + "\n")
    return len(rows) - 2, unequal


def timed_points(posse, folder):
    points = []
    for name in TIMED:
        for delay in DELAYS:
            scenario = SCENARIOS / f"{name}.toml"
            lines = validate(posse, scenario, folder,
                             [*overrides(scenario), "--set", "repeat=5", "--delay", f"{delay} ms"])
            of_run = [run.get("time of a round", run.get("time of the run"))
                      for run in lines.values()]
            simulated = statistics.mean(float(row["simulated"]) for row in of_run)
            measured = statistics.mean(float(row["measured"]) for row in of_run)
            points.append({"algorithm": name, "delay_ms": delay, "of": of_run[0]["quantity"],
                           "simulated_s": simulated, "measured_s": measured,
                           "error": simulated / measured - 1})
            print(points[-1], flush=True)
    return points


def times_table(points):
    rows = ["| algorithm | 0 ms | 5 ms | 50 ms |", "| --- | --- | --- | --- |"]
    for name in TIMED:
        cells = []
        for delay in DELAYS:
            p = next(p for p in points if p["algorithm"] == name and p["delay_ms"] == delay)
            cells.append(f"{p['simulated_s'] * 1e3:.3g} / {p['measured_s'] * 1e3:.3g} "
                         f"({p['error'] * 100:+.1f} %)")
        rows.append(f"| {name} | {' | '.join(cells)} |")
    errors = {delay: statistics.median(abs(p["error"]) for p in points if p["delay_ms"] == delay)
              for delay in DELAYS}
    rows.append("| median error | " +
                " | ".join(f"{errors[delay] * 100:.1f} %" for delay in DELAYS) + " |")
    return "\n".join(rows) + "\n"


def picture(points):
    """Every point, on logarithmic axes, with bands of 10 % and 25 %."""
    width, height, left, bottom, right, top = 560, 520, 70, 60, 20, 20
    values = [p[side] * 1e3 for p in points for side in ("simulated_s", "measured_s")]
    low, high = math.log10(min(values)) - 0.15, math.log10(max(values)) + 0.15

    def x(ms):
        return left + (math.log10(ms) - low) / (high - low) * (width - left - right)

    def y(ms):
        return height - bottom - (math.log10(ms) - low) / (high - low) * (height - top - bottom)

    def text(at_x, at_y, content, anchor="middle", more=""):
        return f'<text x="{at_x:.1f}" y="{at_y:.1f}" text-anchor="{anchor}"{more}>{content}</text>'

    least, most = 10 ** low, 10 ** high
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12" role="img" '
           'aria-label="Simulated against measured time of a round">',
           f'<rect width="{width}" height="{height}" fill="#fff"/>',
           f'<clipPath id="plane"><rect x="{left}" y="{top}" width="{width - left - right}" '
           f'height="{height - top - bottom}"/></clipPath><g clip-path="url(#plane)">']
    for share, colour in ((0.25, "#eeeeee"), (0.10, "#dddddd")):
        corners = [(least, least * (1 + share)), (most, most * (1 + share)),
                   (most, most * (1 - share)), (least, least * (1 - share))]
        out.append(f'<polygon fill="{colour}" points="' +
                   " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in corners) + '"/>')
    out.append(f'<line x1="{x(least):.1f}" y1="{y(least):.1f}" x2="{x(most):.1f}" '
               f'y2="{y(most):.1f}" stroke="#888"/></g>')
    for exponent in range(math.ceil(low), math.floor(high) + 1):
        ms = 10.0 ** exponent
        label = f"{ms:g} ms"
        out.append(f'<line x1="{x(ms):.1f}" x2="{x(ms):.1f}" y1="{height - bottom}" '
                   f'y2="{height - bottom + 5}" stroke="#000"/>')
        out.append(text(x(ms), height - bottom + 20, label))
        out.append(f'<line x1="{left - 5}" x2="{left}" y1="{y(ms):.1f}" y2="{y(ms):.1f}" '
                   'stroke="#000"/>')
        out.append(text(left - 9, y(ms) + 4, label, "end"))
    out.append(f'<rect x="{left}" y="{top}" width="{width - left - right}" '
               f'height="{height - top - bottom}" fill="none" stroke="#000"/>')
    for p in points:
        out.append(f'<circle cx="{x(p["measured_s"] * 1e3):.1f}" cy="{y(p["simulated_s"] * 1e3):.1f}" '
                   f'r="4" fill="{COLOURS[p["delay_ms"]]}" fill-opacity="0.75">'
                   f'<title>{p["algorithm"]}, {p["delay_ms"]} ms: {p["error"] * 100:+.1f} %</title>'
                   '</circle>')
    for i, delay in enumerate(DELAYS):
        at = top + 18 + 18 * i
        out.append(f'<circle cx="{left + 16}" cy="{at - 4}" r="4" fill="{COLOURS[delay]}"/>')
        out.append(text(left + 26, at, f"{delay} ms added each way", "start"))
    out.append(text(left + 26, top + 72, "bands: 10 % and 25 %", "start"))
    out.append(text((left + width - right) / 2, height - 16, "measured time of a round"))
    middle = (top + height - bottom) / 2
    out.append(text(16, middle, "simulated time of a round", "middle",
                    f' transform="rotate(-90 16 {middle})"'))
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    posse, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    points = timed_points(posse, folder)
    with open(folder / "validation.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(points[0]))
        writer.writeheader()
        writer.writerows(points)
    (folder / "times.md").write_text(times_table(points))
    (folder / "times.svg").write_text(picture(points))
    print(times_table(points))
    runs, unequal = equal_table(posse, folder)
    print(f"{runs} runs, {unequal} of them unequal")


if __name__ == "__main__":
    main()
