"""Positions of Quoridor on 9x9 as arrays, in the mover's view: reads shards, finds the steps of the pawns, and makes the inputs of
the network. The other side's board is mirrored by rows, so the mover always goes up.

Cells are counted row by row, row * 9 + column, posts of walls row * 8 + column; a set of walls is 64 bits, post by post."""

import math
from typing import List, NamedTuple, Tuple

import numpy as np

from .. import shards

SIZE = 9
CELLS, POSTS = SIZE**2, (SIZE - 1) ** 2
MAX_STEPS = 20  # more steps than these look the same
MAX_WALLS = 10  # in a hand
WIDTHS = (CELLS, CELLS, POSTS, POSTS, MAX_STEPS + 1, MAX_STEPS + 1, MAX_WALLS + 1, MAX_WALLS + 1)
INPUTS = sum(WIDTHS)


class Positions(NamedTuple):
    """Positions (n), the mover's numbers before the other's in those of (n, 2)."""

    across: np.ndarray  # u64: horizontal walls
    upright: np.ndarray  # u64: vertical walls
    pawns: np.ndarray  # u8 (n, 2): cells
    steps: np.ndarray  # u8 (n, 2): to the goal row, pawns ignored
    hands: np.ndarray  # u8 (n, 2): walls left
    all_walls: np.ndarray  # u8: walls of the game, those on the board among them
    result: np.ndarray  # f32: 1 won, 0 lost, 0.5 drawn, for the mover
    value: np.ndarray  # f32: the chance to win that a search found; nan where none was found
    game: np.ndarray  # i32: the number of the game, over all shards
    ply: np.ndarray  # i16: moves before it

    def taken(self, rows: np.ndarray) -> "Positions":
        """Some of them."""
        return Positions(*(column[rows] for column in self))

    def mirrored(self) -> "Positions":
        """All of them, mirrored left to right."""
        rows, columns = np.divmod(self.pawns, SIZE)
        pawns = (rows * SIZE + SIZE - 1 - columns).astype(np.uint8)
        return self._replace(across=_turned(self.across), upright=_turned(self.upright), pawns=pawns)


def _bits(walls: np.ndarray) -> np.ndarray:
    """Sets of walls (n) as (n, 64) of 0 and 1."""
    return np.unpackbits(walls.astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")


def _turned(walls: np.ndarray) -> np.ndarray:
    """Sets of walls with the posts of each row in the opposite order."""
    rows = _bits(walls).reshape(-1, 8, 8)[:, :, ::-1]
    return np.packbits(rows, axis=2, bitorder="little").reshape(-1, 8).view("<u8").flatten()


def steps(across: np.ndarray, upright: np.ndarray, cells: np.ndarray, goal: int) -> np.ndarray:
    """Steps from cells (n) to a goal row, pawns ignored: u8 (n). A row of the board is a set of bits, column by column."""
    rows = [walls.astype("<u8").view(np.uint8).reshape(-1, 8).T.astype(np.uint16) for walls in (across, upright)]
    full = np.uint16((1 << SIZE) - 1)
    up = full & ~(rows[0] | rows[0] << 1)  # (8, n): columns open between a row and the next
    right = np.full((SIZE, len(cells)), full >> 1, np.uint16)  # (9, n): cells open to the right
    right[:-1] &= ~rows[1]
    right[1:] &= ~rows[1]
    reached = np.zeros((SIZE, len(cells)), np.uint16)
    reached[cells // SIZE, np.arange(len(cells))] = np.uint16(1) << (cells % SIZE)
    count = np.zeros(len(cells), np.uint8)
    for _ in range(CELLS):
        is_on_way = reached[goal] == 0
        if not is_on_way.any():
            return count
        count += is_on_way
        wider = reached | (reached & right) << 1 | reached >> 1 & right
        wider[1:] |= reached[:-1] & up
        wider[:-1] |= reached[1:] & up
        reached = wider
    raise ValueError("a pawn is shut in")


def _replayed(shard: shards.Shard) -> Tuple[Positions, np.ndarray]:
    """The positions of a shard that were thought about, still without steps, and their keys."""
    walls, odds = shard.header["settings"]["walls"], shard.header["score"]["odds"]
    games = list(shard.games())
    across, upright = np.zeros((2, len(games)), np.uint64)
    pawns = np.tile(np.array([SIZE // 2, CELLS - 1 - SIZE // 2]), (len(games), 1))
    hands = np.full((len(games), 2), walls)
    columns = []
    for ply in range(max(len(game.moves) for game in games)):
        me = ply % 2
        live = np.array([number for number, game in enumerate(games) if ply < len(game.moves)])
        at = np.array([number for number in live if ply >= games[number].opening], int)
        found = [games[number].positions[ply - games[number].opening] for number in at]
        # Second's view: rows in the opposite order. A row of posts is a byte.
        view = [across[at].byteswap(), upright[at].byteswap()] if me else [across[at], upright[at]]
        rows, places = np.divmod(pawns[at][:, [me, 1 - me]], SIZE)
        cells = (SIZE - 1 - rows if me else rows) * SIZE + places
        won = np.array([0.5 if games[number].result == 0 else float(games[number].result - 1 == me) for number in at])
        value = np.array([np.nan if one.value is None else one.value for one in found], float)
        value = 1 / (1 + np.exp(np.clip(-value / odds, -30, 30)))
        keys = np.array([one.key for one in found], np.uint64)
        columns.append((*view, cells, hands[at][:, [me, 1 - me]], won, value, at, np.full(len(at), ply), keys))
        moves = np.array([games[number].moves[ply] for number in live])
        pawns[live[moves < CELLS], me] = moves[moves < CELLS]
        hands[live[moves >= CELLS], me] -= 1
        for sets, first in ((across, CELLS), (upright, CELLS + POSTS)):
            built = (moves >= first) & (moves < first + POSTS)
            sets[live[built]] |= np.uint64(1) << (moves[built] - first).astype(np.uint64)
    across, upright, pawns, hands, won, value, game, ply, keys = (np.concatenate(column) for column in zip(*columns))
    order = np.lexsort((ply, game))
    small = pawns.astype(np.uint8), np.zeros(pawns.shape, np.uint8), hands.astype(np.uint8), np.full(len(keys), 2 * walls, np.uint8)
    told = won.astype(np.float32), value.astype(np.float32), game.astype(np.int32), ply.astype(np.int16)
    return Positions(across, upright, *small, *told).taken(order), keys[order]


def read(paths: List[str]) -> Positions:
    """The positions of shards of 9x9 games with at most 10 walls a side, each once."""
    parts, all_keys, games = [], [], 0
    for path in paths:
        shard = shards.read(path)
        settings = shard.header["settings"]
        if settings["size"] != SIZE or settings["walls"] > MAX_WALLS:
            raise ValueError(f"{path} has games of {settings}")
        positions, keys = _replayed(shard)
        parts.append(positions._replace(game=positions.game + games))
        all_keys.append(keys)
        games += len(shard)
    _, first = np.unique(np.concatenate(all_keys), return_index=True)
    whole = Positions(*(np.concatenate(column) for column in zip(*parts))).taken(np.sort(first))
    for begin in range(0, len(whole.game), 50_000):
        rows = slice(begin, begin + 50_000)
        for side, goal in enumerate((SIZE - 1, 0)):
            whole.steps[rows, side] = steps(whole.across[rows], whole.upright[rows], whole.pawns[rows, side], goal)
    return whole


def inputs(at: Positions) -> np.ndarray:
    """The inputs of the network, 0 or 1: u8 (n, 354)."""
    near = np.minimum(at.steps, MAX_STEPS)
    whole = np.zeros((len(at.game), INPUTS), np.uint8)
    begins = np.concatenate([[0], np.cumsum(WIDTHS)])
    numbers = np.stack([at.pawns[:, 0], at.pawns[:, 1], near[:, 0], near[:, 1], at.hands[:, 0], at.hands[:, 1]], 1)
    np.put_along_axis(whole, numbers + begins[[0, 1, 4, 5, 6, 7]], 1, 1)
    whole[:, begins[2] : begins[3]] = _bits(at.across)
    whole[:, begins[3] : begins[4]] = _bits(at.upright)
    return whole


def mirror() -> np.ndarray:
    """The number of each input's mirror, left to right (354)."""
    numbers, begin = np.arange(INPUTS), 0
    for width in WIDTHS[:4]:
        side = math.isqrt(width)
        numbers[begin : begin + width] = begin + np.arange(width).reshape(side, side)[:, ::-1].flatten()
        begin += width
    return numbers
