//! The pages of a ground by path: every kind of response, generated from numbers.

use std::fmt::Write;

use mapwright_testkit::Response;

/// The distance between two hubs. A hub links to the numbers up to the next hub.
pub(crate) const SPAN: usize = 20;
/// The number of child hubs that each hub links to.
const BRANCHES: usize = 3;

/// The page that always answers 500: the only one that a crawl retries.
pub(crate) const BROKEN: &str = "/broken";
/// The site's own sitemap, which lists the pages without inlinks.
const SITEMAP: &str = "/sitemap.xml";

/// The pages of a site: each number is one URL. The count is a multiple of the span.
#[derive(Debug, Clone)]
pub(crate) struct Map {
    pub(crate) base: String,
    pub(crate) numbers: usize,
}

/// The kind of the page with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Page,
    /// Redirects to the page before.
    Moved,
    /// A page with noindex, and the only one that links to the [`Kind::Behind`] page after it.
    Noindex,
    /// Linked only from a page with noindex.
    Behind,
    /// Names the page before as its canonical.
    Copy,
    /// A page with a nofollow link.
    Nofollow,
    Gone,
    /// Listed in the sitemap, and not linked.
    Orphan,
    /// Disallowed by robots.txt.
    Private,
}

impl Kind {
    fn of(number: usize) -> Kind {
        match number % SPAN {
            3 => Kind::Moved,
            7 => Kind::Noindex,
            8 => Kind::Behind,
            11 => Kind::Copy,
            13 => Kind::Nofollow,
            15 if number % 100 == 15 => Kind::Gone,
            17 => Kind::Orphan,
            19 => Kind::Private,
            _ => Kind::Page,
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Kind::Page => "page",
            Kind::Moved => "moved",
            Kind::Noindex => "noindex",
            Kind::Behind => "behind",
            Kind::Copy => "copy",
            Kind::Nofollow => "nofollow",
            Kind::Gone => "gone",
            Kind::Orphan => "orphan",
            Kind::Private => "private",
        }
    }

    fn is_listed(self) -> bool {
        matches!(self, Kind::Page | Kind::Behind | Kind::Nofollow | Kind::Orphan)
    }
}

impl Map {
    /// The paths that belong in the sitemap.
    pub(crate) fn listed(&self) -> impl Iterator<Item = String> {
        (0..self.numbers).filter(|number| Kind::of(*number).is_listed()).map(path)
    }

    /// The response of a path.
    pub(crate) fn answer(&self, requested: &str) -> Response {
        match requested {
            "/robots.txt" => {
                Response::text(format!("User-agent: *\nDisallow: /private/\nSitemap: {}{SITEMAP}\n", self.base))
            }
            SITEMAP => self.sitemap(),
            BROKEN => Response::html("<h1>Out of order</h1>").status(500),
            _ => match number(requested).filter(|number| *number < self.numbers && path(*number) == requested) {
                Some(number) => self.at(number),
                None => Response::html("<h1>Not found</h1>").status(404),
            },
        }
    }

    fn sitemap(&self) -> Response {
        let mut xml = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">".to_owned();
        for orphan in (0..self.numbers).filter(|number| Kind::of(*number) == Kind::Orphan) {
            let _ = write!(xml, "<url><loc>{}{}</loc></url>", self.base, path(orphan));
        }
        Response::xml(xml + "</urlset>")
    }

    fn at(&self, number: usize) -> Response {
        match Kind::of(number) {
            Kind::Moved => Response::redirect(301, &path(number - 1)),
            Kind::Gone => Response::html("<h1>Gone</h1>").status(404),
            Kind::Noindex => self.page(number, "<meta name=robots content=noindex>", &anchor(number + 1)),
            Kind::Copy => {
                let canonical = format!("<link rel=canonical href=\"{}{}\">", self.base, path(number - 1));
                self.page(number, &canonical, "")
            }
            Kind::Nofollow => self.page(number, "", &format!("<a rel=nofollow href=/unfollowed/{number}>Do not</a>")),
            _ if number.is_multiple_of(SPAN) => self.page(number, "", &self.below(number)),
            _ => self.page(number, "", ""),
        }
    }

    /// The links of a hub: to the numbers up to the next hub, except those that are not linked from hubs, and to its
    /// child hubs.
    fn below(&self, hub: usize) -> String {
        let linked = |number: &usize| !matches!(Kind::of(*number), Kind::Behind | Kind::Orphan);
        let near = (hub + 1..hub + SPAN).filter(linked);
        let first = hub / SPAN * BRANCHES + 1;
        let hubs = (first..first + BRANCHES).map(|index| index * SPAN);
        let mut html: String = near.chain(hubs).filter(|number| *number < self.numbers).map(anchor).collect();
        if hub == 0 {
            let _ = write!(html, "<a href={BROKEN}>Out of order</a>");
        }
        html
    }

    fn page(&self, number: usize, head: &str, body: &str) -> Response {
        let date = if number % 3 == 1 { modified_time(number) } else { String::new() };
        let hub = number / SPAN * SPAN;
        let elsewhere: String = (1..=6).map(|step| anchor((hub + step * 7 * SPAN) % self.numbers)).collect();
        let text = format!("Paragraph {} tells what no other tells, {} times. ", in_words(number), number * 31 % 977);
        let text = text.repeat(8);
        let html = format!(
            "<!doctype html><title>Number {number}</title>{date}{head}<nav>{}</nav><main><h1>Number {number}</h1>\
             <p>{text}</p>{body}</main><aside>{elsewhere}</aside><footer>The same everywhere</footer>",
            anchor(0)
        );
        let response = Response::html(html).gzip();
        if number.is_multiple_of(3) { response.header("Last-Modified", http_date(number)) } else { response }
    }
}

/// The digits of a number as words: pages that differ only in numbers count as duplicates.
fn in_words(number: usize) -> String {
    let word = |digit: char| {
        let words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
        digit.to_digit(10).and_then(|digit| words.get(digit as usize).copied())
    };
    number.to_string().chars().filter_map(word).collect::<Vec<_>>().join(" ")
}

fn path(number: usize) -> String {
    if number == 0 { "/".to_owned() } else { format!("/{}/{number:05}", Kind::of(number).folder()) }
}

fn number(path: &str) -> Option<usize> {
    if path == "/" { Some(0) } else { path.rsplit('/').next()?.parse().ok() }
}

fn anchor(number: usize) -> String {
    format!("<a href={}>To {number}</a>\n", path(number))
}

/// The page's date in the format of HTTP. The first of January 2024 was a Monday.
fn http_date(number: usize) -> String {
    let day = number % 28;
    let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].get(day % 7).copied().unwrap_or_default();
    format!("{weekday}, {:02} Jan 2024 {:02}:{:02}:{:02} GMT", day + 1, number % 24, number / 60 % 60, number % 60)
}

fn modified_time(number: usize) -> String {
    let (day, minute) = (number % 28 + 1, number / 60 % 60);
    format!("<meta property=article:modified_time content=\"2024-02-{day:02}T{:02}:{minute:02}:00Z\">", number % 24)
}
