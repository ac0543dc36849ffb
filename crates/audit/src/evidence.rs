//! The evidence of findings as text: numbers become texts, and each URL gets the pages that link to it.

use crate::audit::Audit;
use crate::check::{Check, Identity, LinkEvidence, Topic};
use crate::classifier::ClassifiedFinding;
use crate::finding::{Evidence, SAMPLE, SubjectIds};
use crate::rendered_finding::{Referrer, RenderedFinding, RenderedFindings, Subject};
use crate::site::{Site, UrlNo, fragment};
use mapwright_store::{LinkRow, Record, StoreError};
use mapwright_web::page::facts::Region;
use rayon::iter::ParallelIterator as _;
use rayon::slice::{ParallelSlice as _, ParallelSliceMut as _};
use std::collections::{BTreeSet, HashMap};
use std::io;

/// The findings of an audit, with their texts.
pub struct RenderedEvidence<'a> {
    audit: &'a Audit,
    /// A sample of the pages that link to each URL.
    referrers: HashMap<UrlNo, Vec<ShownLink>>,
    /// A sample of the links to missing elements, and the number of pages with such links.
    fragments: HashMap<UrlNo, (u64, Vec<ShownLink>)>,
}

/// A link that was looked up: there may be a million of them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ShownLink {
    page: UrlNo,
    region: Region,
    nofollow: bool,
    anchor: Box<str>,
}

/// The most links that are shown in all, beyond one for each subject: with very many subjects, each has fewer.
const MAX_LINKS: usize = 500_000;

/// The number of links that are read from the record in one part.
const PART: usize = 50_000;

/// A link to be shown: its page, its link set and its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shown {
    set: u32,
    target: UrlNo,
    page: UrlNo,
    /// It names a missing element.
    broken: bool,
}

impl<'a> RenderedEvidence<'a> {
    /// Gathers the evidence for the findings of an audit of `record`.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn of(audit: &'a Audit, record: &Record) -> Result<Self, StoreError> {
        let mut rendered = Self { audit, referrers: HashMap::new(), fragments: HashMap::new() };
        let mut shown = rendered.links_to_be_shown();
        // Sorted by set, so that each set is read once.
        shown.par_sort_unstable();
        let mut seen = read_in_parts(&audit.site, record, &shown, PART)?;
        // Of several links of a page to one target, the first is shown: the sort is stable.
        seen.sort_by_key(|(broken, target, link)| (*broken, *target, link.page));
        seen.dedup_by_key(|(broken, target, link)| (*broken, *target, link.page));
        for (broken, target, link) in seen {
            if broken {
                rendered.fragments.entry(target).or_default().1.push(link);
            } else {
                rendered.referrers.entry(target).or_default().push(link);
            }
        }
        Ok(rendered)
    }

    /// Returns a sample of the links to the URLs that findings are about.
    fn links_to_be_shown(&mut self) -> Vec<Shown> {
        let site = &self.audit.site;
        let mut wanted = vec![u8::MAX; site.nodes.len()];
        let mut subjects = 0;
        for one in &self.audit.classified {
            if let SubjectIds::Url(url) = one.finding.about
                && self.shows_links(one.finding.check)
                && let Some(slot) = wanted.get_mut(site.loaded_with(url) as usize)
            {
                subjects += usize::from(*slot != 0);
                *slot = 0;
            }
        }
        let sample = (MAX_LINKS / subjects.max(1)).clamp(1, SAMPLE);
        let mut by_set: HashMap<u32, BTreeSet<UrlNo>> = HashMap::new();
        for (target, missing) in &site.missing_fragments {
            missing.sets().for_each(|set| _ = by_set.entry(set).or_default().insert(*target));
        }
        // The last page seen with a link to each target: a page that links twice counts once.
        let mut met = vec![UrlNo::MAX; site.nodes.len()];
        let mut shown = Vec::new();
        for (page, _, said) in site.pages() {
            let mut lacking = BTreeSet::new();
            for set in &said.sets {
                for target in by_set.get(set).into_iter().flatten().filter(|target| lacking.insert(**target)) {
                    self.fragment(*target, Shown { set: *set, target: *target, page, broken: true }, &mut shown);
                }
                for link in site.links.of_set(*set) {
                    let target = link.target();
                    let clicked = !link.is_reference() || site.inlinks(target).clicked() == 0;
                    let Some(count) = wanted.get_mut(target as usize).filter(|_| clicked && target != page) else {
                        continue;
                    };
                    let is_first = met.get_mut(target as usize).is_some_and(|met| std::mem::replace(met, page) != page);
                    if is_first && usize::from(*count) < sample {
                        *count += 1;
                        shown.push(Shown { set: *set, target, page, broken: false });
                    }
                }
            }
        }
        shown
    }

    fn fragment(&mut self, target: UrlNo, link: Shown, shown: &mut Vec<Shown>) {
        let (count, _) = self.fragments.entry(target).or_default();
        *count += 1;
        if *count <= SAMPLE as u64 {
            shown.push(link);
        }
    }

    /// Returns true if the links to a finding's subject are shown: for every finding, unless there are very many.
    fn shows_links(&self, check: &Check) -> bool {
        let are_few = self.audit.classified.len() <= MAX_LINKS / SAMPLE;
        !is_about_elements(check) && (are_few || is_about_links(check))
    }

    fn item(&self, one: &ClassifiedFinding) -> RenderedFinding {
        let site = &self.audit.site;
        let finding = &one.finding;
        let no_evidence = Evidence::default();
        let evidence = finding.evidence.as_deref().unwrap_or(&no_evidence);
        let texts = |urls: &[UrlNo]| urls.iter().map(|url| site.text(*url).to_owned()).collect::<Vec<_>>();
        let (linked_from, linked_from_count) = self.linked_from(one);
        RenderedFinding {
            check: finding.check,
            severity: one.severity,
            state: one.state,
            accepted: one.accepted,
            subject: self.subject(&finding.about),
            message: evidence.message.as_deref().unwrap_or(finding.check.reason).to_owned(),
            linked_from,
            linked_from_count,
            chain: texts(&evidence.chain),
            target: evidence.target.map(|url| site.text(url).to_owned()),
            sitemaps: texts(&evidence.sitemaps),
            entrances: texts(&evidence.entrances),
            examples: texts(&evidence.examples),
        }
    }

    fn subject(&self, about: &SubjectIds) -> Subject {
        let site = &self.audit.site;
        match about {
            SubjectIds::Url(url) => Subject::Url(site.text(*url).to_owned()),
            SubjectIds::Group(urls) => {
                let mut urls: Vec<String> = urls.iter().map(|url| site.text(*url).to_owned()).collect();
                urls.sort();
                Subject::Urls(urls)
            }
            SubjectIds::Site => Subject::Site(site.starts.first().map_or("", |start| site.text(*start)).to_owned()),
            SubjectIds::Pattern(pattern) => Subject::Pattern(pattern.to_string()),
        }
    }

    fn linked_from(&self, one: &ClassifiedFinding) -> (Vec<Referrer>, Option<u64>) {
        let SubjectIds::Url(url) = one.finding.about else { return (Vec::new(), None) };
        if is_about_elements(one.finding.check) {
            let known = self.fragments.get(&url);
            return known.map_or((Vec::new(), None), |(count, sample)| (self.referrers(sample), Some(*count)));
        }
        if !self.shows_links(one.finding.check) {
            return (Vec::new(), None);
        }
        let url = self.audit.site.loaded_with(url);
        let inlinks = self.audit.site.inlinks(url);
        if one.finding.check.attributes.links == LinkEvidence::NoLinks && inlinks.clicked() == 0 {
            return (Vec::new(), Some(0));
        }
        let count = if inlinks.clicked() > 0 { inlinks.clicked() } else { inlinks.references };
        let sample = self.referrers.get(&url).map(Vec::as_slice).unwrap_or_default();
        (self.referrers(sample), Some(u64::from(count)))
    }

    fn referrers(&self, sample: &[ShownLink]) -> Vec<Referrer> {
        let evidence = |seen: &ShownLink| Referrer {
            url: self.audit.site.text(seen.page).to_owned(),
            anchor: seen.anchor.to_string(),
            region: seen.region,
            nofollow: seen.nofollow,
        };
        sample.iter().map(evidence).collect()
    }
}

/// A link that was read: whether it names a missing element, and its target.
type ReadLink = (bool, UrlNo, ShownLink);

/// Reads the links to be shown, more than `part` of them in parts on all processors.
fn read_in_parts(site: &Site, record: &Record, shown: &[Shown], part: usize) -> Result<Vec<ReadLink>, StoreError> {
    if shown.len() <= part {
        return read_links(site, record, shown);
    }
    let (folder, run) = (record.folder(), record.run());
    let read = |part| read_links(site, &Record::open_to_read(folder)?.as_of(run), part);
    let parts: Result<Vec<_>, StoreError> = shown.par_chunks(part).map(read).collect();
    Ok(parts?.into_iter().flatten().collect())
}

/// Reads the links to be shown, which are sorted by set.
fn read_links(site: &Site, record: &Record, shown: &[Shown]) -> Result<Vec<ReadLink>, StoreError> {
    let mut links: (u32, Vec<LinkRow>) = (u32::MAX, Vec::new());
    let mut read = Vec::with_capacity(shown.len());
    for one in shown.iter().copied() {
        if links.0 != one.set {
            links = (one.set, record.link_set(one.set)?);
        }
        if let Some(link) = best(site, &links.1, one) {
            let anchor = match &link.anchor {
                Some(text) => text.clone(),
                None => record.usual_anchor(one.target)?,
            };
            let nofollow = link.nofollow || site.node(one.page).nofollow;
            let link = ShownLink { page: one.page, region: link.region, nofollow, anchor: anchor.into() };
            read.push((one.broken, one.target, link));
        }
    }
    Ok(read)
}

/// Returns true if findings of this kind are about elements of a page, and the links to each of them.
fn is_about_elements(check: &Check) -> bool {
    check.attributes.identity == Identity::Elements
}

/// Returns true if a finding is mainly about the links to its subject.
fn is_about_links(check: &Check) -> bool {
    use Topic as T;
    let topic = matches!(check.topic, T::Reachability | T::Responses | T::Redirects | T::External | T::WhatIf);
    topic && check.attributes.links != LinkEvidence::Aside
}

/// Returns the link of a set that shows a finding best: one to the missing element, one that visitors click, one with a
/// text.
fn best<'l>(site: &Site, links: &'l [LinkRow], shown: Shown) -> Option<&'l LinkRow> {
    let missing = site.missing_fragments.get(&shown.target).filter(|_| shown.broken);
    let names = |link: &LinkRow| fragment(link).is_some_and(|name| missing.is_some_and(|all| all.has(&name)));
    let leads_there = |link: &&LinkRow| {
        link.target == shown.target || shown.broken && names(link) && site.end_of(link.target) == shown.target
    };
    let of_target = links.iter().filter(leads_there);
    of_target.min_by_key(|link| {
        let empty = link.anchor.as_ref().is_some_and(String::is_empty);
        (shown.broken && !names(link), !link.kind.clicked(), link.nofollow, empty)
    })
}

impl RenderedFindings for RenderedEvidence<'_> {
    fn len(&self) -> usize {
        self.audit.classified.len()
    }

    fn each(&self, take: &mut dyn FnMut(&RenderedFinding) -> io::Result<()>) -> io::Result<()> {
        self.audit.classified.iter().try_for_each(|one| take(&self.item(one)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use mapwright_testcrawl::Web;

    #[test]
    fn links_that_are_read_in_parts_are_the_same() {
        let pages = ["/a", "/b", "/c", "/d", "/e"];
        let web = pages.iter().fold(Web::for_audit().links("/", &pages), |web, page| web.links(page, &["/gone", "/"]));
        let crawled = web.crawled();
        let audit = Audit::of(crawled.record(), &Options::default()).unwrap();
        let mut rendered = RenderedEvidence { audit: &audit, referrers: HashMap::new(), fragments: HashMap::new() };
        let mut shown = rendered.links_to_be_shown();
        shown.sort_unstable();
        let read = |part| read_in_parts(&audit.site, crawled.record(), &shown, part).unwrap();
        assert!(shown.len() > 4, "{shown:?}");
        assert_eq!(read(2), read(shown.len()));
    }
}
