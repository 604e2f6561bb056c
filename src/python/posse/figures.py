# SPDX-License-Identifier: Apache-2.0
"""Figures of results by matplotlib, one call each."""

import numpy as np

from . import _posse

# Okabe and Ito's colours, which colour-blind people can tell apart, in the order of Posse's pages.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_LABELS = {
    "evaluations": "evaluations per client",
    "rounds": "rounds",
    "bytes": "bytes sent",
    "virtual_s": "virtual time (s)",
    "payload_bytes": "payload (bytes)",
    "wire_bytes": "bytes on the wire",
}


def _label(name):
    return _LABELS.get(name, name.replace("_", " "))


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


def _axes(ax):
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.figure(figsize=(5, 3.2), layout="constrained").add_subplot()


def _style(ax, grid="both"):
    ax.grid(color="#e3e6e9", linewidth=0.6, axis=grid)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _one_of(given, known, what):
    """The given one, or the first."""
    known = list(dict.fromkeys(known))
    if given is None:
        return known[0]
    if given not in known:
        raise ValueError(f"{what} is {given!r}, allowed: {', '.join(map(str, known))}")
    return given


def regret(results, metric="cumulative_regret", x="evaluations", *, log=False, ax=None):
    """The curves of regret.csv: see Results.plot."""
    table = results.regret
    if not table.rows:
        raise ValueError(f"{results.name} has no regret curves")
    _one_of(metric, table["metric"], "metric")
    if x not in table:
        raise ValueError(f"x is {x!r}, allowed: evaluations, rounds, bytes, virtual_s")
    ax = _axes(ax)
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
    ax.set_xlabel(_label(x))
    ax.set_ylabel(_label(metric))
    if log:
        ax.set_xscale("log")
        ax.set_yscale("log")
    _style(ax)
    ax.legend(frameon=False)


def bytes_by_type(results, *, ax=None):
    """See Results.plot_bytes."""
    sums = {}
    counts = {}
    for run in results.to_dict()["runs"]:
        if run["status"] != "finished":
            continue
        counts[run["algorithm"]] = counts.get(run["algorithm"], 0) + 1
        for account in run["ledger"]:
            own = sums.setdefault(account["type"], {})
            own[run["algorithm"]] = own.get(run["algorithm"], 0) + account["wire_bytes"]
    if not counts:
        raise ValueError(f"no run of {results.name} has finished")
    ax = _axes(ax)
    left = dict.fromkeys(counts, 0.0)
    for i, (kind, own) in enumerate(sums.items()):
        widths = [own.get(algorithm, 0) / counts[algorithm] for algorithm in counts]
        colour = "#8a929a" if kind == "Ack" else _COLOURS[i % len(_COLOURS)]
        ax.barh(list(counts), widths, left=list(left.values()), color=colour, label=kind, height=0.6)
        left = {name: before + width for (name, before), width in zip(left.items(), widths)}
    ax.invert_yaxis()
    ax.set_xlabel("bytes on the wire")
    _style(ax, "x")
    ax.legend(frameon=False, fontsize="small")
    return ax


def time_of_rounds(results, algorithm=None, *, ax=None):
    """See Results.plot_rounds."""
    table = results.rounds
    if not table.rows:
        raise ValueError(f"{results.name} has no rounds")
    algorithm = _one_of(algorithm, table["algorithm"], "algorithm")
    own = np.array([name == algorithm for name in table["algorithm"]])
    rounds = np.unique(table["round"][own])
    ax = _axes(ax)
    below = np.zeros(len(rounds))
    parts = [name for name in table if name.startswith("path_")]
    for i, part in enumerate(parts):
        values = np.array(
            [np.nanmean(table[part][own & (table["round"] == number)]) for number in rounds]
        )
        if not np.nansum(values) > 0:
            continue
        label = part.removeprefix("path_").removesuffix("_virtual_s")
        ax.bar(rounds, values, 0.8, below, color=_COLOURS[i % len(_COLOURS)], label=label)
        below = below + values
    ax.set_ylim(0, 1.05 * max(below))
    ax.set_xlabel(f"round of {algorithm}")
    ax.set_ylabel("virtual time (s)")
    _style(ax, "y")
    ax.legend(frameon=False, fontsize="small")
    return ax


def arms(results, algorithm=None, repetition=0, *, log=True, ax=None):
    """See Results.plot_arms."""
    table = results.arms
    if not table.rows:
        raise ValueError(f"{results.name} has no functional bandit")
    algorithm = _one_of(algorithm, table["algorithm"], "algorithm")
    of_run = np.array([name == algorithm for name in table["algorithm"]])
    of_run &= table["repetition"] == repetition
    ax = _axes(ax)
    names = table["arm"]
    for i, arm in enumerate(dict.fromkeys(names)):
        own = of_run & np.array([name == arm for name in names])
        ax.plot(
            table["total_pulls"][own],
            table["value"][own],
            color=_COLOURS[i % len(_COLOURS)],
            label=str(arm),
        )
    ax.set_xlabel("pulls of all arms")
    ax.set_ylabel("value")
    if log:
        ax.set_xscale("log")
    _style(ax)
    ax.legend(frameon=False, fontsize="small")
    return ax


# What runs are compared by, in the order in which a figure of a sweep chooses.
_MEASURES = ("cumulative_regret", "answer_value", "virtual_s")


def _swept(sweep):
    """The swept keys."""
    names = list(sweep.summary)
    return names[names.index("setting") + 1 : names.index("algorithm")]


def _measure(sweep, measure):
    table = sweep.summary
    usable = [
        name
        for name in list(table)[list(table).index("values") + 1 :]
        if isinstance(table[name], np.ndarray) and not np.all(np.isnan(table[name]))
    ]
    return _one_of(measure or next(name for name in _MEASURES if name in usable), usable, "measure")


def _finished(table):
    return np.array([status == "finished" for status in table["status"]])


def lines(sweep, x=None, measure=None, *, ax=None):
    """See Sweep.plot."""
    table = sweep.summary
    keys = _swept(sweep)
    if not keys:
        raise ValueError("nothing is swept: the scenario has no section sweep")
    x = _one_of(x, keys, "x")
    measure = _measure(sweep, measure)
    others = [key for key in keys if key != x]
    labels = table["algorithm"]
    groups = {}
    for i in np.flatnonzero(_finished(table)):
        label = [labels[i]]
        label += [f"{key.rsplit('.', 1)[-1]} {_short(table[key][i])}" for key in others]
        cells = groups.setdefault(", ".join(label), {})
        cells.setdefault(table[x][i], []).append(table[measure][i])
    ax = _axes(ax)
    for i, (label, cells) in enumerate(groups.items()):
        at = list(cells) if isinstance(table[x], list) else sorted(cells)
        means = [np.mean(cells[value]) for value in at]
        widths = [_posse.half_width(cells[value]) for value in at]
        ax.errorbar(
            at, means, widths, color=_COLOURS[i % len(_COLOURS)], label=label, marker="o", capsize=3,
            markersize=4, linewidth=1.4,
        )  # fmt: skip
    ax.set_xlabel(x)
    ax.set_ylabel(_label(measure))
    _style(ax)
    ax.legend(frameon=False, fontsize="small")
    return ax


def heat_map(sweep, x=None, y=None, measure=None, *, algorithm=None, ax=None):
    """See Sweep.heat_map."""
    table = sweep.summary
    keys = _swept(sweep)
    if len(keys) < 2:
        raise ValueError(f"a heat map needs two swept keys, there are {len(keys)}")
    x = _one_of(x, keys, "x")
    y = _one_of(y, [key for key in keys if key != x], "y")
    measure = _measure(sweep, measure)
    labels = table["algorithm"]
    algorithm = _one_of(algorithm, labels, "algorithm")
    own = _finished(table) & np.array([label == algorithm for label in labels])
    columns, rows = (_values(table[key]) for key in (x, y))
    sums, counts = np.zeros((2, len(rows), len(columns)))
    for i in np.flatnonzero(own):
        cell = rows.index(table[y][i]), columns.index(table[x][i])
        sums[cell] += table[measure][i]
        counts[cell] += 1
    means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
    ax = _axes(ax)
    image = ax.imshow(means, cmap="viridis", aspect="auto", origin="lower")
    ax.set_xticks(range(len(columns)), [_short(value) for value in columns])
    ax.set_yticks(range(len(rows)), [_short(value) for value in rows])
    middle = (np.nanmin(means) + np.nanmax(means)) / 2
    for (row, column), mean in np.ndenumerate(means):
        if not np.isnan(mean):
            colour = "white" if mean < middle else "black"
            ax.text(column, row, f"{mean:.3g}", ha="center", va="center", color=colour, fontsize=8)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.set_title(algorithm, fontsize="medium")
    ax.figure.colorbar(image, ax=ax, label=_label(measure))
    return ax


def _values(column):
    return list(dict.fromkeys(column)) if isinstance(column, list) else sorted(set(column.tolist()))


def _short(value):
    return f"{value:g}" if isinstance(value, float) else str(value)


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
