"""Quoridor's fitted evaluation, in the whole numbers of `src/ai/quoridor/eval.rs`, to the bit."""

import numpy as np

from .boards import SIZE, Positions

KNOTS = (0, 5, 10, 20, 30, 45, 65)
TEMPO = (-35, 2, -8, -22, -32, -53, -75)
LEAD = (19, 97, 84, 55, 35, 6, -21)
WALL = (0, 410, 351, 222, 153, 102, 85)
LEAD_BY_DISTANCE = 29
WALL_BY_DISTANCE = 14
RACE = 480
OWN_NEARNESS = 6737
OTHER_NEARNESS = -5853


def _quotient(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Rounded to zero, as Rust does."""
    return np.sign(above) * (np.abs(above) // below)


def _between(knots: tuple, part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """A weight at `part` of `whole`, on the straight line between the knots beside it."""
    ends, values = np.array(KNOTS), np.array(knots)
    after = np.minimum((ends * whole[:, None] < part[:, None]).sum(1), len(ends))
    here = np.clip(after, 1, len(ends) - 1)
    begin, width = ends[here - 1] * whole, (ends[here] - ends[here - 1]) * whole
    line = values[here - 1] + _quotient((values[here] - values[here - 1]) * (part - begin), width)
    return np.where(after == 0, values[0], np.where(after == len(ends), values[-1], line))


def weigh(at: Positions) -> np.ndarray:
    """The values for the movers, i64 (n): 250 are one unit of log odds."""
    own, other, mine, theirs = (column.astype(np.int64) for column in (*at.steps.T, *at.hands.T))
    lead, more, start = other - own, mine - theirs, 2 * (SIZE - 1)
    part, whole = 100 * (mine + theirs), at.all_walls.astype(np.int64)
    value = _between(TEMPO, part, whole) + _between(LEAD, part, whole) * lead + _between(WALL, part, whole) * more
    value += _quotient((LEAD_BY_DISTANCE * lead + WALL_BY_DISTANCE * more) * (own + other - start), start)
    value += OWN_NEARNESS // (1 + own) - -OTHER_NEARNESS // (1 + other)
    return value + RACE * ((theirs == 0) & (own <= other)) - RACE * ((mine == 0) & (other < own))
