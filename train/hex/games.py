"""Games of self-play for the networks: played by `crosspath selfplay` with the network on a pipe, and read as arrays."""

import struct
import subprocess
import tempfile
from pathlib import Path
from typing import Callable, List, NamedTuple, Optional, Tuple

import numpy as np

from .. import evaluator, shards

NEVER = 30_000  # the ply of a stone that does not lie


class Games(NamedTuple):
    """Games on one board as arrays."""

    size: int
    plies: np.ndarray  # (games, cells): with which move each cell got its stone, or NEVER
    game: np.ndarray  # (positions): the game
    ply: np.ndarray  # (positions): moves before it
    move: np.ndarray  # (positions): the number of the move played
    result: np.ndarray  # (positions): 1 won, 0 lost, 0.5 drawn, for the mover
    value: np.ndarray  # (positions): what the position was thought worth, 0 to 1 for the mover; nan: not known
    judged: np.ndarray  # (judged): the positions of which the shares of moves are known
    shares: np.ndarray  # (judged, cells): those shares, in parts of 65,535; what is missing is shared by moves not kept


def as_arrays(shard: shards.Shard) -> Games:
    """The games of a shard."""
    score = shard.header["score"]
    size = shard.header["settings"]["size"]
    plies, columns, judged, shares = [], [], [], []
    positions = 0
    for number, (begin, end) in enumerate(shard.places()):
        data = shard.data
        _, result, _, opening, count = struct.unpack_from("<IBBHH", data, begin)
        moves = np.frombuffer(data, "<u2", count, begin + 10)
        if moves.size and moves.max() >= size * size:
            raise shards.BadShard("there is a swap in a game; networks learn without")
        stones = np.full(size * size, NEVER, np.int16)
        stones[moves] = np.arange(count)
        plies.append(stones)
        values, policies = _judgements(data, begin + 10 + 2 * count, end, count - opening)
        for place, policy in policies:
            judged.append(positions + opening + place)
            row = np.zeros(size * size, np.uint16)
            row[policy[0::2]] = policy[1::2]
            shares.append(row)
        positions += count
        # Random moves at the start are learnt from like others: how else should the empty board be known?
        values = np.concatenate([np.full(opening, np.nan), chances(values, score)])
        ply = np.arange(count)
        won = np.full(count, 0.5) if result == 0 else (ply % 2 == result - 1).astype(float)
        columns.append((np.full(count, number), ply, moves, won, values))
    parts = [np.concatenate(column) for column in zip(*columns)]
    game, ply, move, won, values = parts
    judged = np.array(judged, np.int64)
    shares = np.array(shares, np.uint16).reshape(-1, size * size)
    return Games(size, np.stack(plies), game, ply.astype(np.int16), move.astype(np.int64), won, values, judged, shares)


def chances(values: np.ndarray, score: dict) -> np.ndarray:
    """Scores of a shard as chances to win."""
    if score["odds"]:
        return 1 / (1 + np.exp(np.clip(-values / score["odds"] - score.get("bias", 0), -30, 30)))
    return values / (2 * score["one"]) + 0.5


def _judgements(data: bytes, at: int, end: int, count: int) -> Tuple[np.ndarray, list]:
    """The values of the positions of a game, and those that have shares: their places, and numbers and shares by turns."""
    values, policies = np.full(count, np.nan), []
    for place in range(count):
        flags = data[at + 8]
        at += 9
        if flags & 1:
            values[place] = int.from_bytes(data[at : at + 4], "little", signed=True)
            at += 4
        if flags & 2:
            policies.append((place, np.frombuffer(data, "<u2", 2 * data[at], at + 1)))
            at += 1 + 4 * data[at]
    if at != end:
        raise shards.BadShard("a game has bytes behind its last position")
    return values, policies


class Playing:
    """Games that `crosspath selfplay` plays by itself, beside what else is done."""

    def __init__(self, program: str, arguments: List[str], out: Optional[Path] = None):
        """Begins; the games stay in `out`, if that is named."""
        self.folder = tempfile.TemporaryDirectory()
        self.out = out or Path(self.folder.name) / "games.shard"
        self.out.unlink(missing_ok=True)
        self.child = subprocess.Popen([program, "selfplay", "--quiet", "--out", str(self.out), *arguments])

    def games(self) -> shards.Shard:
        """Waits for the games."""
        with self.folder:
            if self.child.wait() != 0:
                raise RuntimeError(f"{self.child.args[0]} ended with {self.child.returncode}")
            return shards.read(str(self.out))

    def stop(self):
        """Nobody wants the games any more."""
        self.child.kill()
        self.child.wait()
        self.folder.cleanup()


def play_on_pipe(program: str, arguments: List[str], evaluate: Callable[[dict, int, bytes], bytes]) -> shards.Shard:
    """Lets `crosspath selfplay` play with an evaluator, which is called as `evaluator.serve` does."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "games.shard"
        command = [program, "selfplay", "--evaluator", "stdio", "--quiet", "--out", str(out), *arguments]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            evaluator.serve(child.stdout, child.stdin, evaluate)
        except BrokenPipeError:
            pass  # it says itself why it has left
        finally:
            child.stdin.close()
            child.stdout.close()
            code = child.wait()
        if code != 0:
            raise RuntimeError(f"{program} ended with {code}")
        return shards.read(str(out))
