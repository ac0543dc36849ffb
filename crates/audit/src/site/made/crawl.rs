//! What a crawl and its record make of a site that was told.

use super::listing::Listing;
use super::{Answer, Made, NOW, answer, parse, url, variants};
use crate::site::alternates;
use crate::site::fragments::Elements;
use crate::site::links::count;
use crate::site::load;
use crate::site::parameters;
use crate::site::{Entry, Fate, Node, RobotsFile, Site, UrlNo};
use jiff::Timestamp;
use mapwright_engine::Outcome;
use mapwright_frontier::{Purpose, Unfetched, Via};
use mapwright_store::{FetchedRow, LinkRow, SaidRow};
use mapwright_verdict::{self as verdict, Known, Pointer, Reason};
use mapwright_web::directives::binding;
use mapwright_web::media::Media;
use mapwright_web::page::facts::{LinkKind, Place, Region};
use mapwright_web::{Head, KeyMaker, Limits, PageFacts, Robots};
use std::collections::{HashSet, VecDeque};

/// The site on its way from what was told to what a run sees.
#[derive(Default)]
pub(super) struct Crawl {
    site: Site,
    /// What robots.txt says, where there is one.
    robots: Option<Robots>,
    queue: VecDeque<UrlNo>,
    asked: HashSet<UrlNo>,
    sets: Vec<(u32, Vec<LinkRow>)>,
    said: Vec<SaidRow>,
    /// Alternates that sitemaps name.
    named: Vec<(UrlNo, Vec<(String, UrlNo)>)>,
}

impl Crawl {
    pub(super) fn run(mut self, made: &Made) -> Site {
        self.site.agent = "mapwright".to_owned();
        self.site.max_redirects = load::MAX_REDIRECTS;
        self.site.started = NOW.parse().unwrap();
        self.robots = made.robots.as_ref().map(|text| Robots::compile(text.as_bytes()));
        made.starts.iter().for_each(|start| self.start(made, start));
        made.url_list.iter().for_each(|url| _ = self.find(made, url, Via::UrlList, None));
        made.listings.iter().for_each(|(file, listing)| self.list(made, file, listing));
        self.ask(made);
        // What nothing leads to was met all the same.
        for (text, answer) in &made.answers {
            let parent = answer.found_on.as_ref().map(|parent| self.number(parent));
            self.find(made, text, Via::Link, parent);
            self.ask(made);
        }
        self.prerequisites(made);
        self.checks(made);
        self.site.entrances = load::entrances(&self.site);
        for (text, time) in &made.changed {
            let url = self.number(text);
            self.site.changed_after.insert(url, *time);
        }
        let mut elements = Elements::default();
        self.said.into_iter().for_each(|row| load::said(&mut self.site, row, &mut elements));
        let mut named = alternates::Named::default();
        self.named.into_iter().for_each(|(page, alternates)| named.add(page, alternates));
        named.settle(&mut self.site);
        let standing = load::standing(&self.site);
        for (set, rows) in self.sets {
            load::link_set(&mut self.site, &elements, &standing, set, &rows);
        }
        self.site.inlinks = count(&self.site.nodes, &self.site.said, &self.site.links);
        judge(&mut self.site);
        variants::leave_out(&mut self.site, &made.parameters);
        self.site.parameters = parameters::gather(&self.site, &made.parameters);
        let clicks = self.site.clicks();
        self.site.nodes.iter_mut().zip(clicks).for_each(|(node, clicks)| node.depth = clicks);
        self.site
    }

    fn number(&mut self, text: &str) -> UrlNo {
        if let Some(known) = self.site.urls.number(text) {
            return known;
        }
        let number = self.site.urls.len().max(1) as UrlNo;
        self.site.urls.push(number, text);
        self.site.nodes.resize(self.site.urls.len(), Node::default());
        number
    }

    fn start(&mut self, made: &Made, start: &str) {
        let url = self.find(made, start, Via::Start, None);
        self.site.starts.push(url);
    }

    /// Notes how a URL was found, and puts it in line if that is a way to follow.
    fn find(&mut self, made: &Made, text: &str, via: Via, parent: Option<UrlNo>) -> UrlNo {
        let url = self.number(text);
        let inside = made.answers.contains_key(text) || parse(text).host() == "example.com";
        let refused = match made.answers.get(text).and_then(|answer| answer.refused) {
            None if !inside => Some(Unfetched::OutOfScope),
            None if via == Via::Nofollow => Some(Unfetched::Nofollow),
            None if via == Via::Resource => Some(Unfetched::Resource),
            known => known,
        };
        let node = &mut self.site.nodes[url as usize];
        if node.via.is_none() {
            (node.via, node.found_on) = (Some(via), parent);
        }
        if matches!(node.fate, Fate::Unknown | Fate::Refused(_)) {
            node.fate = refused.map_or(Fate::NotReached, Fate::Refused);
            self.queue.extend(refused.is_none().then_some(url));
        }
        url
    }

    fn ask(&mut self, made: &Made) {
        while let Some(url) = self.queue.pop_front() {
            if !self.asked.insert(url) {
                continue;
            }
            let text = self.site.text(url).to_owned();
            let path = parse(&text);
            let ruling = self.robots.as_ref().map(|robots| robots.agent("mapwright").rule(path.path_and_query()));
            let row = if let Some(ruling) = ruling.filter(|ruling| !ruling.allowed) {
                let robots_rule = ruling.line.map(|line| (line.number, line.text));
                FetchedRow { robots_rule, ..row(url, Purpose::Page, &answer(Outcome::Refused, 0, "")) }
            } else {
                let lost = answer(Outcome::Status, 404, "");
                self.visit(made, url, made.answers.get(&text).unwrap_or(&lost))
            };
            load::fetched(&mut self.site, row);
        }
    }

    /// One answer: what it is, and what it leads to.
    fn visit(&mut self, made: &Made, url: UrlNo, answer: &Answer) -> FetchedRow {
        let mut row = row(url, Purpose::Page, answer);
        row.target = answer.location.as_ref().map(|target| self.find(made, target, Via::Redirect, Some(url)));
        if !matches!(answer.outcome, Outcome::Page | Outcome::File) {
            return row;
        }
        let facts = self.read(url, answer);
        let binding = binding(&facts.directives, &["mapwright", "googlebot"], self.site.started);
        (row.noindex, row.nofollow) = (binding.noindex || binding.expired, binding.nofollow);
        let set = url;
        let links: Vec<LinkRow> = facts
            .links
            .iter()
            .filter_map(|link| {
                let via = via(link.kind, link.rel.nofollow || binding.nofollow, link.region);
                let target = self.find(made, link.url.as_ref()?.as_str(), via, Some(url));
                let (anchor, fragment) = (Some(link.anchor.clone()), link.fragment.clone());
                Some(LinkRow {
                    target,
                    kind: link.kind,
                    nofollow: link.rel.nofollow,
                    region: link.region,
                    anchor,
                    fragment,
                })
            })
            .collect();
        let mut honoured = facts.canonicals.iter().filter(|canonical| canonical.place != Place::Body);
        if let Some(first) = honoured.next()
            && honoured.all(|other| other.url == first.url)
            && let Some(canonical) = &first.url
        {
            row.canonical = Some(self.find(made, canonical.as_str(), Via::Canonical, Some(url)));
        }
        let instant = facts.refresh.as_ref().filter(|refresh| refresh.seconds == 0).and_then(|r| r.url.as_ref());
        if let Some(target) = instant.filter(|target| target.as_str() != self.site.text(url)) {
            row.target = Some(self.find(made, target.as_str(), Via::Refresh, Some(url)));
        }
        self.sets.push((set, links));
        self.said.push(SaidRow { url, hash: hash(&answer.body), facts, sets: vec![set] });
        row
    }

    fn read(&self, url: UrlNo, answer: &Answer) -> PageFacts {
        let values = |wanted: &str| {
            let of = answer.header.iter().filter(move |(name, _)| *name == wanted);
            of.map(|(_, value)| value.as_str()).collect::<Vec<_>>()
        };
        let head = Head {
            content_type: values("content-type").first().copied(),
            links: values("link"),
            robots: values("x-robots-tag"),
            refresh: values("refresh").first().copied(),
        };
        let url = parse(self.site.text(url));
        if answer.outcome == Outcome::File {
            return mapwright_web::page::header_facts(&head, &url, &Limits::default());
        }
        mapwright_web::page::read(answer.body.as_bytes(), &head, &url, &Limits::default())
    }

    fn list(&mut self, made: &Made, text: &str, listing: &Listing) {
        let (via, purpose) = match &listing.index {
            _ if listing.is_feed => (Via::FeedLink, Purpose::Feed),
            None => (Via::RobotsTxt, Purpose::Sitemap),
            Some(_) => (Via::Sitemap, Purpose::Sitemap),
        };
        let file = self.number(text);
        let index = listing.index.as_ref().map(|index| self.number(index));
        let node = &mut self.site.nodes[file as usize];
        (node.fate, node.via, node.found_on) = (Fate::NotReached, Some(via), index);
        let got = listing.answer.clone().unwrap_or_else(|| answer(Outcome::File, 200, "<urlset/>"));
        let target = got.location.as_ref().map(|target| self.number(target));
        load::fetched(&mut self.site, FetchedRow { target, ..row(file, purpose, &got) });
        for (entry, date) in &listing.entries {
            let via = if listing.is_feed { Via::Feed } else { Via::Sitemap };
            let url = self.find(made, entry, via, Some(file));
            self.site.entries.push(Entry { file, url, lastmod: date.as_deref().map(Into::into) });
        }
        for (page, code, target) in &listing.alternates {
            let (page, url) = (self.number(page), self.find(made, target, Via::Sitemap, Some(file)));
            self.named.push((page, vec![(code.clone(), url)]));
        }
        let faults = listing
            .faults
            .iter()
            .map(|(rule, line, what, count)| (rule.code().to_owned(), *line, what.clone(), *count));
        self.site.files.entry(file).or_default().faults.extend(faults);
    }

    fn prerequisites(&mut self, made: &Made) {
        let asked = made.robots_at.clone().unwrap_or_else(|| url("/robots.txt"));
        let url = parse(made.robots_target.as_ref().unwrap_or(&asked));
        if made.robots_target.is_some() {
            let (from, to) = (self.number(&asked), self.number(url.as_str()));
            self.site.robots_hops.insert(from, to);
        }
        if let Some(text) = &made.robots {
            let number = self.number(url.as_str());
            self.site.robots.insert(number, RobotsFile::read(url.clone(), text));
        }
        if let Some(failed) = made.robots_failed {
            let number = self.number(url.as_str());
            self.site.robots_failed.insert(number, failed);
        }
    }

    /// The name that cannot exist, and other sites' URLs.
    fn checks(&mut self, made: &Made) {
        if let Some(answer) = &made.probe {
            let url = self.number(&url("/cannot-exist"));
            let target = answer.location.as_ref().map(|target| self.number(target));
            load::fetched(&mut self.site, FetchedRow { target, ..row(url, Purpose::Probe, answer) });
            let facts = self.read(url, answer);
            self.said.push(SaidRow { url, hash: hash(&answer.body), facts, sets: Vec::new() });
        }
        for (text, answer) in &made.external {
            let url = self.number(text);
            let target = answer.location.as_ref().map(|target| self.number(target));
            load::fetched(&mut self.site, FetchedRow { target, ..row(url, Purpose::External, answer) });
        }
    }
}

fn hash(body: &str) -> u64 {
    KeyMaker::new(0, 0).hash(body.as_bytes())
}

/// The way in which a link leads to its target, as the engine has it.
fn via(kind: LinkKind, nofollow: bool, region: Region) -> Via {
    match kind {
        LinkKind::Image | LinkKind::Media | LinkKind::Feed => Via::Resource,
        LinkKind::Canonical if region == Region::Head => Via::Canonical,
        LinkKind::Canonical => Via::Resource,
        _ if nofollow => Via::Nofollow,
        _ => Via::Link,
    }
}

fn row(url: UrlNo, purpose: Purpose, answer: &Answer) -> FetchedRow {
    let content_type = answer.header.iter().find(|(name, _)| *name == "content-type").map(|(_, value)| value.as_str());
    FetchedRow {
        url,
        purpose,
        at: NOW.parse::<Timestamp>().unwrap().as_millisecond(),
        outcome: answer.outcome,
        status: (answer.status > 0).then_some(answer.status),
        failure: answer.failure,
        detail: answer.failure.map(|kind| kind.to_string()),
        robots_status: answer.robots_status,
        robots_rule: None,
        total_ms: Some(answer.millis),
        body_bytes: answer.bytes.unwrap_or(answer.body.len() as u64),
        cut: answer.cut || answer.links_cut,
        body_cut: answer.cut,
        media: (answer.status == 200).then(|| Media::of(content_type, answer.body.as_bytes())),
        target: None,
        canonical: None,
        noindex: false,
        nofollow: false,
        carried: false,
    }
}

/// Verdicts as the record has them.
fn judge(site: &mut Site) {
    let graph: Vec<Known> = (0..).zip(&site.nodes).map(|(url, node)| known(site, url, node)).collect();
    let judgements = verdict::Judgements::new();
    let verdicts = verdict::judge(&graph, &judgements, &|url| site.urls.text(url).to_owned());
    for (url, node) in (0..).zip(&mut site.nodes) {
        let verdict = verdicts.of(url);
        node.reason = verdict.and_then(|verdict| verdict.reason);
        node.listed = verdict.is_some_and(|verdict| verdict.reason.is_none());
    }
}

fn known(site: &Site, url: UrlNo, node: &Node) -> Known {
    use verdict::Fate as F;
    let fate = match node.fate {
        Fate::Unknown => F::Absent,
        Fate::Refused(Unfetched::OutOfScope) => F::NotFetched(Reason::OutOfScope),
        Fate::Refused(Unfetched::Nofollow) => F::NotFetched(Reason::Nofollow),
        Fate::Refused(_) | Fate::NotReached | Fate::Guarded => F::NotFetched(Reason::NotReached),
        Fate::Blocked | Fate::RobotsUnavailable => F::NotFetched(Reason::Robots),
        Fate::Page => F::Page,
        Fate::File => F::File,
        Fate::Redirect => F::Redirect,
        Fate::NoAnswer(_) => F::Failed(Reason::NoAnswer),
        _ => F::Failed(Reason::HttpError),
    };
    let twin = site.said(url).map(|said| format!("{} {}", parse(site.text(url)).twin_text(), said.hash));
    Known {
        fate,
        redirect: Pointer::from(node.target),
        canonical: Pointer::from(node.canonical),
        noindex: node.noindex,
        twin: twin.map_or(0, |twin| hash(&twin)),
        inlinks: site.inlinks(url).all(),
        length: site.text(url).chars().count() as u16,
        ..Known::default()
    }
}
