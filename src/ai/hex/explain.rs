//! The sentences of the Hex engines: reasons for moves, the original program's weights and paths. Knows the rules and
//! the path finder.

use std::cell::OnceCell;

use crate::ai::GameHistory;
use crate::ai::hex::classic::{Classical, HexClassic};
use crate::ai::hex::path_blocking::{FarEdge, INF, Path};
use crate::ai::hex::path_counts::{Graph, PathGraph};
use crate::ai::hex::proof::MustPlay;
use crate::ai::hex::shown;
use crate::board::hexgrid::Edge;
use crate::board::names::letter;
use crate::game::{Game, Outcome, Side, View};
use crate::games::hex::{Cell, Hex, Move, edges_in_words, edges_of};
use crate::text;
use crate::text::{Text, moves, of_move};

/// Says what a legal move is good for: one short phrase to follow the move, without a full stop.
///
/// ```
/// use crosspath::ai::hex::explain::reason;
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let mut game = Hex::new(11, SwapRule::Off)?;
/// for text in ["f6", "e8"] {
///     game.make(game.parse(text)?);
/// }
/// assert_eq!(reason(&game, game.parse("f10")?), "makes a bridge to the bottom edge");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn reason(game: &Hex, mv: Move) -> Text {
    let found = OnceCell::new(); // takes long, and may not be asked for
    let found = || found.get_or_init(|| shown::find_must_play(game)).as_ref();
    let purpose = purpose(game, mv, found);
    let is_lost = !game.can_swap() && matches!(found(), Some(MustPlay::Lost(_)));
    if is_lost { text!("{purpose}; every move loses") } else { purpose }
}

/// Says what a legal move is good for, whoever wins the position. `found` gives what connections say about it.
fn purpose<'a>(game: &Hex, mv: Move, found: impl Fn() -> Option<&'a MustPlay>) -> Text {
    let own = game.to_move();
    let Some(cell) = mv.cell() else {
        return text!("takes {}'s strong first stone", game.side_name(own.other()));
    };
    let (them, their_aim) = (game.side_name(own.other()), game.aim(own.other()));
    let mut after = game.clone();
    after.make(mv);
    // 1. What everybody sees
    if after.outcome().and_then(Outcome::winner) == Some(own) {
        return text!("connects {}", edges_in_words(own));
    }
    let mut network = PathGraph::default();
    let their_distance = network.analyze(game, own.other(), Graph::Plain);
    if their_distance == 1 && network.through(cell) == 1 {
        return text!("keeps {them} from {their_aim}");
    }
    // 2. Links
    let is_entered = |&beside: &Cell| {
        game.stone(beside) == Some(own.other()) && game.cut_links(beside).any(|open| open == cell)
    };
    if game.grid().neighbours(cell).iter().any(is_entered) {
        return text!("saves a bridge that {them} attacks");
    }
    if network.analyze(&after, own, Graph::Bridges) == 0 {
        return text!("connects {} by bridges", edges_in_words(own));
    }
    if after.stones_to_go(own) == Some(0) {
        return text!("connects {} by virtual connections", edges_in_words(own));
    }
    if let Some(phrase) = shown::phrase(game, mv, found) {
        return phrase;
    }
    // 3. The first stone, edges and paths
    if after.can_swap() {
        return text!("{them} may swap, so a strong opening would be taken");
    }
    at_an_edge(game, &after, cell).unwrap_or_else(|| on_ways(game, &after, cell))
}

/// Says what a stone does at an own edge; `None` if it does nothing there.
fn at_an_edge(game: &Hex, after: &Hex, cell: Cell) -> Option<Text> {
    let own = game.to_move();
    let reaches = |edge: &Edge| after.reaches(cell, *edge) && !was_reached(game, cell, *edge);
    if let Some(edge) = edges_of(own).into_iter().find(reaches) {
        return Some(text!("reaches the {} edge", edge_in_words(edge)));
    }
    let has_two_ways = |edge: &Edge| {
        let carrier = game.grid().edge_bridge(cell, *edge).filter(|_| !after.reaches(cell, *edge));
        carrier.is_some_and(|carrier| game.are_empty(carrier))
    };
    let edge = edges_of(own).into_iter().find(has_two_ways)?;
    Some(text!("makes a bridge to the {} edge", edge_in_words(edge)))
}

/// Says what a stone does on the shortest paths of both sides.
fn on_ways(game: &Hex, after: &Hex, cell: Cell) -> Text {
    let (own, mut network) = (game.to_move(), PathGraph::default());
    let [shortens, blocks] = [own, own.other()].map(|side| {
        [Graph::Bridges, Graph::Plain].into_iter().any(|graph| {
            let distance = network.analyze(game, side, graph);
            network.through(cell) == distance
        })
    });
    let bridge = game.grid().bridges(cell).iter().find(|bridge| {
        game.stone(bridge.end) == Some(own)
            && game.are_empty(bridge.carrier)
            && !after.are_joined(cell, bridge.end)
    });
    let them = game.side_name(own.other());
    // As the panel counts them before the move and after it; nothing where it counts as many.
    let stones = |side: Side| {
        let [before, now] = [game, after].map(|game| game.stones_to_go(side).unwrap_or(0));
        if before == now { String::new() } else { format!(": {now} needed, not {before}") }
    };
    match (blocks, shortens, bridge) {
        (true, true, _) => text!("blocks {them}'s path and shortens yours{}", stones(own)),
        (true, false, _) => text!("blocks {them}'s shortest path{}", stones(own.other())),
        (false, _, Some(bridge)) => text!("makes a bridge to {}", of_move(None, game.name(bridge.end))),
        (false, true, None) => text!("shortens your own path{}", stones(own)),
        (false, false, None) => "is on neither shortest path".into(),
    }
}

/// Reports whether a stone on `cell` would touch a chain of the mover that reaches the edge already.
fn was_reached(game: &Hex, cell: Cell, edge: Edge) -> bool {
    let own = Some(game.to_move());
    game.grid().neighbours(cell).iter().any(|&beside| game.stone(beside) == own && game.reaches(beside, edge))
}

pub(super) fn edge_in_words(edge: Edge) -> &'static str {
    match edge {
        Edge::Top => "top",
        Edge::Bottom => "bottom",
        Edge::Left => "left",
        Edge::Right => "right",
    }
}

/// The weights of the original program as a rhombus: in each cell Red's and Blue's, `-` for an opponent's stone.
///
/// ```
/// use crosspath::ai::GameHistory;
/// use crosspath::ai::hex::explain::weights_in_words;
/// use crosspath::game::{Game, Notation};
/// use crosspath::games::hex::{Hex, SwapRule};
/// let start = Hex::new(3, SwapRule::Off)?;
/// let mut now = start.clone();
/// let played = [now.parse("b2")?, now.parse("c1")?];
/// played.iter().for_each(|&mv| _ = now.make(mv));
/// let lines = weights_in_words(&GameHistory { start: &start, played: &played, now: &now });
/// assert_eq!(lines[1..], ["    a   b   c", " 1  4/4 4/4 -/0", "  2   2/6 0/- 4/4", "   3    2/6 2/6 4/4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn weights_in_words(at: &GameHistory<'_, Hex>) -> Vec<Text> {
    let game = at.now;
    let position = Classical::of(at);
    let weight = |side: Side, cell: Cell| {
        let (side, cell) = (position.frame.side(side), position.frame.cell(game.grid(), cell));
        match position.board.weight(side, cell) {
            INF => "-".to_owned(),
            weight => weight.to_string(),
        }
    };
    let both_weights = |cell| format!("{}/{}", weight(Side::First, cell), weight(Side::Second, cell));
    let (n, [red, blue]) = (game.size(), Side::each(|side| game.side_name(side)));
    let head: Vec<String> = (0..n).map(|col| format!("{:3}", letter(col))).collect();
    let mut lines =
        vec![text!("Cost of each cell for {red}/{blue}; 0 is the side's own stone, - the opponent's.")];
    lines.push(format!("    {}", head.join(" ")).trim_end().into());
    for row in 0..n {
        let cells: Vec<String> =
            (0..n).filter_map(|col| game.grid().cell(row, col)).map(both_weights).collect();
        let indent = " ".repeat(row);
        lines.push(text!("{indent}{:2}  {indent}{}", row + 1, cells.join(" ")));
    }
    lines
}

/// The weight of each empty cell for a side, as a character; nothing where the other side's stone bars it.
pub(crate) fn weights_on_the_board(at: &GameHistory<'_, Hex>, side: Side) -> Vec<(Move, char)> {
    let position = Classical::of(at);
    let mark = |cell: Cell| {
        let (side, seen) = (position.frame.side(side), position.frame.cell(at.now.grid(), cell));
        let weight = u32::try_from(position.board.weight(side, seen)).ok()?;
        Some((cell.into(), char::from_digit(weight, 10)?))
    };
    at.now.empty().filter_map(mark).collect()
}

/// The empty cells of both paths of the original program: `r` on Red's, `b` on Blue's, `&` on both.
pub(crate) fn paths_on_the_board(at: &GameHistory<'_, Hex>) -> Vec<(Move, char)> {
    let mut position = Classical::of(at);
    // The program's first side is ours, or after a swap the other.
    let [red, blue] = Side::each(|side| {
        let path = position.path(side, FarEdge::Half).map(|path| path.cells).unwrap_or_default();
        path.into_iter().map(|cell| position.frame.cell(at.now.grid(), cell)).collect::<Vec<Cell>>()
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
    at.now.empty().filter_map(mark).collect()
}

/// Returns the paths of the original program with their costs, and the cell where they meet.
#[must_use]
pub fn paths_in_words(at: &GameHistory<'_, Hex>) -> Vec<Text> {
    let game = at.now;
    let mut position = Classical::of(at);
    let [first, second] = Side::each(|side| position.path(side, FarEdge::Half));
    let name = |cell: Cell| game.name(position.frame.cell(game.grid(), cell));
    let told = |side: Side, path: &Option<Path>| match path {
        None => text!("{}: no path.", game.side_name(side)),
        Some(path) => {
            let cells = moves(Some(side), path.cells.iter().map(|&cell| name(cell)), " ");
            text!("{}, cost {}: {cells}", game.side_name(side), path.weight)
        }
    };
    let mut lines = vec![told(Side::First, &first), told(Side::Second, &second)];
    if let Some(opening) = HexClassic::opening_in_words(at) {
        lines.push(text!("Level classic does not follow them yet: it {opening}."));
    } else if let (Some(first), Some(second)) = (&first, &second) {
        let (own, theirs) = if game.to_move() == Side::First { (first, second) } else { (second, first) };
        let mover = game.side_name(game.to_move());
        lines.extend(
            theirs.meets(own).map(|cell| text!("They meet at {}, which is {mover}'s move.", name(cell))),
        );
    }
    lines
}
