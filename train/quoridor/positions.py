"""Reads the features of Quoridor's evaluation from games of self-play, on boards of any size.

The games are replayed move by move, and the distance of each pawn to its goal row is computed."""

from typing import Iterator, List, NamedTuple, Tuple

import numpy as np

from .. import shards


class Features(NamedTuple):
    """Features of positions, as arrays over positions."""

    mover_distance: np.ndarray  # steps to the goal row, pawns ignored
    opponent_distance: np.ndarray
    mover_walls: np.ndarray  # walls left
    opponent_walls: np.ndarray
    total_walls: np.ndarray  # all walls of the game, including those on the board
    size: np.ndarray  # board size
    result: np.ndarray  # 1 won, 0 lost, 0.5 drawn, for the mover
    win_chance: np.ndarray  # according to the search, 0 to 1 for the mover; nan if there was none
    game: np.ndarray  # index of the game in its shard


class Board:
    """A board with walls and two pawns. Cells are (column, row), from 0."""

    def __init__(self, size: int, walls: int):
        self.size, self.walls_left = size, [walls, walls]
        self.pawns = [(size // 2, 0), (size // 2, size - 1)]
        self.goals = [size - 1, 0]
        # By column and row: whether a pawn can step north or east from the cell.
        self.is_open_north = [[row < size - 1 for row in range(size)] for _ in range(size)]
        self.is_open_east = [[column < size - 1] * size for column in range(size)]
        self.mover = 0

    def play(self, text: str):
        """Makes a move: a step such as `e2`, or a wall such as `e3h` or `e3v`.

        A wall is named after the cell below and left of its middle.
        """
        column, kind = ord(text[0]) - ord("a"), text[-1]
        if kind in "hv":
            row = int(text[1:-1]) - 1
            self.walls_left[self.mover] -= 1
            if kind == "h":
                self.is_open_north[column][row] = self.is_open_north[column + 1][row] = False
            else:
                self.is_open_east[column][row] = self.is_open_east[column][row + 1] = False
        else:
            self.pawns[self.mover] = (column, int(text[1:]) - 1)
        self.mover = 1 - self.mover

    def distance_to_goal(self, side: int) -> int:
        """Returns the number of steps of a side to its goal row, pawns ignored (breadth-first
        search)."""
        goal, seen, frontier, count = self.goals[side], {self.pawns[side]}, [self.pawns[side]], 0
        while frontier:
            if any(row == goal for _, row in frontier):
                return count
            count += 1
            frontier = [cell for cell in self._neighbours(frontier) if cell not in seen and not seen.add(cell)]
        raise ValueError("a pawn cannot reach its goal row")

    def _neighbours(self, cells: List[Tuple[int, int]]) -> Iterator[Tuple[int, int]]:
        for column, row in cells:
            if self.is_open_north[column][row]:
                yield column, row + 1
            if row > 0 and self.is_open_north[column][row - 1]:
                yield column, row - 1
            if self.is_open_east[column][row]:
                yield column + 1, row
            if column > 0 and self.is_open_east[column - 1][row]:
                yield column - 1, row


def read_features(shard: shards.Shard) -> Features:
    """Returns the features of the evaluated positions of a shard, without duplicates."""
    settings, names, rows, seen = shard.header["settings"], shard.header["moves"], [], set()
    size, walls, odds = settings["size"], settings["walls"], shard.header["score"]["odds"]
    for number, game in enumerate(shard.games()):
        board = Board(size, walls)
        evaluated = dict(zip(range(game.opening, len(game.moves)), game.positions))
        for ply, move in enumerate(game.moves):
            position = evaluated.get(ply)
            if position is not None and position.key not in seen:
                seen.add(position.key)
                mover, score = board.mover, position.value
                opponent = 1 - mover
                result = 0.5 if game.result == 0 else float(game.result - 1 == mover)
                win_chance = np.nan if score is None else 1 / (1 + np.exp(np.clip(-score / odds, -30, 30)))
                distances = board.distance_to_goal(mover), board.distance_to_goal(opponent)
                walls_left = board.walls_left[mover], board.walls_left[opponent]
                rows.append((*distances, *walls_left, 2 * walls, size, result, win_chance, number))
            board.play(names[move])
    return Features(*np.array(rows, float).T)
