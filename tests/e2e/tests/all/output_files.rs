//! Foreign objects in the output directory: planted links, files of other programs and of other sites, and a lock that
//! another process holds.
#![allow(clippy::unwrap_used, reason = "helpers fail the test by panicking; the lint knows test functions alone")]

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use mapwright_e2e::{document, links, CommandOutput, Workspace};
use mapwright_testkit::FakeSite;

const PRECIOUS: &str = "precious data";

/// A site whose sitemap has several parts at twenty URLs per file.
fn site() -> FakeSite {
    let site = FakeSite::open();
    let names: Vec<String> = (0..60).map(|n| format!("/{n}")).collect();
    site.page("/", links(&names.iter().map(String::as_str).collect::<Vec<_>>()));
    names.iter().for_each(|name| _ = site.page(name, document(name, "", &format!("page {name}"))));
    site
}

/// A workspace with an output directory, and a file beside it.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    fs::create_dir_all(workspace.out()).unwrap();
    workspace.file("precious", PRECIOUS);
    workspace
}

#[track_caller]
fn assert_precious_is_complete(workspace: &Workspace) {
    assert_eq!(fs::read_to_string(workspace.path("precious")).unwrap(), PRECIOUS);
}

/// Asserts that the run reports one line with these words, and made no request.
#[track_caller]
fn assert_refused(run: &CommandOutput, site: &FakeSite, words: &[&str]) {
    let line = run.only_line();
    words.iter().for_each(|word| assert!(line.contains(word), "{word}: {line}"));
    assert_eq!(site.requests().len(), 0, "before the first request");
}

#[test]
fn links_under_the_names_of_temporary_files_are_neither_followed_nor_published() {
    let (workspace, site) = (workspace(), site());
    // A shared lock keeps the crawl from removing the links as stale temporary files.
    let lock = File::open(workspace.out()).unwrap();
    lock.lock_shared().unwrap();
    // The shell execs mapwright, so it knows its process id.
    let plant = "for name in probe sitemap.xml sitemap-1.xml.gz sitemap-2.xml.gz; do ln -s ../precious \"$0/.mapwright-$$-$name\"; done; exec \"$@\"";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", plant]).arg(workspace.out()).arg(mapwright_e2e::binary::path()).args(["crawl", &site.url("/")]);
    command
        .args(["--max-urls-per-file", "20", "--no-progress", "--out"])
        .arg(workspace.out())
        .arg("--state")
        .arg(workspace.state());
    assert!(command.output().unwrap().status.success());
    assert_precious_is_complete(&workspace);
    let published = fs::read_dir(workspace.out()).unwrap().map(|entry| entry.unwrap().path());
    let published: Vec<_> = published.filter(|path| !name_of(path).starts_with('.')).collect();
    assert!(published.len() >= 4 && published.iter().all(|path| !path.is_symlink()), "{published:?}");
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn links_that_replace_temporary_files_during_writing_are_not_published() {
    let (workspace, site, done) = (workspace(), site(), AtomicBool::new(false));
    let (out, done) = (workspace.out(), &done);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while !done.load(Ordering::Relaxed) {
                let drafts = fs::read_dir(&out).unwrap().flatten().map(|entry| entry.path());
                for draft in drafts.filter(|path| name_of(path).starts_with('.') && !path.is_symlink()) {
                    if fs::remove_file(&draft).is_ok() {
                        drop(symlink("../precious", &draft));
                    }
                }
            }
        });
        for _ in 0..10 {
            _ = workspace.crawl(&site.url("/"), &["--max-urls-per-file", "20"]);
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_precious_is_complete(&workspace);
    let published = fs::read_dir(workspace.out()).unwrap().map(|entry| entry.unwrap().path());
    let linked: Vec<_> = published.filter(|path| path.is_symlink() && !name_of(path).starts_with('.')).collect();
    assert!(linked.is_empty(), "{linked:?}");
}

#[test]
fn links_and_directories_are_not_replaced() {
    let link: fn(&Path) = |path| symlink("../precious", path).unwrap();
    let directory: fn(&Path) = |path| fs::create_dir(path).unwrap();
    for (kind, place) in [("a symbolic link", link), ("a directory", directory)] {
        for (command, name) in [("crawl", "sitemap.xml"), ("audit", "report.html"), ("audit", "report.json")] {
            let (workspace, site) = (workspace(), site());
            place(&workspace.out().join(name));
            let out = workspace.out();
            for more in [&[][..], &["--replace"]] {
                let url = site.url("/");
                let words = [command, &url, "--out", out.to_str().unwrap()];
                let run = workspace.run(&[&words[..], more].concat()).exited(5);
                assert_refused(&run, &site, &[name, kind, "is at this path"]);
            }
            assert_precious_is_complete(&workspace);
        }
    }
}

#[test]
fn a_lock_of_another_process_is_awaited_and_reported_and_then_an_error() {
    let (workspace, site) = (workspace(), site());
    let lock = File::open(workspace.out()).unwrap();
    lock.lock().unwrap();
    let run = workspace.crawl(&site.url("/"), &[]).exited(5);
    let said = run.said();
    assert!(said.contains("waiting for another process that holds a lock on"), "{said}");
    assert!(said.contains("another process holds a lock on the directory"), "{said}");
    drop(lock);
    workspace.crawl_well(&site.url("/"), &[]);
}

#[test]
fn a_sitemap_of_another_program_is_replaced_only_on_request() {
    let (workspace, site) = (workspace(), site());
    let theirs = format!(
        "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{}</loc></url></urlset>",
        site.url("/")
    );
    let at = workspace.out().join("sitemap.xml");
    fs::write(&at, &theirs).unwrap();
    let run = workspace.crawl(&site.url("/"), &[]).exited(5);
    assert_refused(&run, &site, &["sitemap.xml", "mapwright did not write this file", "--replace"]);
    assert_eq!(fs::read_to_string(&at).unwrap(), theirs);
    workspace.crawl_well(&site.url("/"), &["--replace", "--shrink-guard", "0"]);
    assert_eq!(workspace.listed().len(), 61);
    workspace.crawl_well(&site.url("/"), &[]);
}

#[test]
fn the_sitemap_of_another_site_stays_and_that_of_this_site_is_updated_without_its_record() {
    let (workspace, one, other) = (workspace(), site(), site());
    for parted in [&["--max-urls-per-file", "20"][..], &["--shrink-guard", "0"]] {
        workspace.crawl_well(&one.url("/"), parted);
        // Without the record, the set is recognised by its format and its entries.
        fs::remove_dir_all(workspace.state()).unwrap();
        workspace.crawl_well(&one.url("/"), parted);
        let state = workspace.path("other");
        let out = workspace.out();
        let words = ["crawl", &other.url("/"), "--out", out.to_str().unwrap(), "--state", state.to_str().unwrap()];
        let run = workspace.run(&words).exited(5);
        assert_refused(&run, &other, &["sitemap.xml", "for this site", "--replace"]);
        workspace.crawl_well(&one.url("/"), parted);
        fs::remove_dir_all(workspace.state()).unwrap();
    }
}

#[test]
fn reports_of_another_program_or_site_stay() {
    let (workspace, one, other) = (workspace(), site(), site());
    let out = workspace.out();
    let audit = |site: &FakeSite, state: &str, more: &[&str]| {
        let (state, url) = (workspace.path(state), site.url("/"));
        let words = ["audit", &url, "--out", out.to_str().unwrap(), "--state", state.to_str().unwrap()];
        workspace.run(&[&words[..], more].concat())
    };
    fs::write(out.join("report.html"), "<h1>Our annual report</h1>").unwrap();
    assert_refused(&audit(&one, "one", &[]).exited(5), &one, &["report.html", "--replace"]);
    audit(&one, "one", &["--replace"]).exited(0);
    audit(&one, "one", &[]).exited(0);
    assert_refused(&audit(&other, "two", &[]).exited(5), &other, &["report.json", "for this site"]);
}

#[test]
fn the_record_of_another_site_is_refused() {
    let (workspace, one, other) = (workspace(), site(), site());
    workspace.crawl_well(&one.url("/"), &[]);
    let (out, state) = (workspace.path("elsewhere"), workspace.state());
    for command in ["crawl", "audit"] {
        let words = [command, &other.url("/"), "--out", out.to_str().unwrap(), "--state", state.to_str().unwrap()];
        let run = workspace.run(&words).exited(2);
        assert_refused(&run, &other, &["the record is of another site", "--state"]);
    }
    workspace.crawl_well(&one.url("/"), &[]);
}

#[test]
fn a_baseline_is_written_through_no_link() {
    let (workspace, site) = (workspace(), site());
    let link = workspace.path("baseline.json");
    symlink(workspace.path("precious"), &link).unwrap();
    let out = workspace.out();
    let url = site.url("/");
    let words = ["audit", &url, "--out", out.to_str().unwrap(), "--write-baseline", link.to_str().unwrap()];
    let run = workspace.run(&words).exited(5);
    assert!(run.said().contains("a symbolic link is at this path"), "{}", run.said());
    assert_precious_is_complete(&workspace);
}

#[test]
fn a_parent_directory_may_be_traversable_but_unreadable() {
    let (workspace, site) = (Workspace::new(), site());
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let (hidden, state) = (workspace.path("hidden"), workspace.path("state"));
    let out = hidden.join("www");
    fs::create_dir_all(&out).unwrap();
    fs::create_dir_all(&state).unwrap();
    for (path, to) in [(&workspace.path(), 0o755), (&out, 0o777), (&state, 0o777), (&hidden, 0o311)] {
        mode(path, to);
    }
    // Root can read everything, so root runs the command as the user nobody.
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", "--"];
    let mut command = match fs::read_dir(&hidden) {
        Ok(_) => std::process::Command::new("setpriv"),
        Err(_) => std::process::Command::new("env"),
    };
    if command.get_program() == "setpriv" {
        command.args(nobody);
    }
    // The user nobody may have no access to the repository.
    let program = workspace.path("program");
    fs::copy(mapwright_e2e::binary::path(), &program).unwrap();
    command.arg(program).args(["crawl", &site.url("/"), "--no-progress", "--out"]).arg(&out);
    let run = command.arg("--state").arg(&state).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    mode(&hidden, 0o755);
    assert!(out.join("sitemap.xml").is_file());
}

/// `sudo -u` in a directory of root leads to such a working directory.
#[test]
fn a_working_directory_that_may_not_be_entered_is_not_needed() {
    let site = site();
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("closed")).unwrap();
    fs::set_permissions(at("closed"), fs::Permissions::from_mode(0o777)).unwrap();
    fs::copy(mapwright_e2e::binary::path(), at("mapwright")).unwrap();
    let inside = "cd \"$0/closed\" && umask 077 && mkdir own && cd own && chmod 0 . && exec \"$0/mapwright\" \"$@\"";
    // Root can enter everything, so root runs the command as the user nobody.
    let is_root = fs::metadata(folder.path()).is_ok_and(|about| std::os::unix::fs::MetadataExt::uid(&about) == 0);
    let mut command = std::process::Command::new(if is_root { "setpriv" } else { "env" });
    command.args(if is_root { &["--reuid=65534", "--regid=65534", "--clear-groups"][..] } else { &[] });
    command.args(["sh", "-c", inside]).arg(folder.path()).args(["crawl", &site.url("/"), "--no-progress", "--out"]);
    command.arg(at("out")).arg("--state").arg(at("state")).env("HOME", folder.path());
    let done = command.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(mapwright_testkit::listed(&at("out")).len(), 61);
}

/// Creates a named pipe.
#[track_caller]
fn pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Opening such a pipe would block forever, and following such a link would write a record elsewhere.
#[test]
fn pipes_and_links_where_a_record_is_to_be_are_refused() {
    for name in ["record.sqlite", "lock", "record.sqlite-wal", "record.sqlite-journal"] {
        for is_pipe in [true, false] {
            let (workspace, site) = (workspace(), site());
            fs::create_dir_all(workspace.state()).unwrap();
            let (at, elsewhere) = (workspace.state().join(name), workspace.path("elsewhere"));
            fs::write(&elsewhere, "").unwrap();
            if is_pipe {
                pipe(&at)
            } else {
                symlink(&elsewhere, &at).unwrap()
            }
            let kind = if is_pipe { "a pipe is at this path" } else { "a symbolic link is at this path" };
            let (url, out, state) =
                (site.url("/"), workspace.out().display().to_string(), workspace.state().display().to_string());
            let run = workspace.run(&["crawl", &url, "--out", &out, "--state", &state, "--no-progress"]).exited(2);
            assert_refused(&run, &site, &[name, kind]);
            assert_eq!(fs::read(&elsewhere).unwrap(), b"", "nothing is written through it");
            if name == "record.sqlite" {
                let run = workspace.run(&["runs", "--state", &state]).exited(2);
                assert!(run.only_line().contains(kind), "{}", run.only_line());
            }
        }
    }
}

#[test]
fn a_pipe_where_the_database_of_the_service_is_to_be_is_refused() {
    for name in ["service.sqlite", "service.lock"] {
        let workspace = mapwright_e2e::service::Workspace::of_service("[job.shop]\nurl = [\"http://127.0.0.1:9/\"]\n");
        fs::create_dir_all(workspace.path("root")).unwrap();
        pipe(&workspace.path("root").join(name));
        let words = ["serve", "--listen", "127.0.0.1:0", "--state-root", "root"];
        let reported = mapwright_e2e::Command::new(words).within(&workspace).run().exited(2).stderr;
        assert!(reported.contains(name) && reported.contains("a pipe is at this path"), "{reported}");
    }
}
