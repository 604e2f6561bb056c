# SPDX-License-Identifier: Apache-2.0
"""Figures of results by matplotlib, one call each."""

import numpy as np

# Okabe and Ito's colours, which colour-blind people can tell apart, in the order of Posse's pages.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
# Of settings, where colours are of algorithms.
_MARKERS = ("o", "s", "^", "D", "v", "P", "h")
# Of types of messages: without the reds, which mean drops.
_MESSAGE_COLOURS = ("#0072b2", "#009e73", "#e69f00", "#cc79a7", "#56b4e9", "#000000")


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


def draw(drawing, ax=None):
    """A chart, panels of charts, bars or a heat map of `posse plot`, as the program has it. Returns the
    axes: of panels an array, by row and column."""
    if drawing["type"] == "facets":
        if ax is not None:
            raise ValueError("panels have axes of their own: leave out `ax`")
        return _facets(drawing)
    drawn_by = {"chart": _chart, "bars": _bars, "heat-map": _heat_map}.get(drawing["type"])
    if drawn_by is None:
        raise ValueError(f"a {drawing['type']} is no figure of matplotlib: `posse plot` draws it")
    ax = _axes(ax)
    drawn_by(drawing, ax)
    return ax


def _numbers(values):
    return np.array(values, dtype=float)


def _chart(chart, ax):
    for series in chart["series"]:
        _series(series, ax)
    for name in ("x", "y"):
        axis = chart[name]
        unit = f" ({axis['unit']})" if axis["unit"] else ""
        getattr(ax, f"set_{name}label")(axis["label"] + unit)
        if axis["log"]:
            getattr(ax, f"set_{name}scale")("log", nonpositive="clip")
        if "categories" in axis:
            getattr(ax, f"set_{name}ticks")(range(len(axis["categories"])), axis["categories"])
    # A bound that would flatten the picture is left out.
    most = max(np.nanmax(_numbers(series["y"]), initial=0) for series in chart["series"])
    for fault in chart["faults"]:
        ax.axvspan(fault["from"], fault["to"], color="#222222", alpha=0.09, linewidth=0)
    for reference in chart["references"]:
        if reference["y"] <= most * (10 if chart["y"]["log"] else 1.5):
            ax.axhline(
                reference["y"], color=_colour(reference), linewidth=1, linestyle="--",
                label=reference["label"],
            )  # fmt: skip
    _style(ax)
    ax.legend(frameon=False, fontsize="small")


def _facets(facets):
    from matplotlib import pyplot

    columns, rows = len(facets["columns"]), max(len(facets["rows"]), 1)
    size = (1 + 2.4 * columns, 1 + 1.9 * rows)
    figure = pyplot.figure(figsize=size, layout="constrained")
    above, below = figure.subfigures(2, 1, height_ratios=[size[1] - 0.6, 0.6])
    axes = above.subplots(rows, columns, squeeze=False, sharex=True)
    used = {(panel["row"], panel["column"]) for panel in facets["panels"]}
    names, of_y = {}, {}
    for panel in facets["panels"]:
        row, column = panel["row"], panel["column"]
        ax = axes[row, column]
        _chart(panel["chart"], ax)
        ax.get_legend().remove()
        names.update({text: handle for handle, text in zip(*ax.get_legend_handles_labels())})
        # Axes of one quantity have one scale.
        first = of_y.setdefault(ax.get_ylabel(), ax)
        if first is not ax:
            ax.sharey(first)
        heading = [facets["columns"][column]] if row == 0 or not facets["rows"] else []
        if facets["rows"] and column == columns - 1:
            ax.annotate(
                facets["rows"][row], (1.02, 0.5), xycoords="axes fraction", rotation=-90, va="center"
            )
        ax.set_title(" ".join(heading), fontsize="medium")
        if (row + 1, column) in used:
            ax.set_xlabel("")
        if column > 0 and ax.get_ylabel() == axes[row, column - 1].get_ylabel():
            ax.set_ylabel("")
    for row in range(rows):
        for column in range(columns):
            if (row, column) not in used:
                axes[row, column].set_visible(False)
    below.legend(
        names.values(), names.keys(), loc="center", ncols=3, frameon=False, fontsize="small"
    )
    return axes


def _colour(part):
    if part.get("background"):
        return "#9a9a9a"
    return _COLOURS[part["style"] % len(_COLOURS)]


def _series(series, ax):
    x, y = _numbers(series["x"]), _numbers(series["y"])
    low, high = _numbers(series["low"]), _numbers(series["high"])
    background = series.get("background", False)
    look = {"color": _colour(series), "label": "_" if background else series["label"]}
    if background:
        look["linewidth"] = 0.8
    if series["kind"] == "points":
        bars = {}
        if len(low):
            bars["yerr"] = (y - low, high - y)
        if series["x_low"]:
            bars["xerr"] = (x - _numbers(series["x_low"]), _numbers(series["x_high"]) - x)
        marker = _MARKERS[series.get("marker", 0) % len(_MARKERS)]
        ax.errorbar(x, y, fmt=marker, capsize=3, **look, **({} if background else bars))
        return
    if series["kind"] == "front" or (series["kind"] == "guide" and not series["coloured"]):
        look.update(color="#8a929a", linewidth=1)
    steps = series["kind"] in ("steps", "front")
    ax.plot(
        x, y,
        drawstyle="steps-post" if steps else "default",
        linestyle="--" if series["alone"] or series["kind"] == "guide" else "-",
        marker=_MARKERS[series.get("marker", 0) % len(_MARKERS)]
        if len(x) <= 20 and series["kind"] == "line" and not background
        else "",
        markersize=4,
        **look,
    )  # fmt: skip
    if len(low) and not background:
        ax.fill_between(
            x, low, high, step="post" if steps else None, color=look["color"], alpha=0.18, linewidth=0
        )


def _bars(bars, ax):
    names = [bar["label"] for bar in bars["bars"]]
    hues = [
        "#9a9a9a" if bar["style"] is None else _MESSAGE_COLOURS[bar["style"] % len(_MESSAGE_COLOURS)]
        for bar in bars["bars"]
    ]
    left = np.zeros(len(names))
    for part in bars["parts"]:
        widths = _numbers(part["values"])
        if not np.any(widths > 0):
            continue
        dropped = "#c00000" if part["dropped"] else None
        look = {"alpha": part["strength"]}
        ax.barh(names, widths, left=left, height=0.7, color=dropped or hues, **look)
        # Of all bars, whatever their colours.
        ax.barh(0, 0, color=dropped or "#222222", label=part["label"], **look)
        left = left + widths
    ax.invert_yaxis()
    unit = f" ({bars['axis']['unit']})" if bars["axis"]["unit"] else ""
    ax.set_xlabel(bars["axis"]["label"] + unit)
    _style(ax, "x")
    ax.legend(frameon=False, fontsize="small")


def _heat_map(heat_map, ax):
    values = _numbers(heat_map["at"])
    image = ax.imshow(values, cmap="viridis", aspect="auto", origin="lower")
    ax.set_xticks(range(len(heat_map["columns"])), heat_map["columns"])
    ax.set_yticks(range(len(heat_map["rows"])), heat_map["rows"])
    middle = (np.nanmin(values) + np.nanmax(values)) / 2
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            colour = "white" if value < middle else "black"
            text = f"{value:.3g}" + ("?" if heat_map["uncertain"][row][column] else "")
            ax.text(column, row, text, ha="center", va="center", color=colour, fontsize=8)
    ax.set_xlabel(heat_map["x_label"])
    ax.set_ylabel(heat_map["y_label"])
    ax.set_title(heat_map["title"], fontsize="medium")
    ax.figure.colorbar(image, ax=ax)


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
