"""The folder with the parts of a job, on one machine. Does not use the network."""

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

EXIT_TEMPORARY = 75  # exit code: run the same command again


class Stop(Exception):
    """Ends the run with an exit code and a one-line message."""

    def __init__(self, code: int, message: str):
        super().__init__(message)
        self.code = code


def read_file(path: str) -> bytes:
    """Reads a file. Raises Stop if that fails."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise Stop(2, f"cannot read {path}: {error.strerror}") from error


def error_message(stderr: str) -> str:
    """Returns the last error message of a program's standard error, without `error: `.

    If there is none, returns the last line.
    """
    lines = stderr.strip().splitlines()
    errors = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    return errors[-1] if errors else lines[-1] if lines else "no error message"


class Parts:
    """The folder with the parts of a job, and the program that reads and merges them.

    `missing` lists the indices of the parts that are still to be done.
    """

    def __init__(self, options: argparse.Namespace):
        if options.shards < 1:
            raise Stop(2, f"--shards {options.shards}: a job has at least one part")
        self.binary = os.path.abspath(shutil.which(options.binary) or options.binary)
        self.folder, self.count = Path(options.out), options.shards
        self.job_path = os.path.abspath(options.job)
        self.prefix = 0  # number of parts, from part 0 on, for which the SPRT has been checked
        self.is_decided = False  # whether the first `prefix` parts decide the SPRT
        self.job = read_file(options.job)
        self.hash = hashlib.sha256(read_file(self.binary)).hexdigest()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Stop(EXIT_TEMPORARY, f"cannot make the folder {self.folder}: {error.strerror}") from error
        self.lock = self.lock_folder()
        if not self.run_program("--version").stdout.startswith("crosspath "):
            raise Stop(2, f"{self.binary} is not crosspath")
        self.missing = self.find_missing()
        self.has_sprt = json.loads(self.job).get("sprt") is not None

    def lock_folder(self) -> int:
        """Locks the folder and returns its file descriptor. The lock ends with the process."""
        try:
            folder = os.open(self.folder, os.O_RDONLY)
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            advice = "wait for it to end, or choose another folder"
            raise Stop(EXIT_TEMPORARY, f"another run.py uses the folder {self.folder} now; {advice}") from error
        except OSError as error:
            raise Stop(EXIT_TEMPORARY, f"cannot use the folder {self.folder}: {error.strerror}") from error
        return folder

    def part_name(self, index: int) -> str:
        """Returns the file name of a part."""
        return f"{index}-of-{self.count}.shard"

    def run_program(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Runs the program in the folder and returns its result."""
        try:
            return subprocess.run([self.binary, *arguments], cwd=self.folder, capture_output=True, text=True)
        except OSError as error:
            raise Stop(2, f"cannot run {self.binary}: {error.strerror}") from error

    def run_merge(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Runs `merge`. Raises Stop if it fails without output."""
        result = self.run_program("merge", *arguments)
        if not result.stdout and result.returncode:
            raise Stop(result.returncode, error_message(result.stderr))
        return result

    def find_missing(self) -> list[int]:
        """Returns the indices of the parts that are missing or damaged."""
        merged = self.folder / "merged.shard"
        if merged.exists():  # reject a result of another job before any work is done
            self.run_merge("--missing", "--count", str(self.count), "--job", self.job_path, "merged.shard")
        names = sorted(path.name for path in self.folder.glob(f"*-of-{self.count}.shard") if not path.is_dir())
        result = self.run_merge("--missing", "--count", str(self.count), "--job", self.job_path, *names)
        sys.stderr.write(result.stderr)
        return [int(line) for line in result.stdout.split()]

    def save(self, index: int, shard: bytes) -> None:
        """Writes a part to a temporary file and renames it, so that a part is always complete."""
        path = self.folder / self.part_name(index)
        temporary = path.with_suffix(".part")
        try:
            with open(temporary, "wb") as file:
                file.write(shard)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise Stop(EXIT_TEMPORARY, f"cannot write {path}: {error.strerror}; {self.describe_progress()}") from error
        self.missing.remove(index)

    def check_sprt(self) -> bool:
        """Reports whether the SPRT of the match is decided.

        Only the parts before the first missing one count, so the result does not depend on the
        speed of the workers.
        """
        end = self.missing[0] if self.missing else self.count
        if self.has_sprt and not self.is_decided and end > self.prefix:
            self.is_decided = self.is_decided_by(end)
            # A verdict does not change with further parts, so the first one is found by bisection.
            search = {"lo": self.prefix + 1, "hi": end, "key": self.is_decided_by}
            self.prefix = bisect_left(range(end + 1), True, **search) if self.is_decided else end
        return self.is_decided

    def is_decided_by(self, count: int) -> bool:
        """Reports whether the first `count` parts decide the SPRT."""
        result = self.run_merge("--partial", "--json", *map(self.part_name, range(count)))
        return json.loads(result.stdout)["verdict"] != "none"

    def finish(self) -> int:
        """Merges the parts and prints the report. Returns the exit code.

        Parts after a verdict of the SPRT are left out.
        """
        count = self.prefix if self.is_decided else self.count
        partial = ["--partial"] * self.is_decided
        result = self.run_merge(*partial, "--out", "merged.shard", *map(self.part_name, range(count)))
        print(result.stdout, end="")
        sys.stderr.write(result.stderr)
        return result.returncode

    def describe_progress(self) -> str:
        """Returns a clause for messages: how many parts are done, and how to continue."""
        finished = self.count - len(self.missing)
        return f"{finished} of {self.count} parts are in {self.folder}; run the same command again for the others"
