//! Phrases that are not plain English, ruled out in the documentation and in the messages of the
//! program.

/// Forbidden phrases, each with a better one. A capital letter in a phrase matches only itself; all
/// other letters match in either case. A phrase matches only whole words.
pub(crate) const FORBIDDEN: &[(&str, &str)] = &[
    ("so many", "up to N, that many"),
    ("go on", "continue"),
    ("goes on", "continues"),
    ("going on", "continuing"),
    ("gone on", "continued"),
    ("went on", "continued"),
    ("is told", "is reported"),
    ("told apart", "distinguished"),
    ("what is told", "what is reported"),
    ("processor time", "CPU time"),
    ("of the processor", "of CPU time"),
    ("processors", "cores"),
    ("file of settings", "config file"),
    ("of our own", "built-in"),
    ("of ours", "built-in"),
    ("our own", "crosspath's own"),
    ("of yours", "your"),
    ("in words", "in sentences"),
    ("who first", "the first player to"),
    ("what is shown", "what the screen shows"),
    ("The same,", "a full sentence"),
    ("What it", "a sentence with a subject"),
    ("Whether", "reports whether, true if"),
    ("safe link", "bridge"),
    ("safe links", "bridges"),
    ("stones to go", "stones still needed"),
    ("against the machine", "against an engine"),
    ("the machine thinks", "analysis"),
    ("two machines", "two engines"),
    ("human against machine", "human against engine"),
    ("machine against machine", "engine against engine"),
    ("machine's level", "level"),
    ("judgement", "evaluation"),
    ("judgements", "evaluations"),
    ("judge", "evaluate, review"),
    ("judged", "evaluated, reviewed"),
    ("judges", "evaluates, reviews"),
    ("moves a second", "moves per second"),
    ("nodes a move", "nodes per move"),
    ("positions a move", "nodes per move"),
    ("positions a second", "positions per second"),
    ("ms a move", "ms per move"),
    ("seconds a move", "seconds per move"),
    ("one a line", "one per line"),
    ("one object a line", "one object per line"),
    ("times a second", "times per second"),
    ("takes over", "swaps"),
    ("took over", "swapped"),
    ("taken over", "swapped"),
    ("mends", "saves"),
    ("is kept", "is saved"),
    ("are kept", "are saved"),
    ("was kept", "was saved"),
    ("in place of", "instead of"),
    ("anew", "again"),
    ("by turns", "alternately"),
    ("per cent", "%"),
    ("chance to win", "win chance"),
    ("chances to win", "win chances"),
    ("in one sentence", "in one message"),
    ("written over", "replaced"),
    ("how they fared", "their results"),
    ("how you fare", "your score"),
    ("how you fared", "your score"),
    ("nobody is charged", "clocks stop"),
    ("a ground", "a background"),
    ("falls silent", "stops responding"),
    ("a stranger", "anyone"),
    ("word of line mode", "command"),
    ("words of line mode", "commands"),
    ("wanders", "moves at random"),
    ("as it gets", "at full strength"),
    ("has the form", "describes the format"),
    ("will not do", "is rejected"),
    ("what stands in the way", "any problem"),
    ("is judged", "is reviewed"),
    ("took back", "undid"),
    ("takes back", "undoes"),
    ("gave up", "resigned"),
    ("has entered", "attacks"),
    ("repair", "save"),
    ("own marks", "marks"),
    ("words here", "commands"),
    ("i do not know", "is not a move or command"),
    ("a line a", "per line"),
    ("object a line", "object per line"),
    ("keeps a game", "saves a game"),
    ("stays as it is", "was not replaced"),
    ("is no move", "is not a move"),
    ("it is no", "it is not a"),
    ("spoken", "supported"),
    ("in hand", "left"),
];

/// Phrases that the documentation may use, about computers and time, but the program may not.
pub(crate) const FORBIDDEN_ON_SCREEN: &[(&str, &str)] = &[
    ("the machine", "the engine"),
    ("machines", "engines"),
    ("a second", "per second"),
    ("processor", "CPU"),
    ("gives up", "resigns"),
    ("used up", "ran out"),
    ("the word", "the command"),
];

/// Returns the positions where a phrase occurs as whole words.
pub(crate) fn places<'a>(text: &'a str, phrase: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_word = |c: char| c.is_alphanumeric() || c == '-';
    let equals =
        |a: char, b: char| if b.is_uppercase() { a == b } else { a.to_lowercase().eq(b.to_lowercase()) };
    text.char_indices().map(|(at, _)| at).filter(move |&at| {
        let mut rest = text[at..].chars();
        let is_here = phrase.chars().all(|expected| rest.next().is_some_and(|c| equals(c, expected)));
        let ends_a_word = phrase.ends_with(is_word);
        is_here && !text[..at].ends_with(is_word) && !(ends_a_word && rest.next().is_some_and(is_word))
    })
}
