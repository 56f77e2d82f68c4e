"""Checks the calibration of an engine's win chances: how often did the side with a given chance
win?

    crosspath selfplay --game hex --no-swap --engine net,nodes=200 --openings random:2 --temperature-plies 0 --games 500 --out games.shard
    python -m train.calibration games.shard

Prints a table of the chances in ten ranges and the wins in each, and then the correction of the log
odds that would fit the results best."""

import sys

import numpy as np

from . import shards
from .hex import games as hex_games


def fit_calibration(log_odds: np.ndarray, result: np.ndarray) -> np.ndarray:
    """Fits a logistic regression of results (0 to 1) on log odds with Newton's method.

    Returns the factor of the log odds and the offset to add to them.
    """
    columns, parameters = np.stack([log_odds, np.ones_like(log_odds)], 1), np.array([1.0, 0.0])
    for _ in range(20):
        predicted = 1 / (1 + np.exp(-columns @ parameters))
        gradient = columns.T @ (result - predicted)
        hessian = (columns * (predicted * (1 - predicted))[:, None]).T @ columns
        parameters += np.linalg.solve(hessian, gradient)
    return parameters


def main(paths: list) -> int:
    if not paths:
        print("usage: python -m train.calibration FILE...", file=sys.stderr)
        return 2
    rows = []
    for shard in map(shards.read, paths):
        for game in shard.games():
            for position in game.positions:
                if position.value is not None:
                    won = 0.5 if game.result == 0 else float(game.result - 1 == position.ply % 2)
                    rows.append((hex_games.win_chances(np.array(position.value), shard.header["score"]), won))
    chance, result = np.array(rows, float).T
    print("| predicted | positions | mean prediction | won |\n|---|---|---|---|")
    for low in range(0, 100, 10):
        in_range = (chance >= low / 100) & ((chance < low / 100 + 0.1) | (low == 90))
        if in_range.any():
            print(f"| {low} to {low + 10}% | {in_range.sum()} | {100 * chance[in_range].mean():.1f}% | {100 * result[in_range].mean():.1f}% |")
    log_odds = np.log(np.clip(chance, 1e-4, 1 - 1e-4) / (1 - np.clip(chance, 1e-4, 1 - 1e-4)))
    factor, offset = fit_calibration(log_odds, result)
    print(f"\nBest fit: multiply the log odds by {factor:.2f}, then add {offset:+.3f}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
