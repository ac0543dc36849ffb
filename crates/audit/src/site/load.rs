//! Loads the site from the record.

use super::alternates;
use super::fragments::Elements;
use super::link_texts::LinkTexts;
use super::links::{SiteLink, count};
use super::page_content::{Alternate, Canonicals, FirstHeadings, PageContent};
use super::resources::CodeSize;
use super::{ListedEntry, Node, NodeStatus, Probe, RobotsFile, Site, UrlNo, parameters, request_dates, tested};
use crate::vague_text::is_vague;
use jiff::Timestamp;
use mapwright_model::{FailureKind, Outcome, Purpose, Via};
use mapwright_store::{LinkRow, PageRow, Record, StoreError, VisitRow};
use mapwright_web::PageUrl;
use mapwright_web::media::{Media, MediaKind};
use mapwright_web::page::facts::{FactLocation, Region};
use std::collections::HashSet;

/// Reads the newest run of a record, whose verdicts must be there. `agent` is the product token that robots.txt is
/// matched against.
///
/// # Errors
/// When the record cannot be read.
pub fn load(record: &Record, agent: &str) -> Result<Site, StoreError> {
    let max_redirects = max_redirects(&record.setting("fetch.max-redirects")?);
    let mut site = Site { agent: agent.to_owned(), max_redirects, ..Site::default() };
    record.each_url(|number, text| site.urls.push(number, text))?;
    site.nodes.resize(site.urls.len(), Node::default());
    let run = record.run_facts()?;
    site.started = Timestamp::from_millisecond(run.started).unwrap_or_default();
    found(record, &mut site)?;
    site.entrances = entrances(&site);
    record.each_last_visit(|row| fetched(&mut site, row))?;
    record.each_verdict(|row| {
        if let Some(node) = site.nodes.get_mut(row.url as usize) {
            (node.reason, node.listed, node.depth) = (row.reason, row.reason.is_none(), row.depth);
        }
    })?;
    let mut elements = Elements::default();
    site.page_contents.reserve_exact(site.nodes.iter().filter(|node| node.is_page()).count());
    record.each_page_row(|row| page_contents(&mut site, row, &mut elements))?;
    record.each_rendering(|row| site.note_rendering(row))?;
    links(record, &mut site, &elements)?;
    record.each_code(|row| {
        site.resources.code_sizes.insert(row.url, CodeSize { all: row.bytes, minified: row.minified });
        site.resources.malformed.extend(row.is_malformed.then_some(row.url));
    })?;
    site.resources.note_sheets(&site.nodes);
    published(record, &mut site)?;
    let is_chosen = |key: &str| Ok::<_, StoreError>(record.setting(key)?.first().is_some_and(|text| text == "true"));
    let search_agent = record.setting("fetch.search-agent")?.into_iter().next();
    site.search_agent = search_agent.unwrap_or_else(|| SEARCH_AGENT.to_owned());
    site.feeds_over_limit = is_chosen("crawl.no-feeds")? || site.files.len() >= max_files(record)?;
    site.ignores_robots = is_chosen("fetch.ignore-robots")?;
    site.follows_nofollow = is_chosen("crawl.follow-nofollow")?;
    site.inlinks = count(&site.nodes, &site.page_contents, &site.links);
    tested::forget(&mut site);
    site.parameters = parameters::gather(&site, &record.parameters()?);
    Ok(site)
}

/// The product token of the search engine by default.
const SEARCH_AGENT: &str = "Googlebot";

/// The redirects in a row that a crawl follows by default.
pub(super) const MAX_REDIRECTS: usize = 10;

/// Returns the redirects in a row that the run followed: its setting, or the default if that was not changed.
fn max_redirects(chosen: &[String]) -> usize {
    chosen.first().and_then(|text| text.parse().ok()).unwrap_or(MAX_REDIRECTS)
}

/// Returns the most sitemaps and feeds that the run requested.
fn max_files(record: &Record) -> Result<usize, StoreError> {
    let chosen = record.setting("crawl.max-sitemap-files")?;
    Ok(chosen.first().and_then(|text| text.parse().ok()).unwrap_or(usize::MAX))
}

/// Reads the links, and the fragments that are missing on their targets.
fn links(record: &Record, site: &mut Site, elements: &Elements) -> Result<(), StoreError> {
    let state = state(site);
    let mut vague = HashSet::new();
    record.each_usual_anchor(|url, text| {
        if is_vague(text) {
            vague.insert(url);
        }
    })?;
    record.each_link_set(|_| true, |set, rows| link_set(site, elements, &state, &vague, set, &rows))
}

/// Returns the link sets of pages of this run: others belong only to pages of earlier runs.
pub(super) fn state(site: &Site) -> HashSet<u32> {
    site.pages().flat_map(|(.., page_contents)| page_contents.sets.iter().copied()).collect()
}

/// Adds the links of one set, the fragments that are missing on their targets, and what is said of their texts. The
/// usual texts of links to `vague` URLs say nothing.
pub(super) fn link_set(
    site: &mut Site,
    elements: &Elements,
    state: &HashSet<u32>,
    vague: &HashSet<UrlNo>,
    set: u32,
    rows: &[LinkRow],
) {
    if state.contains(&set) {
        let texts = LinkTexts::of_set(rows, |url| vague.contains(&url));
        site.link_texts.extend((!texts.are_descriptive()).then_some((set, texts)));
        let mut resources = std::mem::take(&mut site.resources);
        resources.note_set(set, rows, |url| site.urls.text(url));
        site.resources = resources;
        let mut missing = std::mem::take(&mut site.missing_fragments);
        elements.look(set, rows, |target| site.end_of(target), &mut missing);
        site.missing_fragments = missing;
    }
    // All links of a set are in one region.
    let region = rows.first().map_or(Region::Body, |row| row.region);
    site.links.push(set, region, rows.iter().map(|row| SiteLink::new(row.target, row.nofollow, !row.kind.clicked())));
}

fn found(record: &Record, site: &mut Site) -> Result<(), StoreError> {
    record.each_discovery(|row| {
        let Some(node) = site.nodes.get_mut(row.url as usize) else { return };
        (node.via, node.found_on) = (Some(row.via), row.parent);
        // Files that were read for their entries are not pages, unless a visit says so.
        let is_file = matches!(row.via, Via::RobotsTxt | Via::FeedLink);
        node.fetch_status = match row.refused {
            None if is_file => NodeStatus::Unknown,
            None => NodeStatus::NotReached,
            Some(why) => NodeStatus::Refused(why),
        };
        if row.via == Via::Start {
            site.starts.push(row.url);
        }
    })
}

/// Returns the entry pages of visitors: the start URLs; without them, the URLs of the list.
pub(super) fn entrances(site: &Site) -> Vec<UrlNo> {
    let via = if site.starts.is_empty() { Via::UrlList } else { Via::Start };
    site.nodes().filter(|(_, node)| node.via == Some(via)).map(|(url, _)| url).collect()
}

/// Adds the result of a request for a robots file. A run that is resumed requests it again: the last result counts.
fn robots(site: &mut Site, url: UrlNo, (fetch_status, status): (NodeStatus, u16), target: Option<UrlNo>) {
    site.robots_failed.remove(&url);
    site.robots_hops.remove(&url);
    if matches!(fetch_status, NodeStatus::File | NodeStatus::Redirect) {
        site.robots_hops.extend(target.map(|target| (url, target)));
    } else {
        site.robots_failed.insert(url, (fetch_status, status));
    }
}

/// Adds the result of one request. The requests of a run come in the order in which they were made.
pub(super) fn fetched(site: &mut Site, row: VisitRow) {
    let (url, fetch_status) = (row.url, fetch_status(&row));
    let known = site.nodes.get(url as usize).copied().unwrap_or_default();
    let node = answered(known, fetch_status, &row);
    match row.purpose {
        Purpose::Page => page(site, node, row),
        Purpose::External | Purpose::Resource => {
            let is_compressed = (1..row.body_bytes).contains(&row.wire_bytes);
            let node = if is_compressed { Node { bytes: row.wire_bytes, ..node } } else { node };
            site.resources.compressed.extend(is_compressed.then_some(url));
            site.details.extend(row.detail.map(|detail| (url, detail)));
            let media_type = row.media.filter(|_| row.status == Some(200)).and_then(|media| media.declared);
            site.resources.media_types.extend(media_type.map(|declared| (url, declared.into())));
            site.external.insert(url, node);
        }
        Purpose::Robots => robots(site, url, (fetch_status, node.status), row.target),
        Purpose::Sitemap | Purpose::Feed => {
            let file = site.files.entry(url).or_default();
            file.is_feed = row.purpose == Purpose::Feed;
            (file.fetch_status, file.status, file.target, file.bytes) =
                (fetch_status, node.status, row.target, row.body_bytes);
            let is_feed_kind = |kind: MediaKind| kind == MediaKind::Feed;
            file.has_feed_format =
                row.media.is_some_and(|media| is_feed_kind(media.kind) || media.sniffed.is_some_and(is_feed_kind));
            (file.at, file.millis) =
                (Timestamp::from_millisecond(row.at).unwrap_or_default(), row.total_ms.unwrap_or_default());
        }
        Purpose::Probe => {
            if let Some(text) = PageUrl::recorded(site.urls.text(url)) {
                let target = row.target.filter(|_| fetch_status == NodeStatus::Redirect);
                let probe =
                    Probe { url, status: node.status, hash: 0, sketch: None, title: None, text_bytes: 0, target };
                site.probes.insert(text.origin(), probe);
            }
        }
    }
}

/// Adds an answer to what is known of a URL.
fn answered(known: Node, fetch_status: NodeStatus, row: &VisitRow) -> Node {
    Node {
        fetch_status,
        status: row.status.unwrap_or_default(),
        target: row.target,
        canonical: row.canonical,
        noindex: row.noindex,
        nofollow: row.nofollow,
        millis: row.total_ms.filter(|_| !row.reused),
        bytes: row.body_bytes,
        cut: row.cut,
        body_cut: row.body_cut,
        ..known
    }
}

/// Adds the result of a request for a URL of the crawl.
fn page(site: &mut Site, node: Node, row: VisitRow) {
    let url = row.url;
    site.details.extend(row.detail.map(|detail| (url, detail)));
    site.rules.extend(row.robots_rule.map(|rule| (url, rule)));
    let media = row.media.filter(|media| is_odd(media) && row.status == Some(200));
    site.odd_media.extend(media.map(|media| (url, media)));
    if let Some(slot) = site.nodes.get_mut(url as usize) {
        *slot = node;
    }
}

fn fetch_status(row: &VisitRow) -> NodeStatus {
    match row.outcome {
        Outcome::Page => NodeStatus::Page,
        Outcome::File => NodeStatus::File,
        Outcome::Status => NodeStatus::Status,
        Outcome::Redirect => NodeStatus::Redirect,
        // An internal failure says nothing about the page.
        Outcome::NoAnswer if row.failure == Some(FailureKind::Internal) => NodeStatus::Failed,
        Outcome::NoAnswer => NodeStatus::NoAnswer(row.failure.unwrap_or(FailureKind::Internal)),
        Outcome::Broken => NodeStatus::Broken,
        Outcome::Throttled => NodeStatus::Throttled,
        Outcome::Refused if row.robots_status.is_some() => NodeStatus::RobotsUnavailable,
        Outcome::Refused => NodeStatus::Blocked,
        Outcome::Guarded => NodeStatus::Guarded,
        Outcome::Failed => NodeStatus::Failed,
    }
}

/// Returns true for a page without a media type, or for content that contradicts its media type.
fn is_odd(media: &Media) -> bool {
    let looks_like_page = matches!(media.sniffed, Some(MediaKind::Html | MediaKind::Xhtml));
    let vague = media.declared.as_deref().is_none_or(|declared| declared == "application/octet-stream");
    media.contradicted() || (vague && looks_like_page)
}

pub(super) fn page_contents(site: &mut Site, row: PageRow, elements: &mut Elements) {
    let facts = row.facts;
    site.note_before_scripts(row.url, &facts);
    let Some(node) = site.nodes.get_mut(row.url as usize) else { return };
    if node.fetch_status == NodeStatus::Unknown {
        if let Some(probe) = site.probes.values_mut().find(|probe| probe.url == row.url) {
            (probe.hash, probe.sketch, probe.text_bytes) = (row.hash, facts.sketch, facts.text_bytes);
            probe.title = facts.title.map(Into::into);
        }
        return;
    }
    node.content_index = u32::try_from(site.page_contents.len()).ok();
    // Elements of a page beyond the limits of reading are not known.
    if node.fetch_status == NodeStatus::Page && !facts.cut && !node.cut {
        elements.note(row.url, &facts.ids);
    }
    let number = |url: &PageUrl| site.urls.number(url.as_str());
    let alternate = |given: &mapwright_web::page::facts::Hreflang| Alternate {
        code: given.code.as_str().into(),
        url: given.url.as_ref().and_then(number),
    };
    site.page_contents.push(PageContent {
        hash: row.hash,
        sketch: facts.sketch,
        text_bytes: facts.text_bytes,
        security: facts.security,
        scripts: facts.scripts,
        canonicals: Canonicals::of(&facts.canonicals),
        // Search engines read alternates only in the head and in header fields.
        alternates: facts.hreflang.iter().filter(|given| given.place != FactLocation::Body).map(alternate).collect(),
        refresh: facts
            .refresh
            .as_ref()
            .map(|refresh| Box::new((refresh.url.as_ref().and_then(number), refresh.seconds))),
        first_headings: FirstHeadings::of(&facts.headings, facts.title.as_deref()),
        directives: facts.directives.into(),
        description: facts.description.map(Into::into),
        language: facts.language.map(Into::into),
        prose_bytes: facts.prose_bytes,
        markup: facts.markup,
        title: facts.title.map(Into::into),
        sets: row.sets.into(),
    });
}

/// Reads the files that the site publishes about itself (sitemaps, feeds, robots files), and what earlier runs saw.
fn published(record: &Record, site: &mut Site) -> Result<(), StoreError> {
    let mut named = alternates::Named::default();
    record.each_entry(|row| {
        let lastmod = row.lastmod.map(Into::into);
        site.entries.push(ListedEntry { file: row.file, url: row.url, lastmod });
        named.add(row.url, row.alternates);
    })?;
    record.each_fault(|row| {
        site.files.entry(row.file).or_default().faults.push((row.rule, row.line, row.what, row.count));
    })?;
    alternates::recall(record, site, &mut named)?;
    named.settle(site);
    record.each_robots(|number, text| {
        if let Some(url) = PageUrl::recorded(site.urls.text(number)) {
            site.robots.insert(number, RobotsFile::read(url, text));
        }
    })?;
    record.each_change(|url, after| {
        if let Ok(after) = Timestamp::from_millisecond(after) {
            site.changed_after.insert(url, after);
        }
    })?;
    site.redated_sitemaps = request_dates::redated(site, record)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run that was cut short while the site was down requests robots.txt again when it is resumed.
    #[test]
    fn the_last_answer_for_a_robots_file_counts() {
        let mut site = Site::default();
        robots(&mut site, 1, (NodeStatus::Status, 503), None);
        assert!(site.robots_failed.contains_key(&1));
        robots(&mut site, 1, (NodeStatus::Redirect, 301), Some(2));
        assert!(site.robots_failed.is_empty() && site.robots_hops.get(&1) == Some(&2));
        robots(&mut site, 1, (NodeStatus::Status, 503), None);
        assert!(site.robots_failed.contains_key(&1) && site.robots_hops.is_empty());
    }
}
