//! Consequences of a mistake that are certain, as a sentence and as signs on the board. Knows no game.

use crate::text::Text;

/// Certain loss from a move that was played, compared with a better one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consequence<M> {
    /// One sentence, or two where a pattern is named.
    pub text: Text,
    /// The places that it speaks of, as moves, each with a sign.
    pub marks: Vec<(M, char)>,
    /// The meaning of the signs; empty where there are none.
    pub legend: Text,
}

impl<M> Consequence<M> {
    /// Returns a sentence without signs.
    pub(crate) fn of(text: Text) -> Self {
        Consequence { text, marks: Vec::new(), legend: Text::new() }
    }

    /// Returns the same consequence with its places in another form.
    pub(crate) fn map<N>(self, place: impl Fn(M) -> N) -> Consequence<N> {
        let marks = self.marks.into_iter().map(|(mv, sign)| (place(mv), sign)).collect();
        Consequence { text: self.text, marks, legend: self.legend }
    }
}
