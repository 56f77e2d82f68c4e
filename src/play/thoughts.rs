//! The jobs that engines should work on now, with their IDs.

use crate::record::NodeId;
use crate::thinking::{EngineJob, EngineJobId, EngineThreadId};

/// Engine jobs that are wanted now.
#[derive(Debug, Default)]
pub(super) struct EngineJobQueue {
    pub(super) jobs: Vec<EngineJob>,
    next: u64,
    /// Node at which an engine failed.
    pub(super) failed_at: Option<NodeId>,
}

impl EngineJobQueue {
    /// Returns the jobs of playing engines.
    pub(super) fn player_jobs(&self) -> impl Iterator<Item = &EngineJob> {
        self.jobs.iter().filter(|job| job.host != EngineThreadId::Study)
    }

    /// Removes and returns a finished job; `None` if it is no longer wanted.
    pub(super) fn take_finished(&mut self, id: EngineJobId) -> Option<EngineJob> {
        self.jobs.extract_if(.., |job| job.id == id).next()
    }

    /// Drops the jobs of playing engines.
    pub(super) fn drop_player_jobs(&mut self) {
        self.jobs.retain(|job| job.host == EngineThreadId::Study);
    }

    /// Asks the engines on the selected threads to answer with their best move so far.
    pub(super) fn request_answers(&mut self, is_meant: impl Fn(EngineThreadId) -> bool) {
        for job in self.jobs.iter_mut().filter(|job| is_meant(job.host)) {
            job.is_due = true;
        }
    }

    /// Sets the wanted jobs. An unchanged job keeps its ID; `begins` is called for each new one.
    pub(super) fn set_wanted_jobs(
        &mut self,
        old: &[EngineJob],
        wanted: impl IntoIterator<Item = EngineJob>,
        mut begins: impl FnMut(&EngineJob),
    ) {
        for job in wanted {
            if let Some(known) = old.iter().find(|known| known.has_same_request(&job)) {
                self.jobs.push(known.clone());
                continue;
            }
            self.next += 1;
            begins(&job);
            self.jobs.push(EngineJob { id: EngineJobId(self.next), ..job });
        }
    }
}
