//! An independent crawler for static sites, which follows the design's rules through the files on disk from the start
//! pages. It shares no code with the product, not even the HTML parser.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use scraper::{ElementRef, Html, Selector};
use url::Url;

/// A directory served under a URL prefix, as nginx does with `index index.html`.
#[derive(Debug, Clone)]
pub(crate) struct Mount {
    /// The URL of the directory, with a slash at the end.
    pub(crate) prefix: Url,
    /// The directory.
    pub(crate) directory: PathBuf,
}

/// The response of a URL.
enum Answer {
    Page(Vec<u8>),
    Moved(Url),
    Nothing,
}

/// The results of the walk so far.
#[derive(Debug, Default)]
struct Walk {
    /// Pages by URL, with their bytes.
    pages: BTreeMap<Url, Vec<u8>>,
    /// Redirects with their targets.
    moved: BTreeMap<Url, Url>,
    /// Pages that must not be listed: noindex, or canonical elsewhere.
    unlisted: BTreeSet<Url>,
    /// Links as pairs of source and target.
    links: BTreeSet<(Url, Url)>,
}

/// The URLs that the sitemap of a crawl with path scope from these start URLs lists.
pub(crate) fn pages(mounts: &[Mount], starts: &[Url]) -> BTreeSet<String> {
    let mut walk = Walk::default();
    let mut known: BTreeSet<Url> = starts.iter().cloned().collect();
    let mut queue: Vec<Url> = starts.to_vec();
    while let Some(url) = queue.pop() {
        let found = match answer(mounts, &url) {
            Answer::Page(bytes) => walk.read(&url, bytes),
            Answer::Moved(target) => {
                walk.moved.insert(url, target.clone());
                vec![target]
            }
            Answer::Nothing => Vec::new(),
        };
        for next in found.into_iter().filter(|next| in_scope(next, starts)) {
            if known.insert(next.clone()) {
                queue.push(next);
            }
        }
    }
    walk.listed()
}

/// Returns true if the URL is below the directory of a start URL, on its origin.
fn in_scope(url: &Url, starts: &[Url]) -> bool {
    starts.iter().any(|start| {
        let directory = start.path().rsplit_once('/').map_or("/", |(directory, _)| directory);
        url.origin() == start.origin() && url.path().starts_with(&format!("{directory}/"))
    })
}

/// The response of nginx: a file; the `index.html` of a directory; or, for a directory without a trailing slash, a
/// redirect.
fn answer(mounts: &[Mount], url: &Url) -> Answer {
    let mount = mounts.iter().find(|mount| url.path().starts_with(mount.prefix.path()));
    let Some((mount, below)) = mount.and_then(|mount| Some((mount, url.path().strip_prefix(mount.prefix.path())?)))
    else {
        return Answer::Nothing;
    };
    let file = mount.directory.join(unescaped(below));
    if !file.is_dir() {
        return page(&file);
    }
    if url.path().ends_with('/') {
        return page(&file.join("index.html"));
    }
    let mut target = url.clone();
    target.set_path(&format!("{}/", url.path()));
    Answer::Moved(target)
}

fn page(file: &Path) -> Answer {
    let html = file.extension().is_some_and(|extension| extension == "html" || extension == "htm");
    match std::fs::read(file) {
        Ok(bytes) if html => Answer::Page(bytes),
        _ => Answer::Nothing,
    }
}

fn unescaped(path: &str) -> String {
    let pairs = url::form_urlencoded::parse(path.as_bytes());
    // File names in these directories contain no `=`, `&` or `+`, so that each parses as one key.
    pairs.map(|(key, _)| key.into_owned()).collect()
}

impl Walk {
    /// Reads a page and returns its link targets.
    fn read(&mut self, url: &Url, bytes: Vec<u8>) -> Vec<Url> {
        let html = Html::parse_document(&String::from_utf8_lossy(&bytes));
        let base = select(&html, "base[href]").next().and_then(|base| url.join(base.attr("href")?.trim()).ok());
        let base = base.unwrap_or_else(|| url.clone());
        let robots: String = select(&html, "meta[name=robots i]").filter_map(|meta| meta.attr("content")).collect();
        let says = |word: &str| robots.to_ascii_lowercase().contains(word);
        let mut found = Vec::new();
        for link in select(&html, "a[href], area[href], link[href], iframe[src]") {
            let Some(target) = target_of(link, &base) else { continue };
            if is_canonical(link) && target != *url {
                self.unlisted.insert(url.clone());
            }
            if follows(link) && !says("nofollow") && !says("none") {
                self.links.insert((url.clone(), target.clone()));
                found.push(target);
            }
        }
        for refresh in select(&html, "meta[http-equiv=refresh i]").filter_map(|meta| meta.attr("content")) {
            let Some((delay, target)) = refresh_target(refresh, &base) else { continue };
            if delay < 1.0 && target != *url {
                self.moved.insert(url.clone(), target.clone());
                self.unlisted.insert(url.clone());
            }
            found.push(target);
        }
        if says("noindex") || says("none") {
            self.unlisted.insert(url.clone());
        }
        self.pages.insert(url.clone(), bytes);
        found
    }

    /// All indexable pages, each group of exact duplicates reduced to one.
    fn listed(&self) -> BTreeSet<String> {
        let mut duplicates: BTreeMap<(String, &[u8]), Vec<&Url>> = BTreeMap::new();
        for (url, bytes) in self.pages.iter().filter(|(url, _)| !self.unlisted.contains(*url)) {
            duplicates.entry((alias_name(url), bytes)).or_default().push(url);
        }
        let stays = |group: Vec<&Url>| {
            let rank = |url: &&Url| (std::cmp::Reverse(self.inlinks(url)), url.as_str().len(), url.as_str().to_owned());
            group.into_iter().min_by_key(rank).map(|url| url.as_str().to_owned())
        };
        duplicates.into_values().filter_map(stays).collect()
    }

    /// The number of pages that link to the URL; a link to a redirect counts for its target.
    fn inlinks(&self, url: &Url) -> usize {
        let arrives = |to: &Url| to == url || self.moved.get(to) == Some(url);
        let from: BTreeSet<&Url> = self.links.iter().filter(|(_, to)| arrives(to)).map(|(from, _)| from).collect();
        from.len()
    }
}

/// The common name of URLs that differ only in trailing slash, index file, case or parameters.
fn alias_name(url: &Url) -> String {
    let path = url.path().to_ascii_lowercase();
    let path = path.strip_suffix("index.html").unwrap_or(&path);
    path.trim_end_matches('/').to_owned()
}

fn select<'a>(html: &'a Html, selector: &str) -> impl Iterator<Item = ElementRef<'a>> {
    let selector = Selector::parse(selector).expect("a selector that is known to be right");
    html.select(&selector).collect::<Vec<_>>().into_iter()
}

/// The target of an element without its fragment; `None` unless it is http or https.
fn target_of(element: ElementRef<'_>, base: &Url) -> Option<Url> {
    let reference = element.attr("href").or_else(|| element.attr("src"))?;
    let mut target = base.join(reference.trim()).ok()?;
    target.set_fragment(None);
    matches!(target.scheme(), "http" | "https").then_some(target)
}

fn rel(element: ElementRef<'_>) -> Vec<String> {
    element.attr("rel").unwrap_or_default().split_ascii_whitespace().map(str::to_ascii_lowercase).collect()
}

fn is_canonical(element: ElementRef<'_>) -> bool {
    element.value().name() == "link" && rel(element).iter().any(|word| word == "canonical")
}

/// Returns true if the element is a link to follow. A `link` element is followed only if it names another page.
fn follows(element: ElementRef<'_>) -> bool {
    let rel = rel(element);
    if rel.iter().any(|word| word == "nofollow") {
        return false;
    }
    let html = element.attr("type").is_none_or(|kind| kind.eq_ignore_ascii_case("text/html"));
    let pages = ["next", "prev", "canonical"];
    let leads_on = |word: &String| pages.contains(&word.as_str()) || word == "alternate" && html;
    element.value().name() != "link" || rel.iter().any(leads_on) && !rel.iter().any(|word| word == "stylesheet")
}

fn refresh_target(content: &str, base: &Url) -> Option<(f64, Url)> {
    let (delay, rest) = content.split_once([';', ','])?;
    let reference = rest.trim().get(..3).filter(|word| word.eq_ignore_ascii_case("url")).and(rest.split_once('='))?.1;
    let mut target = base.join(reference.trim().trim_matches(['"', '\''])).ok()?;
    target.set_fragment(None);
    Some((delay.trim().parse().ok()?, target))
}
