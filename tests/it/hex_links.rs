//! Bridges and edge templates of Hex: templates proved by search, safe connections, and the stones
//! still needed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use crosspath::ai::hex::solve::solve_position;
use crosspath::ai::{Limits, SearchControl};
use crosspath::board::hexgrid::Edge;
use crosspath::game::{Game, Notation, Outcome, Side};
use crosspath::games::hex::{Cell, Hex, SwapRule, goal_edges};
use crosspath::random::random_stream;
use rand::RngExt;

use crate::sentences::said;

fn position_after(size: usize, moves: &str) -> Hex {
    let mut game = Hex::new(size, SwapRule::Off).unwrap();
    for text in moves.split_whitespace() {
        let mv = game.parse(text).unwrap();
        game.try_make_move(mv).unwrap();
    }
    game
}

fn cell(game: &Hex, text: &str) -> Cell {
    game.parse(text).unwrap().cell().unwrap()
}

fn format_cells(game: &Hex, cells: &[Cell]) -> String {
    cells.iter().map(|&cell| game.format_cell(cell)).collect::<Vec<_>>().join(" ")
}

/// Exact search on a few empty cells between a stone and an edge. All other cells belong to the
/// opponent. Sets of cells are bit masks over the positions in the list of cells.
struct TemplateProof {
    neighbours: Vec<u64>,
    stone_neighbours: u64,
    edge_cells: u64,
    /// Edge templates proved before: a cell, and the cells that must be empty to connect it to the
    /// edge.
    lemmas: Vec<(usize, u64)>,
    /// Results by the owner's stones, the opponent's stones, the side to move and the number of
    /// stones left: the cells that the owner needs.
    memo: BTreeMap<(u64, u64, Side, u32), Option<u64>>,
}

impl TemplateProof {
    fn new(game: &Hex, stone: Cell, edge: Edge, cells: &[Cell]) -> Self {
        let bit = |cell: &Cell| cells.iter().position(|other| other == cell).map(|i| 1 << i);
        let mask = |some: &[Cell]| some.iter().filter_map(bit).fold(0, |mask, bit: u64| mask | bit);
        let lemmas = cells.iter().enumerate().flat_map(|(i, &cell)| {
            let templates = game.edge_template_carriers(cell, edge).into_iter();
            let fits = |cells: &Vec<Cell>| cells.iter().all(|cell| bit(cell).is_some());
            templates.filter(fits).map(move |cells| (i, cells)).collect::<Vec<_>>()
        });
        let lemmas = lemmas.filter(|(_, needed)| needed.len() < cells.len());
        TemplateProof {
            neighbours: cells.iter().map(|&cell| mask(game.grid().neighbours(cell))).collect(),
            stone_neighbours: mask(game.grid().neighbours(stone)),
            edge_cells: mask(game.grid().edge_cells(edge)),
            lemmas: lemmas.map(|(i, needed)| (i, mask(&needed))).collect(),
            memo: BTreeMap::new(),
        }
    }

    /// Returns the cells of the stone's chain.
    fn chain(&self, own: u64) -> u64 {
        let (mut chain, mut front) = (0, self.stone_neighbours & own);
        while front != 0 {
            chain |= front;
            let neighbours =
                (0..self.neighbours.len()).filter(|i| front >> i & 1 != 0).map(|i| self.neighbours[i]);
            front = neighbours.fold(0, |all, some| all | some) & own & !chain;
        }
        chain
    }

    /// Returns the cells that the owner needs to connect the stone to the edge if the opponent
    /// moves first and the owner may place only `stones` more stones. Returns `None` if that is
    /// impossible.
    fn cells_to_hold(&mut self, own: u64, other: u64, stones: u32) -> Option<u64> {
        let chain = self.chain(own);
        if chain & self.edge_cells != 0 {
            return Some(0);
        }
        let is_free = |&&(i, needed): &&(usize, u64)| chain >> i & 1 != 0 && needed & (own | other) == 0;
        if let Some(&(_, needed)) = self.lemmas.iter().find(is_free) {
            return Some(needed);
        }
        let key = (own, other, Side::Second, stones);
        if let Some(&known) = self.memo.get(&key) {
            return known;
        }
        let mut needed = self.cells_to_connect(own, other, stones);
        let mut open = needed.unwrap_or(0);
        while let Some(all) = needed.filter(|_| open != 0) {
            // An opponent's stone anywhere else changes nothing.
            let bit = open & open.wrapping_neg();
            let answer = self.cells_to_connect(own, other | bit, stones);
            open &= answer.unwrap_or(0) & !bit;
            needed = answer.map(|more| all | bit | more);
        }
        self.memo.insert(key, needed);
        needed
    }

    /// Like `cells_to_hold`, but the owner moves first.
    fn cells_to_connect(&mut self, own: u64, other: u64, stones: u32) -> Option<u64> {
        let all = (1 << self.neighbours.len()) - 1;
        if stones == 0 || self.chain(all & !other) & self.edge_cells == 0 {
            return None;
        }
        let key = (own, other, Side::First, stones);
        if let Some(&known) = self.memo.get(&key) {
            return known;
        }
        let mut bits = (0..self.neighbours.len()).map(|i| 1 << i).filter(|bit| (own | other) & bit == 0);
        let needed =
            bits.find_map(|bit| self.cells_to_hold(own | bit, other, stones - 1).map(|needed| needed | bit));
        self.memo.insert(key, needed);
        needed
    }

    /// Reports whether these cells alone connect the stone to the edge with at most `stones` more
    /// stones.
    fn is_connected(game: &Hex, stone: Cell, edge: Edge, cells: &[Cell], stones: u32) -> bool {
        let mut proof = TemplateProof::new(game, stone, edge, cells);
        (1..=stones).any(|stones| proof.cells_to_hold(0, 0, stones).is_some())
    }
}

#[test]
fn every_template_connects_its_stone_to_the_edge() {
    let game = position_after(13, "");
    for (rows, (text, stones)) in [("g12", 1), ("g11", 3), ("g10", 6)].into_iter().enumerate() {
        let stone = cell(&game, text);
        let templates = game.edge_template_carriers(stone, Edge::Bottom);
        assert_eq!(templates.len(), [1, 2, 2][rows]);
        for cells in templates {
            assert_eq!(cells.len(), [2, 8, 19][rows]);
            assert!(
                TemplateProof::is_connected(&game, stone, Edge::Bottom, &cells, stones),
                "{}",
                format_cells(&game, &cells)
            );
        }
    }
}

#[test]
fn small_templates_need_all_their_cells() {
    let game = position_after(13, "");
    for text in ["g12", "g11"] {
        let stone = cell(&game, text);
        for cells in game.edge_template_carriers(stone, Edge::Bottom) {
            for left_out in &cells {
                let fewer: Vec<Cell> = cells.iter().copied().filter(|cell| cell != left_out).collect();
                assert!(
                    !TemplateProof::is_connected(&game, stone, Edge::Bottom, &fewer, 8),
                    "{}",
                    format_cells(&game, &fewer)
                );
            }
        }
    }
}

#[test]
fn templates_are_the_same_at_all_edges() {
    let game = position_after(13, "");
    let grid = game.grid();
    let set = |templates: Vec<Vec<Cell>>, seen: &dyn Fn(Cell) -> Cell| -> BTreeSet<BTreeSet<Cell>> {
        templates.into_iter().map(|cells| cells.into_iter().map(seen).collect()).collect()
    };
    let mut count = 0;
    for stone in grid.cells() {
        let here = set(game.edge_template_carriers(stone, Edge::Bottom), &|cell| cell);
        let (turned, mirrored) = (grid.rotated_180(stone), grid.mirrored(stone));
        assert_eq!(set(game.edge_template_carriers(turned, Edge::Top), &|cell| grid.rotated_180(cell)), here);
        assert_eq!(
            set(game.edge_template_carriers(mirrored, Edge::Right), &|cell| grid.mirrored(cell)),
            here
        );
        let both = grid.rotated_180(mirrored);
        let back = |cell| grid.mirrored(grid.rotated_180(cell));
        assert_eq!(set(game.edge_template_carriers(both, Edge::Left), &back), here);
        count += here.len();
    }
    assert_eq!(count, 12 + 2 * 10 + 2 * 7, "not beside the corners");
}

#[test]
fn a_stone_on_the_third_or_fourth_row_is_connected_to_its_edge() {
    let connection_cells = |size, moves: &str, side| {
        let game = position_after(size, moves);
        format_cells(&game, &game.safe_connection_cells(side))
    };
    assert_eq!(connection_cells(9, "e7", Side::First), "f7 d8 e8 f8 c9 d9 e9 f9");
    assert_eq!(
        connection_cells(9, "e7 d8", Side::First),
        "",
        "the form with the other lean is entered as well"
    );
    assert_eq!(connection_cells(9, "e7 f7", Side::First), "d7 c8 d8 e8 b9 c9 d9 e9", "the other lean");
    assert_eq!(connection_cells(9, "a1 g5", Side::Second), "i3 h4 i4 h5 i5 g6 h6 i6", "at the right edge");
    assert_eq!(connection_cells(13, "g10", Side::First).split(' ').count(), 19);
    // The bridge to the edge is enough: no larger connection of the same chain is shown.
    assert_eq!(connection_cells(9, "e7 a1 e8", Side::First), "d9 e9");
}

#[test]
fn safe_connections_share_no_cell_and_shorten_the_path() {
    let mut generator = random_stream(51, 0);
    let (mut with_connections, mut shorter) = (0, 0);
    for size in [3, 5, 8, 11] {
        for _ in 0..20 {
            let mut game = Hex::new(size, SwapRule::Off).unwrap();
            while game.outcome().is_none() {
                for side in Side::BOTH {
                    let (connected_cells, path) =
                        (game.safe_connection_cells(side), game.bridged_path_cells(side));
                    let distinct: BTreeSet<Cell> = connected_cells.iter().copied().collect();
                    assert_eq!(distinct.len(), connected_cells.len(), "{game}");
                    assert!(connected_cells.iter().chain(&path).all(|&cell| game.stone_at(cell).is_none()));
                    let (to_go, needed) = (game.stones_needed_with_bridges(side), game.stones_needed(side));
                    assert_eq!(to_go.map_or(0, usize::from), path.len(), "{game}");
                    assert!(to_go <= needed && to_go.is_some() == needed.is_some());
                    with_connections += usize::from(!connected_cells.is_empty());
                    shorter += usize::from(to_go < needed);
                }
                let free: Vec<Cell> = game.empty_cells().collect();
                game.make_move(free[generator.random_range(0..free.len())].into());
            }
        }
    }
    assert!(with_connections > 500 && shorter > 300, "{with_connections} {shorter}");
}

#[test]
fn a_side_that_needs_no_more_stones_has_a_won_position() {
    let (mut generator, stop) = (random_stream(52, 0), AtomicBool::new(false));
    let mut count = 0;
    for size in [3, 4] {
        for _ in 0..120 {
            let mut game = Hex::new(size, SwapRule::Off).unwrap();
            while game.outcome().is_none() {
                let other = game.to_move().other();
                if game.stones_needed_with_bridges(other) == Some(0) {
                    count += 1;
                    let solved =
                        solve_position(&game, &SearchControl::without_reports(Limits::default(), &stop));
                    assert_eq!(solved.outcome, Some(Outcome::Win(other)), "{game}");
                    break;
                }
                let free: Vec<Cell> = game.empty_cells().collect();
                game.make_move(free[generator.random_range(0..free.len())].into());
            }
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn the_panel_and_the_description_count_the_stones_still_needed() {
    let game = position_after(9, "e7 a1 f5 b1");
    assert_eq!(
        (game.stones_needed(Side::First), game.stones_needed_with_bridges(Side::First)),
        (Some(7), Some(1))
    );
    let facts = crosspath::game::PositionDescription::describe_position(&game);
    assert!(facts.iter().any(|fact| fact == "Red needs 7 more stones, Blue 7."), "{facts:?}");
    assert_eq!(facts.last().unwrap(), said!("by-safe-links-needs", "Red", "1", "Blue", "3"));
    let panel = crosspath::canvas::PaintBoard::side_panel(&game, crosspath::canvas::GlyphSet::Ascii, 33);
    assert_eq!(panel, [said!("stones-to-go-by"), "X Red 1   O Blue 3"]);
    // On an empty board the path uses an edge template at each edge, and bridges between them.
    let empty = Hex::new(11, SwapRule::Off).unwrap();
    assert_eq!(empty.stones_needed_with_bridges(Side::First), Some(3));
    let path: Vec<String> =
        empty.bridged_path_cells(Side::First).into_iter().map(|cell| empty.format_cell(cell)).collect();
    assert_eq!(path, ["g4", "f6", "e8"]);
}

/// The count is not a proof, because bridges of new stones may share cells. But a side that places
/// all stones of its path without interference nearly always needs no more.
#[test]
fn placing_the_stones_of_a_path_connects_the_edges() {
    let mut generator = random_stream(53, 0);
    let (mut connected, mut total) = (0, 0);
    for size in [5, 8, 11] {
        for _ in 0..20 {
            let mut game = Hex::new(size, SwapRule::Off).unwrap();
            for _ in 0..size {
                let free: Vec<Cell> = game.empty_cells().collect();
                game.make_move(free[generator.random_range(0..free.len())].into());
            }
            let side = game.to_move();
            for cell in game.bridged_path_cells(side) {
                if game.to_move() != side && !play_harmless_move(&mut game, side) {
                    break;
                }
                if game.stone_at(cell).is_none() {
                    game.make_move(cell.into());
                }
            }
            total += 1;
            connected += usize::from(game.stones_needed_with_bridges(side) == Some(0));
        }
    }
    assert!(total == 60 && connected >= 54, "{connected} of {total}");
}

/// Plays a move of the opponent that does not hinder `side`. Returns `false` if there is none.
fn play_harmless_move(game: &mut Hex, side: Side) -> bool {
    let (before, path) = (game.stones_needed_with_bridges(side), game.bridged_path_cells(side));
    let does_no_harm = |&cell: &Cell| {
        let mut after = game.clone();
        after.make_move(cell.into());
        !path.contains(&cell) && after.stones_needed_with_bridges(side) == before
    };
    let Some(cell) = game.empty_cells().find(does_no_harm) else { return false };
    game.make_move(cell.into());
    true
}

/// Returns the number of stones still needed if no safe connection exists yet, by relaxation over
/// all cells. An empty cell costs one stone. A cell is joined to its neighbours, to the ends of its
/// bridges, and to an edge by a template.
fn naive_stones_needed(game: &Hex, side: Side) -> Option<u16> {
    let (grid, [from, to]) = (game.grid(), goal_edges(side));
    let price = |cell: Cell| u16::from(game.stone_at(cell).is_none());
    let is_free = |cells: &[Cell]| cells.iter().all(|&cell| game.stone_at(cell).is_none());
    let joins = |cell: Cell, edge| {
        let is_whole = |carrier: &Vec<Cell>| {
            carrier.iter().all(|&cell| game.stone_at(cell).is_none_or(|owner| owner == side))
        };
        grid.is_on_edge(cell, edge) || game.edge_template_carriers(cell, edge).iter().any(is_whole)
    };
    let passable: Vec<Cell> =
        grid.cells().filter(|&cell| game.stone_at(cell) != Some(side.other())).collect();
    let mut costs = vec![None::<u16>; grid.len()];
    for _ in &passable {
        for &cell in &passable {
            let bridged = grid.bridges(cell).iter().filter(|bridge| is_free(&bridge.carrier));
            let neighbours = grid.neighbours(cell).iter().copied().chain(bridged.map(|bridge| bridge.end));
            let before = neighbours.filter_map(|neighbours| costs[neighbours.index()]).min();
            let before = if joins(cell, from) { Some(0) } else { before };
            let cost = before.map(|before| before + price(cell));
            costs[cell.index()] = costs[cell.index()].into_iter().chain(cost).min();
        }
    }
    passable.iter().filter(|&&cell| joins(cell, to)).filter_map(|cell| costs[cell.index()]).min()
}

#[test]
fn stones_still_needed_agree_with_a_naive_count() {
    let mut generator = random_stream(54, 0);
    let (mut compared, mut joined_by_bridges) = (0, 0);
    for size in [3, 5, 8, 11] {
        for _ in 0..60 {
            let mut game = Hex::new(size, SwapRule::Off).unwrap();
            for _ in 0..generator.random_range(0..size * size / 2) {
                let free: Vec<Cell> = game.empty_cells().collect();
                game.make_move(free[generator.random_range(0..free.len())].into());
            }
            for side in Side::BOTH {
                if game.safe_connection_cells(side).is_empty() {
                    compared += 1;
                    assert_eq!(
                        game.stones_needed_with_bridges(side),
                        naive_stones_needed(&game, side),
                        "{side}\n{game}"
                    );
                    joined_by_bridges +=
                        usize::from(game.stones_needed_with_bridges(side) < game.stones_needed(side));
                }
            }
        }
    }
    assert!(compared > 60 && joined_by_bridges > 40, "{compared} {joined_by_bridges}");
}
