//! Counts the figures that reports show as charts.

use crate::classifier::ClassifiedFinding;
use crate::common_findings::common;
use crate::figures::{Bar, Figures, Funnel, SiteFolder};
use crate::finding::SubjectIds;
use crate::severity::Severity;
use crate::site::{Node, NodeStatus, Site, UrlNo};
use mapwright_model::Unfetched;
use std::collections::{BTreeMap, HashMap};

/// Upper bounds of the bars of response times, in milliseconds.
const TIMES: [(u32, &str); 8] = [
    (100, "< 0.1 s"),
    (250, "< 0.25 s"),
    (500, "< 0.5 s"),
    (1_000, "< 1 s"),
    (2_000, "< 2 s"),
    (5_000, "< 5 s"),
    (10_000, "< 10 s"),
    (u32::MAX, "10 s and more"),
];
/// The number of click depths that have a bar of their own.
const DEPTHS: usize = 10;
/// The most folders shown below one folder.
const FOLDERS: usize = 24;
/// The most levels of folders.
const LEVELS: usize = 3;

/// Returns the figures of the site, without its history.
pub(crate) fn figures(site: &Site, classified: &[ClassifiedFinding]) -> Figures {
    Figures {
        funnel: funnel(site),
        statuses: statuses(site),
        depths: depths(site),
        times: times(site),
        folders: folders(site, classified),
        common: common(site, classified),
        history: Vec::new(),
    }
}

fn funnel(site: &Site) -> Funnel {
    let listed = site.listed_in();
    let mut funnel = Funnel::default();
    for (url, node) in site.nodes().filter(|(_, node)| may_be_page(node)) {
        funnel.discovered += 1;
        funnel.fetched += u64::from(was_requested(node));
        funnel.indexable += u64::from(node.is_indexable());
        funnel.listed += u64::from(node.listed);
        funnel.in_sitemap += u64::from(node.is_indexable() && listed.contains_key(&url));
    }
    funnel
}

/// Returns true for a URL in scope that is not known only as an image or another resource.
fn may_be_page(node: &Node) -> bool {
    node.in_scope() && node.fetch_status != NodeStatus::Refused(Unfetched::Resource)
}

fn was_requested(node: &Node) -> bool {
    !matches!(
        node.fetch_status,
        NodeStatus::Unknown
            | NodeStatus::NotReached
            | NodeStatus::Refused(_)
            | NodeStatus::Blocked
            | NodeStatus::RobotsUnavailable
            | NodeStatus::Guarded
    )
}

fn statuses(site: &Site) -> Vec<Bar> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (_, node) in site.nodes().filter(|(_, node)| may_be_page(node)) {
        let label = match node.fetch_status {
            NodeStatus::NoAnswer(_) | NodeStatus::Broken => "no answer".to_owned(),
            NodeStatus::Blocked | NodeStatus::RobotsUnavailable => "blocked by robots.txt".to_owned(),
            _ if was_requested(node) && node.status > 0 => node.status.to_string(),
            _ => "not requested".to_owned(),
        };
        *counts.entry(label).or_default() += 1;
    }
    bars(counts)
}

fn bars(counts: BTreeMap<String, u64>) -> Vec<Bar> {
    counts.into_iter().map(|(label, count)| Bar { label, count }).collect()
}

fn depths(site: &Site) -> Vec<Bar> {
    let mut counts = [0_u64; DEPTHS + 2];
    for (_, node, _) in site.pages() {
        let at = node.depth.map_or(DEPTHS + 1, |depth| (depth as usize).min(DEPTHS));
        counts.get_mut(at).into_iter().for_each(|count| *count += 1);
    }
    let label = |at| match at {
        at if at < DEPTHS => at.to_string(),
        DEPTHS => format!("{DEPTHS} and more"),
        _ => "not reachable by links".to_owned(),
    };
    (0..).zip(counts).map(|(at, count)| Bar { label: label(at), count }).collect()
}

fn times(site: &Site) -> Vec<Bar> {
    let mut counts = [0_u64; TIMES.len()];
    for millis in site.nodes().filter(|(_, node)| node.status > 0).filter_map(|(_, node)| node.millis) {
        let at = TIMES.iter().position(|(bound, _)| millis < *bound).unwrap_or(TIMES.len() - 1);
        counts.get_mut(at).into_iter().for_each(|count| *count += 1);
    }
    TIMES.iter().zip(counts).map(|((_, label), count)| Bar { label: (*label).to_owned(), count }).collect()
}

/// A folder while it is counted.
#[derive(Default)]
struct Counted {
    urls: u64,
    errors: u64,
    warnings: u64,
    folders: BTreeMap<String, Counted>,
}

fn folders(site: &Site, classified: &[ClassifiedFinding]) -> Vec<SiteFolder> {
    let mut worst: HashMap<UrlNo, Severity> = HashMap::new();
    for one in classified.iter().filter(|one| one.severity < Severity::Notice) {
        let about = match &one.finding.about {
            SubjectIds::Url(url) => std::slice::from_ref(url),
            SubjectIds::Group(urls) => urls,
            SubjectIds::Site | SubjectIds::Pattern(_) => &[],
        };
        for url in about {
            let known = worst.entry(*url).or_insert(one.severity);
            *known = one.severity.min(*known);
        }
    }
    let mut root = Counted::default();
    for (url, _) in site.nodes().filter(|(_, node)| may_be_page(node)) {
        root.count(site.text(url), worst.get(&url).copied());
    }
    root.into_folders("")
}

impl Counted {
    fn count(&mut self, url: &str, worst: Option<Severity>) {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let (scheme, rest) = path.split_once("://").unwrap_or(("", path));
        let mut parts: Vec<&str> = rest.split('/').collect();
        parts.pop();
        let mut at = self;
        for (level, part) in parts.iter().take(LEVELS + 1).enumerate() {
            let name = if level == 0 { format!("{scheme}://{part}/") } else { format!("{part}/") };
            at = at.folders.entry(name).or_default();
            at.urls += 1;
            at.errors += u64::from(worst == Some(Severity::Error));
            at.warnings += u64::from(worst == Some(Severity::Warning));
        }
    }

    fn into_folders(self, above: &str) -> Vec<SiteFolder> {
        let mut folders: Vec<SiteFolder> = self
            .folders
            .into_iter()
            .map(|(name, counted)| {
                let path = format!("{above}{name}");
                let (urls, errors, warnings) = (counted.urls, counted.errors, counted.warnings);
                SiteFolder { folders: counted.into_folders(&path), path, urls, errors, warnings }
            })
            .collect();
        folders.sort_by(|one, other| other.urls.cmp(&one.urls).then_with(|| one.path.cmp(&other.path)));
        folders.truncate(FOLDERS);
        folders
    }
}
