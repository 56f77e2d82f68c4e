"""Quoridor as far as its evaluation counts it: replays games of self-play, and finds the steps that each pawn has to go."""

from typing import Iterator, List, NamedTuple, Tuple

import numpy as np

from .. import shards


class Counts(NamedTuple):
    """What the evaluation sees of positions, the mover's numbers before the other's: arrays over positions."""

    own: np.ndarray  # steps to the goal row, pawns ignored
    other: np.ndarray
    mine: np.ndarray  # walls in hand
    theirs: np.ndarray
    all_walls: np.ndarray  # walls of the game, those that stand among them
    rows: np.ndarray
    result: np.ndarray  # 1 won, 0 lost, 0.5 drawn, for the mover
    value: np.ndarray  # the chance to win that a search found, 0 to 1 for the mover; nan where none was found
    game: np.ndarray  # the number of the game


class Board:
    """A board with walls, and the two pawns as (column, row) from 0."""

    def __init__(self, size: int, walls: int):
        self.size, self.hands = size, [walls, walls]
        self.pawns = [(size // 2, 0), (size // 2, size - 1)]
        self.goals = [size - 1, 0]
        self.north = [[row < size - 1 for row in range(size)] for _ in range(size)]  # by column and row: no wall on that side
        self.east = [[column < size - 1] * size for column in range(size)]
        self.mover = 0

    def play(self, text: str):
        """Makes a move: `e2`, or `e3h` and `e3v`, which name the cell below and left of a wall's middle."""
        column, kind = ord(text[0]) - ord("a"), text[-1]
        if kind in "hv":
            row = int(text[1:-1]) - 1
            self.hands[self.mover] -= 1
            if kind == "h":
                self.north[column][row] = self.north[column + 1][row] = False
            else:
                self.east[column][row] = self.east[column][row + 1] = False
        else:
            self.pawns[self.mover] = (column, int(text[1:]) - 1)
        self.mover = 1 - self.mover

    def steps(self, side: int) -> int:
        """Steps of a side to its goal row, pawns ignored."""
        goal, seen, ring, count = self.goals[side], {self.pawns[side]}, [self.pawns[side]], 0
        while ring:
            if any(row == goal for _, row in ring):
                return count
            count += 1
            ring = [cell for cell in self._beside(ring) if cell not in seen and not seen.add(cell)]
        raise ValueError("a pawn is shut in")

    def _beside(self, cells: List[Tuple[int, int]]) -> Iterator[Tuple[int, int]]:
        for column, row in cells:
            if self.north[column][row]:
                yield column, row + 1
            if row > 0 and self.north[column][row - 1]:
                yield column, row - 1
            if self.east[column][row]:
                yield column + 1, row
            if column > 0 and self.east[column - 1][row]:
                yield column - 1, row


def counts(shard: shards.Shard) -> Counts:
    """The positions of a shard that were thought about, each once."""
    settings, names, rows, seen = shard.header["settings"], shard.header["moves"], [], set()
    size, walls, odds = settings["size"], settings["walls"], shard.header["score"]["odds"]
    for number, game in enumerate(shard.games()):
        board = Board(size, walls)
        thought = dict(zip(range(game.opening, len(game.moves)), game.positions))
        for ply, move in enumerate(game.moves):
            position = thought.get(ply)
            if position is not None and position.key not in seen:
                seen.add(position.key)
                me, value = board.mover, position.value
                result = 0.5 if game.result == 0 else float(game.result - 1 == me)
                value = np.nan if value is None else 1 / (1 + np.exp(np.clip(-value / odds, -30, 30)))
                hands = board.hands[me], board.hands[1 - me]
                rows.append((board.steps(me), board.steps(1 - me), *hands, 2 * walls, size, result, value, number))
            board.play(names[move])
    return Counts(*np.array(rows, float).T)
