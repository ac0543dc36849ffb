use super::*;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const TEXT: &str =
    "# Ours.\n[job.shop]\nurl = [\"https://shop.example/\"] # the shop\n\n[job.shop.fetch]\nauth = \"me:pass\"\n";

struct Case {
    folder: tempfile::TempDir,
    applied: Arc<AtomicUsize>,
    file: JobsFile,
}

/// A file in a directory of its own; a text with the word `refused` is refused.
fn case() -> Case {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mapwright.toml");
    std::fs::write(&path, TEXT).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    let applied = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&applied);
    let check = |text: &str| if text.contains("refused") { Err("it is refused".to_owned()) } else { Ok(()) };
    let apply = move || {
        counted.fetch_add(1, Ordering::SeqCst);
        Ok(())
    };
    let file = JobsFile::new(path.to_str().unwrap(), check, apply);
    Case { folder, applied, file }
}

impl Case {
    fn text(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("mapwright.toml")).unwrap()
    }

    fn applied(&self) -> usize {
        self.applied.load(Ordering::SeqCst)
    }
}

fn depth(value: &str) -> JobChange {
    JobChange::Set([("crawl.max-depth".to_owned(), vec![value.to_owned()])].into())
}

#[test]
fn a_change_is_shown_before_it_is_made() {
    let case = case();
    let table = case.file.table("shop").unwrap();
    assert_eq!(table.read_only, None);
    assert_eq!(table.settings["fetch.auth"], ["(secret)"]);
    let shown = case.file.preview("shop", &depth("3"), Some(&table.revision)).unwrap();
    assert!(
        shown.diff.contains("+[job.shop.crawl]\n+max-depth = 3\n") && !shown.diff.contains("pass"),
        "{}",
        shown.diff
    );
    assert_eq!((case.text().as_str(), case.applied()), (TEXT, 0));
    let saved = case.file.save("shop", &depth("3"), Some(&table.revision)).unwrap();
    assert_eq!((&saved.diff, saved.changed == shown.changed), (&shown.diff, true));
    assert_eq!(saved.revision, case.file.table("shop").unwrap().revision);
    assert_eq!(saved.changed, ["crawl.max-depth"]);
    assert_eq!(case.text(), format!("{TEXT}\n[job.shop.crawl]\nmax-depth = 3\n"));
    assert_eq!(case.applied(), 1);
}

#[test]
fn a_secret_that_changes_is_named_and_not_shown() {
    let case = case();
    let change = JobChange::Set([("fetch.auth".to_owned(), vec!["me:another".to_owned()])].into());
    let edit = case.file.save("shop", &change, None).unwrap();
    assert_eq!((edit.changed, edit.diff.as_str()), (vec!["fetch.auth".to_owned()], ""));
    assert!(case.text().contains("me:another") && case.applied() == 1);
}

#[test]
fn the_file_keeps_its_permissions_and_leaves_no_draft() {
    let case = case();
    case.file.save("shop", &depth("3"), None).unwrap();
    let mode = case.folder.path().join("mapwright.toml").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(std::fs::read_dir(case.folder.path()).unwrap().count(), 1);
}

#[test]
fn a_change_of_an_older_file_is_refused() {
    let case = case();
    let before = case.file.table("shop").unwrap().revision;
    case.file.save("shop", &depth("3"), Some(&before)).unwrap();
    assert_eq!(case.file.save("shop", &depth("4"), Some(&before)), Err(EditError::Stale));
    assert_eq!(case.applied(), 1);
}

#[test]
fn what_the_service_would_refuse_is_not_written() {
    let case = case();
    let change = JobChange::Set([("job.cron".to_owned(), vec!["refused".to_owned()])].into());
    assert_eq!(case.file.save("shop", &change, None), Err(EditError::Invalid("it is refused".to_owned())));
    assert!(matches!(case.file.save("blog", &depth("3"), None), Err(EditError::Invalid(_))));
    assert_eq!((case.text().as_str(), case.applied()), (TEXT, 0));
}

#[test]
fn a_link_to_the_file_stays_a_link() {
    let case = case();
    let link = case.folder.path().join("link.toml");
    std::os::unix::fs::symlink("mapwright.toml", &link).unwrap();
    let file = JobsFile::new(link.to_str().unwrap(), |_| Ok(()), || Ok(()));
    file.save("shop", &depth("3"), None).unwrap();
    assert!(link.is_symlink() && case.text().contains("max-depth = 3"));
}

#[test]
fn a_directory_in_the_way_is_said_in_one_line() {
    let case = case();
    let file = JobsFile::new(case.folder.path().to_str().unwrap(), |_| Ok(()), || Ok(()));
    let error = file.table("shop").unwrap_err().to_string();
    assert!(error.contains("cannot be read") && !error.contains('\n'), "{error}");
}

#[test]
fn a_file_that_cannot_be_replaced_is_said_before_and_when_it_is_saved() {
    let file = JobsFile::new("/dev/null", |_| Ok(()), || Ok(()));
    assert!(file.table("shop").unwrap().read_only.unwrap().contains("/dev/null is read-only"));
    let made = JobChange::Make { copy_of: None, values: ShownValues::new() };
    assert!(matches!(file.save("shop", &made, None), Err(EditError::ReadOnly(_))));
}

#[test]
fn a_file_that_is_too_large_is_not_cut() {
    let case = case();
    let large = format!("{TEXT}#{}\n", "x".repeat(usize::try_from(MAX_CONFIG_BYTES).unwrap()));
    std::fs::write(case.folder.path().join("mapwright.toml"), &large).unwrap();
    assert!(matches!(case.file.save("shop", &JobChange::Remove, None), Err(EditError::Failed(_))));
    assert!(case.text() == large && case.applied() == 0);
}

#[test]
fn a_change_that_changes_nothing_is_not_applied() {
    let case = case();
    let table = case.file.table("shop").unwrap();
    let edit = case.file.save("shop", &JobChange::Set(table.settings), None).unwrap();
    assert_eq!((edit.diff.as_str(), case.applied()), ("", 0));
}
