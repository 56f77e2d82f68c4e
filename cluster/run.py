#!/usr/bin/env python3
"""Runs a job in parts on the workers of a Dask scheduler, and merges the parts.

    python cluster/run.py tcp://127.0.0.1:8786 --binary target/release/crosspath --job job.json --shards 40 --out results

Exit codes:
  0    all parts are merged, or the SPRT is decided
  1    parts contradict each other, or games were lost by faults
  2    a bad job, wrong arguments, or a worker with another binary
  75   parts are missing; run the same command again
  130  interrupted

cluster/README.md describes how to set up a scheduler and workers."""

import argparse
import hashlib
import ipaddress
import logging
import math
import platform
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from parts import EXIT_TEMPORARY, Parts, Stop, error_message

WRONG_BINARY = -1  # instead of an exit code: the worker has another binary
WORKER_CHECK_SECONDS = 5.0  # time without results after which the workers are counted


def binary_problem(binary: str, expected: str) -> str:
    """Runs on a worker: checks that the SHA-256 of its binary is the expected one.

    Returns the problem, or an empty string.
    """
    try:
        actual = hashlib.sha256(Path(binary).read_bytes()).hexdigest()
    except OSError as error:
        return f"cannot read {binary}: {error.strerror}"
    return "" if actual == expected else f"has {binary} with the SHA-256 {actual}, here it is {expected}"


def run_part(binary: str, expected: str, job: bytes, arguments: list[str]) -> tuple[int, bytes, str]:
    """Runs on a worker: does one part of the job with `work`.

    Returns the exit code, the shard and the standard error. After a temporary error it raises
    RuntimeError, and Dask tries again.
    """
    from distributed import get_worker

    worker = get_worker()
    problem = binary_problem(binary, expected)
    if problem:
        return WRONG_BINARY, b"", f"the worker {worker.address} {problem}"
    with tempfile.TemporaryDirectory(dir=worker.local_directory) as folder:
        Path(folder, "job.json").write_bytes(job)
        command = [binary, "work", "--job", "job.json", *arguments]
        result = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
    stderr = result.stderr.decode(errors="replace")[-4096:]
    if result.returncode == EXIT_TEMPORARY or not 0 <= result.returncode < 128:
        raise RuntimeError(stderr or f"{binary} exited with code {result.returncode}")
    return result.returncode, result.stdout, stderr


def is_protected(address: str) -> bool:
    """Reports whether the scheduler is protected.

    It is if it uses certificates, or if its address is on this machine or in a private network.
    """
    try:
        url = urlsplit(address)
        entries = socket.getaddrinfo(url.hostname, url.port) if url.hostname and url.port else []
    except (OSError, ValueError):
        entries = []
    if not entries or url.scheme not in ("tcp", "tls", "ucx", "ws", "wss"):
        raise Stop(2, f"{address} is not the address of a scheduler; try one such as tcp://127.0.0.1:8786")
    return url.scheme == "tls" or all(ipaddress.ip_address(entry[4][0]).is_private for entry in entries)


def check_certificates(address: str) -> None:
    """Checks that the certificates for `tls://` exist. Without them the client would hang."""
    from dask import config

    for part in ("ca-file", "client.cert", "client.key") if address.startswith("tls:") else ():
        path = config.get(f"distributed.comm.tls.{part}", None)
        if not path or not Path(path).is_file():
            variable = "DASK_DISTRIBUTED__COMM__TLS__" + part.upper().replace(".", "__").replace("-", "_")
            raise Stop(2, f"{address} needs certificates, and {variable} names no file; see cluster/README.md")


def connect(options: argparse.Namespace, parts: Parts) -> Any:
    """Connects to the scheduler and waits for enough workers. Returns the client.

    All workers must have the same binary and the same version of Python as this machine.
    """
    if not is_protected(options.address) and not options.i_know:
        why = "can be reached by anybody, and a scheduler runs any code that it receives; use tls:// or add --i-know"
        raise Stop(2, f"{options.address} {why}")
    try:
        from distributed import Client
    except ImportError as error:
        how = "python3 -m pip install -r cluster/requirements.txt"
        raise Stop(2, f"there is no Dask for this Python; install it with: {how}") from error
    check_certificates(options.address)
    logging.disable()  # connection problems are reported in one message instead
    try:
        client = Client(options.address, timeout=options.timeout, set_as_default=False)
    except (OSError, ValueError) as error:
        raise Stop(EXIT_TEMPORARY, f"the scheduler {options.address} does not answer within {options.timeout:g} s") from error
    try:
        client.wait_for_workers(max(1, options.min_workers), timeout=options.timeout)
    except TimeoutError as error:
        why = f"has fewer than {options.min_workers} workers after {options.timeout:g} s"
        raise Stop(EXIT_TEMPORARY, f"the scheduler {options.address} {why}") from error
    for worker, version in client.run(platform.python_version, on_error="ignore").items():
        if version.split(".")[:2] != platform.python_version().split(".")[:2]:
            raise Stop(2, f"the worker {worker} runs Python {version}, and this is Python {platform.python_version()}")
    for worker, problem in client.run(binary_problem, parts.binary, parts.hash, on_error="ignore").items():
        if problem:
            raise Stop(2, f"the worker {worker} {problem}")
    return client


def submit_parts(client: Any, parts: Parts, options: argparse.Namespace) -> dict[Any, int]:
    """Submits the missing parts to the scheduler, in order. Returns their indices by future.

    The keys identify the work, so that two drivers with the same job share its parts.
    """
    name = "part-" + hashlib.sha256(f"{parts.hash} {options.allow_exec} ".encode() + parts.job).hexdigest()
    job = client.submit(bytes, parts.job, key=f"job-{name}", retries=options.retries)
    common = (parts.binary, parts.hash, job)
    futures = {}
    for index in parts.missing:
        arguments = ["--index", str(index), "--count", str(parts.count)] + ["--allow-exec"] * options.allow_exec
        key = (f"{name}-of-{parts.count}", index)
        future = client.submit(run_part, *common, arguments, key=key, priority=-index, retries=options.retries)
        futures[future] = index
    return futures


def collect_parts(client: Any, futures: dict[Any, int], parts: Parts, timeout: float) -> dict[int, tuple[int, str]]:
    """Saves the parts as they finish, until all are done or the SPRT is decided.

    Returns the failed parts: index to exit code and error message.
    """
    from distributed import as_completed

    failed: dict[int, tuple[int, str]] = {}
    ready = as_completed(futures, with_results=True, raise_errors=False, loop=client.loop)
    last_check = last_worker = time.monotonic()
    while not ready.is_empty() and not parts.check_sprt():
        batch = ready.next_batch(block=False)
        for future, result in batch:
            if future.status == "error":
                is_killed = type(result[1]).__name__ == "KilledWorker"
                failed[futures[future]] = (EXIT_TEMPORARY, "its worker died each time" if is_killed else error_message(str(result[1])))
            elif isinstance(result, BaseException):
                raise ConnectionError(result)
            else:
                take_result(parts, futures[future], result, failed)
            future.release()
        now = time.monotonic()
        if batch:
            last_check = last_worker = now
        elif now - last_check > WORKER_CHECK_SECONDS:
            last_check = now
            last_worker = now if client.nthreads() else last_worker
            if now - last_worker > timeout:
                raise Stop(EXIT_TEMPORARY, f"no worker is left; {parts.describe_progress()}")
        else:
            time.sleep(0.05)
    return failed


def take_result(parts: Parts, index: int, result: tuple[int, bytes, str], failed: dict[int, tuple[int, str]]) -> None:
    """Saves a finished part, or records its failure. Raises Stop if other parts would fail as
    well."""
    code, shard, stderr = result
    if code in (WRONG_BINARY, 2):
        raise Stop(2, error_message(stderr))
    if code:
        failed[index] = (code, error_message(stderr))
    else:
        parts.save(index, shard)


def run(options: argparse.Namespace) -> int:
    """Runs the missing parts of the job and merges all parts. Returns the exit code."""
    parts = Parts(options)
    if parts.missing and not parts.check_sprt():
        try:
            client = connect(options, parts)
            failed = collect_parts(client, submit_parts(client, parts, options), parts, options.timeout)
        except (OSError, CancelledError) as error:
            raise Stop(EXIT_TEMPORARY, f"the scheduler {options.address} is gone; {parts.describe_progress()}") from error
        if failed and not parts.is_decided:
            index, (code, message) = min(failed.items())
            raise Stop(code, f"part {index} failed: {message}; {parts.describe_progress()}")
    return parts.finish()


def seconds(text: str) -> float:
    """Parses the value of --timeout. Its name appears in the error message of argparse."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number


def parse_flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="run.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("address", help="address of the scheduler, such as tcp://127.0.0.1:8786")
    parser.add_argument("--binary", required=True, help="crosspath program, at the same path on this machine and all workers")
    parser.add_argument("--job", required=True, help="job file")
    parser.add_argument("--shards", required=True, type=int, help="number of parts")
    parser.add_argument("--out", required=True, help="folder for the parts and merged.shard; finished parts in it are not repeated")
    parser.add_argument("--retries", type=int, default=3, help="number of retries per part after temporary errors (default: 3)")
    parser.add_argument("--min-workers", type=int, default=1, help="number of workers to wait for (default: 1)")
    parser.add_argument("--timeout", type=seconds, default=60, help="seconds to wait for the scheduler and for a worker (default: 60)")
    parser.add_argument("--allow-exec", action="store_true", help="let workers start the programs that the job names as engines")
    parser.add_argument("--i-know", action="store_true", help="use a scheduler at a public address without certificates")
    return parser.parse_args()


def main() -> int:
    try:
        return run(parse_flags())
    except Stop as stop:
        print(f"error: {stop}", file=sys.stderr)
        return stop.code
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
