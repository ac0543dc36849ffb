use super::*;
use std::fs;
use std::os::unix::fs::symlink;

fn write(folder: &Folder, name: &str, content: &str) -> io::Result<()> {
    let (draft, mut file) = folder.draft()?;
    file.write_all(content.as_bytes())?;
    folder.persist(&draft, name)
}

fn names(path: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_gets_its_name_when_it_is_complete() {
    let path = tempfile::tempdir().unwrap();
    let folder = Folder::create(&path.path().join("new/one")).unwrap();
    let (draft, mut file) = folder.draft().unwrap();
    file.write_all(b"whole").unwrap();
    assert!(names(folder.path()).iter().all(|name| name.starts_with(PREFIX) && name.len() == PREFIX.len() + 32));
    folder.persist(&draft, "a.xml").unwrap();
    write(&folder, "a.xml", "anew").unwrap();
    assert_eq!((names(folder.path()), fs::read(folder.file("a.xml")).unwrap()), (vec!["a.xml".into()], b"anew".into()));
    replace(&folder.file("a.xml"), b"at once").unwrap();
    assert_eq!(fs::read(folder.file("a.xml")).unwrap(), b"at once");
}

#[test]
fn only_a_plain_file_is_replaced_or_read() {
    let path = tempfile::tempdir().unwrap();
    let folder = Folder::open(path.path()).unwrap();
    fs::write(path.path().join("precious"), "precious").unwrap();
    symlink("precious", folder.file("link")).unwrap();
    symlink("nowhere", folder.file("dangling")).unwrap();
    fs::create_dir(folder.file("directory")).unwrap();
    rustix::fs::mknodat(&folder.directory, "pipe", FileType::Fifo, Mode::RWXU, 0).unwrap();
    for (name, what) in
        [("link", "symbolic link"), ("dangling", "symbolic link"), ("directory", "directory"), ("pipe", "pipe")]
    {
        for refused in [
            write(&folder, name, "evil").unwrap_err(),
            folder.read(name).unwrap_err(),
            replace(&folder.file(name), b"evil").unwrap_err(),
        ] {
            assert!(refused.to_string().starts_with(&format!("a {what} is at this path")), "{name}: {refused}");
        }
        assert!(!folder.is_file(name) && !folder.is_free(name));
    }
    assert_eq!(fs::read(path.path().join("precious")).unwrap(), b"precious");
    assert_eq!(names(path.path()).len(), 5, "and no draft is left");
}

#[test]
fn a_draft_replaced_by_another_file_is_not_revealed() {
    let path = tempfile::tempdir().unwrap();
    let folder = Folder::open(path.path()).unwrap();
    let (draft, _file) = folder.draft().unwrap();
    fs::remove_file(folder.file(&draft.name)).unwrap();
    symlink("/etc/passwd", folder.file(&draft.name)).unwrap();
    folder.persist(&draft, "sitemap.xml").unwrap_err();
    assert!(names(path.path()).is_empty(), "nothing is published, and nothing is left");
}

#[test]
fn no_name_leads_out_of_the_directory() {
    let path = tempfile::tempdir().unwrap();
    let folder = Folder::open(path.path()).unwrap();
    for name in ["", ".", "..", "../a", "a/b", "/etc/passwd", "a\0b"] {
        assert!(write(&folder, name, "").is_err() && folder.read(name).is_err() && folder.remove(name).is_err());
    }
}

#[test]
fn only_the_drafts_of_killed_processes_are_swept() {
    let path = tempfile::tempdir().unwrap();
    let folder = Folder::open(path.path()).unwrap();
    fs::write(folder.file("kept"), "").unwrap();
    symlink("kept", folder.file(".mapwright-link")).unwrap();
    _ = folder.draft().unwrap();
    folder.remove_stale_temp_files();
    assert_eq!(names(path.path()), ["kept"]);
}

#[test]
fn a_directory_that_is_renamed_stays_the_one_that_was_opened() {
    let path = tempfile::tempdir().unwrap();
    let (before, after) = (path.path().join("before"), path.path().join("after"));
    let folder = Folder::create(&before).unwrap();
    fs::rename(&before, &after).unwrap();
    symlink("/nonexistent", &before).unwrap();
    write(&folder, "a", "a").unwrap();
    assert_eq!(fs::read(after.join("a")).unwrap(), b"a");
}
