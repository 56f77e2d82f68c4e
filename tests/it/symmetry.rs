//! The eight rotations and reflections of a square board.

use crosspath::ai::tictactoe::symmetry::{
    SYMMETRY_COUNT, SymmetryTables, inverse_symmetry, transform_cell, transform_mask,
};
use crosspath::games::tictactoe::Cell;

#[test]
fn the_eight_symmetries_differ_and_have_inverses() {
    for size in 2..=10 {
        let cell = Cell(1);
        if size > 2 {
            let mut images: Vec<Cell> =
                (0..SYMMETRY_COUNT).map(|turn| transform_cell(size, cell, turn)).collect();
            images.sort();
            images.dedup();
            assert_eq!(images.len(), if size == 3 { 4 } else { 8 });
        }
        for cell in 0..size * size {
            let cell = Cell(u8::try_from(cell).unwrap());
            for turn in 0..SYMMETRY_COUNT {
                assert_eq!(
                    transform_cell(size, transform_cell(size, cell, turn), inverse_symmetry(turn)),
                    cell
                );
            }
        }
    }
}

#[test]
fn symmetric_positions_have_one_canonical_form() {
    let symmetries = SymmetryTables::new(4).unwrap();
    let (first, second) = (0b0000_0110_0000_0001_u128, 0b0001_0000_1000_0000_u128);
    let (name, turn) = symmetries.canonical_form(first, second);
    for other in 0..SYMMETRY_COUNT {
        let (a, b) = (transform_mask(4, first, other), transform_mask(4, second, other));
        assert_eq!(symmetries.canonical_form(a, b).0, name);
    }
    let image = |mask| u64::try_from(transform_mask(4, mask, turn)).unwrap();
    assert_eq!(image(first) << 32 | image(second), name);
}
