//! The eight rotations and reflections of a square board.

use crosspath::ai::tictactoe::symmetry::{Symmetries, TURNS, turned, turned_mask, undoing};
use crosspath::games::tictactoe::Cell;

#[test]
fn the_eight_turns_differ_and_are_undone() {
    for size in 2..=10 {
        let cell = Cell(1);
        if size > 2 {
            let mut images: Vec<Cell> = (0..TURNS).map(|turn| turned(size, cell, turn)).collect();
            images.sort();
            images.dedup();
            assert_eq!(images.len(), if size == 3 { 4 } else { 8 });
        }
        for cell in 0..size * size {
            let cell = Cell(u8::try_from(cell).unwrap());
            for turn in 0..TURNS {
                assert_eq!(turned(size, turned(size, cell, turn), undoing(turn)), cell);
            }
        }
    }
}

#[test]
fn images_of_a_position_have_one_name() {
    let symmetries = Symmetries::new(4).unwrap();
    let (first, second) = (0b0000_0110_0000_0001_u128, 0b0001_0000_1000_0000_u128);
    let (name, turn) = symmetries.least(first, second);
    for other in 0..TURNS {
        let (a, b) = (turned_mask(4, first, other), turned_mask(4, second, other));
        assert_eq!(symmetries.least(a, b).0, name);
    }
    let image = |mask| u64::try_from(turned_mask(4, mask, turn)).unwrap();
    assert_eq!(image(first) << 32 | image(second), name);
}
