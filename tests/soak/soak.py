# SPDX-License-Identifier: Apache-2.0
"""A paced run with its page and its metrics while observers come and go: do its descriptors,
threads and memory stay flat? tools/soak starts it.

Observers read the page, the document, the feed of events (for a moment, or until they are cut off)
and the metrics, pause and go on, send garbage, halves of requests, and reset connections. Every
few seconds /proc says what the process holds. The table goes to OUT/soak.csv, a figure to
OUT/soak.svg. Fails if the process ends, stops answering, or holds more at the end than early on:
of descriptors and threads more than any number of observers at once explains, of memory more than
the stated share per hour.
"""

import argparse
import csv
import os
import pathlib
import random
import re
import signal
import socket
import statistics
import struct
import subprocess
import sys
import threading
import time

OBSERVERS = 12
SETTLED = 0.2  # of the time: until then caches and buffers fill
MOST_GROWTH = 0.02  # of resident memory, from the first to the last fifth of the rest


class Observer(threading.Thread):
    """Comes and goes until `over`; counts what it got."""

    def __init__(self, number, ports, token, over):
        super().__init__(daemon=True)
        self.chance, self.ports, self.token, self.over = random.Random(number), ports, token, over
        self.asked = self.answered = 0

    def run(self):
        while not self.over.is_set():
            try:
                self.once()
            except OSError:
                pass
            time.sleep(self.chance.expovariate(20))

    def once(self):
        what = self.chance.random()
        page, metrics = self.ports
        with socket.create_connection(("127.0.0.1", metrics if what < 0.2 else page), timeout=10) as peer:
            if what < 0.2:
                self.ask(peer, metrics, "/metrics")
            elif what < 0.4:
                self.ask(peer, page, self.chance.choice(["/", "/api/document", "/none"]))
            elif what < 0.7:  # the feed, which lasts
                peer.sendall(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{page}\r\n\r\n".encode())
                end = time.monotonic() + self.chance.expovariate(2)
                while time.monotonic() < end and not self.over.is_set() and peer.recv(4096):
                    pass
            elif what < 0.8:
                # Rarely one that is carried out: the run remembers those.
                action = self.chance.choice(["pause", "resume"]) if self.chance.random() < 0.01 else "nonsense"
                body = '{"action": "%s"}' % action
                peer.sendall(
                    f"POST /api/control HTTP/1.1\r\nHost: 127.0.0.1:{page}\r\nAuthorization: Bearer {self.token}\r\n"
                    f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
                )
                peer.recv(4096)
            elif what < 0.9:
                peer.sendall(self.chance.randbytes(self.chance.randrange(1, 5000)))
                time.sleep(self.chance.expovariate(5))
            else:
                peer.sendall(b"GET / HTTP/1.1\r\nHo")
                time.sleep(self.chance.expovariate(2))
            if self.chance.random() < 0.5:  # a reset instead of a farewell
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def ask(self, peer, port, target):
        self.asked += 1
        peer.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        first = peer.recv(4096)
        while peer.recv(65536):
            pass
        self.answered += first.startswith(b"HTTP/1.1 ")


def held_by(process):
    """Descriptors, threads, resident MB."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return (
        len(os.listdir(f"/proc/{process}/fd")),
        int(re.search(r"Threads:\s+(\d+)", status)[1]),
        int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1000,
    )


def figure(rows, path):
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    made, axes = pyplot.subplots(3, 1, sharex=True, figsize=(7, 6))
    hours = [row[0] / 3600 for row in rows]
    for axis, column, name in zip(axes, (1, 2, 3), ("descriptors", "threads", "resident memory, MB")):
        axis.plot(hours, [row[column] for row in rows], linewidth=0.8)
        axis.set_ylabel(name)
        axis.set_ylim(bottom=0)
    axes[-1].set_xlabel("hours")
    made.savefig(path)


def main():
    parser = argparse.ArgumentParser(prog="tools/soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--out", default="soak", help="folder for the table and the figure (soak)")
    parser.add_argument("--posse", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    scenario = pathlib.Path(__file__).with_name("soak.toml")
    log = open(out / "posse.log", "w+")
    process = subprocess.Popen(
        [options.posse, "run", scenario, "--serve=127.0.0.1:0", "--metrics=127.0.0.1:0", "--pace", "1", "--quiet",
         "--linger", "1000000s", "--out", out / "runs"], stdout=subprocess.DEVNULL, stderr=log)  # fmt: skip
    for _ in range(100):
        time.sleep(0.1)
        said = (out / "posse.log").read_text()
        page = re.search(r"http://127\.0\.0\.1:(\d+)/#token=(\S+)", said)
        metrics = re.search(r"http://127\.0\.0\.1:(\d+)/metrics", said)
        if page and metrics:
            break
    else:
        sys.exit(f"posse didn't start:\n{said}")
    over = threading.Event()
    observers = [Observer(n, (int(page[1]), int(metrics[1])), page[2], over) for n in range(OBSERVERS)]
    for observer in observers:
        observer.start()

    begun, rows = time.monotonic(), []
    interval = min(5, options.seconds / 200)
    while time.monotonic() - begun < options.seconds and process.poll() is None:
        rows.append((time.monotonic() - begun, *held_by(process.pid)))
        time.sleep(interval)
    ended = process.poll()
    over.set()
    for observer in observers:
        observer.join(15)
    if ended is None:
        time.sleep(3)  # connections end
        alone = held_by(process.pid)
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    with open(out / "soak.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["seconds", "descriptors", "threads", "resident_mb"])
        table.writerows([f"{row[0]:.1f}", row[1], row[2], f"{row[3]:.3f}"] for row in rows)
    figure(rows, out / "soak.svg")
    if ended is not None:
        sys.exit(f"posse ended with code {ended}: see {out}/posse.log")

    settled = [row for row in rows if row[0] >= SETTLED * options.seconds]
    fifth = max(1, len(settled) // 5)
    wrong = []
    print(f"{sum(o.asked for o in observers)} pages, documents and metrics asked for, "
          f"{sum(o.answered for o in observers)} answered; {len(rows)} samples")  # fmt: skip
    for column, name, most in ((1, "descriptors", 2), (2, "threads", 0), (3, "resident MB", None)):
        early = statistics.median(row[column] for row in settled[:fifth])
        late = statistics.median(row[column] for row in settled[-fifth:])
        allowed = MOST_GROWTH * early if most is None else most
        print(f"{name}: {early:.6g} early, {late:.6g} late, {max(row[column] for row in rows):.6g} at most, "
              f"{alone[column - 1]:.6g} without observers")  # fmt: skip
        if late > early + allowed:
            wrong.append(name)
    if wrong:
        sys.exit("not flat: " + ", ".join(wrong))


if __name__ == "__main__":
    main()
