//! Client of an external evaluator, which rates many positions at a time. Requests and answers are binary
//! frames; `docs/selfplay.md` describes them.

use std::io::{ErrorKind, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

/// Reasons why an evaluator cannot be used any longer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluatorError {
    /// The evaluator closed its output.
    #[error("the evaluator stopped after {got} of the {wanted} bytes of an answer")]
    OutputClosed {
        /// Number of bytes received.
        got: usize,
        /// Number of bytes of a complete answer.
        wanted: usize,
    },
    /// The evaluator closed its input.
    #[error("the evaluator no longer accepts requests")]
    InputClosed,
    /// The answer is for a different number of positions.
    #[error(
        "the evaluator answered {got} positions instead of {wanted}; an answer must start with the number of positions"
    )]
    Count {
        /// Number of positions according to the answer.
        got: u32,
        /// Number of positions requested.
        wanted: usize,
    },
    /// The value of a position is not between -1 and 1.
    #[error("the evaluator gave a position the value {0}; values are numbers from -1 (lost) to 1 (won)")]
    Value(String),
    /// The logit of a legal move is not finite.
    #[error("the evaluator gave a legal move the logit {0}; logits of legal moves are finite numbers")]
    Logit(String),
    /// The answers cannot be read because of another I/O error.
    #[error("cannot read the evaluator's answers: {0}")]
    Unreadable(String),
}

/// Connection to an evaluator. Several requests may be pending; their answers arrive in the same order.
#[derive(Debug)]
pub struct EvaluatorProcess<R> {
    input: R,
    questions: Option<Sender<Vec<u8>>>,
    /// Buffers of written requests, for reuse.
    free: Receiver<Vec<u8>>,
    writer: Option<JoinHandle<()>>,
    answer: Vec<u8>,
    move_count: usize,
}

impl<R: Read> EvaluatorProcess<R> {
    /// Creates a connection that writes requests to `output` and reads answers from `input`. Sends the line
    /// `greeting` first. Each answer has `move_count` logits per position.
    ///
    /// # Errors
    /// Returns an error if the evaluator does not accept the greeting.
    pub fn new(
        input: R,
        mut output: impl Write + Send + 'static,
        greeting: &str,
        move_count: usize,
    ) -> Result<Self, EvaluatorError> {
        let greeted = output.write_all(greeting.as_bytes()).and_then(|()| output.flush());
        greeted.map_err(|_| EvaluatorError::InputClosed)?;
        let (questions, queue) = channel::<Vec<u8>>();
        let (done, free) = channel();
        // A thread writes the requests, so that an evaluator blocked on writing an answer cannot cause a deadlock.
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

    /// Requests the evaluation of `count` positions. `fill` appends their bytes to the request.
    ///
    /// # Errors
    /// Returns an error if the evaluator no longer accepts requests.
    ///
    /// # Panics
    /// Panics if `count` does not fit in 32 bits.
    pub fn send_request(
        &mut self,
        count: usize,
        fill: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), EvaluatorError> {
        let mut question = self.free.try_recv().unwrap_or_default();
        question.clear();
        question.extend(u32::try_from(count).expect("frames are small").to_le_bytes());
        fill(&mut question);
        let sent = self.questions.as_ref().map(|questions| questions.send(question));
        sent.and_then(Result::ok).ok_or(EvaluatorError::InputClosed)
    }

    /// Waits for the evaluations of `count` positions.
    ///
    /// # Errors
    /// Returns an error if the answer cannot be read or is for another number of positions.
    #[expect(clippy::missing_panics_doc, reason = "a whole answer begins with a number")]
    pub fn read_evaluations(&mut self, count: usize) -> Result<Evaluations<'_>, EvaluatorError> {
        let EvaluatorProcess { input, answer, move_count, .. } = self;
        let wanted = 4 + 4 * count * (1 + *move_count);
        answer.resize(wanted, 0);
        // Checks the count first, because a wrong count explains why too few bytes follow.
        read_answer_part(input, &mut answer[..4], wanted, 0)?;
        let got = u32::from_le_bytes(*answer.first_chunk().expect("there are four"));
        if got as usize != count {
            return Err(EvaluatorError::Count { got, wanted: count });
        }
        read_answer_part(input, &mut answer[4..], wanted, 4)?;
        let (values, logits) = answer[4..].split_at(4 * count);
        Ok(Evaluations { values, logits, move_count: *move_count })
    }

    /// Ends the session with a request for zero positions.
    ///
    /// # Errors
    /// Returns an error if the evaluator no longer accepts requests.
    pub fn shut_down(mut self) -> Result<(), EvaluatorError> {
        self.send_request(0, |_| ())?;
        self.questions = None;
        self.writer.take().map_or(Ok(()), JoinHandle::join).map_err(|_| EvaluatorError::InputClosed)
    }
}

/// Reads the next part of an answer, of which `before` bytes have been read.
fn read_answer_part(
    input: &mut impl Read,
    part: &mut [u8],
    wanted: usize,
    before: usize,
) -> Result<(), EvaluatorError> {
    let mut got = 0;
    while got < part.len() {
        match input.read(&mut part[got..]) {
            Ok(0) => return Err(EvaluatorError::OutputClosed { got: before + got, wanted }),
            Ok(count) => got += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(EvaluatorError::Unreadable(error.to_string().to_lowercase())),
        }
    }
    Ok(())
}

/// Evaluations of the positions of one request.
#[derive(Clone, Copy, Debug)]
pub struct Evaluations<'a> {
    values: &'a [u8],
    logits: &'a [u8],
    move_count: usize,
}

/// Reads the little-endian number at this index.
fn read_f32(bytes: &[u8], place: usize) -> f32 {
    let bytes = bytes[4 * place..].first_chunk().expect("an answer holds every number");
    f32::from_le_bytes(*bytes)
}

impl Evaluations<'_> {
    /// Returns the value of a position for the side to move, from -1 to 1.
    ///
    /// # Errors
    /// Returns an error if the value is outside this range.
    pub fn value(&self, position: usize) -> Result<f32, EvaluatorError> {
        let value = read_f32(self.values, position);
        (-1.0..=1.0).contains(&value).then_some(value).ok_or_else(|| EvaluatorError::Value(value.to_string()))
    }

    /// Appends the logits of these moves in a position to `out`.
    ///
    /// # Errors
    /// Returns an error if a logit is not finite.
    pub fn append_logits(
        &self,
        position: usize,
        moves: &[u16],
        out: &mut Vec<f32>,
    ) -> Result<(), EvaluatorError> {
        let own = &self.logits[4 * position * self.move_count..][..4 * self.move_count];
        out.extend(moves.iter().map(|&mv| read_f32(own, mv.into())));
        let bad = out.iter().find(|logit| !logit.is_finite());
        bad.map_or(Ok(()), |logit| Err(EvaluatorError::Logit(logit.to_string())))
    }
}
