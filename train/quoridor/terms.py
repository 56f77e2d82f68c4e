"""Fits the weights of Quoridor's evaluation (`src/ai/quoridor/eval.rs`) to games of self-play.

    crosspath selfplay --game quoridor --engine lookahead,nodes=4000 --openings random:4 --games 2000 --out games.shard
    python -m train.quoridor.terms games.shard

The fit is a logistic regression. Its target is a mix of the win chances that the searches gave
during the games and of the results. Prints the validation cross entropy, and then the weights as
Rust constants, in about hundredths of a step.

The program's weights were fitted to 32,000 such games after 2 to 8 random plies and 2,100 games on
other boards (docs/engines.md)."""

import sys
from typing import List, Tuple

import numpy as np

from .. import shards
from . import positions

WALL_SHARE_KNOTS = (0, 5, 10, 20, 30, 45, 65)  # percent of all walls that are left; weights are linear in between
UNIT = 250  # hundredths of a step per unit of log odds
SEARCH_SHARE = 0.6  # of the search's win chance in the target; the rest is the result
MAX_COUNTED_WALL_LEAD = 20  # further walls have no use
VALIDATION_EVERY = 10  # one game in this many is used for validation


def knot_shares(wall_shares: np.ndarray) -> np.ndarray:
    """Returns the coefficients of linear interpolation: for each position the share of each knot.

    `wall_shares` (n) is the share of all walls that are left, 0 to 1.
    """
    identity = np.eye(len(WALL_SHARE_KNOTS))
    return np.stack([np.interp(100 * wall_shares, WALL_SHARE_KNOTS, column) for column in identity], 1)


def compute_features(at: positions.Features) -> Tuple[List[Tuple[str, int]], np.ndarray]:
    """Computes the features that the weights are multiplied by.

    Returns the name of each constant with its number of weights, and the features (positions,
    weights).
    """
    lead = at.opponent_distance - at.mover_distance
    wall_lead = np.clip(at.mover_walls - at.opponent_walls, -MAX_COUNTED_WALL_LEAD, MAX_COUNTED_WALL_LEAD)
    shares = knot_shares((at.mover_walls + at.opponent_walls) / np.maximum(at.total_walls, 1))
    extra_distance = (at.mover_distance + at.opponent_distance) / (2 * (at.size - 1)) - 1
    mover_wins_race = (at.opponent_walls == 0) & (at.mover_distance <= at.opponent_distance)
    opponent_wins_race = (at.mover_walls == 0) & (at.opponent_distance < at.mover_distance)
    columns = {
        "TEMPO_WEIGHTS": shares,
        "LEAD_WEIGHTS": shares * lead[:, None],
        "WALL_WEIGHTS": shares * wall_lead[:, None],
        "LEAD_WEIGHT_BY_DISTANCE": lead * extra_distance,
        "WALL_WEIGHT_BY_DISTANCE": wall_lead * extra_distance,
        "RACE_WIN_BONUS": 1.0 * mover_wins_race - 1.0 * opponent_wins_race,
        "MOVER_NEARNESS_WEIGHT": 1 / (1 + at.mover_distance),
        "OPPONENT_NEARNESS_WEIGHT": 1 / (1 + at.opponent_distance),
    }
    columns = {name: column.reshape(len(lead), -1) for name, column in columns.items()}
    return [(name, column.shape[1]) for name, column in columns.items()], np.concatenate(list(columns.values()), 1)


def fit_weights(features: np.ndarray, target: np.ndarray, ridge: float = 1.0) -> np.ndarray:
    """Fits a logistic regression with Newton's method. Returns the weights, in log odds."""
    weights = np.zeros(features.shape[1])
    for _ in range(30):
        predicted = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (predicted - target) + ridge * weights
        hessian = (features.T * (predicted * (1 - predicted))) @ features + ridge * np.eye(features.shape[1])
        step = np.linalg.solve(hessian, gradient)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def cross_entropy(log_odds: np.ndarray, result: np.ndarray) -> float:
    """Returns the mean cross entropy of results given predicted log odds, in bits."""
    return float(np.mean(np.logaddexp(0, log_odds) - result * log_odds) / np.log(2))


def main(paths: list) -> int:
    if not paths:
        print("usage: python -m train.quoridor.terms FILE...", file=sys.stderr)
        return 2
    parts = [positions.read_features(shards.read(path)) for path in paths]
    at = positions.Features(*(np.concatenate(column) for column in zip(*parts)))
    names, features = compute_features(at)
    is_validation = at.game % VALIDATION_EVERY == VALIDATION_EVERY - 1
    target = np.where(np.isnan(at.win_chance), at.result, (1 - SEARCH_SHARE) * at.result + SEARCH_SHARE * at.win_chance)
    weights = fit_weights(features[~is_validation], target[~is_validation])
    loss = cross_entropy(features[is_validation] @ weights, at.result[is_validation])
    print(f"{len(features):,} positions; validation cross entropy {loss:.4f} bits")
    weights, begin = np.round(UNIT * fit_weights(features, target)).astype(int), 0
    for name, count in names:
        values = weights[begin:begin + count].tolist()
        begin += count
        print(f"const {name}: i32 = {values[0]};" if count == 1 else f"const {name}: [i32; {count}] = {values};")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
