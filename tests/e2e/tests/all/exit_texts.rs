//! The output of a command at each of its exit codes.
#![allow(clippy::expect_used, reason = "helpers fail the test by panicking; the lint knows test functions alone")]

use mapwright_e2e::{CommandOutput, Workspace, links};
use mapwright_testkit::{FakeSite, Response};

/// The output of commands on one site and in one workspace, one after another.
struct Transcript {
    workspace: Workspace,
    site: FakeSite,
    text: String,
}

impl Transcript {
    fn new() -> Transcript {
        Transcript { workspace: Workspace::new(), site: FakeSite::open(), text: String::new() }
    }

    /// A command on the site, with its record and its files in the workspace.
    #[track_caller]
    fn run(&mut self, name: &str, words: &[&str], code: i32) {
        let done = self.workspace.run(words).exited(code);
        self.add(name, &done);
    }

    #[track_caller]
    fn crawl(&mut self, name: &str, more: &[&str], code: i32) {
        let done = self.workspace.crawl(&self.site.url("/"), more).exited(code);
        self.add(name, &done);
    }

    /// Stops a crawl of `/held` by a signal.
    #[track_caller]
    fn stop(&mut self, name: &str, signal: impl Fn(&mut mapwright_e2e::RunningCrawl), code: i32) {
        self.site.page("/", links(&["held"])).stall("/held");
        let held = self.site.hits("/held");
        let mut crawl = self.workspace.start_crawl(&self.site.url("/"), &["--timeout", "2s"]);
        self.site.wait_for("/held", held + 1);
        signal(&mut crawl);
        let done = crawl.wait().exited(code).done;
        self.add(name, &done);
    }

    /// Adds what a command printed, without what differs from one time to the next.
    fn add(&mut self, name: &str, done: &CommandOutput) {
        let directory = self.workspace.folder().display().to_string();
        let shown = |text: &str| -> String {
            let text = text.replace(&directory, "DIR").replace(&self.site.base(), "http://SITE");
            text.lines().map(|line| format!("{}\n", untimed(line))).collect()
        };
        let (out, err) = (shown(&done.stdout), shown(&done.stderr));
        let code = done.code.expect("an exit code");
        self.text += &format!("== {code}: {name}\n{out}");
        if !err.is_empty() {
            self.text += &format!("-- standard error\n{err}");
        }
    }
}

/// A line without the time that a crawl took and the bytes that it received.
fn untimed(line: &str) -> String {
    let of_pages = line.contains("fetched in ").then(|| line.split_once(" in ").zip(line.split_once("), "))).flatten();
    of_pages.map_or_else(|| line.to_owned(), |((pages, _), (_, rest))| format!("{pages} in TIME (SIZE), {rest}"))
}

#[test]
fn each_exit_code_has_its_text() {
    let mut all = Transcript::new();
    all.site.page("/", links(&["a", "b", "missing"])).page("/a", "<title>A</title>").page("/b", "<title>B</title>");
    let (base, out) = (all.site.url("/"), all.workspace.out().display().to_string());
    all.crawl("a complete crawl", &[], 0);
    all.crawl("an unchanged site", &[], 0);
    all.crawl("--max-urls", &["--max-urls", "2", "--shrink-guard", "0"], 0);
    let faulty = all.workspace.file("faulty.xml", "<urlset><url><loc>/relative</loc></url></urlset>");
    all.run("a sitemap with a fault", &["sitemap", "check", &faulty], 1);
    all.run("no start URL", &["crawl"], 2);
    all.run("an invalid value", &["crawl", &base, "--concurrency", "0"], 2);
    all.run("no record", &["explain", &base, "--state", "none"], 2);
    all.run("an audit with a rule", &["audit", &base, "--out", &out, "--fail-on", "error"], 10);
    all.site.stall("/b");
    all.crawl("a crawl that was cut", &["--max-time", "3s"], 4);
    all.site.page("/", "<meta name=robots content=noindex>");
    all.crawl("no URL to list", &[], 5);
    all.site.page("/", "<title>Alone</title>");
    all.crawl("the shrink guard", &["--shrink-guard", "10"], 5);
    all.crawl("the shrink guard, quietly", &["--shrink-guard", "10", "--quiet"], 5);
    let file = all.workspace.file("a-file", "");
    all.run("a file in place of the directory", &["crawl", &base, "--out", &file], 5);
    all.site.answer("/", Response::new(500));
    all.crawl("a site that fails", &["--retries", "0"], 3);
    all.stop("SIGINT", |crawl| crawl.process().interrupt(), 130);
    all.stop("SIGTERM", |crawl| crawl.process().terminate(), 143);
    insta::assert_snapshot!(all.text);
}
