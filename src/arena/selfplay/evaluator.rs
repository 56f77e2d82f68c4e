//! A program on a pipe that judges positions, many at a time: frames of bytes there and back, as `docs/selfplay.md`
//! draws them. Knows neither games nor what is done with the answers.

use std::io::{ErrorKind, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

/// Why an evaluator is of no more use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluatorError {
    /// It closed its end of the pipe.
    #[error("the evaluator stopped after {got} of the {wanted} bytes of an answer")]
    Ended {
        /// Bytes of the answer that came.
        got: usize,
        /// Bytes of a whole one.
        wanted: usize,
    },
    /// It reads no more questions.
    #[error("the evaluator no longer accepts requests")]
    Left,
    /// It answers another question.
    #[error(
        "the evaluator answered {got} positions instead of {wanted}; an answer must start with the number of positions"
    )]
    Count {
        /// Number of positions with which the answer begins.
        got: u32,
        /// Positions asked for.
        wanted: usize,
    },
    /// A value that no game has.
    #[error("the evaluator gave a position the value {0}; values are numbers from -1 (lost) to 1 (won)")]
    Value(String),
    /// A move without a number.
    #[error("the evaluator gave a legal move the logit {0}; logits of legal moves are finite numbers")]
    Logit(String),
    /// The pipe is broken in another way.
    #[error("cannot read the evaluator's answers: {0}")]
    Unreadable(String),
}

/// An evaluator. Questions may be asked ahead; answers come in their order.
#[derive(Debug)]
pub struct EvaluatorProcess<R> {
    input: R,
    questions: Option<Sender<Vec<u8>>>,
    /// Buffers that have been written out, to be filled again.
    free: Receiver<Vec<u8>>,
    writer: Option<JoinHandle<()>>,
    answer: Vec<u8>,
    move_count: usize,
}

impl<R: Read> EvaluatorProcess<R> {
    /// Creates an evaluator that reads questions from `output` and writes answers to `input`, each with `move_count`
    /// logits a position. It is greeted with one line.
    ///
    /// # Errors
    /// If nobody listens.
    pub fn new(
        input: R,
        mut output: impl Write + Send + 'static,
        greeting: &str,
        move_count: usize,
    ) -> Result<Self, EvaluatorError> {
        let greeted = output.write_all(greeting.as_bytes()).and_then(|()| output.flush());
        greeted.map_err(|_| EvaluatorError::Left)?;
        let (questions, queue) = channel::<Vec<u8>>();
        let (done, free) = channel();
        // Questions are written beside: an evaluator that has to get rid of an answer first would wait for ever.
        let writer = thread::spawn(move || {
            for question in queue {
                let written = output.write_all(&question).and_then(|()| output.flush());
                if written.is_err() || done.send(question).is_err() {
                    break;
                }
            }
        });
        let (questions, writer, answer) = (Some(questions), Some(writer), Vec::new());
        Ok(EvaluatorProcess { input, questions, free, writer, answer, move_count })
    }

    /// Asks about `count` positions, whose bytes `fill` appends.
    ///
    /// # Errors
    /// If nobody listens.
    ///
    /// # Panics
    /// If there are more than four billion.
    pub fn ask(&mut self, count: usize, fill: impl FnOnce(&mut Vec<u8>)) -> Result<(), EvaluatorError> {
        let mut question = self.free.try_recv().unwrap_or_default();
        question.clear();
        question.extend(u32::try_from(count).expect("frames are small").to_le_bytes());
        fill(&mut question);
        let sent = self.questions.as_ref().map(|questions| questions.send(question));
        sent.and_then(Result::ok).ok_or(EvaluatorError::Left)
    }

    /// Waits for the answer about `count` positions.
    ///
    /// # Errors
    /// If it is no answer about this number of positions.
    #[expect(clippy::missing_panics_doc, reason = "a whole answer begins with a number")]
    pub fn answer(&mut self, count: usize) -> Result<Evaluations<'_>, EvaluatorError> {
        let EvaluatorProcess { input, answer, move_count, .. } = self;
        let wanted = 4 + 4 * count * (1 + *move_count);
        answer.resize(wanted, 0);
        // The number in front is looked at first: a wrong one explains why too few bytes follow.
        read(input, &mut answer[..4], wanted, 0)?;
        let got = u32::from_le_bytes(*answer.first_chunk().expect("there are four"));
        if got as usize != count {
            return Err(EvaluatorError::Count { got, wanted: count });
        }
        read(input, &mut answer[4..], wanted, 4)?;
        let (values, logits) = answer[4..].split_at(4 * count);
        Ok(Evaluations { values, logits, move_count: *move_count })
    }

    /// Takes leave: a question about no positions.
    ///
    /// # Errors
    /// If nobody listens.
    pub fn leave(mut self) -> Result<(), EvaluatorError> {
        self.ask(0, |_| ())?;
        self.questions = None;
        self.writer.take().map_or(Ok(()), JoinHandle::join).map_err(|_| EvaluatorError::Left)
    }
}

/// Fills a part of an answer, of which `before` bytes have come.
fn read(input: &mut impl Read, part: &mut [u8], wanted: usize, before: usize) -> Result<(), EvaluatorError> {
    let mut got = 0;
    while got < part.len() {
        match input.read(&mut part[got..]) {
            Ok(0) => return Err(EvaluatorError::Ended { got: before + got, wanted }),
            Ok(count) => got += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(EvaluatorError::Unreadable(error.to_string().to_lowercase())),
        }
    }
    Ok(())
}

/// Evaluations of the positions of one question.
#[derive(Clone, Copy, Debug)]
pub struct Evaluations<'a> {
    values: &'a [u8],
    logits: &'a [u8],
    move_count: usize,
}

fn float(bytes: &[u8], place: usize) -> f32 {
    let bytes = bytes[4 * place..].first_chunk().expect("an answer holds every number");
    f32::from_le_bytes(*bytes)
}

impl Evaluations<'_> {
    /// Returns the value of a position for its mover, from -1 to 1.
    ///
    /// # Errors
    /// If the answer is something else.
    pub fn value(&self, position: usize) -> Result<f32, EvaluatorError> {
        let value = float(self.values, position);
        (-1.0..=1.0).contains(&value).then_some(value).ok_or_else(|| EvaluatorError::Value(value.to_string()))
    }

    /// Appends the logits of these moves of a position.
    ///
    /// # Errors
    /// If one of them is not finite.
    pub fn logits(&self, position: usize, moves: &[u16], out: &mut Vec<f32>) -> Result<(), EvaluatorError> {
        let own = &self.logits[4 * position * self.move_count..][..4 * self.move_count];
        out.extend(moves.iter().map(|&mv| float(own, mv.into())));
        let bad = out.iter().find(|logit| !logit.is_finite());
        bad.map_or(Ok(()), |logit| Err(EvaluatorError::Logit(logit.to_string())))
    }
}
