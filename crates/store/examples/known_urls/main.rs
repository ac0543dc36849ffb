//! Fills a state folder with the record of a run that was killed or completed: a given number of known URLs, in the
//! rows and in the order that a crawl writes. For `tests/bench/known` and `tests/bench/audit`.

mod arguments;

use arguments::{Arguments, Plan, USAGE, parse};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use mapwright_model::{Lane, Outcome, Purpose, Unfetched, Via};
use mapwright_store::{JudgeOptions, Record, RunInfo, RunState, RunSummary};
use mapwright_verdict::Reason;
use mapwright_web::KeyMaker;
use mapwright_web::page::facts::{Heading, MarkupCounts, PageFacts};
use rusqlite::{Connection, Params};

/// The number of links that all pages share.
const NAVIGATION: u32 = 20;
/// The numbers of style sheets and scripts that all pages share, of the style sheets among them, and of the images of a
/// page.
const SHARED_FILES: u32 = 5;
const STYLE_SHEETS: u32 = 2;
const IMAGES: u32 = 5;
/// The codes of kinds of links in the record.
const IMAGE: u8 = 8;
const STYLE_SHEET: u8 = 10;
const SCRIPT: u8 = 11;
/// One in `MISSING_SHARE` images is missing.
const MISSING_SHARE: u32 = 100;
/// The number of links of the start page.
const FIRST: u32 = 500;
/// The record's compression dictionary of facts.
const USUAL: &[u8] = include_bytes!("../../src/write/facts.json");
/// The number of entries of a sitemap file: the limit of the protocol.
const FILE_ENTRIES: u32 = 50_000;
/// One in `LISTED_SHARE` queued URLs is known only from a sitemap.
const LISTED_SHARE: u32 = 5;
/// The number of URLs or pages written in one transaction.
const BATCH: u32 = 2_000;
/// The start of the run, in milliseconds since 1970.
const EPOCH: i64 = 1_790_000_000_000;
/// The numbers of the earlier run and of the run that was killed.
const EARLIER: u8 = 1;
const KILLED: u8 = 2;
/// The numbers of the first URLs; sitemap files follow.
const START: u32 = 1;
const ROBOTS: u32 = 2;

fn main() -> ExitCode {
    match parse(std::env::args().skip(1)) {
        Ok(arguments) => match fill(&arguments) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("known_urls: {error}");
                ExitCode::FAILURE
            }
        },
        Err(message) => {
            eprintln!("known_urls: {message}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

type Done = Result<(), Box<dyn Error>>;

fn fill(arguments: &Arguments) -> Done {
    let Arguments { state, base, plan, .. } = arguments;
    let starts = serde_json::json!([format!("{base}/")]).to_string();
    let out = std::path::absolute(state)?.with_file_name("out");
    let settings = serde_json::json!({ "output.out": out }).to_string();
    let info = RunInfo { starts: starts.clone(), settings, ..RunInfo::default() };
    write(arguments, &info, |writer| writer.earlier())?;
    write(arguments, &info, |writer| writer.killed(&starts))?;
    if arguments.ended {
        end(state)?;
    }
    report(state, plan)
}

/// Begins a run as the command does, and writes its rows in bulk.
fn write(arguments: &Arguments, info: &RunInfo, rows: impl FnOnce(&mut Writer<'_>) -> Done) -> Done {
    let Arguments { state, base, plan, own_links, resources, .. } = arguments;
    let mut record = Record::open(state)?;
    record.begin(info)?;
    let keys = record.keys();
    drop(record);
    let connection = Connection::open(Record::file_in(state))?;
    connection.execute_batch("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN")?;
    let (facts, own_links, resources) = (facts()?, *own_links, *resources);
    rows(&mut Writer { connection: &connection, keys, base, plan, facts, own_links, resources, queued: 0, visits: 0 })?;
    connection.execute_batch("COMMIT; PRAGMA journal_mode = WAL")?;
    Ok(())
}

/// Judges the run, and ends it.
fn end(state: &Path) -> Done {
    let mut record = Record::open(state)?;
    record.judge(&JudgeOptions {
        published: None,
        lists: &|kind| kind == "html",
        no_list: &|_| false,
        duplicate_key: &str::to_owned,
        recommended: false,
        unreached: Reason::NotReached,
        lastmod: true,
        learns: false,
        remembers: false,
        follows_nofollow: false,
        keep_failing: 3,
    })?;
    Ok(record.end(RunState::Complete, &RunSummary::default())?)
}

/// The facts of a page of typical size, in the form of the record.
fn facts() -> Result<Vec<u8>, Box<dyn Error>> {
    let heading = |level| Heading { level, text: "What stands below, and why it does".to_owned() };
    let mut facts = serde_json::to_value(PageFacts {
        language: Some("en".to_owned()),
        headings: [1, 2, 2, 2, 2, 2].map(heading).to_vec(),
        ids: (0..8).map(|id| format!("part-{id}")).collect(),
        encoding: "UTF-8".to_owned(),
        text_bytes: 17_000,
        scripts: 2,
        markup: MarkupCounts { titles: 1, descriptions: 1, viewport: true, ..MarkupCounts::default() },
        ..PageFacts::default()
    })?;
    if let Some(object) = facts.as_object_mut() {
        object.retain(|_, value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()));
    }
    Ok(zstd::bulk::Compressor::with_dictionary(1, USUAL)?.compress(&serde_json::to_vec(&facts)?)?)
}

/// Writes the rows of one run.
struct Writer<'w> {
    connection: &'w Connection,
    keys: KeyMaker,
    base: &'w str,
    plan: &'w Plan,
    facts: Vec<u8>,
    own_links: u32,
    /// The number of style sheets, scripts and images.
    resources: u32,
    /// The number of queued rows, and of visits, so far.
    queued: u32,
    visits: u32,
}

impl Writer<'_> {
    /// Writes the earlier run, which found its URLs and was dropped.
    fn earlier(&mut self) -> Done {
        for id in START..=self.plan.known() {
            self.url(id)?;
            if id != ROBOTS {
                self.found(EARLIER, id, Via::Link, Some(START))?;
            }
            self.batch(id)?;
        }
        Ok(())
    }

    /// Writes the run that was killed: its prerequisites, its pages with the URLs that they link, the URLs that only
    /// sitemaps list.
    fn killed(&mut self, roots: &str) -> Done {
        let plan = self.plan;
        self.run("UPDATE run SET roots = ?, answered = 1 WHERE id = ?", (roots, KILLED))?;
        self.run("INSERT INTO origin (id, text, run) VALUES (1, ?, ?)", (self.base, KILLED))?;
        self.found(KILLED, START, Via::Start, None)?;
        self.visit(ROBOTS, Purpose::Robots)?;
        for file in ROBOTS + 1..=ROBOTS + plan.files {
            self.found(KILLED, file, Via::RobotsTxt, Some(ROBOTS))?;
            self.visit(file, Purpose::Sitemap)?;
        }
        self.links(1, NAVIGATION, 1, |place| START + place, &self.shared_files())?;
        self.start_page()?;
        let mut found = plan.known();
        for page in 0..plan.visited {
            // The URLs found by links are distributed evenly over the pages.
            let upto = plan.known() + scaled(page + 1, plan.visited + plan.linked, plan.visited);
            (found + 1..=upto).try_for_each(|id| self.linked(id, plan.known() + 1 + page))?;
            self.page(plan.known() + 1 + page, found, upto)?;
            found = upto;
            self.batch(page)?;
        }
        for id in plan.last_linked() + 1..=plan.last() {
            self.listed(id)?;
            self.batch(id)?;
        }
        for place in 0..self.resources {
            self.resource(place)?;
            self.batch(place)?;
        }
        Ok(())
    }

    /// Writes the start page, which links the first pages of the run; these link all others.
    fn start_page(&mut self) -> Done {
        let version = self.visits + 1;
        self.run(
            "INSERT INTO version (id, url, hash, facts_hash, scripts, text_bytes, blocks, sets)
             VALUES (?1, ?2, 1, 1, 0, 17000, x'', '[' || (?1 + 1) || ']')",
            (version, START),
        )?;
        let first = self.plan.known() + 1;
        self.links(version + 1, FIRST, 3, |place| first + place, &[])?;
        self.visit(START, Purpose::Page)
    }

    /// Writes a URL that a page linked first.
    fn linked(&mut self, id: u32, parent: u32) -> Done {
        self.url(id)?;
        self.found(KILLED, id, Via::Link, Some(parent))?;
        // The first ones are visited already.
        if id > self.plan.known() + self.plan.visited { self.queue(id, Lane::Link) } else { Ok(()) }
    }

    /// Writes a URL that only a sitemap lists.
    fn listed(&mut self, id: u32) -> Done {
        let place = id - self.plan.last_linked() - 1;
        let file = ROBOTS + 1 + place / FILE_ENTRIES;
        self.url(id)?;
        self.found(KILLED, id, Via::Sitemap, Some(file))?;
        self.run(
            "INSERT INTO entry (run, file, pos, url, lastmod) VALUES (?, ?, ?, ?, '2026-09-21')",
            (KILLED, file, place % FILE_ENTRIES, id),
        )?;
        self.queue(id, Lane::Listed)
    }

    /// Writes a visited page that links the URLs after `before` up to `found` first, and others that were known before.
    fn page(&mut self, id: u32, before: u32, found: u32) -> Done {
        let version = self.visits + 1;
        self.run(
            "INSERT INTO version (id, url, hash, facts_hash, title, description, scripts, text_bytes, facts, blocks, sets, sketch)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, 17000, ?7, zeroblob(400), '[1,' || (?1 + 1) || ']', ?8)",
            (
                version,
                id,
                mixed(id).cast_signed(),
                mixed(!id).cast_signed(),
                format!("wait appear control soil {id}"),
                "small room tree there direct produce matter road special network horizon cable equal except.",
                &self.facts,
                sketch(id),
            ),
        )?;
        let own = version + 1;
        let new = found - before;
        let target =
            |place: u32| if place < new { before + 1 + place } else { START + below(id ^ place << 25, before) };
        self.links(own, self.own_links.max(new), 3, target, &self.images(id))?;
        self.visit(id, Purpose::Page)?;
        self.run(
            "INSERT INTO memory (url, basis, at, outcome, status, body_bytes, media, media_kind, sniffed, etag,
                                 last_modified, target, canonical, canonical_fault, noindex, nofollow, version)
             SELECT url, 1, at, outcome, status, body_bytes, media, media_kind, sniffed, etag, last_modified,
                    target, canonical, canonical_fault, noindex, nofollow, version
             FROM visit WHERE run = ? AND seq = ?",
            (KILLED, self.visits),
        )
    }

    /// Writes a file that pages load, and its response.
    fn resource(&mut self, place: u32) -> Done {
        let id = self.plan.last() + 1 + place;
        self.url(id)?;
        self.run(
            "INSERT INTO found (run, url, via, parent, depth, refused) VALUES (?, ?, ?, ?, 1, ?)",
            (KILLED, id, Via::Resource.code(), START, Unfetched::Resource.code()),
        )?;
        self.visit(id, Purpose::Resource)
    }

    /// The links to the style sheets and scripts that all pages load, in the form of the record.
    fn shared_files(&self) -> Vec<String> {
        let file = |place: u32| {
            resource_link(self.plan.last() + 1 + place, if place < STYLE_SHEETS { STYLE_SHEET } else { SCRIPT })
        };
        (0..self.resources.min(SHARED_FILES)).map(file).collect()
    }

    /// The images of a page.
    fn images(&self, page: u32) -> Vec<String> {
        let all = self.resources.saturating_sub(SHARED_FILES);
        let first = self.plan.last() + 1 + SHARED_FILES;
        let image = |place: u32| resource_link(first + below(page ^ place << 27, all), IMAGE);
        (0..all.min(IMAGES)).map(image).collect()
    }

    fn links(&self, set: u32, count: u32, region: u8, target: impl Fn(u32) -> u32, resources: &[String]) -> Done {
        let links = (0..count).map(|place| target(place).to_string()).chain(resources.iter().cloned());
        let links = format!("[{}]", links.collect::<Vec<_>>().join(","));
        self.run("INSERT INTO link_set (id, region, links) VALUES (?, ?, ?)", (set, region, links))
    }

    /// Writes a successful visit; a page's version has the number of the visit.
    fn visit(&mut self, id: u32, purpose: Purpose) -> Done {
        self.visits += 1;
        let page = (purpose == Purpose::Page).then_some(());
        let (media, kind) = match purpose {
            Purpose::Page => ("text/html", "html"),
            Purpose::Resource => match id - self.plan.last() {
                place if place <= STYLE_SHEETS => ("text/css", "text"),
                place if place <= SHARED_FILES => ("text/javascript", "text"),
                _ => ("image/png", "image"),
            },
            _ => ("text/plain", "text"),
        };
        let is_missing = purpose == Purpose::Resource && id.is_multiple_of(MISSING_SHARE);
        let outcome = match page {
            Some(()) => Outcome::Page,
            None if is_missing => Outcome::Status,
            None => Outcome::File,
        };
        self.run(
            "INSERT INTO visit (run, seq, url, purpose, attempt, last, at, outcome, status, first_byte_ms, total_ms,
                wire_bytes, body_bytes, cut, media, media_kind, sniffed, etag, last_modified, canonical, noindex,
                nofollow, version)
             VALUES (?1, ?2, ?3, ?4, 0, 1, ?5, ?6, ?12, 12, 14, 9241, 24397, 0, ?7, ?8, ?8, ?9,
                'Mon, 21 Sep 2026 14:13:20 GMT', ?10, 0, 0, ?11)",
            (
                KILLED,
                self.visits,
                id,
                purpose.code(),
                EPOCH + i64::from(self.visits) * 20,
                outcome.code(),
                media,
                kind,
                format!("\"{:016x}\"", mixed(id)),
                page.map(|()| id),
                page.map(|()| self.visits),
                if is_missing { 404 } else { 200 },
            ),
        )
    }

    fn url(&self, id: u32) -> Done {
        let files = ROBOTS + 1..=ROBOTS + self.plan.files;
        let path = match id {
            START => String::new(),
            ROBOTS => "robots.txt".to_owned(),
            file if files.contains(&file) => format!("sitemap-{file}.xml"),
            image if image > self.plan.last() => format!("images/{:016x}-{id:08}.png", mixed(id)),
            _ => format!("section-{:02}/{:016x}-{id:08}.html", below(id, 24), mixed(id)),
        };
        let text = format!("{}/{path}", self.base);
        let key = self.keys.key_text(&text).0.cast_signed();
        self.run("INSERT INTO url (id, key, text) VALUES (?, ?, ?)", (id, key, text))
    }

    fn found(&self, run: u8, id: u32, via: Via, parent: Option<u32>) -> Done {
        self.run(
            "INSERT INTO found (run, url, via, parent, depth) VALUES (?, ?, ?, ?, ?)",
            (run, id, via.code(), parent, depth(id)),
        )
    }

    fn queue(&mut self, id: u32, lane: Lane) -> Done {
        self.queued += 1;
        self.run(
            "INSERT INTO queue (run, origin, lane, seq, url, purpose, depth, hops, level, generation, flags)
             VALUES (?, 1, ?, ?, ?, 0, ?, 0, 0, 0, 0)",
            (KILLED, lane.code(), self.queued, id, depth(id)),
        )
    }

    /// Commits and begins the next transaction every [`BATCH`] numbers.
    fn batch(&self, number: u32) -> Done {
        if number.is_multiple_of(BATCH) { Ok(self.connection.execute_batch("COMMIT; BEGIN")?) } else { Ok(()) }
    }

    fn run(&self, sql: &str, row: impl Params) -> Done {
        self.connection.prepare_cached(sql)?.execute(row)?;
        Ok(())
    }
}

/// An arbitrary number of clicks from the start.
fn depth(id: u32) -> u32 {
    1 + below(id, 6)
}

/// A link to a file that a page loads, in the form of the record.
fn resource_link(target: u32, kind: u8) -> String {
    format!("[{target},{kind},0,\"\"]")
}

fn scaled(part: u32, of: u32, complete: u32) -> u32 {
    u32::try_from(u64::from(part) * u64::from(of) / u64::from(complete.max(1))).unwrap_or(of)
}

/// Scrambles a number (the finaliser of SplitMix64).
fn mixed(number: u32) -> u64 {
    let mut x = u64::from(number).wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn below(number: u32, bound: u32) -> u32 {
    u32::try_from(mixed(number) % u64::from(bound.max(1))).unwrap_or(0)
}

/// Prints the size of the record.
fn report(state: &Path, plan: &Plan) -> Done {
    let connection = Connection::open(Record::file_in(state))?;
    let bytes = std::fs::metadata(Record::file_in(state))?.len() as f64;
    let links: f64 =
        connection.query_row("SELECT sum(json_array_length(links)) FROM link_set", [], |row| row.get(0))?;
    let urls = f64::from(plan.last());
    println!("| known URLs | {} | |", plan.last());
    println!("| visited, queued | {}, {} | |", plan.visited, plan.linked + plan.listed);
    println!("| disk | {:.0} MB | {:.0} MB |", bytes / 1e6, (urls * 300.0 + links * 4.0) / 1e6);
    println!("| disk per known URL | {:.0} bytes | |", bytes / urls);
    Ok(())
}

/// The sketch of a text that no other page has.
fn sketch(id: u32) -> Vec<u8> {
    (0..16).flat_map(|place| mixed(id ^ place << 26).to_le_bytes()).map(|byte| byte.max(1)).collect()
}
