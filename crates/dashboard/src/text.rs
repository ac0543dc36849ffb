//! Formatting of texts and numbers for pages.

use askama::filters::HtmlSafe;
use jiff::Timestamp;
use mapwright_service::Live;
use mapwright_text::{escaped, visible};
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// A text of a site or of the jobs file, with control and formatting characters shown as escapes. Templates escape
/// markup.
pub(crate) fn shown(text: &str) -> String {
    visible(text).into_owned()
}

/// A title in sentence case.
pub(crate) fn sentence_case(title: &str) -> String {
    let mut rest = title.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

/// A URL of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    /// The target, if it is an http or https URL and needs no escapes.
    pub(crate) href: Option<String>,
    pub(crate) text: String,
}

impl Link {
    pub(crate) fn to(url: &str) -> Self {
        let is_page = url.starts_with("http://") || url.starts_with("https://");
        let text = visible(url);
        let href = (is_page && matches!(text, Cow::Borrowed(_))).then(|| url.to_owned());
        Self { href, text: text.into_owned() }
    }

    pub(crate) fn all(urls: &[String]) -> Vec<Self> {
        urls.iter().map(|url| Self::to(url)).collect()
    }
}

/// Renders the link as escaped markup, which templates insert unchanged.
impl Display for Link {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = escaped(&self.text);
        match &self.href {
            Some(href) => write!(
                f,
                "<a href=\"{}\" rel=\"noreferrer noopener nofollow\"><bdi class=\"url\">{text}</bdi></a>",
                escaped(href)
            ),
            None => write!(f, "<bdi class=\"url\">{text}</bdi>"),
        }
    }
}

impl HtmlSafe for Link {}

/// Encodes a name as one segment of a path.
pub(crate) fn segment(name: &str) -> String {
    let byte = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'~' => char::from(byte).to_string(),
        b'.' if !name.trim_matches('.').is_empty() => ".".to_owned(),
        _ => format!("%{byte:02X}"),
    };
    name.bytes().map(byte).collect()
}

/// Encodes a value for a query.
pub(crate) fn in_query(value: &str) -> String {
    url::form_urlencoded::byte_serialize(value.as_bytes()).collect()
}

/// A point in time, to the minute.
pub(crate) fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// A point in time as markup, which `times.js` shows in the browser's time zone; or the reason why there is none.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Time {
    At(Timestamp),
    None(&'static str),
}

impl Time {
    pub(crate) fn of(at: Option<Timestamp>) -> Self {
        at.map_or(Self::None("–"), Self::At)
    }
}

impl Display for Time {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(at) => write!(f, "<time datetime=\"{}\">{}</time>", at.strftime("%FT%TZ"), minute(*at)),
            Self::None(why) => f.write_str(why),
        }
    }
}

impl HtmlSafe for Time {}

/// Formats a duration.
pub(crate) fn took(millis: u64) -> String {
    let seconds = millis / 1_000;
    match seconds {
        0 => format!("{millis} ms"),
        1..=59 => format!("{}.{} s", seconds, millis % 1_000 / 100),
        60..=3_599 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}

/// The notice of a run that waits for its site.
pub(crate) fn note(live: &Live) -> Option<String> {
    let silent = |silence: Duration| format!("The site has answered nothing for {} s.", silence.as_secs());
    let waits = || "It mostly waits for its site, and holds no slot.".to_owned();
    live.silence.map(silent).or_else(|| live.waits.then(waits))
}

#[cfg(test)]
mod tests {
    use super::{Link, Time, in_query, segment, took};

    #[test]
    fn only_web_pages_that_show_as_they_are_become_links() {
        assert_eq!(Link::to("https://a.test/?x=\"><script>").href.as_deref(), Some("https://a.test/?x=\"><script>"));
        for url in ["javascript:alert(1)", "data:text/html,x", " https://a.test/", "https://a.test/\u{202e}", "HTTP:x"]
        {
            assert_eq!(Link::to(url).href, None, "{url}");
        }
        let markup = Link::to("https://a.test/?x='\"><script>&").to_string();
        assert!(
            !markup.contains("<script") && markup.contains("?x=&#39;&quot;&gt;&lt;script&gt;&amp;\" rel="),
            "{markup}"
        );
        assert_eq!(Link::to("https://a.test/\u{202e}x").text, "https://a.test/\\u202ex");
    }

    #[test]
    fn times_name_their_zone_for_people_and_machines() {
        let at = "2026-11-21T02:00:30.5Z".parse().unwrap();
        let markup = "<time datetime=\"2026-11-21T02:00:30Z\">2026-11-21 02:00 UTC</time>";
        assert_eq!((Time::of(Some(at)).to_string(), Time::of(None).to_string()), (markup.to_owned(), "–".to_owned()));
    }

    #[test]
    fn names_stay_in_their_segment() {
        assert_eq!(segment("a b/c?d#e%"), "a%20b%2Fc%3Fd%23e%25");
        assert_eq!((segment(".."), segment("a.b")), ("%2E%2E".to_owned(), "a.b".to_owned()));
        assert_eq!(in_query("a&b=c d"), "a%26b%3Dc+d");
    }

    #[test]
    fn numbers_are_shown_in_the_unit_that_fits() {
        assert_eq!(
            [took(7), took(1_540), took(61_000), took(7_380_000)],
            ["7 ms", "1.5 s", "1 min 01 s", "2 h 03 min"]
        );
    }
}
