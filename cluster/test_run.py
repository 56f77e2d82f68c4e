#!/usr/bin/env python3
"""Tests of run.py with a scheduler and two workers on this machine. `tests/it/cluster.rs` starts them; by hand:

    CROSSPATH=target/release/crosspath python cluster/test_run.py"""

import fcntl
import hashlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from collections.abc import Callable, Sequence
from pathlib import Path

PROGRAM = os.path.abspath(os.environ.get("CROSSPATH", "target/release/crosspath"))
RUN = str(Path(__file__).with_name("run.py"))
ENGINES = [{"name": "a", "spec": "level:4"}, {"name": "b", "spec": "level:1"}]
JOBS = {
    "arena": {"units": 24, "game": "tic-tac-toe", "engines": ENGINES, "limits": {"nodes": 20}},
    "sprt": {"units": 60, "game": "tic-tac-toe", "engines": ENGINES, "limits": {"nodes": 20}, "sprt": [0, 50]},
    "selfplay": {"units": 8, "game": "hex", "settings": {"size": 3}, "engine": "level:2", "limits": {"nodes": 20}},
    "tune": {
        "units": 8,
        "game": "quoridor",
        "settings": {"size": 5, "walls": 3},
        "engine": "net",
        "limits": {"nodes": 100},
        "parameters": [{"name": "margin", "value": 80, "min": 10, "max": 100, "c_end": 20, "r_end": 0.1}],
        "pairs": 1,
        "iteration": 1,
        "iterations": 16,
    },
    "solve": {"units": 9, "game": "hex", "settings": {"size": 3}, "limits": {"nodes": 600}, "positions": "all-first-moves"},
}
# In place of the program: writes down the worker and the part, then does what a test wants.
STAND_IN = """#!/bin/sh
if [ "$1" = work ]; then
    echo "$PPID $5" >> {log}
    {deed}
fi
exec {program} "$@"
"""


def wait_until(is_so: Callable[[], object], what: str) -> None:
    until = time.monotonic() + 60
    while not is_so():
        if time.monotonic() > until:
            raise AssertionError(f"{what}: not within 60 s")
        time.sleep(0.02)


def blocks_of(page: str, heading: str) -> list[str]:
    """The shell blocks of a section."""
    section = page.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [block.removeprefix("sh\n") for block in section.split("```")[1::2]]


class Cluster:
    """A scheduler and workers in a folder."""

    def __init__(self, folder: Path, workers: int):
        self.folder, self.file = folder, folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.dask("scheduler", "--port", "0", "--scheduler-file", str(self.file))
        wait_until(lambda: self.file.exists() and self.file.stat().st_size, "the scheduler")
        self.address = json.loads(self.file.read_text())["address"]
        for _ in range(workers):
            self.add_worker()

    def dask(self, *arguments: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "dask", *arguments, "--host", "127.0.0.1", "--no-dashboard"]
        with open(self.folder / "log", "ab") as log:
            self.processes.append(subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log))
        return self.processes[-1]

    def add_worker(self) -> None:
        flags = ("--nthreads", "1", "--no-nanny", "--death-timeout", "20", "--local-directory", str(self.folder / "scratch"))
        self.dask("worker", self.address, *flags)

    def kill(self, pid: int) -> None:
        process = next(process for process in self.processes if process.pid == pid)
        process.kill()
        process.wait()

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


class Place:
    """A folder with a job and a program that a test may change."""

    def __init__(self, case: unittest.TestCase, kind: str = "arena"):
        folder = tempfile.TemporaryDirectory()
        case.addCleanup(folder.cleanup)
        self.case, self.folder = case, Path(folder.name)
        self.binary, self.job, self.out, self.log = (self.folder / name for name in ("crosspath", "job.json", "out", "log"))
        head = {"crosspath": "job", "schema": 1, "kind": "arena" if kind == "sprt" else kind, "seed": "7"}
        self.job.write_text(json.dumps({**head, **JOBS[kind]}))
        self.log.touch()
        self.does(":")

    def does(self, deed: str) -> None:
        self.binary.write_text(STAND_IN.format(log=self.log, deed=deed, program=PROGRAM))
        self.binary.chmod(0o755)

    def command(self, address: str, *flags: str, shards: int = 8) -> list[str]:
        fixed = ["--binary", str(self.binary), "--job", str(self.job), "--out", str(self.out), "--shards", str(shards)]
        return [sys.executable, RUN, address, *fixed, *flags]

    def run(self, address: str, *flags: str, shards: int = 8) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(self.command(address, *flags, shards=shards), capture_output=True, text=True, timeout=120)
        self.case.assertNotIn("Traceback", done.stderr)
        return done

    def start(self, address: str, *flags: str, shards: int = 8) -> "subprocess.Popen[str]":
        command = self.command(address, *flags, shards=shards)
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def begun(self) -> list[list[int]]:
        """Processes of workers and the parts that they have begun, in this order."""
        return [[int(word) for word in line.split()] for line in self.log.read_text().splitlines()]

    def shards(self) -> int:
        return len(list(self.out.glob("*-of-*.shard")))

    def work(self, index: int, count: int) -> bytes:
        job = ["--job", str(self.job), "--index", str(index), "--count", str(count)]
        return subprocess.run([PROGRAM, "work", *job], stdout=subprocess.PIPE, check=True).stdout

    def is_whole(self) -> None:
        """What lies there is what one machine makes."""
        self.case.assertEqual((self.out / "merged.shard").read_bytes(), self.work(0, 1))

    def fails(self, done: "subprocess.CompletedProcess[str]", code: int, *words: str) -> None:
        self.case.assertEqual(done.returncode, code, done.stderr)
        self.case.assertRegex(done.stderr, r"\Aerror: [^\n]+\n\Z")
        for word in words:
            self.case.assertIn(word, done.stderr)


class WithCluster(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.cluster = Cluster(Path(folder.name), 2)
        cls.addClassCleanup(cls.cluster.stop)

    def run_in(self, place: Place, *flags: str, shards: int = 8) -> "subprocess.CompletedProcess[str]":
        return place.run(self.cluster.address, *flags, shards=shards)

    def test_every_kind_of_job_is_done_as_on_one_machine(self) -> None:
        for kind in ("arena", "selfplay", "solve", "tune"):
            place = Place(self, kind)
            done = self.run_in(place, "--min-workers", "2")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(sorted(index for _, index in place.begun()), list(range(8)))
            place.is_whole()
            alone = subprocess.run([PROGRAM, "merge", str(place.out / "merged.shard")], stdout=subprocess.PIPE, text=True)
            self.assertEqual(done.stdout, alone.stdout)

    def test_a_killed_worker_loses_no_part_and_none_comes_twice(self) -> None:
        place = Place(self)
        # Part 5 lasts, the first time, until its worker is dead.
        place.does(f'[ "$5" = 5 ] && mkdir {place.folder}/once 2>/dev/null && while kill -0 $PPID; do sleep 0.1; done')
        driver = place.start(self.cluster.address, "--min-workers", "2", shards=12)
        wait_until(lambda: 5 in [part for _, part in place.begun()], "part 5")
        wait_until(lambda: place.shards() >= 3, "three parts")
        killed = next(worker for worker, part in place.begun() if part == 5)
        self.cluster.kill(killed)
        self.cluster.add_worker()
        told, said = driver.communicate(timeout=120)
        self.assertEqual((driver.returncode, said), (0, ""))
        begun = place.begun()
        self.assertEqual([worker == killed for worker, part in begun if part == 5], [True, False], "another one does it again")
        self.assertEqual({part for _, part in begun}, set(range(12)))
        self.assertEqual(place.shards(), 12)
        self.assertIn("48 games in 24 pairs", told)
        place.is_whole()

    def test_what_is_there_is_not_done_again(self) -> None:
        place = Place(self)
        self.assertEqual(self.run_in(place).returncode, 0)
        os.remove(place.out / "5-of-8.shard")
        (place.out / "2-of-8.shard").write_bytes(b"{}\n")
        again = self.run_in(place)
        self.assertEqual(again.returncode, 0)
        self.assertIn("2-of-8.shard is skipped", again.stderr)
        self.assertEqual(sorted(index for _, index in place.begun()[8:]), [2, 5])
        place.is_whole()
        self.assertEqual(place.run("tcp://127.0.0.1:1").returncode, 0, "with nothing to do there is no need of a scheduler")
        self.assertEqual(len(place.begun()), 10)

    def test_a_decided_match_stops_with_the_same_pairs_as_on_one_machine(self) -> None:
        place = Place(self, "sprt")
        place.does("sleep 0.1")
        done = self.run_in(place, shards=30)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("verdict H1", done.stdout)
        self.assertLess(place.shards(), 30)
        names: list[str] = []
        verdict = "none"
        while verdict == "none":
            path = place.folder / f"{len(names)}.alone"
            path.write_bytes(place.work(len(names), 30))
            names.append(str(path))
            command = [PROGRAM, "merge", "--partial", "--json", "--out", str(place.folder / "alone"), *names]
            verdict = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["verdict"]
        self.assertEqual((place.out / "merged.shard").read_bytes(), (place.folder / "alone").read_bytes())
        begun = len(place.begun())
        self.assertEqual(self.run_in(place, shards=30).stdout, done.stdout)
        self.assertEqual(len(place.begun()), begun, "behind a verdict nothing is played")

    def test_a_worker_with_another_binary_is_refused(self) -> None:
        place = Place(self)
        # On one machine both read the same file: it changes when the driver, which has read it, runs it for the first time.
        changes = '[ "$1" = merge ] && echo "#" >> "$0"'
        place.binary.write_text(place.binary.read_text().replace("exec", f"{changes}\nexec"))
        here = hashlib.sha256(place.binary.read_bytes()).hexdigest()
        done = self.run_in(place)
        there = hashlib.sha256(place.binary.read_bytes()).hexdigest()
        place.fails(done, 2, "the worker tcp://127.0.0.1:", f"has {place.binary} with the SHA-256 {there}, here it is {here}")
        self.assertEqual(place.begun(), [])

    def test_what_may_be_tried_again_is_tried_again(self) -> None:
        place = Place(self)
        place.does(f"mkdir {place.folder}/$5 2>/dev/null && exit 75")
        done = self.run_in(place)
        self.assertEqual((done.returncode, done.stderr, len(place.begun())), (0, "", 16))
        place.is_whole()

    def test_a_part_that_fails_is_named_and_the_others_are_kept(self) -> None:
        for code, tries in ((1, 1), (75, 3)):
            place = Place(self)
            place.does(f'[ "$5" = 3 ] && echo "error: no luck" >&2 && exit {code}')
            done = self.run_in(place, "--retries", "2")
            place.fails(done, code, "part 3 failed: no luck; 7 of 8 parts are in ")
            self.assertEqual([index for _, index in place.begun()].count(3), tries)

    @unittest.skipUnless(Path("/dev/full").exists(), "there is no /dev/full here")
    def test_a_full_disk_is_told_and_the_run_goes_on_later(self) -> None:
        place = Place(self)
        place.out.mkdir()
        (place.out / "4-of-8.part").symlink_to("/dev/full")
        done = self.run_in(place)
        place.fails(done, 75, f"cannot write {place.out}/4-of-8.shard: No space left on device; ", " of 8 parts are in ")
        self.assertEqual(self.run_in(place).returncode, 0)
        place.is_whole()


class WithoutCluster(unittest.TestCase):
    def test_a_scheduler_that_dies_is_told(self) -> None:
        place = Place(self)
        place.does("sleep 0.3")
        with tempfile.TemporaryDirectory() as folder:
            cluster = Cluster(Path(folder), 1)
            try:
                driver = place.start(cluster.address)
                wait_until(lambda: place.shards() >= 2, "two parts")
                cluster.kill(cluster.processes[0].pid)
                said = driver.communicate(timeout=120)[1]
            finally:
                cluster.stop()
        done = subprocess.CompletedProcess([], driver.returncode, "", said)
        place.fails(done, 75, f"the scheduler {cluster.address} is gone; ", " of 8 parts are in ")

    def test_a_scheduler_without_workers_is_told(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            cluster = Cluster(Path(folder), 0)
            try:
                place = Place(self)
                place.fails(place.run(cluster.address, "--timeout", "1"), 75, "has fewer than 1 workers after 1 s")
            finally:
                cluster.stop()

    def test_a_scheduler_that_is_not_there_is_told(self) -> None:
        place = Place(self)
        done = place.run("tcp://127.0.0.1:1", "--timeout", "1")
        place.fails(done, 75, "the scheduler tcp://127.0.0.1:1 does not answer within 1 s")

    def test_addresses_that_will_not_do_are_refused(self) -> None:
        place = Place(self)
        place.fails(place.run("here"), 2, "here is not the address of a scheduler")
        place.fails(place.run("tcp://8.8.8.8:8786"), 2, "tcp://8.8.8.8:8786 can be reached by anybody")
        place.fails(place.run("http://127.0.0.1:8786", "--i-know"), 2, "http://127.0.0.1:8786 is not the address of a scheduler")
        place.fails(place.run("tls://127.0.0.1:1"), 2, "tls://127.0.0.1:1 needs certificates, and DASK_DISTRIBUTED__COMM__TLS__CA_FILE names no file")

    def test_wrong_arguments_are_refused(self) -> None:
        address = "tcp://127.0.0.1:1"
        for file, flags, words in (
            ("job", ("--job", "no/job.json"), "cannot read no/job.json: No such file"),
            ("binary", ("--binary", "no/crosspath"), "no/crosspath: No such file"),
            ("binary", ("--binary", str(Path(RUN).with_name("README.md"))), "cannot run "),
            ("binary", ("--binary", "/bin/true"), "/bin/true is not crosspath"),
            ("count", ("--shards", "100000000000"), "--count"),
            ("count", ("--shards", "25"), "--count 25: the job has 24 units"),
            ("count", ("--shards", "0"), "--shards 0: a job has at least one part"),
        ):
            place = Place(self)
            with self.subTest(file):
                place.fails(place.run(address, *flags), 2, words)

    def test_a_bad_job_and_parts_of_another_one_are_refused(self) -> None:
        place = Place(self)
        place.out.mkdir()
        (place.out / "0-of-8.shard").write_bytes(place.work(0, 8))
        place.job.write_text(place.job.read_text().replace('"7"', '"8"'))
        place.fails(place.run("tcp://127.0.0.1:1"), 1, "0-of-8.shard does not belong to the job ")
        (place.out / "merged.shard").write_bytes(place.work(0, 1))
        place.job.write_text(place.job.read_text().replace('"8"', '"9"'))
        place.fails(place.run("tcp://127.0.0.1:1", shards=5), 1, "merged.shard does not belong to the job ")
        place.job.write_text("{}")
        place.fails(place.run("tcp://127.0.0.1:1"), 2, "job.json")

    def test_one_run_at_a_time_uses_a_folder(self) -> None:
        place = Place(self)
        place.out.mkdir()
        folder = os.open(place.out, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        fcntl.flock(folder, fcntl.LOCK_EX)
        place.fails(place.run("tcp://127.0.0.1:1"), 75, "another run.py uses the folder ")

    def test_the_commands_of_the_page_work(self) -> None:
        page = Path(__file__).with_name("README.md").read_text()
        place = Place(self, "arena")
        for name, target in (("target/release/crosspath", PROGRAM), ("cluster", os.path.dirname(RUN))):
            (place.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (place.folder / name).symlink_to(target)
        for name, what in (("dask", "-m dask"), ("python", "")):
            path = place.folder / "venv/bin" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f'#!/bin/sh\nexec {sys.executable} {what} "$@"\n')
            path.chmod(0o755)
        place.job.unlink()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        blocks = blocks_of(page, "One machine") + blocks_of(page, "Without Python")[:1]
        self.assertEqual(len(blocks), 3)
        script = "set -e\ntrap 'kill $first' EXIT\n" + blocks[0].replace(" &\n", " &\n: ${first:=$!}\n") + "".join(blocks[1:])
        command = ["sh", "-c", script.replace("8786", port) + "cmp merged.shard results/merged.shard\n"]
        with open(place.folder / "log", "wb") as log:
            done = subprocess.run(command, cwd=place.folder, stdout=subprocess.PIPE, stderr=log, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, (place.folder / "log").read_text())
        self.assertEqual(done.stdout.count("a vs b: 80 games in 40 pairs"), 2)

    def test_without_dask_it_is_told_how_to_install_it(self) -> None:
        place = Place(self)
        (place.folder / "distributed.py").write_text("raise ImportError\n")
        environment = {**os.environ, "PYTHONPATH": str(place.folder)}
        command: Sequence[str] = place.command("tcp://127.0.0.1:1")
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        place.fails(done, 2, "install it with: python3 -m pip install -r cluster/requirements.txt")


if __name__ == "__main__":
    unittest.main()
