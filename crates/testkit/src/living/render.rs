//! Pages as HTML.

use super::dates;
use super::dice::{Dice, scramble};
use super::dynamic_boilerplate::DynamicBoilerplate;
use super::page::{Page, Rank};
use super::prose;
use super::section::{Dates, Markup, SECTIONS};
use super::text::TableRow;
use super::world::World;

/// The day before the first tick, for stamps in footers.
const FIRST_DAY: i64 = 1_740_787_200;

/// The rendering of a page in the current run.
pub(super) struct Rendering<'w> {
    pub(super) world: &'w World,
    pub(super) page: &'w Page,
    /// The second in which its text last changed.
    pub(super) at: i64,
    /// The serial number of the request.
    pub(super) fetch: u64,
}

impl Rendering<'_> {
    /// The complete document.
    pub(super) fn html(&self) -> String {
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">{}</head>\n\
             <body>{}\n{}\n{}\n{}</body></html>\n",
            self.head(),
            self.top(),
            self.content(),
            self.bottom(),
            self.tail()
        )
    }

    fn head(&self) -> String {
        let page = self.page;
        let mut head = format!("<title>{} | Lantern Works</title>", page.title);
        head += &format!("<link rel=\"stylesheet\" href=\"/assets/site.{:05}.css\">", self.build());
        if page.hidden.is_some_and(|hidden| !hidden.by_header) {
            head += "<meta name=\"robots\" content=\"noindex\">";
        }
        if page.reports_date() {
            head += &self.date();
        }
        head
    }

    fn date(&self) -> String {
        if self.page.section.dates != Dates::Article {
            return format!(
                "<script type=\"application/ld+json\">{{\"@context\":\"https://schema.org\",\"@type\":\"Article\",\
                 \"headline\":\"{}\",\"datePublished\":\"2020-01-05\",\"dateModified\":\"{}\"}}</script>",
                self.page.title,
                dates::w3c(self.at)
            );
        }
        let east = self.page.number.is_multiple_of(3);
        let date = if east { dates::w3c_east(self.at, 2) } else { dates::w3c(self.at) };
        format!("<meta property=\"article:modified_time\" content=\"{date}\">")
    }

    /// Navigation and form: the same on all pages, except for the edition.
    fn top(&self) -> String {
        let edition = self.world.edition;
        let links: String =
            SECTIONS.iter().map(|section| link(&format!("/{0}/", section.name), section.name)).collect();
        let search = if edition.is_multiple_of(2) { "Find a page" } else { "Search the site" };
        let nav = self.wrap("nav", &format!("{}{links} {search}, guide number {edition}", link("/", "Home")));
        let token = self.own_number(DynamicBoilerplate::Token);
        let form = format!(
            "<form action=\"/search\"><input type=\"hidden\" name=\"csrf\" value=\"{token:016x}\">\
             <button>Go</button></form>"
        );
        self.wrap("header", &format!("{nav}{form}"))
    }

    /// The content of the page, with a counter right below its last paragraph.
    fn content(&self) -> String {
        let text = &self.page.text;
        let mut paragraphs: Vec<String> = text.paragraphs.iter().map(|text| self.wrap("p", text)).collect();
        if let Some(second) = text.paragraphs.get(1) {
            let second = self.wrap("p", &format!("{second} There are {} of them now.", text.figure));
            paragraphs.splice(1..2, [second]);
        }
        let below = paragraphs.split_off(paragraphs.len() / 2);
        let mut content = self.wrap("h1", &self.page.title) + &paragraphs.concat() + &self.wrap("h2", &text.heading);
        content += &self.list(text.points.iter().map(String::as_str));
        content += &self.table(&text.rows);
        content += &below.concat();
        if self.page.dynamic_boilerplate == Some(DynamicBoilerplate::Counter) {
            let seen = 1_000 + self.world.tick * 7 + u64::from(self.page.number) * 11;
            content += &self.wrap("p", &format!("Seen {},{:03} times", seen / 1_000, seen % 1_000));
        }
        if self.page.rank != Rank::Leaf {
            content += &self.listing();
        }
        self.wrap("main", &self.wrap("article", &content))
    }

    fn listing(&self) -> String {
        let pages = self.world.pages.values();
        let links = pages.filter(|page| self.names(page)).map(|page| link(&page.path, &page.title));
        let links: Vec<String> = links.collect();
        self.list(links.iter().map(String::as_str))
    }

    /// Returns whether this list links to that page.
    fn names(&self, page: &Page) -> bool {
        match self.page.rank {
            Rank::Home => page.rank == Rank::Hub,
            Rank::Hub => page.rank == Rank::Leaf && page.section == self.page.section && page.linked,
            Rank::Leaf => false,
        }
    }

    fn table(&self, rows: &[TableRow]) -> String {
        if rows.is_empty() {
            return String::new();
        }
        let cells = |row: &TableRow| -> String {
            let answers = row.answers.iter().map(|answer| self.wrap("td", if *answer { "yes" } else { "no" }));
            self.wrap("td", &row.name) + &self.wrap("td", &row.figure.to_string()) + &answers.collect::<String>()
        };
        let rows: String = rows.iter().map(|row| self.wrap("tr", &cells(row))).collect();
        self.wrap("table", &rows)
    }

    /// The part after the text: related pages, advertising, the footer.
    fn bottom(&self) -> String {
        let tick = self.world.tick;
        let mut bottom = match self.page.dynamic_boilerplate {
            Some(DynamicBoilerplate::Related) => {
                self.wrap("aside", &format!("{}{}", self.wrap("h3", "See also"), self.related()))
            }
            Some(DynamicBoilerplate::Advert) => {
                // The advertisements rotate, so that no two consecutive runs show the same.
                let mut dice = Dice::of(&[self.world.seed, 5, (tick + u64::from(self.page.number)) % 7]);
                self.wrap("aside", &self.wrap("p", &format!("Advertisement: {}!", prose::phrase(&mut dice, 9))))
            }
            _ => String::new(),
        };
        let mut footer = self.wrap("p", &format!("Lantern Works, edition {}. All rights kept.", self.world.edition));
        if self.page.dynamic_boilerplate == Some(DynamicBoilerplate::Stamp) {
            let day = FIRST_DAY + 86_400 * i64::try_from(tick).unwrap_or(0);
            footer +=
                &self.wrap("p", &format!("Site built on {}", dates::http_date(day).get(5..16).unwrap_or_default()));
        }
        if self.page.dynamic_boilerplate == Some(DynamicBoilerplate::Visitors) {
            footer += &self
                .wrap("p", &format!("{} visitors online", 3 + self.own_number(DynamicBoilerplate::Visitors) % 9_000));
        }
        bottom += &self.wrap("footer", &footer);
        bottom
    }

    fn related(&self) -> String {
        let linked = self.world.pages.values().filter(|page| page.is_leaf() && page.linked);
        let mut dice = Dice::of(&[self.world.seed, 6, u64::from(self.page.number), self.world.tick]);
        let chosen = dice.shuffled(linked.collect::<Vec<_>>()).into_iter().take(4);
        let links: Vec<String> = chosen.map(|page| link(&page.path, &page.title)).collect();
        self.list(links.iter().map(String::as_str))
    }

    fn tail(&self) -> String {
        let nonce = self.own_number(DynamicBoilerplate::Nonce);
        let build = self.build();
        format!("<script nonce=\"{nonce:016x}\" src=\"/assets/app.{build:05}.js\"></script><!-- rendered {nonce:x} -->")
    }

    fn build(&self) -> u64 {
        let (own, all) = (u64::from(self.page.marks), u64::from(self.world.edition) * 1_000);
        own + all
            + if self.page.dynamic_boilerplate == Some(DynamicBoilerplate::Build) {
                30_000 + self.world.tick
            } else {
                0
            }
    }

    /// A number that changes like the page's dynamic boilerplate if that is of this kind; otherwise it is constant.
    fn own_number(&self, kind: DynamicBoilerplate) -> u64 {
        let moment = match self.page.dynamic_boilerplate {
            Some(dynamic_boilerplate) if dynamic_boilerplate == kind && self.page.changes_at_each_fetch() => {
                1 << 40 | self.fetch
            }
            Some(dynamic_boilerplate) if dynamic_boilerplate == kind => self.world.tick,
            _ => 0,
        };
        scramble(moment.wrapping_mul(0x1_0001) ^ u64::from(self.page.number))
    }

    fn list<'a>(&self, items: impl Iterator<Item = &'a str>) -> String {
        let items: String = items.map(|item| self.wrap("li", item)).collect();
        self.wrap("ul", &items)
    }

    /// An element of this name; in a section of `div`s, one with a class of this name.
    fn wrap(&self, name: &str, content: &str) -> String {
        match self.page.section.markup {
            Markup::Semantic => format!("<{name}>{content}</{name}>"),
            Markup::Divs => format!("<div class=\"x-{name}\">{content}</div>"),
        }
    }
}

fn link(path: &str, text: &str) -> String {
    format!("<a href=\"{path}\">{text}</a> ")
}
