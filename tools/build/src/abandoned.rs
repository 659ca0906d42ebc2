//! Files of processes that were killed.

use rtc_base::replace::TEMPORARY;
use std::fs::DirEntry;
use std::time::Duration;

/// Temporary files of this age are those of processes that were killed.
pub const ABANDONED_AFTER: Duration = Duration::from_secs(3600);

/// Whether this is a temporary file that no process will rename.
pub fn is_abandoned(file: &DirEntry) -> bool {
    file.file_name().to_string_lossy().ends_with(TEMPORARY) && is_old(file)
}

/// Whether a file is so old that no process is at work with it that does not know it.
pub fn is_old(file: &DirEntry) -> bool {
    let changed = file.metadata().and_then(|m| m.modified());
    changed.is_ok_and(|t| t.elapsed().is_ok_and(|age| age > ABANDONED_AFTER))
}
