//! The builder of a labelled site.

use std::ffi::OsString;

use tempfile::TempDir;

use super::entries::{LONG_AGO, dated};
use super::label::{Label, LabelSubject, LookAlike};
use super::not_found_page::not_found_page;
use super::page::{Page, link};
use super::site::LabelledSite;
use crate::answer::ServerAction;
use crate::request::ReceivedRequest;
use crate::response::Response;
use crate::site::FakeSite;

/// A robots.txt that permits everything.
const OPEN: &str = "User-agent: *\nDisallow:\n";

/// A site without faults, to which a test adds its own: a home page and a hub that link to every page, one sitemap that
/// lists them, and a robots.txt that names the sitemap.
#[derive(Debug)]
pub(super) struct SiteBuilder {
    pub(super) site: LabelledSite,
    pub(super) home: Page,
    pub(super) hub: Page,
    /// The links of the home page and the hub: the reference, and further attributes of the link.
    references: Vec<(String, &'static str)>,
    listed: Vec<String>,
    rules: String,
    /// The robots.txt that replaces the rules and sitemaps.
    robots: Option<Response>,
    /// The sitemaps that robots.txt names.
    pub(super) named: Vec<String>,
}

impl SiteBuilder {
    pub(super) fn new(name: &'static str, about: &[&'static str]) -> SiteBuilder {
        let site = FakeSite::open();
        let base = site.base();
        SiteBuilder::begin(site, base, name, about)
    }

    /// Starts a site at this directory, which is its scope.
    pub(super) fn below(root: &'static str, name: &'static str, about: &[&'static str]) -> SiteBuilder {
        let mut draft = SiteBuilder::new(name, about);
        draft.site.root = root;
        draft.home = Page::at(root);
        draft.hub = Page::at(&format!("{root}hub"));
        draft
    }

    /// Starts a site with a host name that `--resolve` maps to loopback, with all hosts of its domain in scope.
    pub(super) fn on_host(host: &str, name: &'static str, about: &[&'static str]) -> SiteBuilder {
        let site = FakeSite::open();
        let base = format!("http://{host}:{}", site.port());
        let mut draft = SiteBuilder::begin(site, base, name, about);
        let port = draft.site.site.port();
        draft.arguments(&["--scope", "domain"]).resolve(host, port);
        draft
    }

    fn begin(site: FakeSite, base: String, name: &'static str, about: &[&'static str]) -> SiteBuilder {
        site.answer("/*", Response::html(not_found_page("/")).status(404));
        let site = LabelledSite {
            name,
            site,
            base,
            root: "/",
            arguments: Vec::new(),
            about: about.to_vec(),
            labels: Vec::new(),
            look_alikes: Vec::new(),
            runs: 1,
            turn: |_, _| {},
            folder: TempDir::new().expect("a folder for the site's files"),
            others: Vec::new(),
            closed: Vec::new(),
        };
        SiteBuilder {
            site,
            home: Page::at("/"),
            hub: Page::at("/hub"),
            references: Vec::new(),
            listed: Vec::new(),
            rules: OPEN.to_owned(),
            robots: None,
            named: vec!["/sitemap.xml".to_owned()],
        }
    }

    pub(super) fn url(&self, path: &str) -> String {
        self.site.url(path)
    }

    // ---- the served content

    /// A page without a fault.
    pub(super) fn page(&mut self, path: &str) -> &mut SiteBuilder {
        self.put(Page::at(path))
    }

    pub(super) fn pages(&mut self, paths: &[&str]) -> &mut SiteBuilder {
        for path in paths {
            self.page(path);
        }
        self
    }

    /// Adds this many pages without a fault, so that the faulty ones are few.
    pub(super) fn plain(&mut self, count: usize) -> &mut SiteBuilder {
        let root = self.site.root;
        for number in 1..=count {
            self.page(&format!("{root}plain/{number}"));
        }
        self
    }

    pub(super) fn put(&mut self, page: Page) -> &mut SiteBuilder {
        self.site.site.answer(&page.path, page.response(&self.site.base, self.site.root));
        if page.linked {
            self.link(&page.path);
        }
        if page.listed {
            self.list(&page.path);
        }
        self
    }

    /// Serves this answer, and links to it.
    pub(super) fn answer(&mut self, path: &str, answer: impl Into<ServerAction>) -> &mut SiteBuilder {
        self.unlinked_answer(path, answer).link(path)
    }

    pub(super) fn unlinked_answer(&mut self, path: &str, answer: impl Into<ServerAction>) -> &mut SiteBuilder {
        self.site.site.answer(path, answer);
        self
    }

    /// Serves this answer once, and then a page without a fault.
    pub(super) fn first(&mut self, path: &str, answer: impl Into<ServerAction>) -> &mut SiteBuilder {
        self.site.site.first_n(path, 1, answer);
        self.page(path)
    }

    pub(super) fn handler<A: Into<ServerAction>>(
        &mut self,
        path: &str,
        handler: impl Fn(&ReceivedRequest) -> A + Send + Sync + 'static,
    ) -> &mut SiteBuilder {
        self.site.site.handler(path, handler);
        self
    }

    /// Redirects to a path or URL, and links to the redirecting path.
    pub(super) fn redirect(&mut self, from: &str, to: &str, status: u16) -> &mut SiteBuilder {
        self.answer(from, Response::redirect(status, to))
    }

    /// Links from the home page and the hub.
    pub(super) fn link(&mut self, reference: &str) -> &mut SiteBuilder {
        self.link_with(reference, "")
    }

    /// Links like [`SiteBuilder::link`], with further attributes.
    pub(super) fn link_with(&mut self, reference: &str, attributes: &'static str) -> &mut SiteBuilder {
        self.references.push((reference.to_owned(), attributes));
        self
    }

    /// Lists a path in the sitemap.
    pub(super) fn list(&mut self, path: &str) -> &mut SiteBuilder {
        self.listed.push(path.to_owned());
        self
    }

    /// Sets the groups of robots.txt.
    pub(super) fn rules(&mut self, rules: &str) -> &mut SiteBuilder {
        rules.clone_into(&mut self.rules);
        self
    }

    /// Serves this response as robots.txt.
    pub(super) fn robots(&mut self, answer: Response) -> &mut SiteBuilder {
        self.robots = Some(answer);
        self
    }

    /// Serves exactly this sitemap, and names it in robots.txt.
    pub(super) fn sitemap(&mut self, path: &str, xml: impl Into<Vec<u8>>) -> &mut SiteBuilder {
        self.site.site.answer(path, Response::xml(xml));
        self.named.push(path.to_owned());
        self
    }

    // ---- the arguments of the audit

    pub(super) fn arguments(&mut self, words: &[&str]) -> &mut SiteBuilder {
        self.site.arguments.extend(words.iter().map(OsString::from));
        self
    }

    /// Passes a file to the audit.
    pub(super) fn file(&mut self, flag: &str, content: &str) -> &mut SiteBuilder {
        let path = self.site.folder.path().join(flag.trim_start_matches('-'));
        std::fs::write(&path, content).expect("a file of the site");
        self.site.arguments.extend([OsString::from(flag), path.into_os_string()]);
        self
    }

    /// Maps a host name to loopback.
    pub(super) fn resolve(&mut self, host: &str, port: u16) -> &mut SiteBuilder {
        self.arguments(&["--resolve", &format!("{host}:{port}:127.0.0.1")])
    }

    // ---- the labels

    /// Expects this finding on a path or URL.
    pub(super) fn expect_code(&mut self, code: &'static str, path: &str) -> &mut SiteBuilder {
        let subject = self.site.subject(path);
        self.has_any(code, vec![subject])
    }

    /// Expects this finding on each of these paths.
    pub(super) fn all_have(&mut self, code: &'static str, paths: &[&str]) -> &mut SiteBuilder {
        for path in paths {
            self.expect_code(code, path);
        }
        self
    }

    /// Expects a finding that groups these paths.
    pub(super) fn has_group(&mut self, code: &'static str, paths: &[&str]) -> &mut SiteBuilder {
        let group = self.site.group(paths);
        self.has_any(code, vec![group])
    }

    /// Expects this finding on the entire site.
    pub(super) fn site_has(&mut self, code: &'static str) -> &mut SiteBuilder {
        self.has_any(code, vec![LabelSubject::Site])
    }

    /// Expects this finding on one of these subjects, each of which the definition of the code allows.
    pub(super) fn has_any(&mut self, code: &'static str, accepted: Vec<LabelSubject>) -> &mut SiteBuilder {
        self.site.labels.push(Label { code, accepted });
        self
    }

    /// Names a path or URL that only seems to have the fault.
    pub(super) fn expect_not(&mut self, code: &'static str, path: &str, why: &'static str) -> &mut SiteBuilder {
        let subject = self.site.subject(path);
        self.false_positive(code, subject, why)
    }

    /// Names paths that only seem to be duplicates.
    pub(super) fn unlike_group(&mut self, code: &'static str, paths: &[&str], why: &'static str) -> &mut SiteBuilder {
        let group = self.site.group(paths);
        self.false_positive(code, group, why)
    }

    /// Declares that the site only seems to have the fault.
    pub(super) fn site_unlike(&mut self, code: &'static str, why: &'static str) -> &mut SiteBuilder {
        self.false_positive(code, LabelSubject::Site, why)
    }

    pub(super) fn false_positive(
        &mut self,
        code: &'static str,
        subject: LabelSubject,
        why: &'static str,
    ) -> &mut SiteBuilder {
        self.site.look_alikes.push(LookAlike { code, subject, why });
        self
    }

    // ---- the end

    /// Serves the common parts of every site, and returns the site.
    pub(super) fn open(self) -> LabelledSite {
        let SiteBuilder { site, home, hub, references, listed, rules, robots, named } = self;
        for (page, words) in [(home, "Visit"), (hub, "In brief:")] {
            let links: String =
                references.iter().map(|(reference, attributes)| link(reference, attributes, words)).collect();
            site.site.answer(&page.path.clone(), page.body(&links).response(&site.base, site.root));
        }
        if named.iter().any(|path| path == "/sitemap.xml") {
            let fronts = [site.root.to_owned(), format!("{}hub", site.root)];
            let entries: Vec<_> = fronts.iter().chain(&listed).map(|path| (site.url(path), LONG_AGO)).collect();
            site.site.answer("/sitemap.xml", Response::xml(dated(&entries)));
        }
        let named: String = named.iter().map(|path| format!("Sitemap: {}\n", site.url(path))).collect();
        site.site.answer("/robots.txt", robots.unwrap_or_else(|| Response::text(format!("{rules}{named}"))));
        site
    }
}
