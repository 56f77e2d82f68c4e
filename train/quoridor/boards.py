"""Positions of Quoridor on 9x9 as arrays, from the mover's point of view.

Reads shards, computes the distances of the pawns to their goal rows, and builds the network inputs.
When Second is to move, the rows of the board are reversed, so that the mover always goes up.

Cells are numbered row * 9 + column. Wall slots are the inner intersections, at which the middle of
a wall lies; they are numbered row * 8 + column. A set of walls is a 64-bit integer with one bit per
slot."""

import math
from typing import List, NamedTuple, Tuple

import numpy as np

from .. import shards

SIZE = 9
CELLS, WALL_SLOTS = SIZE**2, (SIZE - 1) ** 2
MAX_DISTANCE = 20  # inputs do not distinguish larger distances
MAX_WALLS = 10  # walls left of a side
COUNTED_STEPS = (1, 2, 4)  # walls are counted that add at least so many steps to a path
# Largest values of the detour counts that the inputs distinguish: steps that the best wall adds, and
# the numbers of walls that add at least 1, 2 and 4 steps.
MAX_DETOURS = (12, 20, 16, 12)
# Numbers of inputs: cell of the mover's pawn, of the opponent's; horizontal walls, vertical walls;
# distance of the mover, of the opponent; walls left of the mover, of the opponent; then each detour
# count, of the mover and of the opponent.
INPUT_WIDTHS = (CELLS, CELLS, WALL_SLOTS, WALL_SLOTS, MAX_DISTANCE + 1, MAX_DISTANCE + 1, MAX_WALLS + 1, MAX_WALLS + 1)
INPUT_WIDTHS += tuple(most + 1 for most in MAX_DETOURS for _ in range(2))
INPUTS = sum(INPUT_WIDTHS)


class Positions(NamedTuple):
    """Arrays over positions. In those of shape (n, 2), the mover comes before the opponent."""

    horizontal: np.ndarray  # u64: horizontal walls
    vertical: np.ndarray  # u64: vertical walls
    pawns: np.ndarray  # u8 (n, 2): cells
    distances: np.ndarray  # u8 (n, 2): steps to the goal row, pawns ignored
    detours: np.ndarray  # u8 (n, 4, 2): detour counts of the paths, see `compute_detours`
    walls_left: np.ndarray  # u8 (n, 2)
    total_walls: np.ndarray  # u8: all walls of the game, including those on the board
    result: np.ndarray  # f32: 1 won, 0 lost, 0.5 drawn, for the mover
    win_chance: np.ndarray  # f32: according to the search, for the mover; nan if there was none
    game: np.ndarray  # i32: index of the game, over all shards
    ply: np.ndarray  # i16: number of moves before the position

    def select(self, rows: np.ndarray) -> "Positions":
        """Returns the positions with these indices."""
        return Positions(*(column[rows] for column in self))

    def mirrored(self) -> "Positions":
        """Returns the positions mirrored left to right."""
        rows, columns = np.divmod(self.pawns, SIZE)
        pawns = (rows * SIZE + SIZE - 1 - columns).astype(np.uint8)
        return self._replace(horizontal=_mirror_walls(self.horizontal), vertical=_mirror_walls(self.vertical), pawns=pawns)


def _unpack_bits(walls: np.ndarray) -> np.ndarray:
    """Converts sets of walls (n) to zeros and ones (n, 64)."""
    return np.unpackbits(walls.astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")


def _mirror_walls(walls: np.ndarray) -> np.ndarray:
    """Mirrors sets of walls left to right."""
    rows = _unpack_bits(walls).reshape(-1, 8, 8)[:, :, ::-1]
    return np.packbits(rows, axis=2, bitorder="little").reshape(-1, 8).view("<u8").flatten()


def _open_passages(horizontal: np.ndarray, vertical: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Returns the columns that are open from each row to the next (8, n), and to the right in each
    row (9, n)."""
    walls = [walls.astype("<u8").view(np.uint8).reshape(-1, 8).T.astype(np.uint16) for walls in (horizontal, vertical)]
    full = np.uint16((1 << SIZE) - 1)
    up = full & ~(walls[0] | walls[0] << 1)
    right = np.full((SIZE, len(horizontal)), full >> 1, np.uint16)
    right[:-1] &= ~walls[1]
    right[1:] &= ~walls[1]
    return up, right


def _spread(reached: np.ndarray, up: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Returns the cells at most one step away from the cells `reached` (9, n)."""
    wider = reached | (reached & right) << 1 | reached >> 1 & right
    wider[1:] |= reached[:-1] & up
    wider[:-1] |= reached[1:] & up
    return wider


def compute_distances(horizontal: np.ndarray, vertical: np.ndarray, cells: np.ndarray, goal: int) -> np.ndarray:
    """Returns the distances from cells (n) to the row `goal`, pawns ignored: u8 (n); 0 where there is
    no path.

    It is a breadth-first search over bitboards, in which each row of the board is a bit set of
    columns.
    """
    up, right = _open_passages(horizontal, vertical)
    reached = np.zeros((SIZE, len(cells)), np.uint16)
    reached[cells // SIZE, np.arange(len(cells))] = np.uint16(1) << (cells % SIZE)
    count = np.zeros(len(cells), np.uint8)
    while True:
        is_unfinished = reached[goal] == 0
        count += is_unfinished
        wider = _spread(reached, up, right)
        if not is_unfinished.any() or (wider == reached).all():
            return np.where(is_unfinished, 0, count).astype(np.uint8)
        reached = wider


def _slot(rows: np.ndarray, columns: np.ndarray, where: np.ndarray) -> np.ndarray:
    """Returns the wall slots (n) as sets of one; empty where `where` is false or there is no such
    slot."""
    side = SIZE - 1
    exists = where & (rows >= 0) & (rows < side) & (columns >= 0) & (columns < side)
    return np.where(exists, np.uint64(1) << np.where(exists, rows * side + columns, 0).astype(np.uint64), np.uint64(0))


def _slots_on_path(horizontal: np.ndarray, vertical: np.ndarray, cells: np.ndarray, goal: int) -> Tuple[np.ndarray, np.ndarray]:
    """Returns the slots, horizontal (n) and vertical (n), whose walls would cut a certain shortest
    path from the cells to the row `goal`."""
    up, right = _open_passages(horizontal, vertical)
    reached = np.zeros((SIZE, len(cells)), np.uint16)
    reached[goal] = (1 << SIZE) - 1
    layers = [reached]  # cells at most 0, 1, ... steps from the goal row
    places = np.arange(len(cells))
    rows, columns = np.divmod(cells.astype(np.int64), SIZE)
    while (layers[-1][rows, places] >> columns & 1 == 0).any():
        layers.append(_spread(layers[-1], up, right))
        if (layers[-1] == layers[-2]).all():
            raise ValueError("a pawn cannot reach its goal row")
    sets = [np.zeros(len(cells), np.uint64), np.zeros(len(cells), np.uint64)]
    for nearer in reversed(layers[:-1]):
        waits = nearer[rows, places] >> columns & 1 == 1  # already as near
        for d_row, d_column in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            row, column = rows + d_row, columns + d_column
            on_board = (row >= 0) & (row < SIZE) & (column >= 0) & (column < SIZE)
            low, left = np.minimum(rows, row), np.minimum(columns, column)
            passages = up[np.minimum(low, SIZE - 2), places] if d_row else right[rows, places]
            is_open = on_board & (passages >> np.maximum(left, 0) & 1 == 1)
            row, column = np.clip(row, 0, SIZE - 1), np.clip(column, 0, SIZE - 1)
            steps = ~waits & is_open & (nearer[row, places] >> column & 1 == 1)
            other = (low, left - 1) if d_row else (low - 1, left)
            sets[0 if d_row else 1] |= _slot(low, left, steps) | _slot(*other, steps)
            rows, columns = np.where(steps, row, rows), np.where(steps, column, columns)
            waits |= steps
    return sets[0], sets[1]


def _free_slots(horizontal: np.ndarray, vertical: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Returns the slots, horizontal (n) and vertical (n), where a wall overlaps or crosses no other."""
    one, row = np.uint64(1), np.uint64(SIZE - 1)
    first_column = np.uint64(0x0101010101010101)
    last_column = first_column << np.uint64(SIZE - 2)
    beside = (horizontal & ~last_column) << one | (horizontal & ~first_column) >> one
    taken = horizontal | vertical
    return ~(taken | beside), ~(taken | vertical << row | vertical >> row)


def compute_detours(horizontal: np.ndarray, vertical: np.ndarray, cells: np.ndarray, goal: int) -> np.ndarray:
    """Returns what one more wall can do to the shortest paths from cells (n) to the row `goal`: u8
    (n, 4).

    These are the steps that the best wall adds, and the numbers of walls that add at least 1, 2 and
    4 steps. Walls that leave no path do not count. Legal walls must also leave the other pawn a
    path, which is ignored here.
    """
    before = compute_distances(horizontal, vertical, cells, goal).astype(np.int64)
    counts = np.zeros((len(cells), 1 + len(COUNTED_STEPS)), np.uint8)
    path, free = _slots_on_path(horizontal, vertical, cells, goal), _free_slots(horizontal, vertical)
    pairs = [np.nonzero(_unpack_bits(path[kind] & free[kind])) for kind in range(2)]
    rows = np.concatenate([rows for rows, _ in pairs])
    walls = [np.uint64(1) << slots.astype(np.uint64) for _, slots in pairs]
    walls = np.concatenate([walls[0], np.zeros_like(walls[1])]), np.concatenate([np.zeros_like(walls[0]), walls[1]])
    after = compute_distances(horizontal[rows] | walls[0], vertical[rows] | walls[1], cells[rows], goal)
    added = np.maximum(after - before[rows], 0)
    np.maximum.at(counts[:, 0], rows, added.astype(np.uint8))
    for kind, least in enumerate(COUNTED_STEPS):
        counts[:, 1 + kind] = np.bincount(rows[added >= least], minlength=len(cells))
    return counts


def _replay(shard: shards.Shard) -> Tuple[Positions, np.ndarray]:
    """Replays all games of a shard at once, ply by ply.

    Returns the evaluated positions, still without distances and detours, and their keys.
    """
    walls, odds = shard.header["settings"]["walls"], shard.header["score"]["odds"]
    games = list(shard.games())
    horizontal, vertical = np.zeros((2, len(games)), np.uint64)
    pawns = np.tile(np.array([SIZE // 2, CELLS - 1 - SIZE // 2]), (len(games), 1))
    walls_left = np.full((len(games), 2), walls)
    columns = []
    for ply in range(max(len(game.moves) for game in games)):
        mover = ply % 2
        sides = [mover, 1 - mover]
        live = np.array([number for number, game in enumerate(games) if ply < len(game.moves)])
        rows = np.array([number for number in live if ply >= games[number].opening], int)  # games with a position
        positions = [games[number].positions[ply - games[number].opening] for number in rows]
        # Second's view reverses the rows. A row of wall slots is a byte.
        view = [horizontal[rows].byteswap(), vertical[rows].byteswap()] if mover else [horizontal[rows], vertical[rows]]
        pawn_rows, pawn_columns = np.divmod(pawns[rows][:, sides], SIZE)
        cells = (SIZE - 1 - pawn_rows if mover else pawn_rows) * SIZE + pawn_columns
        won = np.array([0.5 if games[number].result == 0 else float(games[number].result - 1 == mover) for number in rows])
        score = np.array([np.nan if position.value is None else position.value for position in positions], float)
        win_chance = 1 / (1 + np.exp(np.clip(-score / odds, -30, 30)))
        keys = np.array([position.key for position in positions], np.uint64)
        columns.append((*view, cells, walls_left[rows][:, sides], won, win_chance, rows, np.full(len(rows), ply), keys))
        moves = np.array([games[number].moves[ply] for number in live])
        pawns[live[moves < CELLS], mover] = moves[moves < CELLS]
        walls_left[live[moves >= CELLS], mover] -= 1
        for sets, first in ((horizontal, CELLS), (vertical, CELLS + WALL_SLOTS)):
            is_wall = (moves >= first) & (moves < first + WALL_SLOTS)
            sets[live[is_wall]] |= np.uint64(1) << (moves[is_wall] - first).astype(np.uint64)
    horizontal, vertical, pawns, walls_left, won, win_chance, game, ply, keys = (np.concatenate(column) for column in zip(*columns))
    positions = Positions(
        horizontal,
        vertical,
        pawns.astype(np.uint8),
        np.zeros(pawns.shape, np.uint8),
        np.zeros((len(pawns), len(MAX_DETOURS), 2), np.uint8),
        walls_left.astype(np.uint8),
        np.full(len(keys), 2 * walls, np.uint8),
        won.astype(np.float32),
        win_chance.astype(np.float32),
        game.astype(np.int32),
        ply.astype(np.int16),
    )
    order = np.lexsort((ply, game))
    return positions.select(order), keys[order]


def read(paths: List[str]) -> Positions:
    """Reads the positions of shards, without duplicates.

    Raises ValueError if games are not on 9x9 or have more than 10 walls per side.
    """
    parts, all_keys, game_count = [], [], 0
    for path in paths:
        shard = shards.read(path)
        settings = shard.header["settings"]
        if settings["size"] != SIZE or settings["walls"] > MAX_WALLS:
            raise ValueError(f"{path} has games with {settings}; only 9x9 with up to {MAX_WALLS} walls is supported")
        positions, keys = _replay(shard)
        parts.append(positions._replace(game=positions.game + game_count))
        all_keys.append(keys)
        game_count += len(shard)
    _, first = np.unique(np.concatenate(all_keys), return_index=True)
    positions = Positions(*(np.concatenate(column) for column in zip(*parts))).select(np.sort(first))
    for begin in range(0, len(positions.game), 50_000):
        rows = slice(begin, begin + 50_000)
        for side, goal in enumerate((SIZE - 1, 0)):
            path = positions.horizontal[rows], positions.vertical[rows], positions.pawns[rows, side], goal
            positions.distances[rows, side] = compute_distances(*path)
            # The other side must have a wall left.
            has_walls = positions.walls_left[rows, 1 - side, None] > 0
            positions.detours[rows, :, side] = np.where(has_walls, compute_detours(*path), 0)
    return positions


def build_inputs(positions: Positions) -> np.ndarray:
    """Returns the network inputs of positions, zeros and ones: u8 (n, 482)."""
    distances = np.minimum(positions.distances, MAX_DISTANCE)
    detours = np.minimum(positions.detours, np.array(MAX_DETOURS)[:, None]).reshape(len(positions.game), -1)
    inputs = np.zeros((len(positions.game), INPUTS), np.uint8)
    begins = np.concatenate([[0], np.cumsum(INPUT_WIDTHS)])
    one_hot = np.concatenate([positions.pawns, distances, positions.walls_left, detours], 1)
    np.put_along_axis(inputs, one_hot + begins[[0, 1, *range(4, len(INPUT_WIDTHS))]], 1, 1)
    inputs[:, begins[2] : begins[3]] = _unpack_bits(positions.horizontal)
    inputs[:, begins[3] : begins[4]] = _unpack_bits(positions.vertical)
    return inputs


def mirror_indices() -> np.ndarray:
    """Returns for each input (482) the index of its mirror image, left to right."""
    indices, begin = np.arange(INPUTS), 0
    for width in INPUT_WIDTHS[:4]:
        side = math.isqrt(width)
        indices[begin : begin + width] = begin + np.arange(width).reshape(side, side)[:, ::-1].flatten()
        begin += width
    return indices
