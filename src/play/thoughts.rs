//! What is thought about now, as jobs with numbers.

use crate::record::NodeId;
use crate::thinking::{EngineJob, HostId, JobId};

/// The thoughts that are wanted.
#[derive(Debug, Default)]
pub(super) struct Thoughts {
    pub(super) jobs: Vec<EngineJob>,
    next: u64,
    /// The position in which an engine has failed.
    pub(super) failed_at: Option<NodeId>,
}

impl Thoughts {
    /// The thoughts of engines that play.
    pub(super) fn of_seats(&self) -> impl Iterator<Item = &EngineJob> {
        self.jobs.iter().filter(|job| job.host != HostId::Study)
    }

    /// Takes a thought out that has come to its end; `None` if nobody wants it any more.
    pub(super) fn take(&mut self, id: JobId) -> Option<EngineJob> {
        self.jobs.extract_if(.., |job| job.id == id).next()
    }

    /// Gives up the thoughts of engines that play.
    pub(super) fn drop_seats(&mut self) {
        self.jobs.retain(|job| job.host == HostId::Study);
    }

    /// This host is to answer with the best so far.
    pub(super) fn hurry(&mut self, is_meant: impl Fn(HostId) -> bool) {
        for job in self.jobs.iter_mut().filter(|job| is_meant(job.host)) {
            job.is_due = true;
        }
    }

    /// Wants these thoughts from now on. One that is as before keeps its number; `begins` is told of the others.
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
