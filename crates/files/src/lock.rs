//! The lock shared by all processes that write into a directory.

use crate::folder::Folder;
use std::fs::{File, TryLockError};
use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The pause between two attempts to take a lock that another process holds.
const PAUSE: Duration = Duration::from_millis(100);

/// A lock on a directory, shared by all processes that write into it (flock(2)). It is released when dropped.
#[derive(Debug)]
pub struct Lock {
    /// None where directories cannot be locked.
    _file: Option<File>,
    /// True if no other process held the lock when it was taken: existing drafts are then left by killed processes.
    pub is_first: bool,
}

/// The reason why a lock was not obtained.
#[derive(Debug)]
pub enum LockError {
    /// Another process held an exclusive lock during the entire wait.
    Held,
    /// The directory cannot be opened.
    Io(io::Error),
}

impl Lock {
    /// Takes the lock and waits up to `most` for it; `waits` is called once before the wait. `first` is called if no
    /// other process holds the lock, before another can take it.
    ///
    /// # Errors
    /// When another process holds an exclusive lock for longer, or the directory cannot be opened.
    pub fn acquire(
        folder: &Folder,
        timeout: Duration,
        on_wait: impl FnOnce(),
        on_first: impl FnOnce(),
    ) -> Result<Self, LockError> {
        let file = folder.reopen().map_err(LockError::Io)?;
        let is_first = !matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        if is_first {
            on_first();
        }
        // Turns the exclusive lock, if that was taken, into a shared one.
        let (mut on_wait, deadline) = (Some(on_wait), Instant::now() + timeout);
        loop {
            match file.try_lock_shared() {
                Ok(()) => return Ok(Self { _file: Some(file), is_first }),
                // The file system has no locks, so other processes are disregarded.
                Err(TryLockError::Error(_)) => return Ok(Self { _file: None, is_first }),
                Err(TryLockError::WouldBlock) if Instant::now() >= deadline => return Err(LockError::Held),
                Err(TryLockError::WouldBlock) => {
                    if let Some(on_wait) = on_wait.take() {
                        on_wait();
                    }
                    sleep(PAUSE);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_share_it_do_not_wait_and_one_who_does_not_is_waited_for() {
        let path = tempfile::tempdir().unwrap();
        let folder = Folder::open(path.path()).unwrap();
        let take = |most| {
            let (mut waited, mut swept) = (false, false);
            let lock = Lock::acquire(&folder, most, || waited = true, || swept = true);
            (lock, waited, swept)
        };
        let (first, waited, swept) = take(Duration::ZERO);
        assert!(first.as_ref().unwrap().is_first && swept && !waited);
        let (second, waited, swept) = take(Duration::ZERO);
        assert!(!second.as_ref().unwrap().is_first && !swept && !waited);
        drop((first, second));
        let alone = File::open(path.path()).unwrap();
        alone.lock().unwrap();
        let (refused, waited, swept) = take(Duration::from_millis(150));
        assert!(matches!(refused, Err(LockError::Held)) && waited && !swept);
        let waits = Instant::now();
        let freed = std::thread::spawn(move || {
            while waits.elapsed() < Duration::from_millis(200) {
                std::thread::yield_now();
            }
            drop(alone);
        });
        let (had, waited, _) = take(Duration::from_secs(60));
        assert!(had.is_ok() && waited);
        freed.join().unwrap();
    }
}
