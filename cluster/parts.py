"""The folder with the parts of a job. Knows nothing of a network."""

import argparse
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from bisect import bisect_left
from pathlib import Path

TRY_AGAIN = 75


class Stop(Exception):
    """Ends the run with an exit code and one sentence."""

    def __init__(self, code: int, why: str):
        super().__init__(why)
        self.code = code


def read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise Stop(2, f"cannot read {path}: {error.strerror}") from error


def last_words(said: str) -> str:
    """The error of a program's standard error, without the word in front of it; else the last line."""
    lines = said.strip().splitlines()
    errors = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    return errors[-1] if errors else lines[-1] if lines else "it said nothing"


class Parts:
    """The folder with the parts of a job, and the program that knows what they hold."""

    def __init__(self, options: argparse.Namespace):
        if options.shards < 1:
            raise Stop(2, f"--shards {options.shards}: a job has at least one part")
        self.binary = os.path.abspath(shutil.which(options.binary) or options.binary)
        self.folder, self.count = Path(options.out), options.shards
        self.job_path = os.path.abspath(options.job)
        self.prefix, self.is_decided = 0, False
        self.job = read(options.job)
        self.hash = hashlib.sha256(read(self.binary)).hexdigest()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Stop(TRY_AGAIN, f"cannot make the folder {self.folder}: {error.strerror}") from error
        self.lock = self.locked()
        if not self.ask("--version").stdout.startswith("crosspath "):
            raise Stop(2, f"{self.binary} is not crosspath")
        self.missing = self.find_missing()
        self.has_sprt = json.loads(self.job).get("sprt") is not None

    def locked(self) -> int:
        """The folder, open; its lock says that it is in use, and ends with the process."""
        try:
            folder = os.open(self.folder, os.O_RDONLY)
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            why = "wait for its end, or choose another folder"
            raise Stop(TRY_AGAIN, f"another run.py uses the folder {self.folder} now; {why}") from error
        except OSError as error:
            raise Stop(TRY_AGAIN, f"cannot use the folder {self.folder}: {error.strerror}") from error
        return folder

    def name(self, index: int) -> str:
        return f"{index}-of-{self.count}.shard"

    def ask(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """What the program says in the folder."""
        try:
            return subprocess.run([self.binary, *arguments], cwd=self.folder, capture_output=True, text=True)
        except OSError as error:
            raise Stop(2, f"cannot run {self.binary}: {error.strerror}") from error

    def merge(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        done = self.ask("merge", *arguments)
        if not done.stdout and done.returncode:
            raise Stop(done.returncode, last_words(done.stderr))
        return done

    def find_missing(self) -> list[int]:
        """The parts that are still to be done; a damaged file is one of them."""
        merged = self.folder / "merged.shard"
        if merged.exists():  # refused before anything is done for it, if it is of another job
            self.merge("--missing", "--count", str(self.count), "--job", self.job_path, "merged.shard")
        names = sorted(path.name for path in self.folder.glob(f"*-of-{self.count}.shard") if not path.is_dir())
        asked = self.merge("--missing", "--count", str(self.count), "--job", self.job_path, *names)
        sys.stderr.write(asked.stderr)
        return [int(line) for line in asked.stdout.split()]

    def save(self, index: int, shard: bytes) -> None:
        """Writes a part under another name first: under its own name there is a whole one or none."""
        path = self.folder / self.name(index)
        beside = path.with_suffix(".part")
        try:
            with open(beside, "wb") as file:
                file.write(shard)
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise Stop(TRY_AGAIN, f"cannot write {path}: {error.strerror}; {self.progress()}") from error
        self.missing.remove(index)

    def decide(self) -> bool:
        """Whether the SPRT is decided by the parts from 0 on without a gap, which do not depend on who is faster."""
        end = self.missing[0] if self.missing else self.count
        if self.has_sprt and not self.is_decided and end > self.prefix:
            self.is_decided = self.is_decided_by(end)
            # A verdict stays whatever comes behind it.
            search = {"lo": self.prefix + 1, "hi": end, "key": self.is_decided_by}
            self.prefix = bisect_left(range(end + 1), True, **search) if self.is_decided else end
        return self.is_decided

    def is_decided_by(self, count: int) -> bool:
        """Whether the first parts decide the SPRT."""
        asked = self.merge("--partial", "--json", *map(self.name, range(count)))
        return json.loads(asked.stdout)["verdict"] != "none"

    def finish(self) -> int:
        """Merges the parts, behind a verdict none, and prints the report."""
        count = self.prefix if self.is_decided else self.count
        partial = ["--partial"] * self.is_decided
        done = self.merge(*partial, "--out", "merged.shard", *map(self.name, range(count)))
        print(done.stdout, end="")
        sys.stderr.write(done.stderr)
        return done.returncode

    def progress(self) -> str:
        there = self.count - len(self.missing)
        return f"{there} of {self.count} parts are in {self.folder}, and the same command goes on with the others"
