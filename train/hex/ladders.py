"""Openings of Hex with a ladder and what decides it.

    python -m train.hex.ladders --size 11 --count 200 > ladders.txt

A ladder runs along the second or the third row of an edge: one side crawls towards a corner, a stone a move, and the other
keeps it from the edge. Near that corner lies a stone of either side, which helps the crawler (an escape) or stops it (a
breaker). Further stones at random make up the numbers, because First and Second move by turns. Of four openings one lies at
each edge and end of it, so that both sides crawl as often. With a network only those are kept that it finds open."""

import argparse
import random
from typing import Callable, List, Optional, Tuple

Cell = Tuple[int, int]  # row and column
Opening = List[int]  # cells row by row, First's and Second's by turns

SHORTEST, LONGEST = 2, 4  # stones of the crawler
CORNER = 4  # how far from the corner the deciding stone may lie, in rows from the edge and in columns
OPEN = 0.85  # a side that is more likely to win than that has won


def ladder(size: int, chance: random.Random) -> Optional[Tuple[List[Cell], List[Cell], Cell]]:
    """Stones of a side that crawls along the last rows towards the last column, as many of the side that keeps it from the edge,
    and one more free cell; None where there is no room."""
    row = size - chance.choice([2, 2, 3])
    length = chance.randint(SHORTEST, LONGEST)
    first = chance.randint(1, max(1, size - CORNER - length - 1))
    # The crawler's stones, and below each of them the stone that kept it from the edge; one more where the ladder began.
    crawler = [(row, col) for col in range(first, first + length)]
    keeper = [(row + 1, col) for col in range(first - 1, first + length)]
    decides = (size - 1 - chance.randint(0, CORNER - 1), size - 1 - chance.randint(0, CORNER - 1))
    taken = {*crawler, *keeper, decides}
    if len(taken) < 2 * length + 2 or first + length >= size - 1:
        return None
    (crawler if chance.random() < 0.5 else keeper).append(decides)
    free = [(r, c) for r in range(row) for c in range(size) if (r, c) not in taken]
    chance.shuffle(free)
    wanted = max(len(crawler), len(keeper)) + chance.randint(0, 1)
    for stones in (crawler, keeper):
        stones += [free.pop() for _ in range(wanted - len(stones))]
        chance.shuffle(stones)
    return crawler, keeper, free.pop()


def opening(size: int, place: int, chance: random.Random) -> Optional[Opening]:
    """An opening with a ladder at one of the four ends: 1 turned by half, 2 and 3 with Second as the crawler."""
    made = ladder(size, chance)
    if made is None:
        return None
    first, second, more = made
    if place >= 2:
        first, second = second, first
    first = first + [more] * chance.randint(0, 1)  # then it is Second's move
    moves = [cell for pair in zip(first, second) for cell in pair] + first[len(second) :]
    cells = [row * size + col if place < 2 else col * size + row for row, col in moves]
    return [size * size - 1 - cell for cell in cells] if place % 2 else cells


def ladders(size: int, count: int, seed: int, value: Optional[Callable[[List[Opening]], List[float]]] = None) -> List[Opening]:
    """So many openings, none twice; with a `value`, the mover's chance for each, only those that are open."""
    chance, known, found = random.Random(seed), set(), []
    if size < CORNER + SHORTEST + 2:
        raise ValueError(f"a ladder needs a board of {CORNER + SHORTEST + 2}x{CORNER + SHORTEST + 2} or larger")
    while len(found) < count:
        drawn = [made for made in (opening(size, number % 4, chance) for number in range(4 * count)) if made]
        chances = value(drawn) if value else [0.5] * len(drawn)
        for made, worth in zip(drawn, chances):
            if 1 - OPEN <= worth <= OPEN and tuple(made) not in known:
                known.add(tuple(made))
                found.append(made)
    return found[:count]


def text(moves: Opening, size: int) -> str:
    """An opening as files have it."""
    return " ".join(f"{chr(97 + cell % size)}{cell // size + 1}" for cell in moves)


def main():
    parser = argparse.ArgumentParser(prog="python -m train.hex.ladders", description=__doc__.split("\n")[0])
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for made in ladders(options.size, options.count, options.seed):
        print(text(made, options.size))


if __name__ == "__main__":
    main()
