"""The evaluation of Quoridor by fitted terms on 9x9, exactly as in `src/ai/quoridor/eval.rs`.

All arithmetic is in integers, so the values equal those of the program."""

import numpy as np

from .boards import SIZE, Positions

WALL_SHARE_KNOTS = (0, 5, 10, 20, 30, 45, 65)  # percent of all walls that are left
TEMPO_WEIGHTS = (-35, 2, -8, -22, -32, -53, -75)
LEAD_WEIGHTS = (19, 97, 84, 55, 35, 6, -21)
WALL_WEIGHTS = (0, 410, 351, 222, 153, 102, 85)
LEAD_WEIGHT_BY_DISTANCE = 29
WALL_WEIGHT_BY_DISTANCE = 14
RACE_WIN_BONUS = 480
MOVER_NEARNESS_WEIGHT = 6737
OPPONENT_NEARNESS_WEIGHT = -5853


def _divide(dividend: np.ndarray, divisor: np.ndarray) -> np.ndarray:
    """Divides integers and rounds towards zero, as Rust does. The divisor is positive."""
    return np.sign(dividend) * (np.abs(dividend) // divisor)


def _interpolate_weight(weights: tuple, part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Interpolates weights, given at WALL_SHARE_KNOTS, linearly at `part` percent of `whole`."""
    knots, values = np.array(WALL_SHARE_KNOTS), np.array(weights)
    after = np.minimum((knots * whole[:, None] < part[:, None]).sum(1), len(knots))
    index = np.clip(after, 1, len(knots) - 1)
    begin, width = knots[index - 1] * whole, (knots[index] - knots[index - 1]) * whole
    line = values[index - 1] + _divide((values[index] - values[index - 1]) * (part - begin), width)
    return np.where(after == 0, values[0], np.where(after == len(knots), values[-1], line))


def evaluate_by_terms(positions: Positions) -> np.ndarray:
    """Returns the values of positions for the mover: i64 (n). 250 are one unit of log odds."""
    columns = (*positions.distances.T, *positions.walls_left.T)
    mover_distance, opponent_distance, mover_walls, opponent_walls = (column.astype(np.int64) for column in columns)
    lead, wall_lead = opponent_distance - mover_distance, mover_walls - opponent_walls
    start_distance = 2 * (SIZE - 1)
    part, whole = 100 * (mover_walls + opponent_walls), positions.total_walls.astype(np.int64)
    value = _interpolate_weight(TEMPO_WEIGHTS, part, whole)
    value += _interpolate_weight(LEAD_WEIGHTS, part, whole) * lead
    value += _interpolate_weight(WALL_WEIGHTS, part, whole) * wall_lead
    by_distance = LEAD_WEIGHT_BY_DISTANCE * lead + WALL_WEIGHT_BY_DISTANCE * wall_lead
    value += _divide(by_distance * (mover_distance + opponent_distance - start_distance), start_distance)
    value += MOVER_NEARNESS_WEIGHT // (1 + mover_distance) - -OPPONENT_NEARNESS_WEIGHT // (1 + opponent_distance)
    mover_wins_race = (opponent_walls == 0) & (mover_distance <= opponent_distance)
    opponent_wins_race = (mover_walls == 0) & (opponent_distance < mover_distance)
    return value + RACE_WIN_BONUS * mover_wins_race - RACE_WIN_BONUS * opponent_wins_race
