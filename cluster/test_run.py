#!/usr/bin/env python3
"""Tests run.py with a scheduler and two workers on this machine. `tests/it/cluster.rs` runs it; by
hand:

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
# Replaces the program: logs the process of the worker and the part, then runs the shell commands of
# a test.
WRAPPER = """#!/bin/sh
if [ "$1" = work ]; then
    echo "$PPID $5" >> {log}
    {commands}
fi
exec {program} "$@"
"""


def wait_until(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within 60 s")
        time.sleep(0.02)


def shell_blocks(page: str, heading: str) -> list[str]:
    """Returns the shell blocks of a section."""
    section = page.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [block.removeprefix("sh\n") for block in section.split("```")[1::2]]


class Cluster:
    """A Dask scheduler and workers on this machine."""

    def __init__(self, folder: Path, workers: int):
        self.folder, self.file = folder, folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.start_dask("scheduler", "--port", "0", "--scheduler-file", str(self.file))
        wait_until(lambda: self.file.exists() and self.file.stat().st_size, "the scheduler")
        self.address = json.loads(self.file.read_text())["address"]
        for _ in range(workers):
            self.add_worker()

    def start_dask(self, *arguments: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", "dask", *arguments, "--host", "127.0.0.1", "--no-dashboard"]
        with open(self.folder / "log", "ab") as log:
            self.processes.append(subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log))
        return self.processes[-1]

    def add_worker(self) -> None:
        flags = ("--nthreads", "1", "--no-nanny", "--death-timeout", "20", "--local-directory", str(self.folder / "scratch"))
        self.start_dask("worker", self.address, *flags)

    def kill(self, pid: int) -> None:
        process = next(process for process in self.processes if process.pid == pid)
        process.kill()
        process.wait()

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


class JobFolder:
    """A folder with a job, and a wrapper of the program that a test may change."""

    def __init__(self, case: unittest.TestCase, kind: str = "arena"):
        folder = tempfile.TemporaryDirectory()
        case.addCleanup(folder.cleanup)
        self.case, self.folder = case, Path(folder.name)
        self.binary, self.job_path, self.out, self.log = (self.folder / name for name in ("crosspath", "job.json", "out", "log"))
        head = {"crosspath": "job", "schema": 1, "kind": "arena" if kind == "sprt" else kind, "seed": "7"}
        self.job_path.write_text(json.dumps({**head, **JOBS[kind]}))
        self.log.touch()
        self.wrap_program(":")

    def wrap_program(self, commands: str) -> None:
        self.binary.write_text(WRAPPER.format(log=self.log, commands=commands, program=PROGRAM))
        self.binary.chmod(0o755)

    def command(self, address: str, *flags: str, shards: int = 8) -> list[str]:
        fixed = ["--binary", str(self.binary), "--job", str(self.job_path), "--out", str(self.out), "--shards", str(shards)]
        return [sys.executable, RUN, address, *fixed, *flags]

    def run(self, address: str, *flags: str, shards: int = 8) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(self.command(address, *flags, shards=shards), capture_output=True, text=True, timeout=120)
        self.case.assertNotIn("Traceback", done.stderr)
        return done

    def start(self, address: str, *flags: str, shards: int = 8) -> "subprocess.Popen[str]":
        command = self.command(address, *flags, shards=shards)
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def started_parts(self) -> list[list[int]]:
        """Returns [process of the worker, part] for each part that was started, in order."""
        return [[int(word) for word in line.split()] for line in self.log.read_text().splitlines()]

    def shard_count(self) -> int:
        """Returns the number of finished parts."""
        return len(list(self.out.glob("*-of-*.shard")))

    def work(self, index: int, count: int) -> bytes:
        """Does a part with the program itself and returns the shard."""
        job = ["--job", str(self.job_path), "--index", str(index), "--count", str(count)]
        return subprocess.run([PROGRAM, "work", *job], stdout=subprocess.PIPE, check=True).stdout

    def assert_merged(self) -> None:
        """Asserts that the merged file equals that of a run on one machine."""
        self.case.assertEqual((self.out / "merged.shard").read_bytes(), self.work(0, 1))

    def assert_fails(self, result: "subprocess.CompletedProcess[str]", code: int, *texts: str) -> None:
        """Asserts the exit code and a one-line error message that contains the texts."""
        self.case.assertEqual(result.returncode, code, result.stderr)
        self.case.assertRegex(result.stderr, r"\Aerror: [^\n]+\n\Z")
        for text in texts:
            self.case.assertIn(text, result.stderr)


class WithCluster(unittest.TestCase):
    cluster: Cluster

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.cluster = Cluster(Path(folder.name), 2)
        cls.addClassCleanup(cls.cluster.stop)

    def run_job(self, job: JobFolder, *flags: str, shards: int = 8) -> "subprocess.CompletedProcess[str]":
        return job.run(self.cluster.address, *flags, shards=shards)

    def test_every_kind_of_job_gives_the_result_of_one_machine(self) -> None:
        for kind in ("arena", "selfplay", "solve", "tune"):
            job = JobFolder(self, kind)
            done = self.run_job(job, "--min-workers", "2")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(sorted(index for _, index in job.started_parts()), list(range(8)))
            job.assert_merged()
            alone = subprocess.run([PROGRAM, "merge", str(job.out / "merged.shard")], stdout=subprocess.PIPE, text=True)
            self.assertEqual(done.stdout, alone.stdout)

    def test_parts_of_a_killed_worker_are_repeated_once(self) -> None:
        job = JobFolder(self)
        # The first run of part 5 lasts until its worker is dead.
        job.wrap_program(f'[ "$5" = 5 ] && mkdir {job.folder}/once 2>/dev/null && while kill -0 $PPID; do sleep 0.1; done')
        driver = job.start(self.cluster.address, "--min-workers", "2", shards=12)
        wait_until(lambda: 5 in [part for _, part in job.started_parts()], "part 5")
        wait_until(lambda: job.shard_count() >= 3, "three parts")
        killed = next(worker for worker, part in job.started_parts() if part == 5)
        self.cluster.kill(killed)
        self.cluster.add_worker()
        stdout, stderr = driver.communicate(timeout=120)
        self.assertEqual((driver.returncode, stderr), (0, ""))
        started = job.started_parts()
        self.assertEqual([worker == killed for worker, part in started if part == 5], [True, False], "another worker repeats it")
        self.assertEqual({part for _, part in started}, set(range(12)))
        self.assertEqual(job.shard_count(), 12)
        self.assertIn("48 games in 24 pairs", stdout)
        job.assert_merged()

    def test_finished_parts_are_not_repeated(self) -> None:
        job = JobFolder(self)
        self.assertEqual(self.run_job(job).returncode, 0)
        os.remove(job.out / "5-of-8.shard")
        (job.out / "2-of-8.shard").write_bytes(b"{}\n")
        again = self.run_job(job)
        self.assertEqual(again.returncode, 0)
        self.assertIn("2-of-8.shard is skipped", again.stderr)
        self.assertEqual(sorted(index for _, index in job.started_parts()[8:]), [2, 5])
        job.assert_merged()
        self.assertEqual(job.run("tcp://127.0.0.1:1").returncode, 0, "with nothing to do, no scheduler is needed")
        self.assertEqual(len(job.started_parts()), 10)

    def test_a_decided_match_stops_after_the_same_pairs_as_on_one_machine(self) -> None:
        job = JobFolder(self, "sprt")
        job.wrap_program("sleep 0.1")
        done = self.run_job(job, shards=30)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("verdict H1", done.stdout)
        self.assertLess(job.shard_count(), 30)
        names: list[str] = []
        verdict = "none"
        while verdict == "none":
            path = job.folder / f"{len(names)}.alone"
            path.write_bytes(job.work(len(names), 30))
            names.append(str(path))
            command = [PROGRAM, "merge", "--partial", "--json", "--out", str(job.folder / "alone"), *names]
            verdict = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["verdict"]
        self.assertEqual((job.out / "merged.shard").read_bytes(), (job.folder / "alone").read_bytes())
        started = len(job.started_parts())
        self.assertEqual(self.run_job(job, shards=30).stdout, done.stdout)
        self.assertEqual(len(job.started_parts()), started, "after a verdict nothing is played")

    def test_a_worker_with_another_binary_is_rejected(self) -> None:
        job = JobFolder(self)
        # On one machine, driver and worker read the same file. The file changes itself when the
        # driver, which has already read it, runs it for the first time.
        changes = '[ "$1" = merge ] && echo "#" >> "$0"'
        job.binary.write_text(job.binary.read_text().replace("exec", f"{changes}\nexec"))
        here = hashlib.sha256(job.binary.read_bytes()).hexdigest()
        done = self.run_job(job)
        there = hashlib.sha256(job.binary.read_bytes()).hexdigest()
        job.assert_fails(done, 2, "the worker tcp://127.0.0.1:", f"has {job.binary} with the SHA-256 {there}, here it is {here}")
        self.assertEqual(job.started_parts(), [])

    def test_temporary_errors_are_retried(self) -> None:
        job = JobFolder(self)
        job.wrap_program(f"mkdir {job.folder}/$5 2>/dev/null && exit 75")
        done = self.run_job(job)
        self.assertEqual((done.returncode, done.stderr, len(job.started_parts())), (0, "", 16))
        job.assert_merged()

    def test_a_part_that_fails_is_named_and_the_others_are_saved(self) -> None:
        for code, tries in ((1, 1), (75, 3)):
            job = JobFolder(self)
            job.wrap_program(f'[ "$5" = 3 ] && echo "error: no luck" >&2 && exit {code}')
            done = self.run_job(job, "--retries", "2")
            job.assert_fails(done, code, "part 3 failed: no luck; 7 of 8 parts are in ")
            self.assertEqual([index for _, index in job.started_parts()].count(3), tries)

    @unittest.skipUnless(Path("/dev/full").exists(), "no /dev/full on this machine")
    def test_a_full_disk_is_reported_and_the_run_continues_later(self) -> None:
        job = JobFolder(self)
        job.out.mkdir()
        (job.out / "4-of-8.part").symlink_to("/dev/full")
        done = self.run_job(job)
        job.assert_fails(done, 75, f"cannot write {job.out}/4-of-8.shard: No space left on device; ", " of 8 parts are in ")
        self.assertEqual(self.run_job(job).returncode, 0)
        job.assert_merged()


class WithoutCluster(unittest.TestCase):
    def test_a_scheduler_that_dies_is_reported(self) -> None:
        job = JobFolder(self)
        job.wrap_program("sleep 0.3")
        with tempfile.TemporaryDirectory() as folder:
            cluster = Cluster(Path(folder), 1)
            try:
                driver = job.start(cluster.address)
                wait_until(lambda: job.shard_count() >= 2, "two parts")
                cluster.kill(cluster.processes[0].pid)
                stderr = driver.communicate(timeout=120)[1]
            finally:
                cluster.stop()
        done = subprocess.CompletedProcess([], driver.returncode, "", stderr)
        job.assert_fails(done, 75, f"the scheduler {cluster.address} is gone; ", " of 8 parts are in ")

    def test_a_scheduler_without_workers_is_reported(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            cluster = Cluster(Path(folder), 0)
            try:
                job = JobFolder(self)
                job.assert_fails(job.run(cluster.address, "--timeout", "1"), 75, "has fewer than 1 workers after 1 s")
            finally:
                cluster.stop()

    def test_a_missing_scheduler_is_reported(self) -> None:
        job = JobFolder(self)
        done = job.run("tcp://127.0.0.1:1", "--timeout", "1")
        job.assert_fails(done, 75, "the scheduler tcp://127.0.0.1:1 does not answer within 1 s")

    def test_invalid_and_public_addresses_are_rejected(self) -> None:
        job = JobFolder(self)
        job.assert_fails(job.run("here"), 2, "here is not the address of a scheduler")
        job.assert_fails(job.run("tcp://8.8.8.8:8786"), 2, "tcp://8.8.8.8:8786 can be reached by anybody")
        job.assert_fails(job.run("http://127.0.0.1:8786", "--i-know"), 2, "http://127.0.0.1:8786 is not the address of a scheduler")
        job.assert_fails(job.run("tls://127.0.0.1:1"), 2, "tls://127.0.0.1:1 needs certificates, and DASK_DISTRIBUTED__COMM__TLS__CA_FILE names no file")

    def test_wrong_arguments_are_rejected(self) -> None:
        address = "tcp://127.0.0.1:1"
        for name, flags, text in (
            ("job", ("--job", "no/job.json"), "cannot read no/job.json: No such file"),
            ("binary", ("--binary", "no/crosspath"), "no/crosspath: No such file"),
            ("binary", ("--binary", str(Path(RUN).with_name("README.md"))), "cannot run "),
            ("binary", ("--binary", "/bin/true"), "/bin/true is not crosspath"),
            ("count", ("--shards", "100000000000"), "--count"),
            ("count", ("--shards", "25"), "--count 25: the job has 24 units"),
            ("count", ("--shards", "0"), "--shards 0: a job has at least one part"),
        ):
            job = JobFolder(self)
            with self.subTest(name):
                job.assert_fails(job.run(address, *flags), 2, text)

    def test_a_bad_job_and_parts_of_another_job_are_rejected(self) -> None:
        job = JobFolder(self)
        job.out.mkdir()
        (job.out / "0-of-8.shard").write_bytes(job.work(0, 8))
        job.job_path.write_text(job.job_path.read_text().replace('"7"', '"8"'))
        job.assert_fails(job.run("tcp://127.0.0.1:1"), 1, "0-of-8.shard does not belong to the job ")
        (job.out / "merged.shard").write_bytes(job.work(0, 1))
        job.job_path.write_text(job.job_path.read_text().replace('"8"', '"9"'))
        job.assert_fails(job.run("tcp://127.0.0.1:1", shards=5), 1, "merged.shard does not belong to the job ")
        job.job_path.write_text("{}")
        job.assert_fails(job.run("tcp://127.0.0.1:1"), 2, "job.json")

    def test_a_folder_in_use_is_rejected(self) -> None:
        job = JobFolder(self)
        job.out.mkdir()
        folder = os.open(job.out, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        fcntl.flock(folder, fcntl.LOCK_EX)
        job.assert_fails(job.run("tcp://127.0.0.1:1"), 75, "another run.py uses the folder ")

    def test_the_commands_of_the_readme_work(self) -> None:
        page = Path(__file__).with_name("README.md").read_text()
        job = JobFolder(self, "arena")
        for name, target in (("target/release/crosspath", PROGRAM), ("cluster", os.path.dirname(RUN))):
            (job.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (job.folder / name).symlink_to(target)
        for name, what in (("dask", "-m dask"), ("python", "")):
            path = job.folder / "venv/bin" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f'#!/bin/sh\nexec {sys.executable} {what} "$@"\n')
            path.chmod(0o755)
        job.job_path.unlink()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        blocks = shell_blocks(page, "One machine") + shell_blocks(page, "Without Python")[:1]
        self.assertEqual(len(blocks), 3)
        script = "set -e\ntrap 'kill $first' EXIT\n" + blocks[0].replace(" &\n", " &\n: ${first:=$!}\n") + "".join(blocks[1:])
        command = ["sh", "-c", script.replace("8786", port) + "cmp merged.shard results/merged.shard\n"]
        with open(job.folder / "log", "wb") as log:
            done = subprocess.run(command, cwd=job.folder, stdout=subprocess.PIPE, stderr=log, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, (job.folder / "log").read_text())
        self.assertEqual(done.stdout.count("a vs b: 80 games in 40 pairs"), 2)

    def test_without_dask_the_message_says_how_to_install_it(self) -> None:
        job = JobFolder(self)
        (job.folder / "distributed.py").write_text("raise ImportError\n")
        environment = {**os.environ, "PYTHONPATH": str(job.folder)}
        command: Sequence[str] = job.command("tcp://127.0.0.1:1")
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        job.assert_fails(done, 2, "install it with: python3 -m pip install -r cluster/requirements.txt")


if __name__ == "__main__":
    unittest.main()
