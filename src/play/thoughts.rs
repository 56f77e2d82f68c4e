//! The jobs that engines should work on now, with their numbers.

use crate::record::NodeId;
use crate::thinking::{EngineJob, HostId, JobId};

/// Jobs that are wanted.
#[derive(Debug, Default)]
pub(super) struct Thoughts {
    pub(super) jobs: Vec<EngineJob>,
    next: u64,
    /// Position in which an engine has failed.
    pub(super) failed_at: Option<NodeId>,
}

impl Thoughts {
    /// Returns the jobs of engines that play.
    pub(super) fn of_seats(&self) -> impl Iterator<Item = &EngineJob> {
        self.jobs.iter().filter(|job| job.host != HostId::Study)
    }

    /// Takes out a job that is done; `None` if it is no longer wanted.
    pub(super) fn take(&mut self, id: JobId) -> Option<EngineJob> {
        self.jobs.extract_if(.., |job| job.id == id).next()
    }

    /// Drops the jobs of engines that play.
    pub(super) fn drop_seats(&mut self) {
        self.jobs.retain(|job| job.host == HostId::Study);
    }

    /// Asks the hosts that `is_meant` selects to answer with their best move so far.
    pub(super) fn hurry(&mut self, is_meant: impl Fn(HostId) -> bool) {
        for job in self.jobs.iter_mut().filter(|job| is_meant(job.host)) {
            job.is_due = true;
        }
    }

    /// Sets the jobs that are wanted from now on. A job that has not changed keeps its number;
    /// `begins` is called for the others.
    pub(super) fn want(
        &mut self,
        old: &[EngineJob],
        wanted: impl IntoIterator<Item = EngineJob>,
        mut begins: impl FnMut(&EngineJob),
    ) {
        for job in wanted {
            if let Some(known) = old.iter().find(|known| known.is_same(&job)) {
                self.jobs.push(known.clone());
                continue;
            }
            self.next += 1;
            begins(&job);
            self.jobs.push(EngineJob { id: JobId(self.next), ..job });
        }
    }
}
