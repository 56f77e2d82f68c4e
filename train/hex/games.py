"""Plays games with `crosspath selfplay`, and reads shards of Hex games into arrays."""

import struct
import subprocess
import tempfile
from pathlib import Path
from typing import Callable, List, NamedTuple, Optional, Tuple

import numpy as np

from .. import evaluator, shards

NEVER = 30_000  # larger than every move number: the cell has no stone


class Games(NamedTuple):
    """Games on one board size. Arrays over positions hold the positions of all games in order."""

    size: int
    plies: np.ndarray  # (games, cells): number of the move that placed each stone, or NEVER
    game: np.ndarray  # (positions): index of the game
    ply: np.ndarray  # (positions): number of moves before the position
    move: np.ndarray  # (positions): cell of the move played
    result: np.ndarray  # (positions): 1 won, 0 lost, 0.5 drawn, for the mover
    value: np.ndarray  # (positions): win chance of the mover according to the engine; nan if unknown
    searched: np.ndarray  # (searched): indices of the positions that have a policy
    policy: np.ndarray  # (searched, cells): u16 shares of the moves; they sum to at most 65,535


def as_arrays(shard: shards.Shard) -> Games:
    """Reads the Hex games of a shard. Raises BadShard if a game contains a swap."""
    score = shard.header["score"]
    size = shard.header["settings"]["size"]
    plies, columns, searched, policy_rows = [], [], [], []
    position_count = 0
    for number, (begin, end) in enumerate(shard.game_spans()):
        data = shard.data
        _, result, _, opening, count = struct.unpack_from("<IBBHH", data, begin)
        moves = np.frombuffer(data, "<u2", count, begin + 10)
        if moves.size and moves.max() >= size * size:
            raise shards.BadShard("a game contains a swap; networks train on games without it")
        stones = np.full(size * size, NEVER, np.int16)
        stones[moves] = np.arange(count)
        plies.append(stones)
        values, policies = _decode_positions(data, begin + 10 + 2 * count, end, count - opening)
        for index, policy in policies:
            searched.append(position_count + opening + index)
            row = np.zeros(size * size, np.uint16)
            row[policy[0::2]] = policy[1::2]
            policy_rows.append(row)
        position_count += count
        # Positions of the random opening are included, so the network learns the empty board too.
        values = np.concatenate([np.full(opening, np.nan), win_chances(values, score)])
        ply = np.arange(count)
        won = np.full(count, 0.5) if result == 0 else (ply % 2 == result - 1).astype(float)
        columns.append((np.full(count, number), ply, moves, won, values))
    game, ply, move, won, values = (np.concatenate(column) for column in zip(*columns))
    searched = np.array(searched, np.int64)
    policies = np.array(policy_rows, np.uint16).reshape(-1, size * size)
    return Games(size, np.stack(plies), game, ply.astype(np.int16), move.astype(np.int64), won, values, searched, policies)


def win_chances(values: np.ndarray, score: dict) -> np.ndarray:
    """Converts scores to win chances (0 to 1). `score` is the scale in the header of the shard."""
    if score["odds"]:
        return 1 / (1 + np.exp(np.clip(-values / score["odds"] - score.get("bias", 0), -30, 30)))
    return values / (2 * score["one"]) + 0.5


def _decode_positions(data: bytes, offset: int, end: int, count: int) -> Tuple[np.ndarray, list]:
    """Decodes `count` positions of a game, at `offset` to `end` of the shard.

    Returns their scores (nan: none), and a list of (index, policy) for the positions that have a
    policy. A policy is an array in which move numbers and shares alternate.
    """
    values, policies = np.full(count, np.nan), []
    for index in range(count):
        flags = data[offset + 8]
        offset += 9
        if flags & 1:
            values[index] = int.from_bytes(data[offset : offset + 4], "little", signed=True)
            offset += 4
        if flags & 2:
            policies.append((index, np.frombuffer(data, "<u2", 2 * data[offset], offset + 1)))
            offset += 1 + 4 * data[offset]
    if offset != end:
        raise shards.BadShard("a game has extra bytes after its last position")
    return values, policies


class BackgroundGames:
    """A process of `crosspath selfplay` that plays games in the background."""

    def __init__(self, program: str, arguments: List[str], out: Optional[Path] = None):
        """Starts the process. The shard is written to `out`, or to a temporary file."""
        self.folder = tempfile.TemporaryDirectory()
        self.out = out or Path(self.folder.name) / "games.shard"
        self.out.unlink(missing_ok=True)
        self.child = subprocess.Popen([program, "selfplay", "--quiet", "--out", str(self.out), *arguments])

    def wait(self) -> shards.Shard:
        """Waits until all games are over, and returns them."""
        with self.folder:
            if self.child.wait() != 0:
                raise RuntimeError(f"{self.child.args[0]} exited with code {self.child.returncode}")
            return shards.read(str(self.out))

    def stop(self):
        """Kills the process and discards its games."""
        self.child.kill()
        self.child.wait()
        self.folder.cleanup()


def play_with_evaluator(program: str, arguments: List[str], evaluate: Callable[[dict, int, bytes], bytes]) -> shards.Shard:
    """Plays games with `crosspath selfplay` and an evaluator in this process.

    `evaluate` is called as `evaluator.serve` describes. Returns the games.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "games.shard"
        command = [program, "selfplay", "--evaluator", "stdio", "--quiet", "--out", str(out), *arguments]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            evaluator.serve(child.stdout, child.stdin, evaluate)
        except BrokenPipeError:
            pass  # the program reports the error itself
        finally:
            child.stdin.close()
            child.stdout.close()
            code = child.wait()
        if code != 0:
            raise RuntimeError(f"{program} exited with code {code}")
        return shards.read(str(out))
