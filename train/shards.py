#!/usr/bin/env python3
"""Reads shards of self-play games.

Needs Python 3.8 and only the standard library. docs/selfplay.md specifies the format.

    python3 train/shards.py FILE...

prints the counts of all files together as one JSON object."""

import json
import struct
import sys
import zlib
from typing import Iterator, List, NamedTuple, Optional, Tuple

WHOLE = 65535  # policy shares are stored in units of 1/WHOLE
RESULTS = ("draws", "first", "second")
ENDINGS = ("by_rules", "by_repetition", "by_length")


class BadShard(Exception):
    """The file is not a complete shard of self-play games, or it is damaged."""


class Position(NamedTuple):
    """A position that an engine or a teacher evaluated."""

    key: int  # hash; equal positions have equal keys
    ply: int  # number of moves before the position
    value: Optional[int]  # score for the side to move, on the scale of header["score"]
    by_chance: bool  # the move played was drawn at random
    policy: List[Tuple[int, float]]  # move numbers and their shares; empty: the move played was the choice


class Game(NamedTuple):
    """A game of self-play."""

    unit: int
    result: int  # index into RESULTS
    ending: int  # index into ENDINGS
    opening: int  # number of random moves at the start, which have no positions
    moves: List[int]  # move numbers; header["moves"][number] is the text of a move
    positions: List[Position]


class _ByteReader:
    def __init__(self, data: bytes):
        self.data, self.offset = data, 0

    def take(self, form: str) -> tuple:
        """Reads the next values, in a format of `struct`."""
        size = struct.calcsize(form)
        if self.offset + size > len(self.data):
            raise BadShard("the file is truncated")
        self.offset += size
        return struct.unpack_from(form, self.data, self.offset - size)


def _decode_game(data: bytes) -> Game:
    source = _ByteReader(data)
    unit, result, ending, opening, plies = source.take("<IBBHH")
    if result >= len(RESULTS) or ending >= len(ENDINGS) or opening > plies:
        raise BadShard(f"unit {unit} is not a valid game")
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
    if source.offset != len(data):
        raise BadShard(f"unit {unit} has extra bytes after its last position")
    return Game(unit, result, ending, opening, moves, positions)


class Shard:
    """A file of games. `header` is its header as a dict."""

    def __init__(self, data: bytes):
        end = data.find(b"\n")
        try:
            self.header = json.loads(data[:end])
        except (ValueError, RecursionError):
            raise BadShard("the first line is not a JSON object") from None
        header = self.header
        if not isinstance(header, dict) or header.get("crosspath") != "shard" or header.get("schema") != 1:
            raise BadShard("not a shard with schema 1")
        if header.get("kind") != "selfplay" or header.get("records") != "binary":
            raise BadShard("not a shard of self-play games")
        self.data, self._spans = data, []
        offset = end + 1
        while True:
            if offset + 4 > len(data):
                raise BadShard("the file is truncated")
            (length,) = struct.unpack_from("<I", data, offset)
            offset += 4
            if length == 0:
                break
            self._spans.append((offset, offset + length))
            offset += length
        crc = zlib.crc32(data[:offset])
        footer = '{"end":true,"units":%d,"crc32":"%08x"}\n' % (len(self._spans), crc)
        if data[offset:] != footer.encode():
            raise BadShard("the footer does not match; the file is damaged or truncated")

    def __len__(self) -> int:
        return len(self._spans)

    def games(self) -> Iterator[Game]:
        """Yields the games in file order."""
        for begin, end in self._spans:
            yield _decode_game(self.data[begin:end])

    def game_spans(self) -> List[Tuple[int, int]]:
        """Returns the begin and end of each game as offsets into `data`."""
        return self._spans


def read(path: str) -> Shard:
    """Reads a shard from a file."""
    with open(path, "rb") as file:
        return Shard(file.read())


class Reader:
    """Yields each distinct position of several shards once, and counts games and positions."""

    def __init__(self):
        self._seen_keys = set()
        self.counts = dict.fromkeys(("games", "plies", "positions", "duplicates", "first", "second", "draws") + ENDINGS, 0)

    def positions(self, shard: Shard) -> Iterator[Tuple[Game, Position]]:
        """Yields the positions of a shard that have not occurred before, with their games."""
        counts = self.counts
        for game in shard.games():
            counts["games"] += 1
            counts["plies"] += len(game.moves)
            counts[RESULTS[game.result]] += 1
            counts[ENDINGS[game.ending]] += 1
            for position in game.positions:
                counts["positions"] += 1
                if position.key in self._seen_keys:
                    counts["duplicates"] += 1
                else:
                    self._seen_keys.add(position.key)
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
