"""Fits the weights of Quoridor's evaluation (`src/ai/quoridor/eval.rs`) to games of self-play, by logistic regression: to their
results, and more to the chances that the searches of the games gave.

    crosspath selfplay --game quoridor --engine lookahead,nodes=4000 --openings random:4 --games 2000 --out games.shard
    python -m train.quoridor.terms games.shard

The weights of the program come from 32,000 such games after 2 to 8 random plies, and 2,100 on other boards (docs/engines.md).

Prints the weights, in about hundredths of a step, and how well they tell who wins in games that were kept apart."""

import sys
from typing import List, Tuple

import numpy as np

from .. import shards
from . import positions

KNOTS = (0, 5, 10, 20, 30, 45, 65)  # hundredths of all walls that are in hand; between them weights are on straight lines
ODDS = 250  # so many hundredths of a step are one unit of log odds
SEARCHED = 0.6  # so much of what is learnt is what the search said, the rest is the result
MORE = 20  # a lead in walls counts up to this


def hats(walls: np.ndarray) -> np.ndarray:
    """For every position the share of each knot."""
    columns = np.eye(len(KNOTS))
    return np.stack([np.interp(100 * walls, KNOTS, column) for column in columns], 1)


def terms(at: positions.Counts) -> Tuple[List[Tuple[str, int]], np.ndarray]:
    """The weights by name with the number of their knots, 1 for a plain one; and for every position by what each is multiplied."""
    lead, more = at.other - at.own, np.clip(at.mine - at.theirs, -MORE, MORE)
    share = hats((at.mine + at.theirs) / np.maximum(at.all_walls, 1))
    far = (at.own + at.other) / (2 * (at.rows - 1)) - 1
    race = 1.0 * ((at.theirs == 0) & (at.own <= at.other)) - 1.0 * ((at.mine == 0) & (at.other < at.own))
    columns = {
        "TEMPO": share,
        "LEAD": share * lead[:, None],
        "WALL": share * more[:, None],
        "LEAD_BY_DISTANCE": lead * far,
        "WALL_BY_DISTANCE": more * far,
        "RACE": race,
        "OWN_NEARNESS": 1 / (1 + at.own),
        "OTHER_NEARNESS": 1 / (1 + at.other),
    }
    columns = {name: column.reshape(len(lead), -1) for name, column in columns.items()}
    return [(name, column.shape[1]) for name, column in columns.items()], np.concatenate(list(columns.values()), 1)


def fit(x: np.ndarray, target: np.ndarray, ridge: float = 1.0) -> np.ndarray:
    """The weights of the log odds, by Newton's method."""
    weights = np.zeros(x.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (chance - target) + ridge * weights
        curve = (x.T * (chance * (1 - chance))) @ x + ridge * np.eye(x.shape[1])
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def loss(odds: np.ndarray, result: np.ndarray) -> float:
    """Mean cross entropy of chances against results, in bits."""
    return float(np.mean(np.logaddexp(0, odds) - result * odds) / np.log(2))


def main(paths: list) -> int:
    if not paths:
        print("usage: python -m train.quoridor.terms FILE...", file=sys.stderr)
        return 2
    read = [positions.counts(shards.read(path)) for path in paths]
    at = positions.Counts(*(np.concatenate(column) for column in zip(*read)))
    names, x = terms(at)
    kept = at.game % 10 == 9
    target = np.where(np.isnan(at.value), at.result, (1 - SEARCHED) * at.result + SEARCHED * at.value)
    weights = fit(x[~kept], target[~kept])
    print(f"{len(x):,} positions; cross entropy in games kept apart {loss(x[kept] @ weights, at.result[kept]):.4f} bits")
    weights, begin = np.round(ODDS * fit(x, target)).astype(int), 0
    for name, count in names:
        values = weights[begin:begin + count].tolist()
        begin += count
        print(f"const {name}: i32 = {values[0]};" if count == 1 else f"const {name}: [i32; {count}] = {values};")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
