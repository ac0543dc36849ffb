//! The builder of a labelled site.

use std::ffi::OsString;

use tempfile::TempDir;

use super::label::{Label, LookAlike, Subject};
use super::lost::lost;
use super::page::{Page, link};
use super::site::LabelledSite;
use crate::answer::Answer;
use crate::request::Request;
use crate::response::Response;
use crate::site::Site;
use crate::sitemap;

/// A robots.txt that permits everything.
const OPEN: &str = "User-agent: *\nDisallow:\n";

/// A site without faults, to which a test adds its own: a home page and a hub that link to every page, one sitemap that
/// lists them, and a robots.txt that names the sitemap.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) made: LabelledSite,
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

impl Draft {
    pub(super) fn new(name: &'static str, about: &[&'static str]) -> Draft {
        let site = Site::open();
        let base = site.base();
        Draft::begin(site, base, name, about)
    }

    /// Starts a site at this directory, which is its scope.
    pub(super) fn below(root: &'static str, name: &'static str, about: &[&'static str]) -> Draft {
        let mut draft = Draft::new(name, about);
        draft.made.root = root;
        draft.home = Page::at(root);
        draft.hub = Page::at(&format!("{root}hub"));
        draft
    }

    /// Starts a site with a host name that `--resolve` maps to loopback, with all hosts of its domain in scope.
    pub(super) fn on_host(host: &str, name: &'static str, about: &[&'static str]) -> Draft {
        let site = Site::open();
        let base = format!("http://{host}:{}", site.port());
        let mut draft = Draft::begin(site, base, name, about);
        let port = draft.made.site.port();
        draft.arguments(&["--scope", "domain"]).resolve(host, port);
        draft
    }

    fn begin(site: Site, base: String, name: &'static str, about: &[&'static str]) -> Draft {
        site.answer("/*", Response::html(lost("/")).status(404));
        let made = LabelledSite {
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
        Draft {
            made,
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
        self.made.url(path)
    }

    // ---- the served content

    /// A page without a fault.
    pub(super) fn page(&mut self, path: &str) -> &mut Draft {
        self.put(Page::at(path))
    }

    pub(super) fn pages(&mut self, paths: &[&str]) -> &mut Draft {
        for path in paths {
            self.page(path);
        }
        self
    }

    /// Adds this many pages without a fault, so that the faulty ones are few.
    pub(super) fn plain(&mut self, count: usize) -> &mut Draft {
        let root = self.made.root;
        for number in 1..=count {
            self.page(&format!("{root}plain/{number}"));
        }
        self
    }

    pub(super) fn put(&mut self, page: Page) -> &mut Draft {
        self.made.site.answer(&page.path, page.response(&self.made.base, self.made.root));
        if page.linked {
            self.link(&page.path);
        }
        if page.listed {
            self.list(&page.path);
        }
        self
    }

    /// Serves this answer, and links to it.
    pub(super) fn answer(&mut self, path: &str, answer: impl Into<Answer>) -> &mut Draft {
        self.unlinked_answer(path, answer).link(path)
    }

    pub(super) fn unlinked_answer(&mut self, path: &str, answer: impl Into<Answer>) -> &mut Draft {
        self.made.site.answer(path, answer);
        self
    }

    /// Serves this answer once, and then a page without a fault.
    pub(super) fn first(&mut self, path: &str, answer: impl Into<Answer>) -> &mut Draft {
        self.made.site.first_n(path, 1, answer);
        self.page(path)
    }

    pub(super) fn handler<A: Into<Answer>>(
        &mut self,
        path: &str,
        handler: impl Fn(&Request) -> A + Send + Sync + 'static,
    ) -> &mut Draft {
        self.made.site.handler(path, handler);
        self
    }

    /// Redirects to a path or URL, and links to the redirecting path.
    pub(super) fn redirect(&mut self, from: &str, to: &str, status: u16) -> &mut Draft {
        self.answer(from, Response::redirect(status, to))
    }

    /// Links from the home page and the hub.
    pub(super) fn link(&mut self, reference: &str) -> &mut Draft {
        self.link_with(reference, "")
    }

    /// Links like [`Draft::link`], with further attributes.
    pub(super) fn link_with(&mut self, reference: &str, attributes: &'static str) -> &mut Draft {
        self.references.push((reference.to_owned(), attributes));
        self
    }

    /// Lists a path in the sitemap.
    pub(super) fn list(&mut self, path: &str) -> &mut Draft {
        self.listed.push(path.to_owned());
        self
    }

    /// Sets the groups of robots.txt.
    pub(super) fn rules(&mut self, rules: &str) -> &mut Draft {
        rules.clone_into(&mut self.rules);
        self
    }

    /// Serves this response as robots.txt.
    pub(super) fn robots(&mut self, answer: Response) -> &mut Draft {
        self.robots = Some(answer);
        self
    }

    /// Serves exactly this sitemap, and names it in robots.txt.
    pub(super) fn sitemap(&mut self, path: &str, xml: impl Into<Vec<u8>>) -> &mut Draft {
        self.made.site.answer(path, Response::xml(xml));
        self.named.push(path.to_owned());
        self
    }

    // ---- the arguments of the audit

    pub(super) fn arguments(&mut self, words: &[&str]) -> &mut Draft {
        self.made.arguments.extend(words.iter().map(OsString::from));
        self
    }

    /// Passes a file to the audit.
    pub(super) fn file(&mut self, flag: &str, content: &str) -> &mut Draft {
        let path = self.made.folder.path().join(flag.trim_start_matches('-'));
        std::fs::write(&path, content).expect("a file of the site");
        self.made.arguments.extend([OsString::from(flag), path.into_os_string()]);
        self
    }

    /// Maps a host name to loopback.
    pub(super) fn resolve(&mut self, host: &str, port: u16) -> &mut Draft {
        self.arguments(&["--resolve", &format!("{host}:{port}:127.0.0.1")])
    }

    // ---- the labels

    /// Expects this finding on a path or URL.
    pub(super) fn has(&mut self, code: &'static str, path: &str) -> &mut Draft {
        let subject = self.made.subject(path);
        self.has_any(code, vec![subject])
    }

    /// Expects this finding on each of these paths.
    pub(super) fn all_have(&mut self, code: &'static str, paths: &[&str]) -> &mut Draft {
        for path in paths {
            self.has(code, path);
        }
        self
    }

    /// Expects a finding that groups these paths.
    pub(super) fn has_group(&mut self, code: &'static str, paths: &[&str]) -> &mut Draft {
        let group = self.made.group(paths);
        self.has_any(code, vec![group])
    }

    /// Expects this finding on the entire site.
    pub(super) fn site_has(&mut self, code: &'static str) -> &mut Draft {
        self.has_any(code, vec![Subject::Site])
    }

    /// Expects this finding on one of these subjects, each of which the definition of the code allows.
    pub(super) fn has_any(&mut self, code: &'static str, accepted: Vec<Subject>) -> &mut Draft {
        self.made.labels.push(Label { code, accepted });
        self
    }

    /// Names a path or URL that only seems to have the fault.
    pub(super) fn unlike(&mut self, code: &'static str, path: &str, why: &'static str) -> &mut Draft {
        let subject = self.made.subject(path);
        self.look_alike(code, subject, why)
    }

    /// Names paths that only seem to be duplicates.
    pub(super) fn unlike_group(&mut self, code: &'static str, paths: &[&str], why: &'static str) -> &mut Draft {
        let group = self.made.group(paths);
        self.look_alike(code, group, why)
    }

    /// Declares that the site only seems to have the fault.
    pub(super) fn site_unlike(&mut self, code: &'static str, why: &'static str) -> &mut Draft {
        self.look_alike(code, Subject::Site, why)
    }

    pub(super) fn look_alike(&mut self, code: &'static str, subject: Subject, why: &'static str) -> &mut Draft {
        self.made.look_alikes.push(LookAlike { code, subject, why });
        self
    }

    // ---- the end

    /// Serves the common parts of every site, and returns the site.
    pub(super) fn open(self) -> LabelledSite {
        let Draft { made, home, hub, references, listed, rules, robots, named } = self;
        for (page, words) in [(home, "Visit"), (hub, "In brief:")] {
            let links: String =
                references.iter().map(|(reference, attributes)| link(reference, attributes, words)).collect();
            made.site.answer(&page.path.clone(), page.body(&links).response(&made.base, made.root));
        }
        if named.iter().any(|path| path == "/sitemap.xml") {
            let fronts = [made.root.to_owned(), format!("{}hub", made.root)];
            let urls: Vec<String> = fronts.iter().chain(&listed).map(|path| made.url(path)).collect();
            made.site.answer("/sitemap.xml", Response::xml(sitemap::urlset(&urls)));
        }
        let named: String = named.iter().map(|path| format!("Sitemap: {}\n", made.url(path))).collect();
        made.site.answer("/robots.txt", robots.unwrap_or_else(|| Response::text(format!("{rules}{named}"))));
        made
    }
}
