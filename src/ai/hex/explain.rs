//! Explanations of the Hex engines: reasons for moves, and the cell costs and paths of level `classic`. This
//! module depends on the rules and the path finder.

use std::cell::OnceCell;

use crate::ai::GameHistory;
use crate::ai::hex::classic::{ClassicPosition, HexClassicEngine};
use crate::ai::hex::path_blocking::{FarEdgeStarts, INFINITE_WEIGHT, WeightedPath};
use crate::ai::hex::path_counts::{CellAdjacency, PathGraph};
use crate::ai::hex::proof::MustPlayVerdict;
use crate::ai::hex::shown;
use crate::board::hexgrid::Edge;
use crate::board::names::column_letter;
use crate::game::{Game, Outcome, PositionDescription, Side};
use crate::games::hex::{Cell, Hex, Move, describe_goal_edges, goal_edges};
use crate::text;
use crate::text::{Text, join_moves, mark_move};

/// Explains the purpose of a legal move in one short phrase that follows the move, without a full stop.
///
/// ```
/// use crosspath::ai::hex::explain::explain_move;
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let mut game = Hex::new(11, SwapRule::Off)?;
/// for text in ["f6", "e8"] {
///     game.make_move(game.parse(text)?);
/// }
/// assert_eq!(explain_move(&game, game.parse("f10")?), "makes a bridge to the bottom edge");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn explain_move(game: &Hex, mv: Move) -> Text {
    let verdict = OnceCell::new(); // slow, and not always needed
    let find_verdict = || verdict.get_or_init(|| shown::find_connection_verdict(game)).as_ref();
    let purpose = describe_move_purpose(game, mv, find_verdict);
    let is_lost = !game.can_swap() && matches!(find_verdict(), Some(MustPlayVerdict::Lost(_)));
    if is_lost { text!("{purpose}; every move loses") } else { purpose }
}

/// Describes the purpose of a legal move, in won and lost positions alike. `find_verdict` returns the
/// connection verdict on the position before the move.
fn describe_move_purpose<'a>(
    game: &Hex,
    mv: Move,
    find_verdict: impl Fn() -> Option<&'a MustPlayVerdict>,
) -> Text {
    let own = game.to_move();
    let Some(cell) = mv.cell() else {
        return text!("takes {}'s strong first stone", game.side_name(own.other()));
    };
    let (them, their_aim) = (game.side_name(own.other()), game.describe_goal(own.other()));
    let mut after = game.clone();
    after.make_move(mv);
    // 1. Immediate wins and blocks
    if after.outcome().and_then(Outcome::winner) == Some(own) {
        return text!("connects {}", describe_goal_edges(own));
    }
    let mut network = PathGraph::default();
    let their_distance = network.compute_distances(game, own.other(), CellAdjacency::Touching);
    if their_distance == 1 && network.distance_through(cell) == 1 {
        return text!("keeps {them} from {their_aim}");
    }
    // 2. Bridges and virtual connections
    let is_entered = |&beside: &Cell| {
        game.stone_at(beside) == Some(own.other())
            && game.bridge_saving_cells(beside).any(|open| open == cell)
    };
    if game.grid().neighbours(cell).iter().any(is_entered) {
        return text!("saves a bridge that {them} attacks");
    }
    if network.compute_distances(&after, own, CellAdjacency::TouchingOrBridged) == 0 {
        return text!("connects {} by bridges", describe_goal_edges(own));
    }
    if after.stones_needed_with_bridges(own) == Some(0) {
        return text!("connects {} by virtual connections", describe_goal_edges(own));
    }
    if let Some(phrase) = shown::describe_connection_effect(game, mv, find_verdict) {
        return phrase;
    }
    // 3. First stone, edges and paths
    if after.can_swap() {
        return text!("{them} may swap, so a strong opening would be taken");
    }
    describe_edge_contact(game, &after, cell).unwrap_or_else(|| describe_path_effect(game, &after, cell))
}

/// Describes the contact that a stone makes with one of the mover's edges. Returns `None` if it makes none.
fn describe_edge_contact(game: &Hex, after: &Hex, cell: Cell) -> Option<Text> {
    let own = game.to_move();
    let reaches =
        |edge: &Edge| after.is_connected_to_edge(cell, *edge) && !touches_chain_at_edge(game, cell, *edge);
    if let Some(edge) = goal_edges(own).into_iter().find(reaches) {
        return Some(text!("reaches the {} edge", edge_name(edge)));
    }
    let has_two_ways = |edge: &Edge| {
        let carrier =
            game.grid().edge_bridge(cell, *edge).filter(|_| !after.is_connected_to_edge(cell, *edge));
        carrier.is_some_and(|carrier| game.are_both_empty(carrier))
    };
    let edge = goal_edges(own).into_iter().find(has_two_ways)?;
    Some(text!("makes a bridge to the {} edge", edge_name(edge)))
}

/// Describes the effect of a stone on the shortest paths of both sides.
fn describe_path_effect(game: &Hex, after: &Hex, cell: Cell) -> Text {
    let (own, mut network) = (game.to_move(), PathGraph::default());
    let [shortens, blocks] = [own, own.other()].map(|side| {
        [CellAdjacency::TouchingOrBridged, CellAdjacency::Touching].into_iter().any(|graph| {
            let distance = network.compute_distances(game, side, graph);
            network.distance_through(cell) == distance
        })
    });
    let bridge = game.grid().bridges(cell).iter().find(|bridge| {
        game.stone_at(bridge.end) == Some(own)
            && game.are_both_empty(bridge.carrier)
            && !after.are_connected(cell, bridge.end)
    });
    let them = game.side_name(own.other());
    // The stone counts that the side panel shows before and after the move; empty if they are equal.
    let stones = |side: Side| {
        let [before, now] = [game, after].map(|game| game.stones_needed_with_bridges(side).unwrap_or(0));
        if before == now { String::new() } else { format!(": {now} needed, not {before}") }
    };
    match (blocks, shortens, bridge) {
        (true, true, _) => text!("blocks {them}'s path and shortens yours{}", stones(own)),
        (true, false, _) => text!("blocks {them}'s shortest path{}", stones(own.other())),
        (false, _, Some(bridge)) => {
            text!("makes a bridge to {}", mark_move(None, game.format_cell(bridge.end)))
        }
        (false, true, None) => text!("shortens your own path{}", stones(own)),
        (false, false, None) => "is on neither shortest path".into(),
    }
}

/// Reports whether a stone on `cell` would touch one of the mover's chains that already reaches `edge`.
fn touches_chain_at_edge(game: &Hex, cell: Cell, edge: Edge) -> bool {
    let own = Some(game.to_move());
    game.grid()
        .neighbours(cell)
        .iter()
        .any(|&beside| game.stone_at(beside) == own && game.is_connected_to_edge(beside, edge))
}

/// Returns the name of an edge.
pub(super) fn edge_name(edge: Edge) -> &'static str {
    match edge {
        Edge::Top => "top",
        Edge::Bottom => "bottom",
        Edge::Left => "left",
        Edge::Right => "right",
    }
}

/// Renders the classic cell costs as a rhombus. Each cell lists Red's and Blue's cost, with `-` for an
/// opponent's stone.
///
/// ```
/// use crosspath::ai::GameHistory;
/// use crosspath::ai::hex::explain::render_classic_costs;
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let start = Hex::new(3, SwapRule::Off)?;
/// let mut now = start.clone();
/// let played = [now.parse("b2")?, now.parse("c1")?];
/// played.iter().for_each(|&mv| _ = now.make_move(mv));
/// let lines = render_classic_costs(&GameHistory { start: &start, played: &played, now: &now });
/// assert_eq!(lines[1..], ["    a   b   c", " 1  4/4 4/4 -/0", "  2   2/6 0/- 4/4", "   3    2/6 2/6 4/4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn render_classic_costs(at: &GameHistory<'_, Hex>) -> Vec<Text> {
    let game = at.now;
    let position = ClassicPosition::from_history(at);
    let weight = |side: Side, cell: Cell| {
        let (side, cell) = (position.frame.map_side(side), position.frame.map_cell(game.grid(), cell));
        match position.board.cell_weight(side, cell) {
            INFINITE_WEIGHT => "-".to_owned(),
            weight => weight.to_string(),
        }
    };
    let both_weights = |cell| format!("{}/{}", weight(Side::First, cell), weight(Side::Second, cell));
    let (n, [red, blue]) = (game.size(), Side::map_both(|side| game.side_name(side)));
    let head: Vec<String> = (0..n).map(|col| format!("{:3}", column_letter(col))).collect();
    let mut lines =
        vec![text!("Cost of each cell for {red}/{blue}; 0 is the side's own stone, - the opponent's.")];
    lines.push(format!("    {}", head.join(" ")).trim_end().into());
    for row in 0..n {
        let cells: Vec<String> =
            (0..n).filter_map(|col| game.grid().cell_at(row, col)).map(both_weights).collect();
        let indent = " ".repeat(row);
        lines.push(text!("{indent}{:2}  {indent}{}", row + 1, cells.join(" ")));
    }
    lines
}

/// Marks each empty cell with its classic cost for a side, as a digit.
pub(crate) fn mark_classic_costs(at: &GameHistory<'_, Hex>, side: Side) -> Vec<(Move, char)> {
    let position = ClassicPosition::from_history(at);
    let mark = |cell: Cell| {
        let (side, seen) = (position.frame.map_side(side), position.frame.map_cell(at.now.grid(), cell));
        let weight = u32::try_from(position.board.cell_weight(side, seen)).ok()?;
        Some((cell.into(), char::from_digit(weight, 10)?))
    };
    at.now.empty_cells().filter_map(mark).collect()
}

/// Marks the empty cells on the two classic paths: `r` on Red's, `b` on Blue's, `&` on both.
pub(crate) fn mark_classic_paths(at: &GameHistory<'_, Hex>) -> Vec<(Move, char)> {
    let mut position = ClassicPosition::from_history(at);
    // `position.find_lightest_path` takes a side of the rules and returns cells of the original program.
    let [red, blue] = Side::map_both(|side| {
        let path = position
            .find_lightest_path(side, FarEdgeStarts::SecondHalf)
            .map(|path| path.cells)
            .unwrap_or_default();
        path.into_iter().map(|cell| position.frame.map_cell(at.now.grid(), cell)).collect::<Vec<Cell>>()
    });
    let mark = |cell: Cell| {
        let mark = match (red.contains(&cell), blue.contains(&cell)) {
            (true, true) => '&',
            (true, false) => 'r',
            (false, true) => 'b',
            (false, false) => return None,
        };
        Some((cell.into(), mark))
    };
    at.now.empty_cells().filter_map(mark).collect()
}

/// Describes both classic paths with their costs, and the cell where they meet.
///
/// ```
/// use crosspath::ai::GameHistory;
/// use crosspath::ai::hex::explain::describe_classic_paths;
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let start = Hex::new(3, SwapRule::Off)?;
/// let mut now = start.clone();
/// let played = [now.parse("b2")?, now.parse("c1")?];
/// played.iter().for_each(|&mv| _ = now.make_move(mv));
/// let lines = describe_classic_paths(&GameHistory { start: &start, played: &played, now: &now });
/// assert_eq!(lines[..2], ["Red, cost 6: b1 b2 b3", "Blue, cost 8: a1 b1 c1"]);
/// assert_eq!(lines[2], "They meet at b1, which is Red's move.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn describe_classic_paths(at: &GameHistory<'_, Hex>) -> Vec<Text> {
    let game = at.now;
    let mut position = ClassicPosition::from_history(at);
    let [first, second] = Side::map_both(|side| position.find_lightest_path(side, FarEdgeStarts::SecondHalf));
    let name = |cell: Cell| game.format_cell(position.frame.map_cell(game.grid(), cell));
    let path_line = |side: Side, path: &Option<WeightedPath>| match path {
        None => text!("{}: no path.", game.side_name(side)),
        Some(path) => {
            let cells = join_moves(Some(side), path.cells.iter().map(|&cell| name(cell)), " ");
            text!("{}, cost {}: {cells}", game.side_name(side), path.weight)
        }
    };
    let mut lines = vec![path_line(Side::First, &first), path_line(Side::Second, &second)];
    if let Some(opening) = HexClassicEngine::describe_opening(at) {
        lines.push(text!("Level classic does not follow them yet: it {opening}."));
    } else if let (Some(first), Some(second)) = (&first, &second) {
        let (own, theirs) = if game.to_move() == Side::First { (first, second) } else { (second, first) };
        let mover = game.side_name(game.to_move());
        lines.extend(
            theirs
                .first_common_cell(own)
                .map(|cell| text!("They meet at {}, which is {mover}'s move.", name(cell))),
        );
    }
    lines
}
