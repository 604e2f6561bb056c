#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Attacks a run over several processes, and checks that nobody notices.

    tools/nodes/attack.py [--attacks 10000] [--posse tools/posse] [--mode token|tls|both] [--kill]

A listener and three members run a scenario on this machine, with a token, or with certificates and a
token. Strangers send what KINDS lists, from several threads; with --kill one of the members is killed
and started again all the while. Every run must end with exit code 0 everywhere, and, without --kill,
with the messages and decisions of a run that nobody disturbs. A stranger who only has the token forges
as a member, too. Shares no code with Posse: the protocol is written out here.
"""

import argparse
import hashlib
import hmac
import json
import os
import random
import re
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "a secret of many bytes"
PROTOCOL = struct.pack(">I", 3)
(HELLO, CHALLENGE, PROOF, VERDICT, JOIN, WELCOME, PREPARE, READY, PING, PONG, BEGIN, MOVED, MESSAGE,
 REPORT, ANSWERED, STOP, BYE) = range(1, 18)
HELD_AT_MOST = 300  # connections that attacks leave open

SCENARIO = """
name = "attacked"
[[algorithm]]
kind = "fed-pne"
[population]
clients = 3
[objective]
kind = "garland"
[budget]
evaluations_per_client = {evaluations}
[network]
latency = "0 us"
loss = {{ kind = "none" }}
[compute]
evaluation = "1 ms"
[server]
{policy}
"""


def frame(kind, content=b""):
    return struct.pack(">IB", len(content), kind) + content


def text(string):
    return struct.pack("<I", len(string)) + string


class Attacker:
    def __init__(self, port, certificates, seed):
        self.port = port
        self.certificates = certificates
        self.random = random.Random(seed)
        self.seed = seed
        self.counts = Counter()
        self.lock = threading.Lock()
        self.held = []   # sockets that say nothing more
        self.slow = []   # (socket, bytes): one a second
        self.recorded = None
        self.version = b"?"
        if not certificates:
            self.version = self.version_of_listener()

    # What attacks are made of.

    def connect(self):
        stranger = socket.create_connection(("127.0.0.1", self.port), timeout=5)
        return stranger

    def inside(self, certificate="good"):
        """A connection on which the handshake of Posse comes next."""
        stranger = self.connect()
        if not self.certificates:
            return stranger
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        if certificate:
            context.load_cert_chain(f"{self.certificates}/{certificate}.pem",
                                    f"{self.certificates}/{certificate}.key")
        return context.wrap_socket(stranger)

    def hold(self, stranger):
        with self.lock:
            self.held.append(stranger)
            old = self.held.pop(0) if len(self.held) > HELD_AT_MOST else None
        if old:
            old.close()

    @staticmethod
    def finish(stranger):
        """Until the other end hangs up, or for a moment."""
        stranger.settimeout(0.05)
        try:
            while stranger.recv(65536):
                pass
        except OSError:
            pass
        stranger.close()

    def bytes(self, draws, most=2000):
        return draws.randbytes(draws.randrange(1, most))

    @staticmethod
    def read_frame(stranger):
        data = b""
        while len(data) < 5 or len(data) < 5 + struct.unpack(">I", data[:4])[0]:
            more = stranger.recv(1 if len(data) >= 5 else 5 - len(data))
            if not more:
                raise ConnectionError("it hung up")
            data += more
        return data[4], data[5:]

    def hello(self, nonce):
        return frame(HELLO, b"posse-node" + PROTOCOL + nonce)

    def proof(self, nonce, challenge, token=TOKEN):
        said = b"member\0" + nonce + challenge[4:]
        return frame(PROOF, hmac.new(token.encode(), said, hashlib.sha256).digest())

    def member(self, draws):
        """A line of somebody who knows the token. (With TLS, a proof is bound to a key that Python
        doesn't give.)"""
        stranger = self.inside()
        nonce = draws.randbytes(32)
        stranger.sendall(self.hello(nonce))
        kind, challenge = self.read_frame(stranger)
        assert kind == CHALLENGE
        stranger.sendall(self.proof(nonce, challenge))
        kind, verdict = self.read_frame(stranger)
        assert kind == VERDICT and verdict[0] == 1
        return stranger

    def joined(self, draws, names=()):
        stranger = self.member(draws)
        stranger.sendall(frame(JOIN, text(self.version) + bytes(8) + struct.pack("<I", len(names)) +
                               b"".join(text(name) for name in names)))
        return stranger

    def version_of_listener(self):
        """As it tells members of another one."""
        stranger = self.joined(self.random)
        while True:
            kind, content = self.read_frame(stranger)
            if kind == WELCOME:
                stranger.close()
                return re.search(b"this is posse (.*), not \\?", content).group(1)

    # Kinds of attacks.

    def plain_text(self, draws):
        stranger = self.connect()
        stranger.sendall(draws.choice([b"hello\r\n", b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"\n",
                                       b"USER root\r\n", b"\0"]) * draws.randrange(1, 50))
        self.finish(stranger)

    def random_bytes(self, draws):
        stranger = self.connect()
        stranger.sendall(self.bytes(draws, 20000))
        self.finish(stranger)

    def caf_header(self, draws):
        stranger = self.connect()
        length = draws.choice([0, 0, 58, 2**31])
        stranger.sendall(struct.pack(">BBBBIQQQ", draws.randrange(8), 0, 0, draws.randrange(4), length,
                                     draws.choice([0, 3]), draws.choice([0, 1]), draws.choice([0, 1])) +
                         b"A" * min(length, 100))
        self.finish(stranger)

    def half_open(self, draws):
        stranger = self.connect()
        if draws.random() < 0.5:
            stranger.sendall(b"\x16\x03\x01\x02\0\1\0\1\xfc\3\3" if self.certificates
                             else self.hello(draws.randbytes(32))[:draws.randrange(1, 51)])
        self.hold(stranger)

    def slow_bytes(self, draws):
        stranger = self.connect()
        with self.lock:
            if len(self.slow) < 50:
                self.slow.append([stranger, self.hello(draws.randbytes(32))])
                return
        stranger.close()

    def flood(self, draws):
        for stranger in [self.connect() for _ in range(20)]:
            if draws.random() < 0.5:
                stranger.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            stranger.close()

    def oversized(self, draws):
        stranger = self.inside()
        stranger.sendall(struct.pack(">IB", draws.choice([257, 2**20, 2**28, 2**32 - 1]),
                                     draws.randrange(20)) + bytes(draws.randrange(1000)))
        self.finish(stranger)

    def replayed(self, draws):
        if self.recorded is None:
            self.recorded = self.hello(bytes(32)) + self.proof(bytes(32), bytes(36))
        stranger = self.inside()
        stranger.sendall(self.recorded)
        self.finish(stranger)

    def wrong_token(self, draws):
        stranger = self.inside()
        nonce = draws.randbytes(32)
        stranger.sendall(self.hello(nonce))
        challenge = self.read_frame(stranger)[1]
        stranger.sendall(self.proof(nonce, challenge, "another"))
        kind, verdict = self.read_frame(stranger)
        assert kind == VERDICT and verdict[0] == 0, "somebody without the token was let in"
        self.finish(stranger)

    def garbage_for_hello(self, draws):
        stranger = self.inside()
        stranger.sendall(frame(draws.randrange(256), draws.randbytes(draws.randrange(256))))
        self.finish(stranger)

    def garbage_for_proof(self, draws):
        stranger = self.inside()
        stranger.sendall(self.hello(draws.randbytes(32)))
        self.read_frame(stranger)
        stranger.sendall(draws.choice([self.bytes(draws), self.hello(draws.randbytes(32)),
                                       frame(draws.randrange(20), draws.randbytes(32)),
                                       frame(PROOF, draws.randbytes(draws.randrange(64)))]))
        self.finish(stranger)

    def cut_off(self, draws):
        whole = self.hello(draws.randbytes(32)) + frame(PROOF, draws.randbytes(32))
        stranger = self.inside()
        stranger.sendall(whole[:draws.randrange(len(whole))])
        stranger.close()

    # With TLS only.

    def no_certificate(self, draws):
        self.tls_refused("")

    def own_certificate(self, draws):
        self.tls_refused("stranger")

    def tls_refused(self, certificate):
        try:
            stranger = self.inside(certificate)
            stranger.sendall(self.hello(bytes(32)))
            stranger.settimeout(5)
            came = stranger.recv(1)
        except (ssl.SSLError, ConnectionError):
            return
        assert not came, "somebody without a certificate was answered"

    def broken_tls(self, draws):
        stranger = self.inside()
        raw = socket.socket(fileno=os.dup(stranger.fileno()))
        raw.sendall(draws.choice([b"", b"\x17\3\3\0\x20"]) + self.bytes(draws))
        raw.close()
        self.finish(stranger)

    # With the token only.

    def forged_name(self, draws):
        self.finish(self.joined(draws, [draws.choice([b"client-0", b"client-9", b"server", b""])]))

    def garbage_for_join(self, draws):
        stranger = self.member(draws)
        stranger.sendall(draws.choice([self.bytes(draws), frame(JOIN, self.bytes(draws)),
                                       frame(draws.randrange(20), self.bytes(draws)),
                                       struct.pack(">IB", 2**32 - 1, JOIN)]))
        self.finish(stranger)

    def forged_message(self, draws):
        numbers = [draws.choice([0, 1, 2, 3, 4, 2**32 - 1]) for _ in range(3)]
        envelope = struct.pack("<III", *numbers) + text(draws.choice([b"PneReport", b"?", b"a" * 300]))
        envelope += text(draws.randbytes(draws.randrange(100)))
        envelope += struct.pack("<IIBqqI", 0, 0, draws.randrange(4), draws.choice([0, -2**63]),
                                draws.choice([0, 2**63 - 1]), 0) + text(b"")
        self.forge(draws, frame(MESSAGE, struct.pack("<Q", draws.choice([1, 1, 1, 2])) + envelope))

    def forged_report(self, draws):
        report = text(self.bytes(draws))
        self.forge(draws, frame(REPORT, struct.pack("<Q", 1) + report))

    def garbage_of_a_member(self, draws):
        self.forge(draws, draws.choice([self.bytes(draws), struct.pack(">IB", 2**32 - 1, MESSAGE),
                                        frame(draws.randrange(20), self.bytes(draws))]))

    def forge(self, draws, bytes_of_it):
        stranger = self.joined(draws)
        stranger.sendall(bytes_of_it)
        self.finish(stranger)

    COMMON = [plain_text, random_bytes, caf_header, half_open, slow_bytes, flood, oversized, replayed,
              wrong_token, garbage_for_hello, garbage_for_proof, cut_off]
    WITH_TLS = [no_certificate, own_certificate, broken_tls]
    WITH_TOKEN = [forged_name, garbage_for_join, forged_message, forged_report, garbage_of_a_member]

    # Attacking.

    def drip(self, stop):
        while not stop.wait(1):
            with self.lock:
                slow = list(self.slow)
            for one in slow:
                try:
                    one[0].sendall(one[1][:1])
                    one[1] = one[1][1:]
                    one[0].setblocking(False)
                    gone = one[0].recv(1) == b"" or not one[1]
                except BlockingIOError:
                    gone = not one[1]
                except OSError:
                    gone = True
                if gone:
                    one[0].close()
                    with self.lock:
                        self.slow.remove(one)

    def attack(self, take, stop, failures):
        kinds = self.COMMON + (self.WITH_TLS if self.certificates else self.WITH_TOKEN)
        while not stop.is_set():
            number = take()
            if number is None:
                return
            kind = kinds[number % len(kinds)]
            try:
                kind(self, random.Random(f"{self.seed} {number}"))
            except AssertionError as failure:
                failures.append(f"attack {number}, {kind.__name__}: {failure}")
            except (OSError, EOFError):
                pass  # hung up on: as it should be
            self.counts[kind.__name__] += 1


class Run:
    """A listener and its members in a folder."""

    def __init__(self, posse, folder, certificates, policy, evaluations):
        self.posse, self.folder = posse, Path(folder)
        (self.folder / "token").write_text(TOKEN + "\n")
        (self.folder / "a.toml").write_text(SCENARIO.format(policy=policy, evaluations=evaluations))
        self.keys = ["--token-file", "token"]
        if certificates:
            for flag, name in ("certificate", "node.pem"), ("key", "node.key"), ("ca", "authority.pem"):
                self.keys += ["--" + flag, f"{certificates}/{name}"]
        self.processes = {}
        self.start("listener", ["--listen", "127.0.0.1:0", "a.toml", "--members", "3", "--rejoin", "20 s"])
        self.port = int(re.search(r":(\d+);", self.wait_for("listener", "listening at")).group(1))
        for i in range(3):
            self.start_member(i)
        for i in range(3):
            self.wait_for("listener", f"member {i + 1} has joined")

    def start_member(self, i):
        self.start(f"member-{i}", ["--connect", f"127.0.0.1:{self.port}", "--name", f"client-{i}",
                                   "--patience", "10 s"])

    def start(self, name, words):
        errors = open(self.folder / f"{name}.err", "a")
        self.processes[name] = subprocess.Popen(
            [self.posse, "node", *words, *self.keys], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=errors)
        errors.close()

    def errors(self, name):
        return (self.folder / f"{name}.err").read_text(errors="replace")

    def wait_for(self, name, words):
        for _ in range(600):
            for line in self.errors(name).splitlines():
                if words in line:
                    return line
            if self.processes[name].poll() is not None:
                break
            time.sleep(0.05)
        sys.exit(f"{name} didn't say '{words}' but\n{self.errors(name)}")

    def running(self):
        return self.processes["listener"].poll() is None

    def end(self, killed=()):
        """What went wrong, but for members that were killed."""
        wrong = []
        for name, process in self.processes.items():
            if name in killed:
                continue
            try:
                code = process.wait(60 if name == "listener" else 20)
            except subprocess.TimeoutExpired:
                code = "none: it hangs"
                process.kill()
            if code != 0:
                wrong.append(f"exit code of the {name}: {code}\n{self.errors(name)[-1500:]}")
        return wrong

    def result(self):
        folder = self.folder / "runs/attacked/latest"
        run = json.loads((folder / "results.json").read_text())["runs"][0]
        sent = [(a["type"], a["direction"], a["sent"], a["bytes"]) for a in run["ledger"]]
        return {"status": run["status"], "rounds": run["rounds"], "sent": sent, "regret": run["regret"]}

    def stop(self):
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
            process.wait()


def make_certificates(folder):
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)
    for name in "authority", "stranger":
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                "-keyout", f"{name}.key", "-out", f"{name}.pem")
    for name in "node", "good":
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", f"{name}.key",
                "-out", f"{name}.csr")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "authority.pem", "-CAkey", "authority.key",
                "-CAcreateserial", "-days", "2", "-out", f"{name}.pem")


def attacked_run(posse, certificates, options, left, seed, reference):
    """Runs once under attack. Returns how many attacks were made, and what went wrong."""
    policy = 'policy = "quorum"\nquorum = 2' if options.kill else 'policy = "all"'
    with tempfile.TemporaryDirectory() as folder:
        run = Run(posse, folder, certificates, policy, options.evaluations)
        attacker = Attacker(run.port, certificates, seed)
        stop, failures, lock, numbers = threading.Event(), [], threading.Lock(), iter(range(left))

        def take():
            with lock:
                return next(numbers, None)
        threads = [threading.Thread(target=attacker.attack, args=(take, stop, failures))
                   for _ in range(options.threads)]
        threads.append(threading.Thread(target=attacker.drip, args=(stop,)))
        try:
            for thread in threads:
                thread.start()
            killed = 0
            while run.running() and any(thread.is_alive() for thread in threads[:-1]):
                time.sleep(0.2)
                if options.kill and run.running():
                    run.processes["member-2"].send_signal(signal.SIGKILL)
                    run.processes["member-2"].wait()
                    run.start_member(2)
                    killed += 1
                    time.sleep(1)
            ended_first = not run.running()
            if not ended_first:
                stop.set()
            wrong = failures + run.end(["member-2"] if options.kill else [])
            stop.set()
            if not wrong:
                result = run.result()
                if options.kill:
                    result = {"status": result["status"]}
                if reference and result != {key: reference[key] for key in result}:
                    wrong.append(f"the result is {result}, not {reference}")
        finally:
            stop.set()
            for thread in threads:
                if thread.is_alive():
                    thread.join()
            run.stop()
        for stranger in attacker.held + [one[0] for one in attacker.slow]:
            stranger.close()
        return attacker.counts, killed, wrong


def attack(posse, mode, options):
    with tempfile.TemporaryDirectory() as folder:
        certificates = folder if mode == "tls" else None
        if certificates:
            make_certificates(folder)
        with tempfile.TemporaryDirectory() as undisturbed:
            run = Run(posse, undisturbed, certificates, 'policy = "all"', options.evaluations)
            try:
                wrong = run.end()
                if wrong:
                    sys.exit("\n".join(wrong))
                reference = run.result()
            finally:
                run.stop()
        made, runs, killed = Counter(), 0, 0
        while sum(made.values()) < options.attacks:
            counts, kills, wrong = attacked_run(posse, certificates, options,
                                                options.attacks - sum(made.values()), runs, reference)
            made += counts
            runs, killed = runs + 1, killed + kills
            if wrong:
                print("\n".join(wrong), file=sys.stderr)
                return False
        print(f"{mode}: {sum(made.values())} attacks on {runs} runs, {killed} members killed: "
              "all as without them")
        if options.verbose:
            for kind, count in sorted(made.items()):
                print(f"  {count:6} {kind}")
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--attacks", type=int, default=10000)
    parser.add_argument("--posse", default=str(ROOT / "tools/posse"))
    parser.add_argument("--mode", choices=["token", "tls", "both"], default="both")
    parser.add_argument("--kill", action="store_true", help="kill a member every second")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--evaluations", type=int, default=4000, help="of each client, 1 ms each")
    parser.add_argument("--verbose", action="store_true", help="print the attacks by kind")
    options = parser.parse_args()
    posse = str(Path(options.posse).resolve())
    modes = ["token", "tls"] if options.mode == "both" else [options.mode]
    sys.exit(0 if all([attack(posse, mode, options) for mode in modes]) else 1)


if __name__ == "__main__":
    main()
