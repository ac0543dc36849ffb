//! The limit of open files: each connection is one.

use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

/// Returns the message, with a hint, for a system error number that says that no more files may be open.
pub(crate) fn out_of_files(error: i32) -> Option<String> {
    match error {
        _ if error == Errno::MFILE.raw_os_error() => {
            let limit = getrlimit(Resource::Nofile).current.map_or("none".to_owned(), |limit| limit.to_string());
            Some(format!(
                "this process may open no more files (EMFILE, limit {limit}); raise the limit by `ulimit -n`, or by \
                 LimitNOFILE= of its systemd unit"
            ))
        }
        _ if error == Errno::NFILE.raw_os_error() => {
            Some("this machine may open no more files (ENFILE); raise its limit, fs.file-max".to_owned())
        }
        _ => None,
    }
}

/// Returns that message for a text in which the standard library reports a system error.
#[must_use]
pub fn out_of_files_in(text: &str) -> Option<String> {
    let errors = [Errno::MFILE, Errno::NFILE].map(Errno::raw_os_error);
    errors.into_iter().find(|error| text.contains(&format!("(os error {error})"))).and_then(out_of_files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_reported_with_a_hint_to_raise_it() {
        let reported = out_of_files(24).unwrap();
        assert!(
            reported.contains("EMFILE, limit ") && reported.contains("ulimit -n") && reported.contains("LimitNOFILE="),
            "{reported}"
        );
        assert!(out_of_files(23).is_some_and(|reported| reported.contains("fs.file-max")));
        assert_eq!(out_of_files(111), None);
        let of = |error| out_of_files_in(&std::io::Error::from_raw_os_error(error).to_string());
        assert!(of(24).is_some_and(|reported| reported.contains("EMFILE")) && of(23).is_some());
        assert!(of(2).is_none() && out_of_files_in("it is full").is_none());
    }
}
