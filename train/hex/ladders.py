"""Generates Hex openings with a ladder and the stone that decides it.

    python -m train.hex.ladders --size 11 --count 200 > ladders.txt

A ladder runs along the second or third row from an edge: the attacker advances towards a corner,
one stone per move, and the defender blocks each of its stones from the edge. Near that corner lies
one stone of either side. It helps the attacker (a ladder escape) or stops it (a ladder breaker).
Random stones elsewhere equalize the numbers of stones, because the sides move alternately. The
openings use the four edges and directions in turn, so that First and Second attack equally often.
The training can pass a network, and then only openings that it evaluates as undecided are used."""

import argparse
import random
from typing import Callable, List, Optional, Tuple

Cell = Tuple[int, int]  # row and column
Opening = List[int]  # cell numbers, row by row, in playing order

MIN_LENGTH, MAX_LENGTH = 2, 4  # stones of the attacker in the ladder
CORNER_SIZE = 4  # the deciding stone lies in the square of this many rows and columns in the corner
MAX_CHANCE = 0.85  # a position is decided if one side has a higher win chance


def random_ladder(size: int, rng: random.Random) -> Optional[Tuple[List[Cell], List[Cell], Cell]]:
    """Draws a ladder along the last rows towards the last column.

    Returns the stones of the attacker, an equal number of stones of the defender, and one more free
    cell; or None if the draw does not fit on the board.
    """
    row = size - rng.choice([2, 2, 3])
    length = rng.randint(MIN_LENGTH, MAX_LENGTH)
    first = rng.randint(1, max(1, size - CORNER_SIZE - length - 1))
    # The defender has a stone below each stone of the attacker, and one where the ladder began.
    attacker = [(row, col) for col in range(first, first + length)]
    defender = [(row + 1, col) for col in range(first - 1, first + length)]
    deciding_stone = (size - 1 - rng.randint(0, CORNER_SIZE - 1), size - 1 - rng.randint(0, CORNER_SIZE - 1))
    occupied = {*attacker, *defender, deciding_stone}
    if len(occupied) < 2 * length + 2 or first + length >= size - 1:
        return None
    (attacker if rng.random() < 0.5 else defender).append(deciding_stone)
    free = [(r, c) for r in range(row) for c in range(size) if (r, c) not in occupied]
    rng.shuffle(free)
    stone_count = max(len(attacker), len(defender)) + rng.randint(0, 1)
    for stones in (attacker, defender):
        stones += [free.pop() for _ in range(stone_count - len(stones))]
        rng.shuffle(stones)
    return attacker, defender, free.pop()


def random_opening(size: int, orientation: int, rng: random.Random) -> Optional[Opening]:
    """Draws an opening with a ladder, or returns None if the draw does not fit.

    `orientation` is 0 to 3: First attacks in 0 and 1, Second in 2 and 3. Odd orientations are
    rotated by 180 degrees.
    """
    drawn = random_ladder(size, rng)
    if drawn is None:
        return None
    first, second, extra_cell = drawn
    if orientation >= 2:
        first, second = second, first
    first = first + [extra_cell] * rng.randint(0, 1)  # with an extra stone, Second is to move
    moves = [cell for pair in zip(first, second) for cell in pair] + first[len(second) :]
    cells = [row * size + col if orientation < 2 else col * size + row for row, col in moves]
    return [size * size - 1 - cell for cell in cells] if orientation % 2 else cells


def ladders(size: int, count: int, seed: int, win_chances: Optional[Callable[[List[Opening]], List[float]]] = None) -> List[Opening]:
    """Generates `count` different openings with ladders.

    `win_chances` returns the mover's win chance after each of a list of openings. If it is given,
    only undecided openings are used.
    """
    rng, seen, openings = random.Random(seed), set(), []
    if size < CORNER_SIZE + MIN_LENGTH + 2:
        raise ValueError(f"a ladder needs a board of {CORNER_SIZE + MIN_LENGTH + 2}x{CORNER_SIZE + MIN_LENGTH + 2} or larger")
    while len(openings) < count:
        drawn = [opening for opening in (random_opening(size, number % 4, rng) for number in range(4 * count)) if opening]
        chances = win_chances(drawn) if win_chances else [0.5] * len(drawn)
        for opening, chance in zip(drawn, chances):
            if 1 - MAX_CHANCE <= chance <= MAX_CHANCE and tuple(opening) not in seen:
                seen.add(tuple(opening))
                openings.append(opening)
    return openings[:count]


def format_opening(moves: Opening, size: int) -> str:
    """Returns an opening as a line of an openings file, such as `a1 b2`."""
    return " ".join(f"{chr(97 + cell % size)}{cell // size + 1}" for cell in moves)


def main():
    parser = argparse.ArgumentParser(prog="python -m train.hex.ladders", description=__doc__.split("\n")[0])
    parser.add_argument("--size", type=int, default=11, help="board size")
    parser.add_argument("--count", type=int, default=100, help="number of openings")
    parser.add_argument("--seed", type=int, default=1, help="random seed")
    options = parser.parse_args()
    for opening in ladders(options.size, options.count, options.seed):
        print(format_opening(opening, options.size))


if __name__ == "__main__":
    main()
