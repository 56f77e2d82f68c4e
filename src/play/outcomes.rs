//! Results from outside: lines that cannot be read, files that were read or written, a log or a
//! journal that failed. Touches no file.

use std::path::PathBuf;

use crate::game::Refusal;
use crate::play::{
    Answer, Core, Event, Fault, Game, Match, MatchRefusal, Mode, MoveFile, NewGame, Now, Overwrite,
    PlaybackControl, SaveNews,
};
use crate::record::{GameRecord, NodeId};
use crate::registry::Variant;

impl Match {
    /// Refuses the last input.
    pub fn refuse(&mut self, refusal: MatchRefusal, now: Now) -> Vec<Event> {
        self.take(now, |_| Err(refusal))
    }

    /// Takes note that the game was saved to this file, perhaps over another one.
    pub fn saved(&mut self, path: PathBuf, overwrite: Overwrite, now: Now) -> Vec<Event> {
        self.take(now, |game| {
            let present = game.game.present();
            game.reply("save", present, Answer::Saved(Refusal::shown_path(&path), overwrite));
            let source = &mut game.game.core.source;
            (source.kept, source.file, source.kept_edits) = (Some(present), Some(path), source.edits);
            Ok(())
        })
    }

    /// Asks the person whether to replace the other game in this file.
    pub fn ask_to_replace(&mut self, path: PathBuf, now: Now) -> Vec<Event> {
        self.take(now, |game| {
            game.reply("save", game.game.present(), Answer::AsksToReplace(Refusal::shown_path(&path)));
            game.to_replace = Some(path);
            Ok(())
        })
    }

    /// Continues a game that was loaded from this file.
    pub fn load(&mut self, path: PathBuf, record: GameRecord, now: Now) -> Vec<Event> {
        self.take(now, |game| game.go_on_from(path, record))
    }

    /// Continues an unfinished game with its seed.
    pub fn go_on(&mut self, spec: NewGame, seed: u64, record: GameRecord, now: Now) -> Vec<Event> {
        self.take(now, |game| {
            let resumed = Game::resumed(spec, record, &mut game.chance, Some(seed), game.rules);
            game.start_instead(resumed.map_err(MatchRefusal::NoSuchBoard)?, None);
            Ok(())
        })
    }

    /// Shows a game from a file move by move.
    pub fn show_file(&mut self, file: MoveFile, now: Now) -> Vec<Event> {
        self.take(now, |game| {
            let mut spec = game.game.core.same_again();
            spec.choose(file.record.start.clone());
            let name = spec.start.entry.name;
            spec.level = spec.level.filter(|_| name == game.game.spec().start.entry.name);
            spec.program = spec.program.filter(|program| program.can_play(name));
            let shown = Game::of_file(spec, file, game.rules).map_err(MatchRefusal::NoSuchBoard)?;
            game.start_instead(shown, None);
            Ok(())
        })
    }

    /// Takes note that the log cannot be written, for this reason.
    pub fn log_failed(&mut self, why: String, now: Now) -> Vec<Event> {
        self.take(now, |game| {
            game.events.push(Event::Fault(Fault::Log(why)));
            Ok(())
        })
    }

    /// Takes note that mistakes or tries at them cannot be saved, for this reason.
    pub fn mistakes_failed(&mut self, why: String, now: Now) -> Vec<Event> {
        self.take(now, |game| {
            game.events.push(Event::Fault(Fault::Mistakes(why)));
            Ok(())
        })
    }

    /// Takes note of whether the game of this number is in its journal, and reports it.
    pub(crate) fn hear_journal(&mut self, number: u64, news: SaveNews) -> Vec<Event> {
        let is_unkept = news != SaveNews::Again;
        let game = if self.game.number == number {
            self.game.core.source.is_unkept = is_unkept;
            self.game.title()
        } else if let Some((game, _)) = self.earlier.last.as_mut().filter(|(game, _)| game.number == number) {
            game.core.source.is_unkept = is_unkept;
            format!("Previous game ({})", game.title())
        } else {
            return Vec::new();
        };
        self.events.push(Event::Fault(Fault::Journal { game, news }));
        self.finish()
    }

    fn go_on_from(&mut self, file: PathBuf, record: GameRecord) -> Result<(), MatchRefusal> {
        let path = Refusal::shown_path(&file);
        for dropped in &record.notes {
            self.events.push(Event::Fault(Fault::Dropped(path.clone(), dropped.clone())));
        }
        if let Some(fault) = record.fault {
            return Err(MatchRefusal::InFile { path, line: fault.line, why: fault.why.text });
        }
        let unsaved = self.unsaved();
        let (board, was_shown) = (self.present_position().view().title(), !self.game.has_human());
        let (mut spec, level, start) = (self.game.core.same_again(), self.game.level(), record.start.clone());
        let (name, first) = (start.entry.name, record.tree.position(NodeId::ROOT));
        spec.level = first.check_level(level).is_ok().then_some(level);
        spec.program = spec.program.filter(|program| program.can_play(name));
        if spec.start.entry.name != name {
            spec.settings = Variant::default(); // they meant another game
        }
        spec.start = start;
        if self.game.is_analysis() {
            spec.mode = Mode::Analysis;
        }
        let mut core = Core::resumed(spec, record).map_err(MatchRefusal::NoSuchBoard)?;
        let source = &mut core.source;
        (source.is_loaded, source.file, source.kept) = (true, Some(file), Some(core.line.present));
        let is_stopped = self.game.is_between_engines() && !self.game.pace().is_running;
        let mut game = Game::begun(core, &mut self.chance, None, self.rules); // its edits are not undone
        if is_stopped {
            game.walk(PlaybackControl::Stop);
        }
        self.replace(game);
        let present = self.game.present();
        self.reply("load", present, Answer::Loaded(path, unsaved));
        if was_shown || self.present_position().view().title() != board {
            self.start();
        } else {
            self.tally.begin(board, self.game.has_engine().then_some(self.game.level()));
            if self.game.outcome().is_none() {
                self.events.push(Event::Present(present));
            }
        }
        if self.game.outcome().is_some() && !self.game.is_analysis() {
            self.end();
        }
        Ok(())
    }
}
