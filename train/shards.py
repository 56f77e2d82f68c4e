#!/usr/bin/env python3
"""Reads shards of self-play games. Needs Python 3.8 and nothing else; docs/selfplay.md draws the bytes.

    python3 train/shards.py FILE...      counts of all files together, as one JSON object
"""

import json
import struct
import sys
import zlib
from typing import Iterator, List, NamedTuple, Optional, Tuple

WHOLE = 65535  # shares are parts of this
RESULTS = ("draws", "first", "second")
ENDINGS = ("by_rules", "by_repetition", "by_length")


class BadShard(Exception):
    """The file is no complete shard of self-play, or it was changed after it was written."""


class Position(NamedTuple):
    """A position that was thought about, and what was found."""

    key: int  # equal positions have equal keys
    ply: int  # moves before it
    value: Optional[int]  # for the mover; header["score"] says what it means
    by_chance: bool  # chance took part in the choice of the move that was played
    policy: List[Tuple[int, float]]  # numbers of moves and their shares; empty: the move played was the choice


class Game(NamedTuple):
    """A game of self-play."""

    unit: int
    result: int  # index into RESULTS
    ending: int  # index into ENDINGS
    opening: int  # random moves in front, without positions
    moves: List[int]  # numbers; header["moves"][number] is the text
    positions: List[Position]


class _Bytes:
    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def take(self, form: str) -> tuple:
        size = struct.calcsize(form)
        if self.at + size > len(self.data):
            raise BadShard("the bytes break off")
        self.at += size
        return struct.unpack_from(form, self.data, self.at - size)


def _game(data: bytes) -> Game:
    source = _Bytes(data)
    unit, result, ending, opening, plies = source.take("<IBBHH")
    if result >= len(RESULTS) or ending >= len(ENDINGS) or opening > plies:
        raise BadShard(f"unit {unit} is no game")
    moves = list(source.take(f"<{plies}H"))
    positions = []
    for ply in range(opening, plies):
        key, flags = source.take("<QB")
        value = source.take("<i")[0] if flags & 1 else None
        policy = []
        for _ in range(source.take("<B")[0] if flags & 2 else 0):
            move, share = source.take("<HH")
            policy.append((move, share / WHOLE))
        positions.append(Position(key, ply, value, bool(flags & 4), policy))
    if source.at != len(data):
        raise BadShard(f"unit {unit} has bytes behind its last position")
    return Game(unit, result, ending, opening, moves, positions)


class Shard:
    """A file of games: `header` is a dict, `games()` gives them in their order."""

    def __init__(self, data: bytes):
        end = data.find(b"\n")
        try:
            self.header = json.loads(data[:end])
        except (ValueError, RecursionError):
            raise BadShard("its first line is no JSON object") from None
        header = self.header
        if not isinstance(header, dict) or header.get("crosspath") != "shard" or header.get("schema") != 1:
            raise BadShard("it is no shard of schema 1")
        if header.get("kind") != "selfplay" or header.get("records") != "binary":
            raise BadShard("it holds no games of self-play")
        self.data, self._places = data, []
        at = end + 1
        while True:
            if at + 4 > len(data):
                raise BadShard("it breaks off")
            (length,) = struct.unpack_from("<I", data, at)
            at += 4
            if length == 0:
                break
            self._places.append((at, at + length))
            at += length
        crc = zlib.crc32(data[:at])
        footer = '{"end":true,"units":%d,"crc32":"%08x"}\n' % (len(self._places), crc)
        if data[at:] != footer.encode():
            raise BadShard("its last line is not the footer that fits; it is damaged or breaks off")

    def __len__(self) -> int:
        return len(self._places)

    def games(self) -> Iterator[Game]:
        for begin, end in self._places:
            yield _game(self.data[begin:end])

    def places(self) -> List[Tuple[int, int]]:
        """Where each game begins and ends in `data`."""
        return self._places


def read(path: str) -> Shard:
    """Reads a shard from the disk."""
    with open(path, "rb") as file:
        return Shard(file.read())


class Reader:
    """Gives each position once, over all shards that it is shown, and counts."""

    def __init__(self):
        self._known = set()
        self.counts = dict.fromkeys(("games", "plies", "positions", "duplicates", "first", "second", "draws") + ENDINGS, 0)

    def positions(self, shard: Shard) -> Iterator[Tuple[Game, Position]]:
        counts = self.counts
        for game in shard.games():
            counts["games"] += 1
            counts["plies"] += len(game.moves)
            counts[RESULTS[game.result]] += 1
            counts[ENDINGS[game.ending]] += 1
            for position in game.positions:
                counts["positions"] += 1
                if position.key in self._known:
                    counts["duplicates"] += 1
                else:
                    self._known.add(position.key)
                    yield game, position


def main(paths: List[str]) -> int:
    if not paths:
        print("usage: shards.py FILE...", file=sys.stderr)
        return 2
    reader = Reader()
    for path in paths:
        try:
            for _ in reader.positions(read(path)):
                pass
        except (BadShard, OSError) as error:
            print(f"error: {path}: {error}", file=sys.stderr)
            return 1
    print(json.dumps(reader.counts, separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
