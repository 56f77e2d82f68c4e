"""Says how honest the chances are that an engine gives: of all positions of which it gave so much, how many its side has won.

    crosspath selfplay --game hex --no-swap --engine net,nodes=200 --openings random:2 --temperature-plies 0 --games 500 --out games.shard
    python -m train.calibration games.shard"""

import sys

import numpy as np

from . import shards
from .hex import games


def fit(odds: np.ndarray, result: np.ndarray) -> np.ndarray:
    """The factor of log odds, and what is to be added to them, that fit results best: a logistic regression by Newton's steps."""
    columns, found = np.stack([odds, np.ones_like(odds)], 1), np.array([1.0, 0.0])
    for _ in range(20):
        chance = 1 / (1 + np.exp(-columns @ found))
        slope = columns.T @ (result - chance)
        found += np.linalg.solve((columns * (chance * (1 - chance))[:, None]).T @ columns, slope)
    return found


def main(paths: list) -> int:
    if not paths:
        print("usage: python -m train.calibration FILE...", file=sys.stderr)
        return 2
    rows = []
    for shard in map(shards.read, paths):
        for game in shard.games():
            for at in game.positions:
                if at.value is not None:
                    won = 0.5 if game.result == 0 else float(game.result - 1 == at.ply % 2)
                    rows.append((games.chances(np.array(at.value), shard.header["score"]), won))
    value, result = np.array(rows, float).T
    print("| chance given | positions | mean of them | won |\n|---|---|---|---|")
    for low in range(0, 100, 10):
        here = (value >= low / 100) & ((value < low / 100 + 0.1) | (low == 90))
        if here.any():
            print(f"| {low} to {low + 10} % | {here.sum()} | {100 * value[here].mean():.1f} % | {100 * result[here].mean():.1f} % |")
    odds = np.log(np.clip(value, 1e-4, 1 - 1e-4) / (1 - np.clip(value, 1e-4, 1 - 1e-4)))
    factor, more = fit(odds, result)
    print(f"\nLog odds times {factor:.2f} and {more:+.3f} would fit best.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
