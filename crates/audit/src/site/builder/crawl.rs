//! The crawl of a built site, and its record.

use super::answer::{Answer, NOW, answer, parse, url};
use super::listing::Listing;
use super::{SiteBuilder, link_sets, variants};
use crate::site::alternates;
use crate::site::fragments::Elements;
use crate::site::links::count;
use crate::site::load;
use crate::site::parameters;
use crate::site::{ListedEntry, Node, NodeStatus, RobotsFile, Site, UrlNo};
use jiff::Timestamp;
use mapwright_model::{Outcome, Purpose, Unfetched, Via};
use mapwright_store::{LinkRow, PageRow, RenderingRow, VisitRow};
use mapwright_verdict::{self as verdict, Pointer, Reason, UrlNode};
use mapwright_web::directives::binding;
use mapwright_web::media::Media;
use mapwright_web::page::SecurityHeaders;
use mapwright_web::page::facts::{FactLocation, LinkKind, Region};
use mapwright_web::{DocumentHeaders, KeyMaker, Limits, PageFacts, Robots};
use std::collections::{HashSet, VecDeque};

/// A crawl of a built site in progress.
#[derive(Default)]
struct Crawl {
    site: Site,
    /// The robots.txt, if there is one.
    robots: Option<Robots>,
    queue: VecDeque<UrlNo>,
    requested: HashSet<UrlNo>,
    sets: Vec<(u32, Vec<LinkRow>)>,
    page_contents: Vec<PageRow>,
    /// Alternates that sitemaps name.
    named: Vec<(UrlNo, Vec<(String, UrlNo)>)>,
}

impl SiteBuilder {
    /// Crawls the site, and returns it as the run sees it.
    pub(crate) fn site(mut self) -> Site {
        if self.starts.is_empty() && !self.startless {
            self.starts.push(url("/"));
            if !self.answers.contains_key(&url("/")) {
                self = self.links("/", &[]);
            }
        }
        Crawl::default().run(&self)
    }
}

impl Crawl {
    fn run(mut self, builder: &SiteBuilder) -> Site {
        self.site.agent = "mapwright".to_owned();
        self.site.search_agent = "googlebot".to_owned();
        self.site.max_redirects = load::MAX_REDIRECTS;
        self.site.started = NOW.parse().unwrap();
        self.robots = builder.robots.as_ref().map(|text| Robots::compile(text.as_bytes()));
        builder.starts.iter().for_each(|start| self.start(builder, start));
        builder.url_list.iter().for_each(|url| _ = self.find(builder, url, Via::UrlList, None));
        builder.listings.iter().for_each(|(file, listing)| self.list(builder, file, listing));
        self.query(builder);
        // URLs that no link leads to are discovered all the same.
        for (text, answer) in &builder.answers {
            let parent = answer.found_on.as_ref().map(|parent| self.number(parent));
            self.find(builder, text, Via::Link, parent);
            self.query(builder);
        }
        self.prerequisites(builder);
        self.checks(builder);
        self.site.entrances = load::entrances(&self.site);
        for (text, time) in &builder.changed {
            let url = self.number(text);
            self.site.changed_after.insert(url, *time);
        }
        let mut elements = Elements::default();
        self.page_contents.into_iter().for_each(|row| load::page_contents(&mut self.site, row, &mut elements));
        let mut named = alternates::Named::default();
        self.named.into_iter().for_each(|(page, alternates)| named.add(page, alternates));
        named.settle(&mut self.site);
        let state = load::state(&self.site);
        for (set, rows) in self.sets {
            load::link_set(&mut self.site, &elements, &state, &HashSet::new(), set, &rows);
        }
        self.site.resources.note_sheets(&self.site.nodes);
        self.site.inlinks = count(&self.site.nodes, &self.site.page_contents, &self.site.links);
        judge(&mut self.site);
        variants::leave_out(&mut self.site, &builder.parameters);
        self.site.parameters = parameters::gather(&self.site, &builder.parameters);
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

    fn start(&mut self, builder: &SiteBuilder, start: &str) {
        let url = self.find(builder, start, Via::Start, None);
        self.site.starts.push(url);
    }

    /// Stores how a URL was discovered, and queues it if the crawl follows such links.
    fn find(&mut self, builder: &SiteBuilder, text: &str, via: Via, parent: Option<UrlNo>) -> UrlNo {
        let url = self.number(text);
        let inside = builder.answers.contains_key(text) || parse(text).host() == "example.com";
        let refused = match builder.answers.get(text).and_then(|answer| answer.refused) {
            None if !inside => Some(Unfetched::OutOfScope),
            None if via == Via::Nofollow => Some(Unfetched::Nofollow),
            None if via == Via::Resource => Some(Unfetched::Resource),
            known => known,
        };
        let node = &mut self.site.nodes[url as usize];
        if node.via.is_none() {
            (node.via, node.found_on) = (Some(via), parent);
        }
        if matches!(node.fetch_status, NodeStatus::Unknown | NodeStatus::Refused(_)) {
            node.fetch_status = refused.map_or(NodeStatus::NotReached, NodeStatus::Refused);
            self.queue.extend(refused.is_none().then_some(url));
        }
        url
    }

    fn query(&mut self, builder: &SiteBuilder) {
        while let Some(url) = self.queue.pop_front() {
            if !self.requested.insert(url) {
                continue;
            }
            let text = self.site.text(url).to_owned();
            let path = parse(&text);
            let ruling = self.robots.as_ref().map(|robots| robots.agent("mapwright").rule(path.path_and_query()));
            let row = if let Some(ruling) = ruling.filter(|ruling| !ruling.allowed) {
                let robots_rule = ruling.line.map(|line| (line.number, line.text));
                VisitRow { robots_rule, ..row(url, Purpose::Page, &answer(Outcome::Refused, 0, "")) }
            } else {
                let lost = answer(Outcome::Status, 404, "");
                self.visit(builder, url, builder.answers.get(&text).unwrap_or(&lost))
            };
            load::fetched(&mut self.site, row);
        }
    }

    /// Reads one answer and its links.
    fn visit(&mut self, builder: &SiteBuilder, url: UrlNo, answer: &Answer) -> VisitRow {
        let mut row = row(url, Purpose::Page, answer);
        row.target = answer.location.as_ref().map(|target| self.find(builder, target, Via::Redirect, Some(url)));
        if !matches!(answer.outcome, Outcome::Page | Outcome::File) {
            return row;
        }
        let facts = self.read(url, answer);
        let facts = PageFacts { before_scripts: answer.before_scripts.clone(), ..facts };
        if let Some(rendering) = answer.rendering.clone() {
            self.site.note_rendering(RenderingRow { url, rendering, links: Vec::new() });
        }
        let binding = binding(&facts.directives, &["mapwright", "googlebot"], self.site.started);
        (row.noindex, row.nofollow) = (binding.noindex || binding.expired, binding.nofollow);
        let links: Vec<LinkRow> = facts
            .links
            .iter()
            .filter_map(|link| {
                let via = via(link.kind, link.rel.nofollow || binding.nofollow, link.region);
                let target = self.find(builder, link.url.as_ref()?.as_str(), via, Some(url));
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
        let mut honoured = facts.canonicals.iter().filter(|canonical| canonical.place != FactLocation::Body);
        if let Some(first) = honoured.next()
            && honoured.all(|other| other.url == first.url)
            && let Some(canonical) = &first.url
        {
            row.canonical = Some(self.find(builder, canonical.as_str(), Via::Canonical, Some(url)));
        }
        let instant = facts.refresh.as_ref().filter(|refresh| refresh.is_instant()).and_then(|r| r.url.as_ref());
        if let Some(target) = instant.filter(|target| target.as_str() != self.site.text(url)) {
            row.target = Some(self.find(builder, target.as_str(), Via::Refresh, Some(url)));
        }
        let sets = link_sets::by_region(url, links);
        let numbers = sets.keys().copied().collect();
        self.sets.extend(sets);
        self.page_contents.push(PageRow { url, hash: hash(&answer.body), facts, sets: numbers });
        row
    }

    fn read(&self, url: UrlNo, answer: &Answer) -> PageFacts {
        let values = |wanted: &str| {
            let of = answer.header.iter().filter(move |(name, _)| *name == wanted);
            of.map(|(_, value)| value.as_str()).collect::<Vec<_>>()
        };
        let head = DocumentHeaders {
            content_type: values("content-type").first().copied(),
            links: values("link"),
            robots: values("x-robots-tag"),
            refresh: values("refresh").first().copied(),
            security: SecurityHeaders::of(|name| values(name).first().copied()),
        };
        let url = parse(self.site.text(url));
        if answer.outcome == Outcome::File {
            return mapwright_web::page::header_facts(&head, &url, &Limits::default());
        }
        mapwright_web::page::read(answer.body.as_bytes(), &head, &url, &Limits::default())
    }

    fn list(&mut self, builder: &SiteBuilder, text: &str, listing: &Listing) {
        let (via, purpose) = match &listing.index {
            _ if listing.is_feed => (Via::FeedLink, Purpose::Feed),
            None => (Via::RobotsTxt, Purpose::Sitemap),
            Some(_) => (Via::Sitemap, Purpose::Sitemap),
        };
        let file = self.number(text);
        let index = listing.index.as_ref().map(|index| self.number(index));
        let node = &mut self.site.nodes[file as usize];
        (node.fetch_status, node.via, node.found_on) = (NodeStatus::NotReached, Some(via), index);
        let got = listing.answer.clone().unwrap_or_else(|| answer(Outcome::File, 200, "<urlset/>"));
        let target = got.location.as_ref().map(|target| self.number(target));
        load::fetched(&mut self.site, VisitRow { target, ..row(file, purpose, &got) });
        for (entry, date) in &listing.entries {
            let via = if listing.is_feed { Via::Feed } else { Via::Sitemap };
            let url = self.find(builder, entry, via, Some(file));
            self.site.entries.push(ListedEntry { file, url, lastmod: date.as_deref().map(Into::into) });
        }
        for (page, code, target) in &listing.alternates {
            let (page, url) = (self.number(page), self.find(builder, target, Via::Sitemap, Some(file)));
            self.named.push((page, vec![(code.clone(), url)]));
        }
        let faults = listing
            .faults
            .iter()
            .map(|(rule, line, what, count)| (rule.code().to_owned(), *line, what.clone(), *count));
        self.site.files.entry(file).or_default().faults.extend(faults);
    }

    fn prerequisites(&mut self, builder: &SiteBuilder) {
        let requested = builder.robots_at.clone().unwrap_or_else(|| url("/robots.txt"));
        let url = parse(builder.robots_target.as_ref().unwrap_or(&requested));
        if builder.robots_target.is_some() {
            let (from, to) = (self.number(&requested), self.number(url.as_str()));
            self.site.robots_hops.insert(from, to);
        }
        if let Some(text) = &builder.robots {
            let number = self.number(url.as_str());
            self.site.robots.insert(number, RobotsFile::read(url.clone(), text));
        }
        if let Some(failed) = builder.robots_failed {
            let number = self.number(url.as_str());
            self.site.robots_failed.insert(number, failed);
        }
    }

    /// Requests the probe of a name that cannot exist, and URLs of other sites.
    fn checks(&mut self, builder: &SiteBuilder) {
        if let Some(answer) = &builder.probe {
            let url = self.number(&url("/cannot-exist"));
            let target = answer.location.as_ref().map(|target| self.number(target));
            load::fetched(&mut self.site, VisitRow { target, ..row(url, Purpose::Probe, answer) });
            let facts = self.read(url, answer);
            self.page_contents.push(PageRow { url, hash: hash(&answer.body), facts, sets: Vec::new() });
        }
        for (text, answer) in &builder.external {
            let url = match &answer.found_on {
                Some(sheet) => {
                    let sheet = self.number(sheet);
                    self.find(builder, text, Via::Resource, Some(sheet))
                }
                None => self.number(text),
            };
            let target = answer.location.as_ref().map(|target| self.number(target));
            load::fetched(&mut self.site, VisitRow { target, ..row(url, Purpose::External, answer) });
        }
    }
}

fn hash(body: &str) -> u64 {
    KeyMaker::new(0, 0).hash(body.as_bytes())
}

/// Returns how a link leads to its target, as the engine has it.
fn via(kind: LinkKind, nofollow: bool, region: Region) -> Via {
    match kind {
        LinkKind::Feed => Via::Resource,
        _ if kind.is_resource() => Via::Resource,
        LinkKind::Canonical if region == Region::Head => Via::Canonical,
        LinkKind::Canonical => Via::Resource,
        _ if nofollow => Via::Nofollow,
        _ => Via::Link,
    }
}

fn row(url: UrlNo, purpose: Purpose, answer: &Answer) -> VisitRow {
    let content_type = answer.header.iter().find(|(name, _)| *name == "content-type").map(|(_, value)| value.as_str());
    VisitRow {
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
        wire_bytes: 0,
        cut: answer.cut || answer.links_cut,
        body_cut: answer.cut,
        media: (answer.status == 200).then(|| Media::of(content_type, answer.body.as_bytes())),
        target: None,
        canonical: None,
        noindex: false,
        nofollow: false,
        reused: false,
    }
}

/// Sets the verdicts, as the record has them.
fn judge(site: &mut Site) {
    let graph: Vec<UrlNode> = (0..).zip(&site.nodes).map(|(url, node)| known(site, url, node)).collect();
    let judgements = verdict::Judgements::new();
    let verdicts = verdict::judge(&graph, &judgements, &|url| site.urls.text(url).to_owned());
    for (url, node) in (0..).zip(&mut site.nodes) {
        let verdict = verdicts.of(url);
        node.reason = verdict.and_then(|verdict| verdict.reason);
        node.listed = verdict.is_some_and(|verdict| verdict.reason.is_none());
    }
}

fn known(site: &Site, url: UrlNo, node: &Node) -> UrlNode {
    use verdict::FetchStatus as F;
    let fetch_status = match node.fetch_status {
        NodeStatus::Unknown => F::Absent,
        NodeStatus::Refused(Unfetched::OutOfScope) => F::NotFetched(Reason::OutOfScope),
        NodeStatus::Refused(Unfetched::Nofollow) => F::NotFetched(Reason::Nofollow),
        NodeStatus::Refused(_) | NodeStatus::NotReached | NodeStatus::Guarded => F::NotFetched(Reason::NotReached),
        NodeStatus::Blocked | NodeStatus::RobotsUnavailable => F::NotFetched(Reason::Robots),
        NodeStatus::Page => F::Page,
        NodeStatus::File => F::File,
        NodeStatus::Redirect => F::Redirect,
        NodeStatus::NoAnswer(_) => F::Failed(Reason::NoAnswer),
        _ => F::Failed(Reason::HttpError),
    };
    let duplicate_key = site
        .page_content(url)
        .map(|page_contents| format!("{} {}", parse(site.text(url)).duplicate_key_text(), page_contents.hash));
    UrlNode {
        fetch_status,
        redirect: Pointer::from(node.target),
        canonical: Pointer::from(node.canonical),
        noindex: node.noindex,
        duplicate_key: duplicate_key.map_or(0, |duplicate_key| hash(&duplicate_key)),
        inlinks: site.inlinks(url).all(),
        length: site.text(url).chars().count() as u16,
        ..UrlNode::default()
    }
}
