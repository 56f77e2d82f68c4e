#!/usr/bin/env python3
"""Does a job on the workers of a Dask scheduler, part by part, and merges the parts. cluster/README.md shows how.

    python cluster/run.py tcp://127.0.0.1:8786 --binary target/release/crosspath --job job.json --shards 40 --out results

Exit codes: 0 all parts are merged, or the SPRT is decided; 1 parts that contradict each other, or games lost by faults; 2 a bad
job, wrong arguments, or a worker with another binary; 75 parts are missing, and the same command goes on; 130 interrupted."""

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

from parts import TRY_AGAIN, Parts, Stop, last_words

STRANGER = -1  # in place of an exit code: the worker has another binary
PATIENCE = 5.0  # seconds without news before the workers are counted


def objection(binary: str, wanted: str) -> str:
    """Runs on a worker: why its binary must not take part; empty if it may."""
    try:
        found = hashlib.sha256(Path(binary).read_bytes()).hexdigest()
    except OSError as error:
        return f"cannot read {binary}: {error.strerror}"
    return "" if found == wanted else f"has {binary} with the SHA-256 {found}, here it is {wanted}"


def part(binary: str, wanted: str, job: bytes, arguments: list[str]) -> tuple[int, bytes, str]:
    """Runs on a worker: exit code, shard and standard error of `work`. Raises where another try may help, and Dask tries."""
    from distributed import get_worker

    worker = get_worker()
    why = objection(binary, wanted)
    if why:
        return STRANGER, b"", f"the worker {worker.address} {why}"
    with tempfile.TemporaryDirectory(dir=worker.local_directory) as folder:
        Path(folder, "job.json").write_bytes(job)
        command = [binary, "work", "--job", "job.json", *arguments]
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
    said = done.stderr.decode(errors="replace")[-4096:]
    if done.returncode == 75 or not 0 <= done.returncode < 128:
        raise RuntimeError(said or f"{binary} ended with {done.returncode}")
    return done.returncode, done.stdout, said


def is_guarded(address: str) -> bool:
    """Whether strangers cannot reach the scheduler: it has certificates, or it is on this machine or in a private network."""
    try:
        url = urlsplit(address)
        found = socket.getaddrinfo(url.hostname, url.port) if url.hostname and url.port else []
    except (OSError, ValueError):
        found = []
    if not found or url.scheme not in ("tcp", "tls", "ucx", "ws", "wss"):
        raise Stop(2, f"{address} is not the address of a scheduler; try one such as tcp://127.0.0.1:8786")
    return url.scheme == "tls" or all(ipaddress.ip_address(entry[4][0]).is_private for entry in found)


def check_certificates(address: str) -> None:
    """Looks for what `tls://` needs, for a client without it does not come to an end."""
    from dask import config

    for part in ("ca-file", "client.cert", "client.key") if address.startswith("tls:") else ():
        path = config.get(f"distributed.comm.tls.{part}", None)
        if not path or not Path(path).is_file():
            variable = "DASK_DISTRIBUTED__COMM__TLS__" + part.upper().replace(".", "__").replace("-", "_")
            raise Stop(2, f"{address} needs certificates, and {variable} names no file; see cluster/README.md")


def connect(options: argparse.Namespace, parts: Parts) -> Any:
    """A client of the scheduler, with enough workers, all of which may take part."""
    if not is_guarded(options.address) and not options.i_know:
        why = "can be reached by anybody, and a scheduler runs what it is sent; use tls:// or add --i-know"
        raise Stop(2, f"{options.address} {why}")
    try:
        from distributed import Client
    except ImportError as error:
        how = "python3 -m pip install -r cluster/requirements.txt"
        raise Stop(2, f"there is no Dask for this Python; install it with: {how}") from error
    check_certificates(options.address)
    logging.disable()  # what happens to connections is told in one sentence
    try:
        client = Client(options.address, timeout=options.timeout, set_as_default=False)
    except (OSError, ValueError) as error:
        raise Stop(TRY_AGAIN, f"the scheduler {options.address} does not answer within {options.timeout:g} s") from error
    try:
        client.wait_for_workers(max(1, options.min_workers), timeout=options.timeout)
    except TimeoutError as error:
        why = f"has fewer than {options.min_workers} workers after {options.timeout:g} s"
        raise Stop(TRY_AGAIN, f"the scheduler {options.address} {why}") from error
    for worker, version in client.run(platform.python_version, on_error="ignore").items():
        if version.split(".")[:2] != platform.python_version().split(".")[:2]:
            raise Stop(2, f"the worker {worker} runs Python {version}, and this is Python {platform.python_version()}")
    for worker, why in client.run(objection, parts.binary, parts.hash, on_error="ignore").items():
        if why:
            raise Stop(2, f"the worker {worker} {why}")
    return client


def submit(client: Any, parts: Parts, options: argparse.Namespace) -> dict[Any, int]:
    """Hands the missing parts to the scheduler, the first ones first; the keys tell the same work of two drivers."""
    name = "part-" + hashlib.sha256(f"{parts.hash} {options.allow_exec} ".encode() + parts.job).hexdigest()
    job = client.submit(bytes, parts.job, key=f"job-{name}", retries=options.retries)
    wanted = (parts.binary, parts.hash, job)
    futures = {}
    for index in parts.missing:
        arguments = ["--index", str(index), "--count", str(parts.count)] + ["--allow-exec"] * options.allow_exec
        key = (f"{name}-of-{parts.count}", index)
        future = client.submit(part, *wanted, arguments, key=key, priority=-index, retries=options.retries)
        futures[future] = index
    return futures


def collect(client: Any, futures: dict[Any, int], parts: Parts, timeout: float) -> dict[int, tuple[int, str]]:
    """Saves the parts as they come, until all have come or the SPRT is decided. Gives those that failed and why."""
    from distributed import as_completed

    failed: dict[int, tuple[int, str]] = {}
    ready = as_completed(futures, with_results=True, raise_errors=False, loop=client.loop)
    heard = last_worker = time.monotonic()
    while not ready.is_empty() and not parts.decide():
        batch = ready.next_batch(block=False)
        for future, result in batch:
            if future.status == "error":
                is_killed = type(result[1]).__name__ == "KilledWorker"
                failed[futures[future]] = (TRY_AGAIN, "its worker died each time" if is_killed else last_words(str(result[1])))
            elif isinstance(result, BaseException):
                raise ConnectionError(result)
            else:
                take(parts, futures[future], result, failed)
            future.release()
        now = time.monotonic()
        if batch:
            heard = last_worker = now
        elif now - heard > PATIENCE:
            heard = now
            last_worker = now if client.nthreads() else last_worker
            if now - last_worker > timeout:
                raise Stop(TRY_AGAIN, f"no worker is left; {parts.progress()}")
        else:
            time.sleep(0.05)
    return failed


def take(parts: Parts, index: int, result: tuple[int, bytes, str], failed: dict[int, tuple[int, str]]) -> None:
    code, shard, said = result
    if code in (STRANGER, 2):
        raise Stop(2, last_words(said))
    if code:
        failed[index] = (code, last_words(said))
    else:
        parts.save(index, shard)


def run(options: argparse.Namespace) -> int:
    parts = Parts(options)
    if parts.missing and not parts.decide():
        try:
            client = connect(options, parts)
            failed = collect(client, submit(client, parts, options), parts, options.timeout)
        except (OSError, CancelledError) as error:
            raise Stop(TRY_AGAIN, f"the scheduler {options.address} is gone; {parts.progress()}") from error
        if failed and not parts.is_decided:
            index, (code, words) = min(failed.items())
            raise Stop(code, f"part {index} failed: {words}; {parts.progress()}")
    return parts.finish()


def seconds(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number


def read_flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="run.py", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("address", help="the scheduler, such as tcp://127.0.0.1:8786")
    parser.add_argument("--binary", required=True, help="the program, at the same path on this machine and all workers")
    parser.add_argument("--job", required=True, help="the job")
    parser.add_argument("--shards", required=True, type=int, help="the number of parts")
    parser.add_argument("--out", required=True, help="the folder for the parts and merged.shard; parts in it are not done again")
    parser.add_argument("--retries", type=int, default=3, help="how often a part is tried again")
    parser.add_argument("--min-workers", type=int, default=1, help="begin with so many workers")
    parser.add_argument("--timeout", type=seconds, default=60, help="seconds to wait for the scheduler and for a worker")
    parser.add_argument("--allow-exec", action="store_true", help="workers start the programs that the job names as engines")
    parser.add_argument("--i-know", action="store_true", help="use a scheduler at a public address without certificates")
    return parser.parse_args()


def main() -> int:
    try:
        return run(read_flags())
    except Stop as stop:
        print(f"error: {stop}", file=sys.stderr)
        return stop.code
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
