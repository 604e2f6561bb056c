# SPDX-License-Identifier: Apache-2.0
"""Figures of results by matplotlib, one call each."""

import numpy as np

# Okabe and Ito's colours, which colour-blind people can tell apart, in the order of Posse's pages.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_LABELS = {
    "evaluations": "evaluations per client",
    "rounds": "rounds",
    "bytes": "payload (bytes)",
    "virtual_time_s": "virtual time (s)",
    "cumulative_regret": "cumulative regret",
    "simple_regret": "simple regret",
}


def _curves(table, metric, x):
    """(algorithm, repetition) → x and values, in the order of the table; of several values at one x
    the last."""
    names, numbers = table["algorithm"], table["repetition"]
    chosen = np.array(
        [name == metric and who == "all" for name, who in zip(table["metric"], table["client"])]
    )
    keys = list(dict.fromkeys((names[i], numbers[i]) for i in np.flatnonzero(chosen)))
    of_run = np.array([keys.index(key) if key in keys else -1 for key in zip(names, numbers)])
    curves = {}
    for i, key in enumerate(keys):
        own = chosen & (of_run == i)
        at, value = table[x][own], table["value"][own]
        last = np.append(np.diff(at) != 0, True)
        curves[key] = (at[last], value[last])
    return curves


def regret(results, metric="cumulative_regret", x="evaluations", *, log=False, ax=None):
    """The curves of regret.csv: see Results.plot."""
    table = results.regret
    if not table.rows:
        raise ValueError(f"{results.name} has no regret curves")
    metrics = list(dict.fromkeys(table["metric"]))
    if metric not in metrics:
        raise ValueError(f"metric is {metric!r}, allowed: {', '.join(metrics)}")
    if x not in table:
        raise ValueError(f"x is {x!r}, allowed: evaluations, rounds, bytes, virtual_s")
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.figure(figsize=(5, 3.2), layout="constrained").add_subplot()
    _draw(ax, results, metric, x, log)
    return ax


def _draw(ax, results, metric, x, log):
    curves = _curves(results.regret, metric, x)
    for i, algorithm in enumerate(dict.fromkeys(name for name, _ in curves)):
        colour = _COLOURS[i % len(_COLOURS)]
        own = [curve for (name, _), curve in curves.items() if name == algorithm]
        for at, value in own:
            ax.plot(at, value, color=colour, linewidth=0.5, alpha=0.5)
        grid = np.unique(np.concatenate([at for at, _ in own]))
        grid = grid[grid <= min(at[-1] for at, _ in own)]
        mean = np.mean([np.interp(grid, at, value) for at, value in own], axis=0)
        ax.plot(grid, mean, color=colour, linewidth=1.6, label=algorithm)
    ax.set_xlabel(_LABELS.get(x, x))
    ax.set_ylabel(_LABELS.get(metric, metric.replace("_", " ")))
    if log:
        ax.set_xscale("log")
        ax.set_yscale("log")
    ax.grid(color="#e3e6e9", linewidth=0.6)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.legend(frameon=False)


def regret_svg(results):
    """A small figure as SVG, or "" without matplotlib."""
    try:
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError:
        return ""
    import io

    figure = Figure(figsize=(5, 3.2), layout="constrained")
    FigureCanvasSVG(figure)
    metrics = list(dict.fromkeys(results.regret["metric"]))
    _draw(figure.add_subplot(), results, metrics[0], "evaluations", False)
    out = io.StringIO()
    figure.savefig(out, format="svg")
    text = out.getvalue()
    return text[text.index("<svg") :]
