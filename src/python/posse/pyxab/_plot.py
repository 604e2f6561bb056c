# SPDX-License-Identifier: Apache-2.0
"""The functions of posse.pyxab.utils.plot. They need matplotlib, which they import when called."""

import numpy as np


def plot_regret(regret_list, name="T-HOO"):
    """Shows a cumulative regret over the rounds."""
    compare_regret({name: regret_list})


def compare_regret(regret_dic):
    """Shows cumulative regrets by name."""
    import matplotlib.pyplot as plt

    for name, regrets in regret_dic.items():
        plt.plot(np.arange(len(regrets)), regrets, label=name)
    plt.xlabel("rounds")
    plt.ylabel("cumulative regret")
    plt.legend()
    plt.show()


def compare_regret_withsd(dictionary, x_range=None, y_range=None):
    """Shows means of several runs, and one standard deviation around them. `dictionary` has the lists
    "regret" (arrays of shape (runs, rounds)), "labels" and "colors"."""
    import matplotlib.pyplot as plt

    plt.figure()
    for runs, label, color in zip(
        dictionary["regret"], dictionary["labels"], dictionary["colors"], strict=True
    ):
        runs = np.asarray(runs)
        rounds = np.arange(1, runs.shape[1] + 1)
        mean, sd = runs.mean(axis=0), runs.std(axis=0)
        plt.plot(rounds, mean, color=color, label=label)
        plt.fill_between(rounds, mean - sd, mean + sd, color=color, alpha=0.3)
    plt.xlabel("rounds")
    plt.ylabel("cumulative regret")
    if x_range is not None:
        plt.xlim(x_range)
    if y_range is not None:
        plt.ylim(y_range)
    plt.legend(loc="upper left")
    plt.show()
