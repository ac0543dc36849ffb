//! Sitemaps with dated entries.

use super::page::escape;

/// A day since which nothing has changed.
pub(super) const LONG_AGO: &str = "2024-02-03";

/// A sitemap of these URLs, each with its `lastmod` unless that is empty.
pub(super) fn dated<S: AsRef<str>>(entries: &[(String, S)]) -> String {
    let entries = entries.iter().map(|(url, date)| {
        let date = match date.as_ref() {
            "" => String::new(),
            date => format!("<lastmod>{date}</lastmod>"),
        };
        format!("<url><loc>{}</loc>{date}</url>\n", escape(url))
    });
    urlset(&entries.collect::<String>())
}

/// A sitemap with this content.
pub(super) fn urlset(content: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{content}</urlset>\n"
    )
}
