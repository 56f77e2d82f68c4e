//! Results from outside the match: unreadable lines, files read or written, and write failures.
//!
//! This module does not access files.

use std::path::PathBuf;

use crate::game::Refusal;
use crate::play::{
    CommandAnswer, GameMode, JournalStatus, LiveGame, LiveGameState, Match, MatchEvent, MatchFault,
    MatchRefusal, MatchTime, MoveFile, NewGame, OverwritePermission, PlaybackControl,
};
use crate::record::{GameRecord, NodeId};
use crate::registry::Variant;

impl Match {
    /// Refuses the last input for this reason and returns the events.
    pub fn refuse_input(&mut self, refusal: MatchRefusal, now: MatchTime) -> Vec<MatchEvent> {
        self.apply_change(now, |_| Err(refusal))
    }

    /// Records that the game was saved to this file; `overwrite` tells whether it replaced another game.
    pub fn record_save(
        &mut self,
        path: PathBuf,
        overwrite: OverwritePermission,
        now: MatchTime,
    ) -> Vec<MatchEvent> {
        self.apply_change(now, |game| {
            let present = game.game.present_node();
            game.emit_reply("save", present, CommandAnswer::Saved(Refusal::sanitize_path(&path), overwrite));
            let source = &mut game.game.core.source;
            (source.saved_node, source.file, source.saved_edits) = (Some(present), Some(path), source.edits);
            Ok(())
        })
    }

    /// Asks the player whether to overwrite the other game in this file.
    pub fn ask_to_overwrite(&mut self, path: PathBuf, now: MatchTime) -> Vec<MatchEvent> {
        self.apply_change(now, |game| {
            game.emit_reply(
                "save",
                game.game.present_node(),
                CommandAnswer::AsksToReplace(Refusal::sanitize_path(&path)),
            );
            game.to_replace = Some(path);
            Ok(())
        })
    }

    /// Continues the game of a record loaded from this file.
    pub fn load_game(&mut self, path: PathBuf, record: GameRecord, now: MatchTime) -> Vec<MatchEvent> {
        self.apply_change(now, |game| game.continue_from_file(path, record))
    }

    /// Resumes an unfinished game with its original seed.
    pub fn resume_game(
        &mut self,
        spec: NewGame,
        seed: u64,
        record: GameRecord,
        now: MatchTime,
    ) -> Vec<MatchEvent> {
        self.apply_change(now, |game| {
            let resumed = LiveGame::from_record(spec, record, &mut game.chance, Some(seed), game.rules);
            game.replace_and_start(resumed.map_err(MatchRefusal::NoSuchBoard)?, None);
            Ok(())
        })
    }

    /// Starts the replay of a file.
    pub fn replay_file(&mut self, file: MoveFile, now: MatchTime) -> Vec<MatchEvent> {
        self.apply_change(now, |game| {
            let mut spec = game.game.core.rematch_spec();
            spec.set_start(file.record.start.clone());
            let name = spec.start.entry.name;
            spec.level = spec.level.filter(|_| name == game.game.spec().start.entry.name);
            spec.program = spec.program.filter(|program| program.can_play(name));
            let shown =
                LiveGame::from_move_file(spec, file, game.rules).map_err(MatchRefusal::NoSuchBoard)?;
            game.replace_and_start(shown, None);
            Ok(())
        })
    }

    /// Reports that the log could not be written, for this reason.
    pub fn report_log_failure(&mut self, why: String, now: MatchTime) -> Vec<MatchEvent> {
        self.apply_change(now, |game| {
            game.events.push(MatchEvent::Fault(MatchFault::Log(why)));
            Ok(())
        })
    }

    /// Reports that mistakes or tries at them could not be saved, for this reason.
    pub fn report_mistake_save_failure(&mut self, why: String, now: MatchTime) -> Vec<MatchEvent> {
        self.apply_change(now, |game| {
            game.events.push(MatchEvent::Fault(MatchFault::Mistakes(why)));
            Ok(())
        })
    }

    /// Updates and reports the state of the journal of the game with this number.
    pub(crate) fn update_journal_status(&mut self, number: u64, news: JournalStatus) -> Vec<MatchEvent> {
        let is_unkept = news != JournalStatus::Restored;
        let game = if self.game.number == number {
            self.game.core.source.is_journal_incomplete = is_unkept;
            self.game.title()
        } else if let Some((game, _)) = self.earlier.last.as_mut().filter(|(game, _)| game.number == number) {
            game.core.source.is_journal_incomplete = is_unkept;
            format!("Previous game ({})", game.title())
        } else {
            return Vec::new();
        };
        self.events.push(MatchEvent::Fault(MatchFault::Journal { game, news }));
        self.finish_update()
    }

    fn continue_from_file(&mut self, file: PathBuf, record: GameRecord) -> Result<(), MatchRefusal> {
        let path = Refusal::sanitize_path(&file);
        for dropped in &record.notes {
            self.events.push(MatchEvent::Fault(MatchFault::Dropped(path.clone(), dropped.clone())));
        }
        if let Some(fault) = record.fault {
            return Err(MatchRefusal::InFile { path, line: fault.line, why: fault.why.text });
        }
        let unsaved = self.unsaved_status();
        let (board, was_shown) = (self.present_position().view().title(), !self.game.has_human());
        let (mut spec, level, start) =
            (self.game.core.rematch_spec(), self.game.level(), record.start.clone());
        let (name, first) = (start.entry.name, record.tree.position(NodeId::ROOT));
        spec.level = first.check_level(level).is_ok().then_some(level);
        spec.program = spec.program.filter(|program| program.can_play(name));
        if spec.start.entry.name != name {
            spec.settings = Variant::default(); // they belong to another game
        }
        spec.start = start;
        if self.game.is_analysis() {
            spec.mode = GameMode::Analysis;
        }
        let mut core = LiveGameState::from_record(spec, record).map_err(MatchRefusal::NoSuchBoard)?;
        let source = &mut core.source;
        (source.is_loaded, source.file, source.saved_node) = (true, Some(file), Some(core.line.present));
        let is_stopped = self.game.is_between_engines() && !self.game.playback_state().is_running;
        let mut game = LiveGame::start_play_or_analysis(core, &mut self.chance, None, self.rules);
        if is_stopped {
            game.control_playback(PlaybackControl::Stop);
        }
        self.replace_game(game);
        let present = self.game.present_node();
        self.emit_reply("load", present, CommandAnswer::Loaded(path, unsaved));
        if was_shown || self.present_position().view().title() != board {
            self.start_game();
        } else {
            self.tally.start_series(board, self.game.has_engine().then_some(self.game.level()));
            if self.game.outcome().is_none() {
                self.events.push(MatchEvent::Present(present));
            }
        }
        if self.game.outcome().is_some() && !self.game.is_analysis() {
            self.end_game();
        }
        Ok(())
    }
}
