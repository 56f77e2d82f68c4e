//! Bridges and templates of Hex: templates proved by search, connections that hold at once, and the
//! stones still needed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use crosspath::ai::hex::solve::solve;
use crosspath::ai::{Limits, SearchControl};
use crosspath::board::hexgrid::Edge;
use crosspath::game::{Game, Notation, Outcome, Side};
use crosspath::games::hex::{Cell, Hex, SwapRule, edges_of};
use crosspath::random::stream;
use rand::RngExt;

use crate::sentences::said;

fn after(size: usize, moves: &str) -> Hex {
    let mut game = Hex::new(size, SwapRule::Off).unwrap();
    for text in moves.split_whitespace() {
        let mv = game.parse(text).unwrap();
        game.try_make(mv).unwrap();
    }
    game
}

fn cell(game: &Hex, text: &str) -> Cell {
    game.parse(text).unwrap().cell().unwrap()
}

fn names(game: &Hex, cells: &[Cell]) -> String {
    cells.iter().map(|&cell| game.name(cell)).collect::<Vec<_>>().join(" ")
}

/// An exact search on a few empty cells beside a stone and an edge; all other cells are the opponent's. Sets of cells
/// are masks over their places in the list.
struct Proof {
    beside: Vec<u64>,
    of_stone: u64,
    of_edge: u64,
    /// A cell and what it needs empty to be joined to the edge, proved before.
    lemmas: Vec<(usize, u64)>,
    /// By own and other stones, whose turn it is, and how many own stones may follow: the cells that are needed.
    known: BTreeMap<(u64, u64, Side, u32), Option<u64>>,
}

impl Proof {
    fn new(game: &Hex, stone: Cell, edge: Edge, cells: &[Cell]) -> Self {
        let bit = |cell: &Cell| cells.iter().position(|other| other == cell).map(|i| 1 << i);
        let mask = |some: &[Cell]| some.iter().filter_map(bit).fold(0, |mask, bit: u64| mask | bit);
        let lemmas = cells.iter().enumerate().flat_map(|(i, &cell)| {
            let templates = game.edge_templates(cell, edge).into_iter();
            let fits = |cells: &Vec<Cell>| cells.iter().all(|cell| bit(cell).is_some());
            templates.filter(fits).map(move |cells| (i, cells)).collect::<Vec<_>>()
        });
        let lemmas = lemmas.filter(|(_, needed)| needed.len() < cells.len());
        Proof {
            beside: cells.iter().map(|&cell| mask(game.grid().neighbours(cell))).collect(),
            of_stone: mask(game.grid().neighbours(stone)),
            of_edge: mask(game.grid().edge(edge)),
            lemmas: lemmas.map(|(i, needed)| (i, mask(&needed))).collect(),
            known: BTreeMap::new(),
        }
    }

    /// Returns the cells of the stone's chain.
    fn chain(&self, own: u64) -> u64 {
        let (mut chain, mut front) = (0, self.of_stone & own);
        while front != 0 {
            chain |= front;
            let beside = (0..self.beside.len()).filter(|i| front >> i & 1 != 0).map(|i| self.beside[i]);
            front = beside.fold(0, |all, some| all | some) & own & !chain;
        }
        chain
    }

    /// Returns the cells that the owner needs to join the stone and the edge although the other
    /// side is to move and the owner may play only `stones` more stones; `None` if it cannot.
    fn holds(&mut self, own: u64, other: u64, stones: u32) -> Option<u64> {
        let chain = self.chain(own);
        if chain & self.of_edge != 0 {
            return Some(0);
        }
        let is_free = |&&(i, needed): &&(usize, u64)| chain >> i & 1 != 0 && needed & (own | other) == 0;
        if let Some(&(_, needed)) = self.lemmas.iter().find(is_free) {
            return Some(needed);
        }
        let key = (own, other, Side::Second, stones);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut needed = self.joins(own, other, stones);
        let mut open = needed.unwrap_or(0);
        while let Some(all) = needed.filter(|_| open != 0) {
            // Elsewhere the other side's stone would change nothing.
            let bit = open & open.wrapping_neg();
            let answer = self.joins(own, other | bit, stones);
            open &= answer.unwrap_or(0) & !bit;
            needed = answer.map(|more| all | bit | more);
        }
        self.known.insert(key, needed);
        needed
    }

    /// Returns the same cells with the owner to move.
    fn joins(&mut self, own: u64, other: u64, stones: u32) -> Option<u64> {
        let all = (1 << self.beside.len()) - 1;
        if stones == 0 || self.chain(all & !other) & self.of_edge == 0 {
            return None;
        }
        let key = (own, other, Side::First, stones);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut bits = (0..self.beside.len()).map(|i| 1 << i).filter(|bit| (own | other) & bit == 0);
        let needed = bits.find_map(|bit| self.holds(own | bit, other, stones - 1).map(|needed| needed | bit));
        self.known.insert(key, needed);
        needed
    }

    /// Reports whether the stone is joined to the edge by these cells alone, with at most `stones`
    /// own stones.
    fn of(game: &Hex, stone: Cell, edge: Edge, cells: &[Cell], stones: u32) -> bool {
        let mut proof = Proof::new(game, stone, edge, cells);
        (1..=stones).any(|stones| proof.holds(0, 0, stones).is_some())
    }
}

#[test]
fn every_template_joins_its_stone_to_the_edge() {
    let game = after(13, "");
    for (rows, (text, stones)) in [("g12", 1), ("g11", 3), ("g10", 6)].into_iter().enumerate() {
        let stone = cell(&game, text);
        let templates = game.edge_templates(stone, Edge::Bottom);
        assert_eq!(templates.len(), [1, 2, 2][rows]);
        for cells in templates {
            assert_eq!(cells.len(), [2, 8, 19][rows]);
            assert!(Proof::of(&game, stone, Edge::Bottom, &cells, stones), "{}", names(&game, &cells));
        }
    }
}

#[test]
fn the_small_templates_need_all_of_their_cells() {
    let game = after(13, "");
    for text in ["g12", "g11"] {
        let stone = cell(&game, text);
        for cells in game.edge_templates(stone, Edge::Bottom) {
            for left_out in &cells {
                let fewer: Vec<Cell> = cells.iter().copied().filter(|cell| cell != left_out).collect();
                assert!(!Proof::of(&game, stone, Edge::Bottom, &fewer, 8), "{}", names(&game, &fewer));
            }
        }
    }
}

#[test]
fn templates_are_the_same_at_all_edges() {
    let game = after(13, "");
    let grid = game.grid();
    let set = |templates: Vec<Vec<Cell>>, seen: &dyn Fn(Cell) -> Cell| -> BTreeSet<BTreeSet<Cell>> {
        templates.into_iter().map(|cells| cells.into_iter().map(seen).collect()).collect()
    };
    let mut count = 0;
    for stone in grid.cells() {
        let here = set(game.edge_templates(stone, Edge::Bottom), &|cell| cell);
        let (turned, mirrored) = (grid.turned(stone), grid.mirrored(stone));
        assert_eq!(set(game.edge_templates(turned, Edge::Top), &|cell| grid.turned(cell)), here);
        assert_eq!(set(game.edge_templates(mirrored, Edge::Right), &|cell| grid.mirrored(cell)), here);
        let both = grid.turned(mirrored);
        let back = |cell| grid.mirrored(grid.turned(cell));
        assert_eq!(set(game.edge_templates(both, Edge::Left), &back), here);
        count += here.len();
    }
    assert_eq!(count, 12 + 2 * 10 + 2 * 7, "not beside the corners");
}

#[test]
fn a_stone_on_the_third_or_fourth_row_is_linked_with_its_edge() {
    let links = |size, moves: &str, side| {
        let game = after(size, moves);
        names(&game, &game.safe_links(side))
    };
    assert_eq!(links(9, "e7", Side::First), "f7 d8 e8 f8 c9 d9 e9 f9");
    assert_eq!(links(9, "e7 d8", Side::First), "", "the form with the other lean is entered as well");
    assert_eq!(links(9, "e7 f7", Side::First), "d7 c8 d8 e8 b9 c9 d9 e9", "the other lean");
    assert_eq!(links(9, "a1 g5", Side::Second), "i3 h4 i4 h5 i5 g6 h6 i6", "at the right edge");
    assert_eq!(links(13, "g10", Side::First).split(' ').count(), 19);
    // The bridge to the edge is enough: no larger link of the same chain is shown.
    assert_eq!(links(9, "e7 a1 e8", Side::First), "d9 e9");
}

#[test]
fn links_share_no_cell_and_the_way_counts_on_all_of_them() {
    let mut generator = stream(51, 0);
    let (mut linked, mut shorter) = (0, 0);
    for size in [3, 5, 8, 11] {
        for _ in 0..20 {
            let mut game = Hex::new(size, SwapRule::Off).unwrap();
            while game.outcome().is_none() {
                for side in Side::BOTH {
                    let (links, way) = (game.safe_links(side), game.shortest_way(side));
                    let apart: BTreeSet<Cell> = links.iter().copied().collect();
                    assert_eq!(apart.len(), links.len(), "{game}");
                    assert!(links.iter().chain(&way).all(|&cell| game.stone(cell).is_none()));
                    let (to_go, needed) = (game.stones_to_go(side), game.stones_needed(side));
                    assert_eq!(to_go.map_or(0, usize::from), way.len(), "{game}");
                    assert!(to_go <= needed && to_go.is_some() == needed.is_some());
                    linked += usize::from(!links.is_empty());
                    shorter += usize::from(to_go < needed);
                }
                let free: Vec<Cell> = game.empty().collect();
                game.make(free[generator.random_range(0..free.len())].into());
            }
        }
    }
    assert!(linked > 500 && shorter > 300, "{linked} {shorter}");
}

#[test]
fn who_has_no_stone_to_go_has_won_whoever_moves() {
    let (mut generator, stop) = (stream(52, 0), AtomicBool::new(false));
    let mut count = 0;
    for size in [3, 4] {
        for _ in 0..120 {
            let mut game = Hex::new(size, SwapRule::Off).unwrap();
            while game.outcome().is_none() {
                let other = game.to_move().other();
                if game.stones_to_go(other) == Some(0) {
                    count += 1;
                    let solved = solve(&game, &SearchControl::quiet(Limits::default(), &stop));
                    assert_eq!(solved.outcome, Some(Outcome::Win(other)), "{game}");
                    break;
                }
                let free: Vec<Cell> = game.empty().collect();
                game.make(free[generator.random_range(0..free.len())].into());
            }
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn the_panel_and_the_facts_count_safe_links() {
    let game = after(9, "e7 a1 f5 b1");
    assert_eq!((game.stones_needed(Side::First), game.stones_to_go(Side::First)), (Some(7), Some(1)));
    let facts = crosspath::game::View::facts(&game);
    assert!(facts.iter().any(|fact| fact == "Red needs 7 more stones, Blue 7."), "{facts:?}");
    assert_eq!(facts.last().unwrap(), said!("by-safe-links-needs", "Red", "1", "Blue", "3"));
    let panel = crosspath::canvas::Paint::side_panel(&game, crosspath::canvas::Glyphs::Ascii, 33);
    assert_eq!(panel, [said!("stones-to-go-by"), "X Red 1   O Blue 3"]);
    // Stones in the middle of an empty board: a template at each edge, and bridges between them.
    let empty = Hex::new(11, SwapRule::Off).unwrap();
    assert_eq!(empty.stones_to_go(Side::First), Some(3));
    let way: Vec<String> = empty.shortest_way(Side::First).into_iter().map(|cell| empty.name(cell)).collect();
    assert_eq!(way, ["g4", "f6", "e8"]);
}

/// The count is no proof, as bridges of new stones may share cells: but a side that lays all stones
/// of its path, unhindered, nearly always needs no more.
#[test]
fn the_stones_of_a_way_join_the_edges() {
    let mut generator = stream(53, 0);
    let (mut joined, mut asked) = (0, 0);
    for size in [5, 8, 11] {
        for _ in 0..20 {
            let mut game = Hex::new(size, SwapRule::Off).unwrap();
            for _ in 0..size {
                let free: Vec<Cell> = game.empty().collect();
                game.make(free[generator.random_range(0..free.len())].into());
            }
            let side = game.to_move();
            for cell in game.shortest_way(side) {
                if game.to_move() != side && !pass(&mut game, side) {
                    break;
                }
                if game.stone(cell).is_none() {
                    game.make(cell.into());
                }
            }
            asked += 1;
            joined += usize::from(game.stones_to_go(side) == Some(0));
        }
    }
    assert!(asked == 60 && joined >= 54, "{joined} of {asked}");
}

/// Makes a move of the other side that does not hinder `side`, and reports whether there is one.
fn pass(game: &mut Hex, side: Side) -> bool {
    let (before, way) = (game.stones_to_go(side), game.shortest_way(side));
    let does_no_harm = |&cell: &Cell| {
        let mut after = game.clone();
        after.make(cell.into());
        !way.contains(&cell) && after.stones_to_go(side) == before
    };
    let Some(cell) = game.empty().find(does_no_harm) else { return false };
    game.make(cell.into());
    true
}

/// Returns the number of stones still needed where there is no link yet, by rounds over all cells:
/// a cell costs a stone if it is empty, and joins the cells that it touches, those a bridge away
/// and those that a template connects to an edge.
fn naive_stones_to_go(game: &Hex, side: Side) -> Option<u16> {
    let (grid, [from, to]) = (game.grid(), edges_of(side));
    let price = |cell: Cell| u16::from(game.stone(cell).is_none());
    let is_free = |cells: &[Cell]| cells.iter().all(|&cell| game.stone(cell).is_none());
    let joins = |cell: Cell, edge| {
        let is_whole = |carrier: &Vec<Cell>| {
            carrier.iter().all(|&cell| game.stone(cell).is_none_or(|owner| owner == side))
        };
        grid.touches(cell, edge) || game.edge_templates(cell, edge).iter().any(is_whole)
    };
    let own: Vec<Cell> = grid.cells().filter(|&cell| game.stone(cell) != Some(side.other())).collect();
    let mut costs = vec![None::<u16>; grid.len()];
    for _ in &own {
        for &cell in &own {
            let bridged = grid.bridges(cell).iter().filter(|bridge| is_free(&bridge.carrier));
            let beside = grid.neighbours(cell).iter().copied().chain(bridged.map(|bridge| bridge.end));
            let before = beside.filter_map(|beside| costs[beside.index()]).min();
            let before = if joins(cell, from) { Some(0) } else { before };
            let cost = before.map(|before| before + price(cell));
            costs[cell.index()] = costs[cell.index()].into_iter().chain(cost).min();
        }
    }
    own.iter().filter(|&&cell| joins(cell, to)).filter_map(|cell| costs[cell.index()]).min()
}

#[test]
fn stones_to_go_are_those_of_the_plain_count() {
    let mut generator = stream(54, 0);
    let (mut compared, mut joined_by_bridges) = (0, 0);
    for size in [3, 5, 8, 11] {
        for _ in 0..60 {
            let mut game = Hex::new(size, SwapRule::Off).unwrap();
            for _ in 0..generator.random_range(0..size * size / 2) {
                let free: Vec<Cell> = game.empty().collect();
                game.make(free[generator.random_range(0..free.len())].into());
            }
            for side in Side::BOTH {
                if game.safe_links(side).is_empty() {
                    compared += 1;
                    assert_eq!(game.stones_to_go(side), naive_stones_to_go(&game, side), "{side}\n{game}");
                    joined_by_bridges += usize::from(game.stones_to_go(side) < game.stones_needed(side));
                }
            }
        }
    }
    assert!(compared > 60 && joined_by_bridges > 40, "{compared} {joined_by_bridges}");
}
