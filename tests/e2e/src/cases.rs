//! A site made of many small cases, crawled once.

use std::collections::{BTreeMap, BTreeSet};

use mapwright_testkit::FakeSite;

use crate::case::{Case, document, links};
use crate::{Crawl, Crawled, Exclusion};

/// A site made of small cases. Its home page links to the entry page of each; one crawl must then list exactly what
/// the cases say. A failure names the cases that failed.
#[derive(Debug)]
pub struct Cases {
    site: FakeSite,
    base: String,
    cases: Vec<Case>,
}

impl Cases {
    /// A site without cases, on a free loopback port.
    pub fn open() -> Cases {
        Cases::on(FakeSite::open())
    }

    /// Adds cases to this site.
    pub fn on(site: FakeSite) -> Cases {
        let base = site.base();
        Cases { site, base, cases: Vec::new() }
    }

    /// A site without cases under this host name (see [`Crawl::hosts`]).
    pub fn named(host: &str) -> Cases {
        let site = FakeSite::open();
        let base = format!("http://{host}:{}", site.port());
        Cases { site, base, cases: Vec::new() }
    }

    /// The site, for files outside all cases, such as robots.txt.
    pub fn site(&self) -> &FakeSite {
        &self.site
    }

    /// The URL of the site without a slash at its end.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Adds a case of this name.
    pub fn case(&mut self, name: &str) -> &mut Case {
        let folder = format!("/case{}/", self.cases.len());
        self.cases.push(Case::new(name, self.base.clone(), folder));
        self.cases.last_mut().expect("the case just added")
    }

    /// A crawl of the site from its home page.
    pub fn crawl(&self) -> Crawl {
        Crawl::from(&[format!("{}/", self.base)])
    }

    /// Crawls the site and checks every case.
    #[track_caller]
    pub fn check(&self) -> Crawled {
        self.check_with(self.crawl())
    }

    /// Runs this crawl and checks every case.
    #[track_caller]
    pub fn check_with(&self, crawl: Crawl) -> Crawled {
        self.serve();
        let crawled = crawl.run().exited(0);
        let seen = Seen { listed: crawled.listed(), excluded: crawled.excluded(), known: crawled.known() };
        let mut wrong: Vec<String> = self.cases.iter().flat_map(|case| self.judge(case, &seen)).collect();
        wrong.extend(self.strays(&seen).map(|url| format!("no case, but listed: {url}")));
        assert!(wrong.is_empty(), "{} wrong:\n{}\n{}", wrong.len(), wrong.join("\n"), crawled.stderr());
        crawled.assert_accounts_for_all();
        crawled
    }

    /// Sets the answers of the home page and of the pages of all cases.
    pub fn serve(&self) {
        let entries: Vec<&str> =
            self.cases.iter().filter(|case| case.linked).map(|case| case.folder.as_str()).collect();
        self.site.page("/", document("/", "", &links(&entries)));
        for (path, answer) in self.cases.iter().flat_map(Case::answers) {
            self.site.answer(&path, answer);
        }
    }

    fn judge(&self, case: &Case, seen: &Seen) -> Vec<String> {
        let expected = expected(case);
        let prefix = case.url("");
        let owned = |url: &&String| url.starts_with(&prefix) || expected.contains(*url);
        let listed: BTreeSet<String> = seen.listed.iter().filter(owned).cloned().collect();
        let mut wrong = Vec::new();
        let mut report = |what: &str, url: &str, more: String| {
            wrong.push(format!("case `{}`: {what} {url}{more}", case.name));
        };
        for url in expected.difference(&listed) {
            report("lacks", url, seen.whereabouts(url));
        }
        for url in listed.difference(&expected) {
            report("lists without reason", url, String::new());
        }
        for (name, reason) in &case.excluded {
            let url = case.url(name);
            if seen.excluded.get(&url).is_none_or(|exclusion| exclusion.reason != *reason) {
                report(&format!("expects `{reason}` for"), &url, seen.whereabouts(&url));
            }
        }
        for name in &case.unknown {
            let url = case.url(name);
            if seen.known.contains(&url) || self.site.hits(&case.path(name)) > 0 {
                report("must not know", &url, seen.whereabouts(&url));
            }
        }
        for name in case.not_requested.iter().filter(|name| self.site.hits(&case.path(name)) > 0) {
            report("must not request", &case.url(name), String::new());
        }
        wrong
    }

    /// The listed URLs that belong to no case, except the home page.
    fn strays<'a>(&'a self, seen: &'a Seen) -> impl Iterator<Item = &'a String> {
        let mut expected: BTreeSet<String> = self.cases.iter().flat_map(expected).collect();
        expected.insert(format!("{}/", self.base));
        let prefixes: Vec<String> = self.cases.iter().map(|case| case.url("")).collect();
        let owned = move |url: &String| expected.contains(url) || prefixes.iter().any(|prefix| url.starts_with(prefix));
        seen.listed.iter().filter(move |url| !owned(url))
    }
}

/// The URLs that a case expects in the sitemap.
fn expected(case: &Case) -> BTreeSet<String> {
    let entry = case.lists_entry().then(|| case.url(""));
    case.listed.iter().map(|name| case.url(name)).chain(entry).collect()
}

/// The results of a crawl.
struct Seen {
    listed: BTreeSet<String>,
    excluded: BTreeMap<String, Exclusion>,
    known: BTreeSet<String>,
}

impl Seen {
    /// The actual status of a URL, for failure messages.
    fn whereabouts(&self, url: &str) -> String {
        if self.listed.contains(url) {
            return " (listed)".to_owned();
        }
        match self.excluded.get(url) {
            Some(exclusion) => format!(" (excluded: {})", exclusion.reason),
            None if self.known.contains(url) => " (known, not excluded)".to_owned(),
            None => " (unknown)".to_owned(),
        }
    }
}
